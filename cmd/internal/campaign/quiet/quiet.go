// Package quiet detects the end of progress: for so many inputs, or so much time, a campaign has
// shown nothing new.
//
// New are features of domains that the programs bound, such as covered blocks, and unique
// discrepancies, and buckets. Unbounded domains do not count, since nearly every input of a large
// program has a new path (feature.Domain.Bounded).
//
// The campaign passes its events, and asks Over while it fuzzes.
package quiet

import (
	"time"

	"parallax/cmd/internal/finding/event"
	"parallax/internal/feature"
)

// Limit is the length of a quiet period that ends the fuzzing. Zero values mean no limit.
type Limit struct {
	Inputs uint64
	Time   time.Duration
}

// Detector is the subscriber that notes progress. The zero Detector has a limit of zero.
type Detector struct {
	Limit Limit

	progress bool // since the last call of Over
	covered  int
	inputs   uint64 // at the last progress
	at       time.Time
}

// Handle implements event.Subscriber.
func (d *Detector) Handle(e event.Event) error {
	switch e := e.(type) {
	case event.Novel:
		domain := feature.Numbered(int(e.Domain))
		d.progress = d.progress || domain != nil && (bounded(domain) || domain.Oracle)
	case event.Kept:
		for _, name := range e.Meta.New {
			domain := feature.Find(name)
			d.progress = d.progress || domain != nil && bounded(domain)
		}
	case event.Found:
		d.progress = d.progress || e.New
	}
	return nil
}

// bounded reports whether the programs bound the number of a domain's features.
func bounded(d *feature.Domain) bool { return d.Bounded || d.Blocks }

// Over reports whether the quiet period has reached the limit. The arguments are the present time,
// the number of inputs, and the number of covered blocks of all programs.
func (d *Detector) Over(now time.Time, inputs uint64, covered int) bool {
	if d.Limit == (Limit{}) {
		return false
	}
	if d.progress || covered > d.covered || d.at.IsZero() {
		d.progress, d.covered, d.inputs, d.at = false, max(covered, d.covered), inputs, now
		return false
	}
	return d.Limit.Inputs > 0 && inputs-d.inputs >= d.Limit.Inputs || d.Limit.Time > 0 && now.Sub(d.at) >= d.Limit.Time
}
