// Package ui shows a campaign while it runs: one line every few seconds, or a full-screen status on a terminal. The
// command that runs the campaign calls it; it reads nothing but the sample.Status it is handed and never decides anything.
//
// Update, Step and Message may be called from any goroutine, as often as the caller likes; the full screen never makes them
// wait for the terminal. Close restores the terminal and must be called before the process ends, also when it ends at once.
// Text from programs is escaped here.
package ui

import (
	"io"
	"os"
	"time"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/sample"
)

// left is how long triage goes on, about, behind other words.
func left(s *sample.Status) string {
	if s.TriageLeft < time.Second {
		return ""
	}
	return ", about " + units.Duration(s.TriageLeft.Round(time.Second)) + " left"
}

// A UI shows a campaign.
type UI interface {
	// Step names the long step that goes on now; its elapsed time is shown until the next Step, or the first Update.
	Step(text string)
	// Update replaces the status.
	Update(sample.Status)
	// Message tells one event in a line, such as a new finding. No message is lost: what came during a full screen is
	// printed after it.
	Message(text string)
	// Close restores the terminal and returns when nothing more is written. It may be called more than once.
	Close()
}

// Modes of New.
const (
	Auto = "auto" // Full on a terminal that can, else Line
	Line = "line"
	Full = "full"
	None = "none"
)

// New returns the UI for a mode, writing to w, normally os.Stderr. Interrupt is called in a goroutine of its own for every
// ^C or q typed into the full screen, where the terminal sends no signal: the first means to stop cleanly, the second at
// once. Signals themselves stay the caller's. An unknown mode is Auto.
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

// Brief returns a view that leaves out diversity, evenness and probabilities.
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
