package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
)

// lifeFacts returns the facts that a reader needs first: the bucket is settled, or no longer shows.
func lifeFacts(l *finding.Life) (facts factsBlock) {
	why := []span{{cmp.Or(l.Reason, "yes"), asPlain}}
	switch {
	case l.Accepted:
		var but []string
		if l.NewVariant {
			but = append(but, "but this variant came later")
		}
		if l.NewVariants > 0 {
			but = append(but, units.Plural(l.NewVariants, "variant")+" came after it was accepted")
		}
		if len(but) > 0 {
			why = append(why, say(" (%s)", strings.Join(but, "; ")))
		}
		if l.Accepts != "" {
			why = append(why, say(". It accepts "), span{l.Accepts, asPlain}, say(". %s", Separate))
		}
		facts = append(facts, fact{"accepted", why})
	case l.NewSeed:
		facts = append(facts, fact{"open", append([]span{say("a seed shows it, and none did when it was accepted: ")}, why...)})
	case l.NewVariants > 0:
		facts = append(facts, fact{"open", append([]span{say("%s came after it was accepted: ", units.Plural(l.NewVariants, "variant"))}, why...)})
	}
	if l.Gone {
		facts = append(facts, fact{"gone", []span{say("it could not be reproduced when it was executed again")}})
	}
	if l.Flaky != "" {
		facts = append(facts, fact{"flaky", []span{{l.Flaky, asPlain}}})
	}
	return facts
}

func lifeSeen(l *finding.Life) string {
	text := "in " + units.Plural(l.Count, "input")
	first := []string{}
	if !l.First.IsZero() && !l.Now.IsZero() {
		first = append(first, Ago(l.Now.Sub(l.First)))
	}
	if l.FirstSeen > 0 {
		first = append(first, "after "+units.Plural(l.FirstSeen, "input"))
	}
	if len(first) > 0 {
		text += "; first " + strings.Join(first, ", ")
	}
	if !l.Now.IsZero() && l.Last.After(l.First) {
		text += "; last " + Ago(l.Now.Sub(l.Last))
	}
	return text
}

// Ages returns when something was first and last seen: "first 2h10m ago, last 3m05s ago". It
// returns "" if that is not known.
func Ages(first, last, now time.Time) string {
	if first.IsZero() || now.IsZero() {
		return ""
	}
	text := "first " + Ago(now.Sub(first))
	if !last.IsZero() && last.After(first) {
		text += ", last " + Ago(now.Sub(last))
	}
	return text
}

// Ago returns a duration in its largest unit, which is enough for an age.
func Ago(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if d >= u.unit {
			return fmt.Sprintf("%d%s ago", d/u.unit, u.name)
		}
	}
	return "just now"
}
