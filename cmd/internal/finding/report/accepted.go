package report

import (
	"bytes"
	"strings"

	"parallax/cmd/internal/base/escape"
)

// acceptance says that a finding is accepted, and why.
func (b *Bucket) acceptance() string {
	if b.Reason == "" {
		return Accepted(b.NewVariant)
	}
	return Accepted(b.NewVariant) + ": " + escape.Text(b.Reason)
}

// Accepted is the state of an accepted finding. Later says that the input shown is of a variant that came after the finding was accepted.
func Accepted(later bool) string {
	if later {
		return "accepted, but this variant came later"
	}
	return "accepted"
}

// Separate says how causes that one check reports get findings of their own.
const Separate = "To separate causes, name the case in the message, or compare with parallax.Diff, which separates them by the lines that decide (parallax help harness)"

// widened names the variants that came after their finding was accepted, which are findings, and the failures that an accepted one accepts.
func widened(b *bytes.Buffer, s *Summary, o EndOptions) {
	var list [][]string // of each line the words, between which it may be broken
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
		if k.NewVariants > 0 {
			them := map[bool]string{true: "it", false: "them"}[k.NewVariants == 1]
			words := strings.Fields(head + plural(k.NewVariants, "variant") + " came after it was accepted")
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
		for i, line := range wrap(words, o.Width-4) {
			b.WriteString(map[bool]string{true: "    "}[i > 0] + line + "\n")
		}
	}
}
