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

// programs are what a server runs an engine on: programs of this process (local), or of others (remote).
type programs interface {
	// configure returns the engine.
	configure(*policy.Setup) (*engine.Engine, error)
	// batch is how many inputs are executed at once next.
	batch() int
	// seed executes inputs of the user. It reports false when it was stopped.
	seed(flats [][]byte) (ok bool, err error)
	// replay executes inputs of an earlier process, with the domains in which each was new. It reports false when it was stopped.
	replay(flats [][]byte, domains [][]string) (ok bool, err error)
	// mail executes inputs that another worker has kept. It reports false when it was stopped.
	mail(flats [][]byte) (ok bool, err error)
	// fuzz executes up to n mutants; left are wanted in all. It reports false when this process must not go on.
	fuzz(n, left int) (ok bool, err error)
	// hold is told how many bytes the engine holds.
	hold(bytes int)
	// finish is called when an order to seed or to fuzz was carried out.
	finish() error
	// order carries out any other order.
	order(kind byte, r *wire.Reader) error
}

// server carries out a supervisor's orders, one after another. It is the same for programs of this process and of others.
type server struct {
	*link
	sink     *sink
	programs programs
	engine   *engine.Engine // nil before the configuration

	// The order under way, kept outside of the goroutine that carries it out: a program may end that.
	kind     byte
	seeds    [][]byte
	replayed bool       // that is what seeds are
	domains  [][]string // in which each of them was new, if they are
	budget   uint64     // of inputs, at which fuzzing ends
	inbox    [][]byte   // mail that is not executed yet
	look     uint64     // inputs at which the next look is at what the engine holds
}

// holdAfter is how many inputs lie between two looks at what the engine holds. It bounds that for the next growth of each table.
const holdAfter = 256

// errCut is the error for orders that end without the supervisor having said so before, or are none: a program of this process has read from
// the socket, or closed it. It also comes when the supervisor was killed, whom nobody tells then.
var errCut = errors.New("the orders of the supervisor are cut off")

// orders carries out orders until the socket closes.
func (s *server) orders() error {
	for {
		kind, payload, err := wire.Receive(s.socket)
		if err != nil && s.mem.StopRequested() {
			return nil // the supervisor is done
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
		know(s.engine, r)
		s.programs.hold(s.held())
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

// flats reads inputs up to the end of the message.
func flats(r *wire.Reader) (list [][]byte) {
	for r.More() {
		list = append(list, r.Bytes())
	}
	return list
}

// owed reads the classes of failures at the beginning of mail.
func owed(r *wire.Reader) (list []uint64) {
	for n := r.Uint(); n > 0 && r.Err() == nil; n-- {
		list = append(list, r.Uint())
	}
	return list
}

// seeds reads inputs up to the end of the message, and behind each that is replayed the domains in which it was new.
func seeds(r *wire.Reader, replay bool) (list [][]byte, domains [][]string) {
	for r.More() {
		list = append(list, r.Bytes())
		if replay {
			domains = append(domains, strings.Split(string(r.Bytes()), wire.DomainSeparator))
		}
	}
	return list, domains
}

// receive takes mail.
func (s *server) receive(r *wire.Reader) error {
	for _, class := range owed(r) {
		s.engine.AllowAgain(class)
	}
	s.inbox = append(s.inbox, flats(r)...)
	return r.Err()
}

// deliver executes the mail. As with seeds, what ends the goroutine is not executed again.
func (s *server) deliver() error {
	for len(s.inbox) > 0 && !s.stopped() {
		n := min(s.programs.batch(), len(s.inbox))
		next := s.inbox[:n]
		s.inbox = s.inbox[n:]
		if ok, err := s.programs.mail(next); !ok || err != nil {
			return err
		}
	}
	return nil
}

// work carries out the rest of an order to seed or to fuzz, and answers it.
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

// seed executes the next seeds and reports whether to go on. They are taken off the list first: a seed that ends the goroutine is
// not executed again.
func (s *server) seed() (going bool, err error) {
	if len(s.seeds) == 0 {
		return false, nil
	}
	s.programs.hold(s.held())
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

// fuzz executes mutants, after the mail, and reports whether to go on.
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
	if s.sink.inputs >= s.look {
		s.look = s.sink.inputs + holdAfter
		s.programs.hold(s.held())
	}
	left := int(min(s.budget-s.sink.inputs, math.MaxInt))
	return s.programs.fuzz(min(s.programs.batch(), left), left)
}

// held tells the supervisor how many bytes the engine holds, and returns them.
func (s *server) held() int {
	n := s.engine.MemoryBytes()
	s.mem.SetHeld(n)
	return n
}

func (s *server) stopped() bool { return s.mem.StopRequested() }
