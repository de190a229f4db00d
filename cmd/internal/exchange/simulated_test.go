package exchange

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/campaign/intake"
	"parallax/internal/atomicfile"
)

// discard is a file system for the memory of simulated members, which is lost.
type discard struct{ atomicfile.FS }

type discarded struct{ atomicfile.File }

func (discard) OpenFile(string, int, fs.FileMode) (atomicfile.File, error) { return discarded{}, nil }
func (discard) Stat(string) (fs.FileInfo, error)                           { return nil, fs.ErrNotExist }
func (discard) Rename(string, string) error                                { return nil }

func (discarded) Write(b []byte) (int, error) { return len(b), nil }
func (discarded) Close() error                { return nil }
func (discarded) Chmod(fs.FileMode) error     { return nil }

// simulated is a member whose inputs are made up. It announces and receives them with the messages
// of a member, and shows that it is there. It keeps no input, so that many fit in a process.
type simulated struct {
	*Member
	received atomic.Int64
	again    *atomic.Int64 // announcements and tasks that were tried again, of all members
	sum      uint64        // of the received hashes
}

// made returns the input with a number: 100 to 1,500 bytes, in uneven sizes.
func made(n uint64) []byte {
	r := rand.New(rand.NewPCG(n, 1))
	b := make([]byte, 100+r.IntN(701)+r.IntN(701))
	for i := 0; i < len(b); i += 8 {
		v := r.Uint64()
		for k := i; k < min(i+8, len(b)); k++ {
			b[k] = byte(v)
			v >>= 8
		}
	}
	return b
}

func newSimulated(t *testing.T, address string, n int) *simulated {
	a, err := ParseAddress("nats://" + address)
	if err != nil {
		t.Fatal(err)
	}
	h, err := Dial(a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	about := intake.Joining{
		Identity: identity, Target: "p", Build: "one", Shape: shape, MaxFlat: 1 << 20,
		Waiting: func(int) [][]byte { return nil }, Report: func(string) {}, Log: func(string) {},
	}
	return &simulated{Member: &Member{
		room: mostWaiting, hub: h, about: about, key: identity.Key(), shelf: &shelf{fs: discard{}, dir: "nowhere", at: map[string]spot{}},
		memory: Memory{Member: fmt.Sprint("simulated-", n)}, work: newWork(), features: newFeatures(), counts: counts{from: map[string]bool{}},
	}}
}

// announce announces inputs as publishInputs does. They claim ten features each.
func (m *simulated) announce(ctx context.Context, first, n uint64) (sum, bytes uint64, err error) {
	shows := base64.StdEncoding.EncodeToString(make([]byte, 80))
	for done := uint64(0); done < n; {
		var batch []*nats.Msg
		for ; done < n && len(batch) < mostPending; done++ {
			file := made(first + done)
			hash := hashOf(file)
			sum += hashNumber(hash)
			bytes += uint64(len(file))
			msg := nats.NewMsg(m.inputSubject(hash))
			msg.Header.Set(memberHeader, m.memory.Member)
			msg.Header.Set(buildHeader, m.about.Build)
			msg.Header.Set(showsHeader, shows)
			msg.Data = file
			batch = append(batch, msg)
		}
		for len(batch) > 0 && ctx.Err() == nil { // a busy machine may answer too late
			if batch, err = m.publishAll(ctx, batch); err != nil {
				return sum, bytes, err
			}
		}
	}
	return sum, bytes, ctx.Err()
}

// publishAll publishes messages, and returns those without an answer.
func (m *simulated) publishAll(ctx context.Context, batch []*nats.Msg) (left []*nats.Msg, err error) {
	var waits []jetstream.PubAckFuture
	for _, msg := range batch {
		ack, err := m.hub.js.PublishMsgAsync(msg)
		if err != nil {
			return nil, err
		}
		waits = append(waits, ack)
	}
	for i, ack := range waits {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			if !duplicate(err) {
				m.again.Add(1)
				left = append(left, batch[i])
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return left, nil
}

func hashNumber(hash string) (n uint64) {
	fmt.Sscanf(hash[:16], "%x", &n)
	return n
}

// TestSimulatedMembers has many simulated members announce inputs at the same time, and waits until
// each has received all. It measures the process of the hub.
func TestSimulatedMembers(t *testing.T) {
	members, each := number(t, manyMembers, 8), uint64(number(t, manyInputs, 50))
	dir := t.TempDir()
	hub := startHub(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all := make([]*simulated, members)
	failed := make(chan error, members)
	var again atomic.Int64
	var running sync.WaitGroup
	for i := range all {
		m := newSimulated(t, hub.address, i)
		m.again = &again
		all[i] = m
		s, err := m.hub.streams(ctx)
		if err != nil {
			t.Fatal(err)
		}
		m.setFound(&s)
		at := &Position{}
		receive := func(ctx context.Context, s *streams) error {
			return m.follow(ctx, s.inputs, "px."+m.key+".input.>", at, func(msg jetstream.Msg) error {
				m.sum += hashNumber(msg.Subject()[strings.LastIndexByte(msg.Subject(), '.')+1:])
				m.received.Add(1)
				return nil
			})
		}
		for _, task := range []func(context.Context, *streams) error{receive, m.receiveFinds, m.receiveFinders, m.show, m.divide} {
			running.Go(func() {
				for {
					_ = task(ctx, &s) // as in a new session
					if ctx.Err() != nil {
						return
					}
					again.Add(1)
					time.Sleep(fastestTry)
				}
			})
		}
	}
	idle, _ := usage(t, hub.pid)
	began := time.Now()
	var announcing sync.WaitGroup
	var sum, bytes atomic.Uint64
	for i, m := range all {
		announcing.Go(func() {
			s, b, err := m.announce(ctx, uint64(i)*each, each)
			sum.Add(s)
			bytes.Add(b)
			if err != nil {
				failed <- err
			}
		})
	}
	announcing.Wait()
	announced := time.Since(began)
	inputs := int64(members) * int64(each)
	for _, m := range all {
		for m.received.Load() < inputs {
			select {
			case err := <-failed:
				t.Fatal(err)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	took := time.Since(began)
	cpu, memory := usage(t, hub.pid)
	cpu -= idle
	cancel()
	running.Wait()
	for i, m := range all {
		if m.sum != sum.Load() || m.received.Load() != inputs {
			t.Errorf("member %d has received other inputs than were announced", i)
		}
	}
	var disk int64
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if info, e := d.Info(); err == nil && e == nil && d.Type().IsRegular() {
			disk += info.Size()
		}
		return nil
	})
	load, _ := os.ReadFile("/proc/loadavg")
	record := map[string]any{
		"members": members, "inputs": inputs, "deliveries": inputs * int64(members), "input_bytes": bytes.Load(), "announced_seconds": announced.Seconds(), "converged_seconds": took.Seconds(),
		"hub_cpu_seconds": cpu.Seconds(), "us_per_input": float64(cpu.Microseconds()) / float64(inputs), "us_per_delivery": float64(cpu.Microseconds()) / float64(inputs*int64(members)),
		"hub_memory_mib": memory >> 20, "hub_disk_bytes": disk, "again": again.Load(), "load": strings.TrimSpace(string(load)),
	}
	line, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", line)
	if path := os.Getenv(manyRecord); path != "" {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}
