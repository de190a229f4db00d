package campaign

import (
	"time"

	"parallax/cmd/internal/event"
	"parallax/internal/feature"
)

// news is the subscriber that remembers when the last new thing of each kind came.
type news struct {
	now Clock
	at  map[string]time.Time // keys: coverage, finding, and those of domains
}

// Take implements event.Subscriber.
func (n *news) Take(e event.Event) error {
	switch e := e.(type) {
	case event.Novel:
		n.at[feature.Numbered(int(e.Domain)).Key] = n.now()
	case event.Kept:
		for _, domain := range e.Meta.New {
			if domain == feature.Coverage {
				n.at["coverage"] = n.now()
			}
		}
	case *event.Found:
		if e.New {
			n.at["finding"] = n.now()
		}
	}
	return nil
}

// since is how long ago that was.
func (n *news) since(now time.Time) map[string]time.Duration {
	ago := map[string]time.Duration{}
	for key, at := range n.at {
		ago[key] = now.Sub(at)
	}
	return ago
}
