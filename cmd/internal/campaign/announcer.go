package campaign

import (
	"fmt"
	"log/slog"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/event"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// View shows a campaign to its user. Its methods are called from any goroutine.
type View interface {
	// Step names the long step that goes on now.
	Step(text string)
	// Update replaces the status.
	Update(sample.Status)
	// Message reports one event in a line.
	Message(text string)
}

// announcer is the subscriber that shows the user what happens, and notes findings in the log.
type announcer struct {
	ui    View
	log   *slog.Logger
	shape input.Shape

	announced int // findings told of one by one
}

// announceLimit is how many findings are told of one by one: after those the reader is looking for the list.
const announceLimit = 12

// Take implements event.Subscriber.
func (a *announcer) Take(e event.Event) error {
	switch e := e.(type) {
	case *event.Found:
		if e.New && !e.Bucket.Accepted {
			a.announce(e.Bucket)
		}
		a.log.Info("finding", "bucket", e.Bucket.ID, "kind", e.Bucket.Kind, "new", e.New, "runs", e.Finding.Runs)
	case event.Progress:
		a.ui.Update(e.Status)
	}
	return nil
}

// announce tells of a new bucket.
func (a *announcer) announce(b *findings.Bucket) {
	if a.announced++; a.announced > announceLimit {
		if a.announced == announceLimit+1 {
			a.ui.Message("further findings are only counted here, and listed at the end")
		}
		return
	}
	text := fmt.Sprintf("%s %s on %s:", b.Kind, b.ID, b.Best.Quote(60))
	if p := b.Best.Programs[0]; len(b.Best.Programs) == 1 {
		a.ui.Message(text + " " + escape.Cut(p.Line(), 80))
		return
	}
	for i, p := range b.Best.Programs {
		if i > 0 {
			text += ","
		}
		text += " " + p.Name + " "
		if b.Best.Layer == oracle.ValueLayer.String() && p.Value != "" {
			text += b.Best.Excerpt(&p, 60)
		} else {
			text += p.Outcome
		}
	}
	a.ui.Message(text)
}
