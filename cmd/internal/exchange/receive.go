package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/base/corpus"
)

func hashOf(file []byte) string { return corpus.Hash(file) }

const (
	fetched   = 64              // messages per request
	fetchWait = 5 * time.Second // for the first of them
	idleLife  = time.Minute     // of a consumer whose member is away
	pollTime  = 10 * time.Millisecond
	// mostBytes bounds the size of a received input, whatever the limits of this campaign are. It is
	// far above the largest that a campaign makes.
	mostBytes = 8 << 20
)

// receiveInputs puts the inputs of others on the shelf.
func (m *Member) receiveInputs(ctx context.Context, s *streams) error {
	if err := m.receiveFront(ctx, s); err != nil {
		return err
	}
	return m.follow(ctx, s.inputs, "px."+m.key+".input.>", &m.memory.Inputs, func(msg jetstream.Msg) error {
		return m.receiveInput(ctx, s, received{msg.Subject(), msg.Headers(), msg.Data()})
	})
}

// receiveFinds puts the inputs of findings of others on the shelf.
func (m *Member) receiveFinds(ctx context.Context, s *streams) error {
	return m.follow(ctx, s.finds, "px."+m.key+".find.>", &m.memory.Finds, m.receiveFind)
}

// receiveAnnounced waits until the findings are received that the hub has now. It waits for the
// first session, but not for a hub that is away.
func (m *Member) receiveAnnounced(ctx context.Context) {
	var last *jetstream.RawStreamMsg
	for of := (*streams)(nil); ctx.Err() == nil; {
		m.mu.Lock()
		s, lost, seq := m.streams, !m.link.lost.IsZero(), m.memory.Finds.Seq
		m.mu.Unlock()
		switch {
		case lost:
			return
		case s != nil && s != of:
			var err error
			if last, err = s.finds.GetLastMsgForSubject(ctx, "px."+m.key+".find.>"); err != nil {
				return // there is none, or the hub does not answer
			}
			of = s
		case s != nil && seq >= last.Sequence:
			return
		}
		select {
		case <-time.After(pollTime):
		case <-ctx.Done():
		}
	}
}

// errGap means that a message was lost on the way: it arrived after the end of its request, for
// example.
var errGap = errors.New("a message of the hub was lost on the way")

// follow calls handle with the messages of a stream, from a position on, until something fails. It
// asks for messages only while there is room for them, so that a slow member slows no other one.
// After a gap, it asks again from its position on.
func (m *Member) follow(ctx context.Context, s jetstream.Stream, subject string, at *Position, handle func(jetstream.Msg) error) error {
	for {
		m.mu.Lock()
		seq := at.Seq
		m.mu.Unlock()
		call, end := context.WithTimeout(ctx, callTime)
		c, err := s.CreateConsumer(call, jetstream.ConsumerConfig{
			FilterSubject: subject, AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: seq + 1,
			InactiveThreshold: idleLife, MemoryStorage: true, Replicas: 1,
		})
		end()
		if err == nil {
			err = m.consume(ctx, c, at, handle)
		}
		if !errors.Is(err, errGap) {
			return err
		}
		call, end = context.WithTimeout(ctx, callTime)
		_ = s.DeleteConsumer(call, c.CachedInfo().Name) // the server ends it by itself otherwise
		end()
	}
}

// consume handles the messages of a consumer until something fails.
func (m *Member) consume(ctx context.Context, c jetstream.Consumer, at *Position, handle func(jetstream.Msg) error) error {
	next := uint64(1)
	for ctx.Err() == nil {
		if m.full() {
			select {
			case <-time.After(fastestTry):
			case <-ctx.Done():
			}
			continue
		}
		if err := m.fetch(ctx, c, &next, at, handle); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// fetch waits for messages and handles them. next is the number of the first.
func (m *Member) fetch(ctx context.Context, c jetstream.Consumer, next *uint64, at *Position, handle func(jetstream.Msg) error) error {
	call, end := context.WithTimeout(ctx, fetchWait)
	defer end()
	batch, err := c.Fetch(fetched, jetstream.FetchContext(call))
	if err != nil {
		return err
	}
	for msg := range batch.Messages() {
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		if meta.Sequence.Consumer != *next {
			return errGap
		}
		*next++
		if err := handle(msg); err != nil {
			return err
		}
		m.mu.Lock()
		at.Seq, at.Subject = meta.Sequence.Stream, msg.Subject()
		err = m.save(false)
		m.mu.Unlock()
		if err != nil {
			return m.fail(err)
		}
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) {
		return err
	}
	return ctx.Err()
}

// full reports whether enough inputs wait for execution.
func (m *Member) full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.waiting) >= m.room || m.failure != nil
}

// reject counts a message that no honest member sends.
func (m *Member) reject(subject, from string, err error) {
	m.mu.Lock()
	m.counts.rejected++
	log := m.counts.rejected <= 100
	m.mu.Unlock()
	if log {
		m.about.Log(fmt.Sprintf("rejected %q of %q: %v", subject, from, err))
	}
}

// check returns an error unless a file is an input of the target with that hash.
func (m *Member) check(file []byte, hash string) error {
	if len(file) > mostBytes {
		return fmt.Errorf("%d bytes are too many", len(file))
	}
	if got := hashOf(file); got != hash {
		return fmt.Errorf("the content has hash %s", got)
	}
	flat, err := m.about.Shape.Decode(file)
	if err == nil {
		err = m.about.Shape.Check(flat)
	}
	return err
}

// received is a message with an input.
type received struct {
	subject string
	header  nats.Header
	data    []byte
}

// sender returns the member that sent a message.
func sender(header nats.Header) string {
	if from := header.Get(memberHeader); token(from) {
		return from
	}
	return "unknown"
}

// receiveInput puts an input of others on the shelf.
func (m *Member) receiveInput(ctx context.Context, s *streams, msg received) error {
	hash := msg.subject[strings.LastIndexByte(msg.subject, '.')+1:]
	if !corpus.IsHash(hash) || msg.subject != m.inputSubject(hash) {
		m.reject(msg.subject, msg.header.Get(memberHeader), errors.New("the subject names no hash"))
		return nil
	}
	if m.has(hash) {
		return nil
	}
	file := msg.data
	if name := msg.header.Get(objectHeader); name != "" {
		if name != m.key+"."+hash {
			m.reject(msg.subject, msg.header.Get(memberHeader), errors.New("the object has another name"))
			return nil
		}
		var err error
		if file, err = m.object(ctx, s, name); err != nil {
			return err
		}
		if file == nil {
			m.reject(msg.subject, msg.header.Get(memberHeader), errors.New("the object is missing or too large"))
			return nil
		}
	}
	if err := m.check(file, hash); err != nil {
		m.reject(msg.subject, msg.header.Get(memberHeader), err)
		return nil
	}
	from, claim := sender(msg.header), m.shows(msg.header)
	m.mu.Lock()
	d, of := m.features.decide(from, claim), inputs
	switch {
	case d == skip:
		of = seen
	case d == verify && m.features.records[from].good():
		m.features.watch(hash, from)
	default:
		m.features.hold(hash, claim)
	}
	m.mu.Unlock()
	return m.accept(of, hash, from, file)
}

// object returns an object, or nil if it cannot be used.
func (m *Member) object(ctx context.Context, s *streams, name string) ([]byte, error) {
	call, end := context.WithTimeout(ctx, startTime)
	defer end()
	info, err := s.objects.GetInfo(call, name)
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound) || err == nil && info.Size > mostBytes:
		return nil, nil
	case err != nil:
		return nil, err
	}
	file, err := s.objects.GetBytes(call, name)
	if errors.Is(err, jetstream.ErrDigestMismatch) || errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil
	}
	return file, err
}

func (m *Member) receiveFind(msg jetstream.Msg) error {
	var f manifest
	err := json.Unmarshal(msg.Data(), &f)
	if err == nil && (!token(f.Bucket) || !token(f.Kind) || msg.Subject() != m.findSubject(f)) {
		err = errors.New("the subject names another finding")
	}
	if err == nil {
		err = m.check(f.Input, f.Hash)
	}
	if err != nil {
		m.reject(msg.Subject(), msg.Headers().Get(memberHeader), err)
		return nil
	}
	m.mu.Lock()
	m.theirs[f.Bucket] = f.Input
	own := msg.Headers().Get(memberHeader) == m.memory.Member
	m.mu.Unlock()
	if own {
		return nil
	}
	return m.accept(claims, f.Hash, sender(msg.Headers()), f.Input)
}

// has reports whether an input is in the folder.
func (m *Member) has(hash string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[hash] || m.shelf.has(hash)
}

// accept puts an input of others on the shelf, to be executed.
func (m *Member) accept(of place, hash, from string, file []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.from[from] = true
	m.counts.received++
	if m.shelf.has(hash) { // it was an input, and is a finding now
		if at := m.shelf.at[hash].place; at == quarantine || at == claimed {
			return nil // it was executed
		}
		if err := m.shelf.move(hash, of); err != nil {
			m.failure = err
			return err
		}
	} else if err := m.shelf.put(of, hash, from, file); err != nil {
		m.failure = err
		return err
	}
	switch of {
	case claims:
		m.waiting = append([]string{hash}, m.waiting...)
	case inputs:
		m.waiting = append(m.waiting, hash)
	default:
		m.counts.skipped++
	}
	return nil
}
