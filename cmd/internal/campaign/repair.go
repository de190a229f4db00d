package campaign

import (
	"fmt"
	"parallax/cmd/internal/finding"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
)

// maxRepairDeaths bounds the processes that the repair function may end before the campaign stops.
// Each costs the start of a process, and --timeout if it hangs.
const maxRepairDeaths = 5

// shownMutant bounds the bytes of an input in a note.
const shownMutant = 120

// firstSeen separates a note from its example. Of notes with several examples, one is kept.
const firstSeen = ": first seen on "

// noteRepair records a note about the repair function.
func (c *Campaign) noteRepair(text string) {
	about, _, _ := strings.Cut(text, firstSeen)
	known := slices.ContainsFunc(c.problems, func(p string) bool { return strings.HasPrefix(p, about) })
	if !known {
		c.problems = append(c.problems, text)
	}
	c.log.Warn("repair", "text", text)
}

// handleNote records a note of a worker and shows it at once.
func (c *Campaign) handleNote(text string) {
	before := len(c.problems)
	if c.noteRepair(text); len(c.problems) > before {
		c.ui.Message("note: " + text)
	}
}

// handleRepairDeath handles the death of a process that was repairing a mutant, or drawing one. If
// an earlier input left something behind, the earlier inputs are triaged.
func (c *Campaign) handleRepairDeath(d *execute.Death, left bool) {
	how := "ends its process (" + d.Status + ")"
	switch d.Outcome {
	case oracle.Timeout:
		how = "does not return within " + c.opt.Timeout.String()
	case oracle.OOM:
		how = fmt.Sprintf("needs more than %d MiB of memory", c.opt.Memory>>20)
	}
	who, what, advice := "the repair function", "the mutant", "Correct the function, or run without it"
	flat := d.Recent[0]
	shown := quote.Input(c.facts.Shape, flat, shownMutant)
	if c.facts.Tapes() {
		who, what, advice = "the generator", "the input", "Correct the generator: a loop, a recursion or a size in it has no end"
	}
	text := who + " " + how
	c.noteRepair(text + ", and " + what + " is left out" + firstSeen + shown)
	if c.known.avoid(flat); left && d.Outcome == oracle.Crashed {
		c.enqueue(finding.Candidate{Flat: flat, Before: d.Recent[1:], Deadly: true, Inputs: c.totals.inputs})
	}
	if c.deaths.repairs++; c.deaths.repairs == maxRepairDeaths {
		c.fail(exit.Usage("%s: it has ended %d processes, the last on %s. %s", text, c.deaths.repairs, shown, advice))
	}
}
