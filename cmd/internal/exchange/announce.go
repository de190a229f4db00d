package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/finding/event"
)

// Headers of messages.
const (
	memberHeader = "Px-Member" // the announcer
	buildHeader  = "Px-Build"  // identity of its programs
	objectHeader = "Px-Object" // the object that holds the input
)

// largest is the size of the largest input in a message. Servers refuse messages of more than 1 MiB
// by default.
const largest = 256 << 10

// manifest describes a finding for other members. Only its input is used: each member confirms the
// finding by itself.
type manifest struct {
	Version  int               `json:"version"`
	Bucket   string            `json:"bucket"`
	Kind     string            `json:"kind"`
	Location string            `json:"location,omitempty"`
	Outcomes map[string]string `json:"outcomes,omitempty"` // by program
	Hash     string            `json:"hash"`               // of the input
	Input    []byte            `json:"input"`              // minimized, in file form
}

// found announces the smallest input of a bucket, unless the hub has one as small.
func (m *Member) found(e event.Found) {
	if e.Best == nil || len(e.Best.Minimized) == 0 && len(e.Best.Input) == 0 || e.Bucket.Accepted {
		return
	}
	file := m.about.Shape.Encode(e.Best.Minimized)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(file) > largest || !token(e.Bucket.ID) || !token(e.Bucket.Kind) {
		return // others find it by its input in the corpus
	}
	if old, ok := m.findings[e.Bucket.ID]; ok && old.Hash == hashOf(file) {
		return
	}
	m.untold[e.Bucket.ID] = true
	m.findings[e.Bucket.ID] = manifest{
		Version: 1, Bucket: e.Bucket.ID, Kind: e.Bucket.Kind, Location: e.Bucket.Location, Outcomes: e.Bucket.Outcomes,
		Hash: hashOf(file), Input: file,
	}
	m.rouse()
}

// token reports whether a text can be a part of a subject and of a file name.
func token(s string) bool {
	return s != "" && len(s) <= 80 && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == ""
}

// smaller reports whether input a is a better example than b. The order is total, so that members
// agree on one.
func smaller(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Compare(a, b) < 0
}

// announceAll announces what is in the spool, until something fails. A hub that refuses
// announcements, since its disk is full, is asked again later.
func (m *Member) announceAll(ctx context.Context, s *streams) error {
	for attempts := 0; ; {
		refused, more, err := m.announceInputs(ctx, s)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		if again, err := m.publishFindings(ctx, s); err != nil {
			return err
		} else if again {
			refused = true
		} else if again, err := m.publishTriaged(ctx, s); err != nil {
			return err
		} else if again {
			refused = true
		}
		var retry <-chan time.Time
		if refused {
			attempts++
			retry = time.After(delay(attempts))
		} else {
			attempts = 0
			m.setRefused(nil)
			select {
			case m.idle <- struct{}{}:
			default:
			}
		}
		select {
		case <-m.wake:
			if refused { // wait in any case
				select {
				case <-retry:
				case <-ctx.Done():
				}
			}
		case <-retry:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// announceInputs announces some inputs of the spool. If announcements may be missing, it compares
// hashes with the hub first. While the workers replay the corpus, it does nothing: inputs are
// announced with their features. refused reports that the hub refused some, and more that some are
// left.
func (m *Member) announceInputs(ctx context.Context, s *streams) (refused, more bool, err error) {
	m.mu.Lock()
	held, behind := m.held, m.behind
	m.mu.Unlock()
	if held {
		return false, false, nil
	}
	if behind {
		if err := m.compareAll(ctx, s); err != nil {
			return false, false, err
		}
	}
	m.mu.Lock()
	n := min(len(m.spool), mostPending)
	batch := slices.Clone(m.spool[:n])
	m.mu.Unlock()
	left, err := m.publishInputs(ctx, batch)
	if err != nil || left > 0 {
		return left > 0, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spool = slices.Delete(m.spool, 0, n)
	return false, len(m.spool) > 0 || m.behind, nil
}

// setRefused records why the hub refuses announcements. Nil means that it accepts them.
func (m *Member) setRefused(err error) {
	m.mu.Lock()
	first := m.link.refused == nil && err != nil
	m.link.refused = err
	m.mu.Unlock()
	if first {
		m.about.Log(fmt.Sprintf("hub refuses announcements: %v", err))
		m.about.Report(fmt.Sprintf("the hub %s refuses announcements (%v): the folder keeps all, and they are tried again", m.hub.shown, err))
	}
}

// publishInputs announces inputs of the folder. It returns the number of those that the hub
// refused.
func (m *Member) publishInputs(ctx context.Context, hashes []string) (refused int, err error) {
	var waits []jetstream.PubAckFuture
	for _, hash := range hashes {
		msg, err := m.inputMessage(ctx, hash)
		if err != nil {
			return 0, err
		}
		if msg == nil {
			continue
		}
		ack, err := m.hub.js.PublishMsgAsync(msg)
		if err != nil {
			return 0, err
		}
		waits = append(waits, ack)
	}
	for _, ack := range waits {
		select {
		case <-ack.Ok():
			m.mu.Lock()
			m.counts.announced++
			m.mu.Unlock()
		case err := <-ack.Err():
			switch {
			case duplicate(err):
			case apiError(err):
				refused++
				m.setRefused(err)
			default:
				return refused, err
			}
		case <-ctx.Done():
			return refused, ctx.Err()
		}
	}
	return refused, nil
}

// duplicate reports whether the hub has the message already.
func duplicate(err error) bool {
	return apiError(err) && strings.Contains(err.Error(), "per subject")
}

// apiError reports whether the server answered, and refused.
func apiError(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api)
}

// inputMessage returns the message of an input, or nil if the input is no longer in the folder.
// Large inputs are stored as objects first.
func (m *Member) inputMessage(ctx context.Context, hash string) (*nats.Msg, error) {
	m.mu.Lock()
	from := m.memory.Member
	file, of, other, err := m.shelf.read(hash)
	header := nats.Header{}
	if of != "" {
		from = other
	} else {
		m.setShows(header, hash)
	}
	m.mu.Unlock()
	if err == nil && of == "" {
		file, err = m.about.Corpus.File(hash)
	}
	if err != nil {
		return nil, m.fail(err)
	}
	if file == nil {
		return nil, nil
	}
	msg := nats.NewMsg(m.inputSubject(hash))
	msg.Header = header
	msg.Header.Set(memberHeader, from)
	msg.Header.Set(buildHeader, m.about.Build)
	if len(file) <= largest {
		msg.Data = file
		return msg, nil
	}
	name := m.key + "." + hash
	call, end := context.WithTimeout(ctx, startTime)
	defer end()
	objects, err := m.hub.js.ObjectStore(call, objectBucket)
	if err != nil {
		return nil, err
	}
	if _, err := objects.GetInfo(call, name); errors.Is(err, jetstream.ErrObjectNotFound) {
		_, err = objects.PutBytes(call, name, file)
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	msg.Header.Set(objectHeader, name)
	return msg, nil
}

// publishFindings announces findings, unless the hub has a smaller input of one. again reports that
// the hub refused some.
func (m *Member) publishFindings(ctx context.Context, s *streams) (again bool, err error) {
	m.mu.Lock()
	buckets := slices.Sorted(maps.Keys(m.untold))
	m.mu.Unlock()
	for _, bucket := range buckets {
		m.mu.Lock()
		f := m.findings[bucket]
		theirs, known := m.theirs[bucket]
		m.mu.Unlock()
		if !known {
			theirs, known, err = m.atHub(ctx, s, f)
			if err != nil {
				return again, err
			}
			m.mu.Lock()
			if _, received := m.theirs[bucket]; known && !received {
				m.theirs[bucket] = theirs
			}
			m.mu.Unlock()
		}
		if !known || smaller(f.Input, theirs) {
			data, err := json.Marshal(f)
			if err != nil {
				return again, err
			}
			msg := nats.NewMsg(m.findSubject(f))
			msg.Header.Set(memberHeader, m.memory.Member)
			msg.Header.Set(buildHeader, m.about.Build)
			msg.Data = data
			call, end := context.WithTimeout(ctx, callTime)
			_, err = m.hub.js.PublishMsg(call, msg)
			end()
			switch {
			case apiError(err):
				m.setRefused(err)
				again = true
				continue
			case err != nil:
				return again, err
			}
			m.mu.Lock()
			m.counts.claimed++
			m.theirs[bucket] = f.Input
			m.mu.Unlock()
		}
		m.mu.Lock()
		if m.findings[bucket].Hash == f.Hash {
			delete(m.untold, bucket)
		}
		m.mu.Unlock()
	}
	return again, nil
}

// atHub returns the input of a bucket at the hub.
func (m *Member) atHub(ctx context.Context, s *streams, f manifest) (file []byte, known bool, err error) {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	msg, err := s.finds.GetLastMsgForSubject(call, m.findSubject(f))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	var theirs manifest
	if json.Unmarshal(msg.Data, &theirs) != nil || m.check(theirs.Input, theirs.Hash) != nil {
		return nil, false, nil // an invalid message is replaced
	}
	return theirs.Input, true, nil
}

func (m *Member) findSubject(f manifest) string {
	return "px." + m.key + ".find." + f.Kind + "." + f.Bucket
}
