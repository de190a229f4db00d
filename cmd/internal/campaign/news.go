package campaign

import (
	"time"

	"parallax/cmd/internal/finding/event"
	"parallax/internal/feature"
)

// news is the subscriber that records when each domain, and the findings, last had news.
type news struct {
	now Clock
	at  map[string]time.Time // keys: finding, and the keys of domains
}

// Handle implements event.Subscriber.
func (n *news) Handle(e event.Event) error {
	switch e := e.(type) {
	case event.Novel:
		n.note(feature.Numbered(int(e.Domain)))
	case event.Kept:
		for _, domain := range e.Meta.New {
			if d := feature.Find(domain); d != nil && d.Number == feature.Unstored { // stored domains have events of their own
				n.note(d)
			}
		}
	case event.Found:
		if e.New {
			n.at["finding"] = n.now()
		}
	}
	return nil
}

// note records that a domain has something new. Domains without a key are not shown.
func (n *news) note(d *feature.Domain) {
	if d != nil && d.Key != "" {
		n.at[d.Key] = n.now()
	}
}

// since returns the time since each last one.
func (n *news) since(now time.Time) map[string]time.Duration {
	ago := map[string]time.Duration{}
	for key, at := range n.at {
		ago[key] = now.Sub(at)
	}
	return ago
}
