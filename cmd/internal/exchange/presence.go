package exchange

import (
	"context"
	"encoding/json"
	"time"

	"parallax/cmd/internal/finding/event"
)

// Presence is the value of a member's key in PX_MEMBER.
type Presence struct {
	Version int    `json:"version"`
	Member  string `json:"member"`
	Target  string `json:"target"`
	Mode    string `json:"mode"`
	Build   string `json:"build"`

	Programs []string `json:"programs,omitempty"`
	Shape    string   `json:"shape,omitempty"` // of an input
}

// sampled keeps the latest sample for the overview.
func (m *Member) sampled(e event.Sampled) {
	if len(e.Samples) == 0 {
		return
	}
	data, err := json.Marshal(e.Samples[len(e.Samples)-1])
	if err != nil {
		return // it is for the overview only
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sample = data
}

// renewals is the number of times that a key is renewed in its life, so that one lost message does
// not end it.
const renewals = 3

// show shows the member and its samples to others, until something fails.
func (m *Member) show(ctx context.Context, s *streams) error {
	m.mu.Lock()
	name := m.memory.Member
	m.mu.Unlock()
	value, err := json.Marshal(Presence{Version: 1, Member: name, Target: m.about.Target, Mode: m.about.Identity.Mode, Build: m.about.Build, Programs: m.about.Identity.Names(), Shape: m.about.Identity.Shape})
	if err != nil {
		return err
	}
	defer func() { // others need not wait for the end of its life
		call, end := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer end()
		if m.hub.conn.IsConnected() {
			_ = s.members.Delete(call, m.key+"."+name)
		}
	}()
	for {
		call, end := context.WithTimeout(ctx, callTime)
		_, err := s.members.Put(call, m.key+"."+name, value)
		m.mu.Lock()
		sample := m.sample
		m.sample = nil
		m.mu.Unlock()
		if err == nil && sample != nil {
			_, err = m.hub.js.Publish(call, "px."+m.key+".stats."+name, sample)
		}
		end()
		if err != nil && !apiError(err) { // a full hub shows nothing
			return err
		}
		select {
		case <-time.After(s.memberLife / renewals):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
