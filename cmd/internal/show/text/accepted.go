package text

import (
	"bytes"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
)

// acceptance returns the state of an accepted finding and the reason.
func acceptance(b *finding.Row) string {
	if b.Reason == "" {
		return Accepted(b.NewVariant)
	}
	return Accepted(b.NewVariant) + ": " + escape.Text(b.Reason)
}

// Accepted returns the state of an accepted finding, or of one whose shown variant came later.
func Accepted(later bool) string {
	if later {
		return "accepted, but this variant came later"
	}
	return "accepted"
}

// Separate advises how to get one finding per cause from one check.
const Separate = "To separate causes, name the case in the message, or compare with parallax.Diff, which separates them by the lines that decide (parallax help harness)"

// widened lists the variants that came after acceptance, and the failures that accepted checks
// cover.
func widened(b *bytes.Buffer, s *finding.Summary, o EndOptions) {
	var list [][]string // the words of each line; lines break between words
	failures := false
	for _, k := range s.Findings.Buckets {
		id, head := escape.Text(o.Flags)+escape.Text(k.ID), escape.Text(k.ID)+": "
		if k.Accepted {
			head = "accepted " + head
		}
		if k.Accepted && k.Accepts != "" {
			failures = true
			list = append(list, strings.Fields(head+"it accepts "+escape.Text(k.Accepts)))
		}
		if k.NewSeed {
			words := strings.Fields(head + "accepted, but a seed shows it now, and none did then;")
			list = append(list, append(words, "parallax accept "+id, "accepts", "that", "too"))
		}
		if k.NewVariants > 0 {
			them := map[bool]string{true: "it", false: "them"}[k.NewVariants == 1]
			if k.AcceptedIn != "" {
				head += "of its variants, the entry of " + escape.Text(k.AcceptedIn) + " accepts all but " + units.Thousands(uint64(k.NewVariants))
			} else if head += units.Plural(k.NewVariants, "variant") + " came after it was accepted"; k.Accepted { // the ids of variants have changed
				head += map[bool]string{true: " and fails no run", false: " and fail no run"}[k.NewVariants == 1]
			}
			words := strings.Fields(head)
			list = append(list, append(words, "(parallax show "+id+");", "parallax accept "+id, "accepts", them, "too")) // commands are whole, to copy
		}
	}
	if failures {
		list = append(list, strings.Fields(Separate))
	}
	if len(list) > 0 {
		b.WriteString("\n")
	}
	for _, words := range list {
		for i, line := range columns.WrapWords(words, o.Width-4) {
			b.WriteString(map[bool]string{true: "    "}[i > 0] + line + "\n")
		}
	}
}
