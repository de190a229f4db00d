package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/base/corpus"
)

// The front of a build is a list of inputs that together show all features, as an object at the
// hub. One member makes it, under a lease, from the inputs that it has executed itself. A new
// member executes these inputs first. Then it knows nearly all features, and can skip most others.
// A front is a hint about the order: its inputs are received, checked and executed as any others.
const (
	frontEvery  = time.Minute // between two looks at the hub's front
	frontGrowth = 10          // a front is made again if the features grow by one part in so many
	mostFront   = 1 << 14     // inputs
	featuresKey = "features"  // of the metadata: the number of features
	distilling  = "distill"   // the kind of work
)

// frontName returns the name of the object.
func (m *Member) frontName() string { return m.key + "." + m.build() + ".front" }

// front returns the hashes of inputs that show all features, those with the most first, and the
// number of features.
func (m *Member) front() (hashes []string, features int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	shows := map[string]int{}
	for _, hash := range m.features.owner {
		if m.known[hash] {
			shows[hash]++
			features++
		}
	}
	hashes = slices.SortedFunc(maps.Keys(shows), func(a, b string) int { return cmp.Or(shows[b]-shows[a], cmp.Compare(a, b)) })
	return hashes[:min(len(hashes), mostFront)], features
}

// distill makes the front if the hub's lacks features. last is the time of the last look.
func (m *Member) distill(ctx context.Context, s *streams, last *time.Time) error {
	m.mu.Lock()
	busy := m.held || len(m.waiting) > 0 || !last.IsZero() && time.Since(*last) < frontEvery
	m.mu.Unlock()
	if busy {
		return nil
	}
	*last = time.Now()
	hashes, features := m.front()
	if len(hashes) == 0 {
		return nil
	}
	theirs, err := m.frontFeatures(ctx, s)
	if err != nil || theirs+theirs/frontGrowth >= features {
		return err
	}
	if mine, err := m.lease(ctx, s, distilling, "front"); err != nil || !mine {
		return err
	}
	call, end := context.WithTimeout(ctx, startTime)
	defer end()
	var text bytes.Buffer
	for _, hash := range hashes {
		text.WriteString(hash + "\n")
	}
	meta := jetstream.ObjectMeta{Name: m.frontName(), Metadata: map[string]string{featuresKey: strconv.Itoa(features)}}
	_, err = s.objects.Put(call, meta, &text)
	return errors.Join(err, m.release(ctx, s, distilling, "front"))
}

// frontFeatures returns the number of features of the hub's front, or 0.
func (m *Member) frontFeatures(ctx context.Context, s *streams) (n int, err error) {
	call, end := context.WithTimeout(ctx, callTime)
	defer end()
	info, err := s.objects.GetInfo(call, m.frontName())
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, err = strconv.Atoi(info.Metadata[featuresKey])
	if err != nil || n < 0 || n > 1<<40 {
		return 0, nil // it is replaced
	}
	return n, nil
}

// receiveFront receives the inputs of the front before all others.
func (m *Member) receiveFront(ctx context.Context, s *streams) error {
	m.mu.Lock()
	begun := m.memory.Inputs.Seq > 0
	m.mu.Unlock()
	if begun {
		return nil
	}
	text, err := m.object(ctx, s, m.frontName())
	if err != nil || text == nil {
		return err
	}
	lines := bytes.SplitN(text, []byte("\n"), mostFront+1)
	for _, line := range lines[:min(len(lines), mostFront)] {
		hash := string(line)
		if !corpus.IsHash(hash) || m.has(hash) {
			continue
		}
		call, end := context.WithTimeout(ctx, callTime)
		msg, err := s.inputs.GetLastMsgForSubject(call, m.inputSubject(hash))
		end()
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		msg.Header.Del(showsHeader) // it is executed in any case
		if err := m.receiveInput(ctx, s, received{msg.Subject, msg.Header, msg.Data}); err != nil {
			return err
		}
	}
	return nil
}
