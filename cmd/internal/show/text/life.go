package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
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
	case l.AcceptedIn != "" && l.Flaky == "":
		facts = append(facts, fact{"open", append([]span{say("of its variants, the entry of "), named(l.AcceptedIn), say(" accepts all but %d: ", l.NewVariants)}, why...)})
	case l.NewVariants > 0 && l.Flaky == "":
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

// lifeCare returns the facts that people recorded: the state, the owner and the issue.
func lifeCare(l *finding.Life) (facts factsBlock) {
	if l.State != "" && l.State != history.New && l.State != history.Accepted {
		facts = append(facts, fact{"state", []span{say("%s", l.State)}})
	}
	if l.Owner != "" {
		facts = append(facts, fact{"owner", []span{{l.Owner, asPlain}}})
	}
	if l.Link != "" {
		facts = append(facts, fact{"issue", []span{named(l.Link)}})
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

// lived lists the log of a finding.
func lived(d *document, page paper) {
	if page.Life == nil || len(page.Life.History) == 0 {
		return
	}
	d.add(headingBlock{2, []span{say("History")}})
	t := tableBlock{head: []string{"when", "who", "entry"}}
	for i := range page.Life.History {
		e := &page.Life.History[i]
		when := "at an unknown time"
		if at := e.When(); !at.IsZero() {
			when = at.UTC().Format("2006-01-02 15:04")
		}
		t.rows = append(t.rows, [][]span{{say("%s", when)}, {{Who(e), asPlain}}, {{strings.Join(Entries(e), "; "), asPlain}}})
	}
	d.add(t)
}

// Who names the author of an entry, and the way of the change if that is not parallax note.
func Who(e *history.Entry) string {
	switch e.Via {
	case "", "note":
		return e.Author
	case "replay", "run":
		return strings.TrimSpace(e.Author + " (" + e.Via + ")")
	}
	return strings.TrimSpace(e.Author + " by " + e.Via)
}

// Entries describes the changes of an entry.
func Entries(e *history.Entry) (list []string) {
	if e.State != "" {
		list = append(list, Became(e))
	}
	if e.Owner != nil {
		list = append(list, "owner "+cmp.Or(*e.Owner, "removed"))
	}
	if e.Link != nil {
		list = append(list, "issue "+cmp.Or(*e.Link, "removed"))
	}
	if e.Comment != "" {
		list = append(list, e.Comment)
	}
	return list
}

// Became describes the state that an entry sets.
func Became(e *history.Entry) string {
	switch e.State {
	case history.Fixed:
		if e.Revision != "" {
			return "fixed at " + e.Revision
		}
	case history.Again:
		if e.Revision != "" {
			return "shows again after it was fixed, at " + e.Revision
		}
		return "shows again after it was fixed"
	case history.Accepted:
		return "accepted: " + cmp.Or(e.Reason, "no reason")
	}
	return string(e.State)
}
