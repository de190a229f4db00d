package worker

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"parallax/internal/engine"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// programs runs an engine's inputs: on programs of this process (local) or of others (remote).
type programs interface {
	// configure returns the engine.
	configure(*policy.Setup) (*engine.Engine, error)
	// batch returns the size of the next batch.
	batch() int
	// seed executes the user's inputs. It reports false if it was stopped.
	seed(flats [][]byte) (ok bool, err error)
	// replay executes inputs of an earlier process, each with the domains in which it was new. It
	// reports false if it was stopped.
	replay(flats [][]byte, domains [][]string) (ok bool, err error)
	// mail executes inputs that are found already. It reports false if it was stopped.
	mail(flats [][]byte, from engine.Finder) (ok bool, err error)
	// fuzz executes up to n of the remaining left mutants. It reports false if this process must
	// not continue.
	fuzz(n, left int) (ok bool, err error)
	// reserve receives the number of bytes of the engine's memory.
	reserve(bytes int)
	// finish is called after an order to seed or to fuzz.
	finish() error
	// order serves any other order.
	order(kind byte, r *wire.Reader) error
}

// server serves a supervisor's orders, one after another, for local and remote programs.
type server struct {
	*link
	sink     *sink
	programs programs
	engine   *engine.Engine // nil before the configuration

	// The current order. It is not kept in the goroutine that serves it, since a program may end
	// that.
	kind        byte
	seeds       [][]byte
	replayed    bool         // seeds are replayed
	domains     [][]string   // in which each replayed seed was new
	budget      uint64       // number of inputs at which fuzzing ends
	inbox       [][]byte     // mail that is not executed yet
	offers      []wire.Offer // inputs of other campaigns that are not executed yet
	taken       uint64       // inputs of other campaigns taken from offers
	nextMeasure uint64       // number of inputs at which the engine's memory is measured next
}

// measureEvery is the number of inputs between two measurements of the engine's memory. Each
// measurement allows for the next growth of each table.
const measureEvery = 256

// errCut reports that the supervisor's orders ended unexpectedly or are invalid: a program of this
// process has read from the socket, or closed it. It also occurs when the supervisor was killed.
// Then the message has no reader.
var errCut = errors.New("the orders of the supervisor are cut off")

// orders serves orders until the socket closes.
func (s *server) orders() error {
	for {
		kind, payload, err := wire.Receive(s.socket)
		if err != nil && s.mem.StopRequested() {
			return nil // the supervisor has finished
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errCut, err)
		}
		r := wire.NewReader(payload)
		if err := s.carryOut(kind, r); err != nil {
			return err
		}
		if r.Err() != nil {
			return fmt.Errorf("%w: %w", errCut, r.Err())
		}
	}
}

func (s *server) carryOut(kind byte, r *wire.Reader) error {
	s.mem.Beat()
	switch kind {
	case wire.Tuples, wire.Mail, wire.Seeds, wire.Fuzz:
		if s.engine == nil {
			return fmt.Errorf("message %d before the configuration", kind)
		}
	}
	switch kind {
	case wire.Setup:
		var m policy.Setup
		if err := m.Read(r); err != nil {
			return err
		}
		s.sink.marks, s.sink.marked = m.Marks, m.Marked
		var err error
		s.engine, err = s.programs.configure(&m)
		return err
	case wire.Tuples:
		markSeen(s.engine, r)
		s.programs.reserve(s.publishMemory())
		return nil
	case wire.Mail:
		s.kind = kind
		s.read++
		if err := s.receive(r); err != nil {
			return err
		}
		return s.deliver()
	case wire.Seeds:
		s.kind, s.replayed = kind, r.Bool()
		s.seeds, s.domains = seeds(r, s.replayed)
	case wire.Fuzz:
		s.kind, s.budget = kind, s.sink.inputs+r.Uint()
	default:
		s.kind = kind
		return s.programs.order(kind, r)
	}
	if err := r.Err(); err != nil {
		return err
	}
	return s.work()
}

// seeds reads inputs up to the end of the message. Each replayed input is followed by the domains
// in which it was new.
func seeds(r *wire.Reader, replay bool) (list [][]byte, domains [][]string) {
	for r.More() {
		list = append(list, r.Bytes())
		if replay {
			domains = append(domains, strings.Split(string(r.Bytes()), wire.DomainSeparator))
		}
	}
	return list, domains
}

// receive reads mail.
func (s *server) receive(r *wire.Reader) error {
	var m wire.Letter
	if err := m.Read(r); err != nil {
		return err
	}
	for _, class := range m.Owed {
		s.engine.AllowAgain(class)
	}
	s.inbox, s.offers = append(s.inbox, m.Flats...), append(s.offers, m.Offers...)
	return nil
}

// deliver executes the mail. As with seeds, an input that ends the goroutine is not executed again.
func (s *server) deliver() error {
	for len(s.inbox) > 0 && !s.stopped() {
		n := min(s.programs.batch(), len(s.inbox))
		next := s.inbox[:n]
		s.inbox = s.inbox[n:]
		if ok, err := s.programs.mail(next, engine.Worker); !ok || err != nil {
			return err
		}
	}
	for len(s.offers) > 0 && !s.stopped() {
		if ok, err := s.programs.mail(s.nextOffers()); !ok || err != nil {
			return err
		}
	}
	s.countOffers()
	return nil
}

// nextOffers takes the next inputs of another campaign. They count before the inputs after them, so
// that the supervisor knows which input ended a process.
func (s *server) nextOffers() (flats [][]byte, from engine.Finder) {
	s.countOffers()
	claim := s.offers[0].Claim
	if from = engine.Elsewhere; claim {
		from = engine.Claim
	}
	for most := s.programs.batch(); len(s.offers) > 0 && len(flats) < most && s.offers[0].Claim == claim; s.offers = s.offers[1:] {
		flats = append(flats, s.offers[0].Flat)
	}
	s.taken += uint64(len(flats))
	return flats, from
}

// countOffers publishes the number of inputs of other campaigns that are done with.
func (s *server) countOffers() {
	if s.mem.Own(wire.Offered) != s.taken {
		s.mem.Count(wire.Offered, s.taken)
		s.mem.Seal()
	}
}

// work finishes an order to seed or to fuzz, and answers it.
func (s *server) work() error {
	for going := true; going && !s.stopped(); {
		var err error
		if s.kind == wire.Seeds {
			going, err = s.seed()
		} else {
			going, err = s.fuzz()
		}
		if err != nil {
			return err
		}
	}
	s.sink.publish()
	if err := s.programs.finish(); err != nil {
		return err
	}
	return s.answer(wire.Done, wire.AppendUint(nil, s.sink.inputs))
}

// seed executes the next seeds and reports whether to continue. It removes them from the list
// first, so that a seed that ends the goroutine is not executed again.
func (s *server) seed() (going bool, err error) {
	if len(s.seeds) == 0 {
		return false, nil
	}
	s.programs.reserve(s.publishMemory())
	n := min(s.programs.batch(), len(s.seeds))
	next := s.seeds[:n]
	s.seeds = s.seeds[n:]
	if !s.replayed {
		return s.programs.seed(next)
	}
	domains := s.domains[:n]
	s.domains = s.domains[n:]
	return s.programs.replay(next, domains)
}

// fuzz executes mutants, after the mail, and reports whether to continue.
func (s *server) fuzz() (going bool, err error) {
	if s.sink.inputs >= s.budget {
		return false, nil
	}
	if err := s.takeMail(s.receive); err != nil {
		return false, err
	}
	if err := s.deliver(); err != nil {
		return false, err
	}
	if s.sink.inputs >= s.nextMeasure {
		s.nextMeasure = s.sink.inputs + measureEvery
		s.programs.reserve(s.publishMemory())
	}
	left := int(min(s.budget-s.sink.inputs, math.MaxInt))
	return s.programs.fuzz(min(s.programs.batch(), left), left)
}

// publishMemory publishes the bytes of the engine's memory and returns them.
func (s *server) publishMemory() int {
	n := s.engine.MemoryBytes()
	s.mem.SetEngineBytes(n)
	return n
}

func (s *server) stopped() bool { return s.mem.StopRequested() }
