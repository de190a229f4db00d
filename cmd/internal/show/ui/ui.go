// Package ui shows a campaign while it runs: one line every few seconds, or a full-screen status on
// a terminal. The command that runs the campaign calls it. The package only reads the sample.Status
// that it gets, and decides nothing.
//
// Any goroutine may call Update, Step and Message, as often as it likes; the full screen never
// makes it wait for the terminal. Close restores the terminal. Call it before the process ends,
// even after an error. Text from programs is escaped here.
package ui

import (
	"fmt"
	"io"
	"os"
	"time"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/sample"
)

// timeLeft estimates the rest of triage, as the end of a sentence. If the time is not known, it
// counts candidates.
func timeLeft(s *sample.Status) string {
	left, most := s.TriageLeft.Round(time.Second), s.TriageEnds.Round(time.Second)
	switch {
	case left > 0 && (most == 0 || left < most):
		return ", about " + units.Duration(left) + " left"
	case left > 0:
		return ", about " + units.Duration(most) + " left"
	case s.TriageLeft > 0: // less than a second
		return ""
	}
	text := fmt.Sprintf(" (%d of %d judged)", s.Judged, s.Judged+s.Pending)
	if s.Pending == 0 || s.Judged == 0 {
		text = ""
	}
	if most > 0 {
		text += ", at most " + units.Duration(most) + " left"
	}
	return text
}

// UI shows a campaign.
type UI interface {
	// Step names the current long step. Its elapsed time is shown until the next Step, or the first
	// Update.
	Step(text string)
	// Update replaces the status.
	Update(sample.Status)
	// Message shows one event in a line, such as a new finding. No message is lost: the messages of
	// a full screen are printed after it.
	Message(text string)
	// Close restores the terminal and returns when all output is written. Further calls do nothing.
	Close()
}

// Modes of New.
const (
	Auto = "auto" // Full on a terminal that can, else Line
	Line = "line"
	Full = "full"
	None = "none"
)

// New returns the UI for a mode, which writes to w, normally os.Stderr. It calls interrupt in a new
// goroutine for every ^C or q typed into the full screen, where the terminal sends no signal. The
// first one means a clean stop, the second an immediate one. The caller handles signals. An unknown
// mode means Auto.
func New(w io.Writer, mode string, interrupt func()) UI {
	t := terminalOf(w, os.Getenv)
	switch mode {
	case None:
		return none{}
	case Line:
		return newLine(w, t, time.Now)
	case Full:
		if t.is {
			return newFull(w, t, interrupt, time.Now)
		}
	default:
		if t.is && !t.dumb && t.foreground {
			return newFull(w, t, interrupt, time.Now)
		}
	}
	return newLine(w, t, time.Now)
}

// Brief returns a view without diversity, evenness and probabilities.
func Brief(view UI) UI { return brief{view} }

type brief struct{ UI }

func (b brief) Update(s sample.Status) {
	s.Behavior = nil
	b.UI.Update(s)
}

type none struct{}

func (none) Step(string)          {}
func (none) Update(sample.Status) {}
func (none) Message(string)       {}
func (none) Close()               {}
