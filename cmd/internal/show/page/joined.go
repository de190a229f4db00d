package page

import (
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
)

// Joined is a campaign that has joined others at the hub.
type Joined struct {
	Name   string
	State  string    // one of JoinedUp, JoinedLost and JoinedLeft
	Last   time.Time // its last heartbeat, by the clock of the hub
	Build  string    // of its programs
	Inputs uint64
	Rate   float64 // executions per second
}

// States of joined campaigns.
const (
	JoinedUp   = "up"
	JoinedLost = "lost" // no heartbeat in time
	JoinedLeft = "left" // it has ended
)

// joined counts the joined campaigns in a state.
func (m *Member) joined(state string) (n int) {
	for i := range m.Joined {
		if m.Joined[i].State == state {
			n++
		}
	}
	return n
}

// Up returns the number of workers that run: processes here, or campaigns elsewhere.
func (m *Member) Up() int {
	switch {
	case m.Hub:
		return m.joined(JoinedUp)
	case m.Running:
		return m.Workers
	}
	return 0
}

// workers describes the workers of a campaign.
func (m *Member) workers() string {
	list := []string{thousands(m.Up()) + " up"}
	if s := m.Campaign.Summary; s.Restarts > 0 && !m.Hub {
		list = append(list, count(s.Restarts, "restart"))
	}
	if n := m.joined(JoinedUp); n > 0 && !m.Hub {
		list = append(list, thousands(n)+" joined")
	}
	if n := m.joined(JoinedLost); n > 0 {
		list = append(list, thousands(n)+" lost")
	}
	return strings.Join(list, ", ")
}

// rate returns the present executions per second.
func (m *Member) rate() (sum float64) {
	if !m.Hub {
		return lastRate(m.Campaign.Samples)
	}
	for i := range m.Joined {
		if m.Joined[i].State == JoinedUp {
			sum += m.Joined[i].Rate
		}
	}
	return sum
}

// joinedView is a campaign that has joined.
type joinedView struct{ Name, State, Last, Build, Inputs, Rate string }

// joinedViews returns the joined campaigns, those that run first.
func (m *Member) joinedViews() (list []joinedView) {
	for _, state := range []string{JoinedUp, JoinedLost, JoinedLeft} {
		for _, j := range m.Joined {
			if j.State == state {
				list = append(list, joinedView{escape.Text(j.Name), state, j.Last.UTC().Format("2006-01-02 15:04:05 UTC"), escape.Text(j.Build[:min(len(j.Build), 12)]), thousands(j.Inputs), number(j.Rate)})
			}
		}
	}
	return list
}
