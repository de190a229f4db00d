package exchange

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/finding/sample"
)

// A Board follows the campaigns at a hub for the page. It only reads, and remembers nothing that
// the hub does not have, except the members that are gone. Times are those of the hub.
type Board struct {
	hub *Hub

	mu      sync.Mutex // guards the fields below
	all     map[string]*board
	life    time.Duration // of a member's key
	version uint64        // changes with the content
}

// board holds the campaigns of one identity.
type board struct {
	about   Presence
	members map[string]*Attendance
	finds   map[string]Find // by bucket
	inputs  uint64
	waiting uint64
}

// Bounds of what a board remembers. A hub may hold anything.
const (
	mostBoards  = 1000
	mostMembers = 10_000 // per campaign
	mostFinds   = 50_000 // per campaign
	memberTime  = 24 * time.Hour
	countEvery  = 10 * time.Second
)

// Gathering describes the campaigns of one identity at a hub.
type Gathering struct {
	Key             string   // of their identity
	About           Presence // of a member; empty if none was seen
	Members         []Attendance
	Finds           []Find // the oldest first
	Inputs, Waiting uint64 // inputs, and candidates that members left
}

// Attendance is a member as the hub has seen it.
type Attendance struct {
	Name, Build string
	State       AttendanceState
	Last        time.Time // its last sign of life
	Samples     []Reading // of the last hour
}

// AttendanceState says whether a member is there.
type AttendanceState uint8

// States of members.
const (
	Up   AttendanceState = iota
	Lost                 // without a sign of life in time
	Left                 // it said that it ends
)

// Reading is a sample of a member.
type Reading struct {
	At time.Time
	sample.Sample
}

// Find is a finding that a member announced, with its smallest input.
type Find struct {
	Bucket, Kind, Location string
	Outcomes               map[string]string // by program
	Input                  []byte            // in file form
	Member                 string
	At                     time.Time // of the announcement
}

// Follow returns a board of the hub behind a connection.
func Follow(conn *nats.Conn) (*Board, error) {
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(callTime))
	if err != nil {
		return nil, err
	}
	return (&Hub{conn: conn, js: js}).Board(), nil
}

// Board returns a board of the hub.
func (h *Hub) Board() *Board {
	return &Board{hub: h, all: map[string]*board{}, life: memberLife}
}

// Run follows the hub until ctx ends.
func (b *Board) Run(ctx context.Context) {
	for attempts := 0; ctx.Err() == nil; attempts++ {
		began := time.Now()
		_ = b.session(ctx) // the streams may be gone, and come back
		if time.Since(began) > slowestTry {
			attempts = 0
		}
		select {
		case <-time.After(delay(attempts)):
		case <-ctx.Done():
		}
	}
}

// session follows the streams until something fails.
func (b *Board) session(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	call, end := context.WithTimeout(ctx, startTime)
	s, err := b.hub.streams(call)
	end()
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.life = s.memberLife
	for _, one := range b.all { // a hub that was emptied has lost them
		one.finds = map[string]Find{}
		for _, m := range one.members {
			m.Samples = nil
		}
	}
	b.mu.Unlock()
	members, err := s.members.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer members.Stop()
	for stream, handle := range map[string]func(jetstream.Msg){statsStream: b.sampled, findStream: b.found} {
		c, err := b.hub.js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{InactiveThreshold: idleLife})
		if err != nil {
			return err
		}
		follow, err := c.Consume(handle)
		if err != nil {
			return err
		}
		defer follow.Stop()
	}
	epoch := s.finds.CachedInfo().Created
	for {
		if err := b.count(ctx, &s, epoch); err != nil {
			return err
		}
		for due := time.After(countEvery); due != nil; {
			select {
			case e, open := <-members.Updates():
				if !open {
					return errDisconnected
				}
				if e != nil { // nil marks the end of the present keys
					b.seen(e)
				}
			case <-due:
				due = nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// count asks the hub for the numbers of inputs and of candidates that wait.
func (b *Board) count(ctx context.Context, s *streams, epoch time.Time) error {
	call, end := context.WithTimeout(ctx, startTime)
	defer end()
	info, err := s.finds.Info(call)
	if err != nil {
		return err
	}
	if !info.Created.Equal(epoch) {
		return errDisconnected // another stream has its name
	}
	b.mu.Lock()
	keys := slices.Sorted(maps.Keys(b.all))
	b.mu.Unlock()
	for _, key := range keys {
		inputs, err := pending(call, s.inputs, "px."+key+".input.>")
		if err != nil {
			return err
		}
		waiting, err := pending(call, s.work, "px."+key+".work.left.>")
		if err != nil {
			return err
		}
		b.mu.Lock()
		if one := b.all[key]; one != nil && (one.inputs != inputs || one.waiting != waiting) {
			one.inputs, one.waiting = inputs, waiting
			b.version++
		}
		b.mu.Unlock()
	}
	return nil
}

// pending returns the number of messages of a subject. The server counts them for a new consumer
// without a list of all subjects.
func pending(ctx context.Context, s jetstream.Stream, subject string) (uint64, error) {
	c, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubject: subject, AckPolicy: jetstream.AckNonePolicy, HeadersOnly: true, InactiveThreshold: idleLife, MemoryStorage: true, Replicas: 1,
	})
	if err != nil {
		return 0, err
	}
	info := c.CachedInfo()
	_ = s.DeleteConsumer(ctx, info.Name) // the server ends it by itself otherwise
	return info.NumPending, nil
}

// of returns what is known of a campaign, or nil if there are too many. The caller holds mu.
func (b *Board) of(key string) *board {
	one := b.all[key]
	if one == nil && token(key) && len(b.all) < mostBoards {
		one = &board{members: map[string]*Attendance{}, finds: map[string]Find{}}
		b.all[key] = one
	}
	return one
}

// member returns what is known of a member, or nil if there are too many.
func (o *board) member(name string) *Attendance {
	m := o.members[name]
	if m == nil && token(name) && len(o.members) < mostMembers {
		m = &Attendance{Name: name}
		o.members[name] = m
	}
	return m
}

// seen handles a change of a member's key.
func (b *Board) seen(e jetstream.KeyValueEntry) {
	key, name, ok := strings.Cut(e.Key(), ".")
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.of(key)
	if !ok || one == nil {
		return
	}
	m := one.member(name)
	if m == nil {
		return
	}
	b.version++
	m.Last = latest(m.Last, e.Created())
	if e.Operation() != jetstream.KeyValuePut {
		m.State = Left
		return
	}
	var p Presence
	if json.Unmarshal(e.Value(), &p) == nil {
		m.State, m.Build, one.about = Up, p.Build, p
	}
}

// latest returns the later one of two times.
func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// sampled handles a sample.
func (b *Board) sampled(msg jetstream.Msg) {
	parts := strings.Split(msg.Subject(), ".")
	meta, err := msg.Metadata()
	var s sample.Sample
	if err != nil || len(parts) != 4 || json.Unmarshal(msg.Data(), &s) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.of(parts[1])
	if one == nil {
		return
	}
	m := one.member(parts[3])
	if m == nil {
		return
	}
	b.version++
	m.Last = latest(m.Last, meta.Timestamp)
	m.Samples = append(m.Samples, Reading{meta.Timestamp, s})
	m.Samples = m.Samples[max(0, len(m.Samples)-statsEach):]
}

// found handles an announcement of a finding.
func (b *Board) found(msg jetstream.Msg) {
	var f manifest
	parts := strings.Split(msg.Subject(), ".")
	meta, err := msg.Metadata()
	if err != nil || len(parts) != 5 || json.Unmarshal(msg.Data(), &f) != nil || f.Kind != parts[3] || f.Bucket != parts[4] || hashOf(f.Input) != f.Hash {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.of(parts[1])
	if one == nil || len(one.finds) >= mostFinds {
		return
	}
	at := meta.Timestamp
	if old, ok := one.finds[f.Bucket]; ok { // a smaller input
		at = old.At
	}
	b.version++
	one.finds[f.Bucket] = Find{f.Bucket, f.Kind, f.Location, f.Outcomes, f.Input, msg.Headers().Get(memberHeader), at}
}

// Read returns the present campaigns by key, and a text that changes with them.
func (b *Board) Read(now time.Time) (list []Gathering, stamp string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var states []byte
	for _, key := range slices.Sorted(maps.Keys(b.all)) {
		one := b.all[key]
		g := Gathering{Key: key, About: one.about, Inputs: one.inputs, Waiting: one.waiting}
		for _, name := range slices.Sorted(maps.Keys(one.members)) {
			m := *one.members[name]
			if now.Sub(m.Last) > memberTime {
				delete(one.members, name)
				b.version++
				continue
			}
			if m.State == Up && now.Sub(m.Last) > b.life {
				m.State = Lost
			}
			m.Samples = slices.DeleteFunc(slices.Clone(m.Samples), func(r Reading) bool { return now.Sub(r.At) > statsLife })
			states = append(states, '0'+byte(m.State))
			g.Members = append(g.Members, m)
		}
		for _, bucket := range slices.Sorted(maps.Keys(one.finds)) {
			g.Finds = append(g.Finds, one.finds[bucket])
		}
		slices.SortStableFunc(g.Finds, func(a, b Find) int { return a.At.Compare(b.At) })
		list = append(list, g)
	}
	return list, strconv.FormatUint(b.version, 10) + " " + string(states)
}
