package worker

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// accepts is a Runner whose programs accept everything.
type accepts struct{}

func (accepts) Begin([]byte) {}

func (accepts) Run(_ int, _ []byte, t *feature.Trace) oracle.Observation {
	t.Reset()
	return oracle.Observation{Outcome: oracle.Accepted}
}

// fakes implements programs and records the server's calls.
type fakes struct {
	*server
	size   int
	stop   int   // seeds after which it reports that it was stopped; zero means never
	broken error // returned by finish
	calls  []string
}

func (f *fakes) note(format string, args ...any) {
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
}

func (f *fakes) configure(m *policy.Setup) (*engine.Engine, error) {
	f.note("configure %s", m.Mutators)
	return engine.New(engine.Config{Setup: *m, Shape: input.Shape{input.Bytes}, Programs: 1}, accepts{}, f.sink)
}

func (f *fakes) batch() int { return f.size }

func (f *fakes) replay(flats [][]byte, domains [][]string) (bool, error) {
	f.note("replay %q %q", flats, domains)
	return f.ran(flats)
}

func (f *fakes) seed(flats [][]byte) (bool, error) {
	f.note("seed %q", flats)
	return f.ran(flats)
}

func (f *fakes) ran(flats [][]byte) (bool, error) {
	for range flats {
		f.sink.Ran(engine.Report{})
	}
	if f.stop--; f.stop == 0 {
		return false, nil
	}
	return true, nil
}

func (f *fakes) mail(flats [][]byte, from engine.Finder) (bool, error) {
	f.note("mail %q of %d", flats, from)
	return true, nil
}

func (f *fakes) fuzz(n, left int) (bool, error) {
	f.note("fuzz %d of %d", n, left)
	for range n {
		f.sink.Ran(engine.Report{})
	}
	return true, nil
}

func (f *fakes) reserve(int) {}

func (f *fakes) finish() error {
	f.note("finish")
	return f.broken
}

func (f *fakes) order(kind byte, r *wire.Reader) error {
	if kind != wire.Run {
		return fmt.Errorf("unknown message %d", kind)
	}
	f.note("order %q", r.Bytes())
	return f.answer(wire.Ran, nil)
}

// supervisor is the other end of a server's socket.
type supervisor struct {
	t    *testing.T
	conn net.Conn
	f    *fakes
	done chan error

	heard wire.Answers
}

func newSupervisor(t *testing.T, f *fakes) *supervisor {
	ours, theirs := net.Pipe()
	mem := memory(1024)
	f.server = &server{link: &link{mem: mem, socket: bufio.NewReader(theirs), out: bufio.NewWriter(theirs)}, sink: &sink{mem: mem}, programs: f}
	s := &supervisor{t: t, conn: ours, f: f, done: make(chan error, 1)}
	go func() {
		s.done <- f.orders()
		theirs.Close()
	}()
	return s
}

func (s *supervisor) send(kind byte, payload []byte) {
	s.t.Helper()
	if err := wire.Send(s.conn, kind, payload); err != nil {
		s.t.Fatal(err)
	}
}

// inputs waits for the answer to an order and returns the number of inputs that the server has
// counted.
func (s *supervisor) inputs() uint64 {
	s.t.Helper()
	kind, payload, err := s.heard.Receive(s.conn)
	if err != nil || kind != wire.Done {
		s.t.Fatalf("message %d, %v", kind, err)
	}
	return wire.NewReader(payload).Uint()
}

// end closes the socket and returns the server's error.
func (s *supervisor) end() error {
	s.f.mem.RequestStop(true)
	s.conn.Close()
	return <-s.done
}

func setup() []byte {
	m := policy.Setup{Policy: policy.Policy{Mutators: "full", MaxBytes: 64, Layers: oracle.VerdictLayer}}
	return m.Append(nil)
}

func list(replay bool, flats ...string) []byte {
	b := wire.AppendBool(nil, replay)
	for _, flat := range flats {
		if b = wire.AppendBytes(b, flat); replay {
			b = wire.AppendBytes(b, "path-fine,output")
		}
	}
	return b
}

func mail(flats ...string) []byte {
	var m wire.Letter
	for _, flat := range flats {
		m.Flats = append(m.Flats, []byte(flat))
	}
	return m.Append(nil)
}

func TestServer(t *testing.T) {
	f := &fakes{size: 2}
	s := newSupervisor(t, f)
	s.send(wire.Setup, setup())
	s.send(wire.Seeds, list(true, "a", "b", "c"))
	if n := s.inputs(); n != 3 {
		t.Errorf("%d inputs", n)
	}
	s.send(wire.Seeds, list(false))
	s.inputs()
	s.send(wire.Fuzz, wire.AppendUint(nil, 5))
	if n := s.inputs(); n != 8 {
		t.Errorf("%d inputs", n)
	}
	s.send(wire.Run, wire.AppendBytes(nil, "one"))
	if kind, _, err := s.heard.Receive(s.conn); kind != wire.Ran || err != nil {
		t.Errorf("message %d, %v", kind, err)
	}
	s.send(wire.Mail, mail("d", "e", "f"))
	f.mem.AnnounceMail()
	s.send(wire.Fuzz, wire.AppendUint(nil, 1))
	s.inputs()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	want := []string{
		"configure full", `replay ["a" "b"] [["path-fine" "output"] ["path-fine" "output"]]`, `replay ["c"] [["path-fine" "output"]]`, "finish", "finish",
		"fuzz 2 of 5", "fuzz 2 of 3", "fuzz 1 of 1", "finish", `order "one"`,
		`mail ["d" "e"] of 0`, `mail ["f"] of 0`, "fuzz 1 of 1", "finish",
	}
	if !slices.Equal(f.calls, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(f.calls, "\n"), strings.Join(want, "\n"))
	}
}

// TestServerTakesMail checks that mail that arrives while programs run is executed before the next
// mutants.
func TestServerTakesMail(t *testing.T) {
	f := &fakes{size: 1}
	s := newSupervisor(t, f)
	s.send(wire.Setup, setup())
	f.mem.AnnounceMail()
	s.send(wire.Fuzz, wire.AppendUint(nil, 2))
	s.send(wire.Mail, mail("x"))
	s.inputs()
	s.end()
	if want := []string{"configure full", `mail ["x"] of 0`, "fuzz 1 of 2", "fuzz 1 of 1", "finish"}; !slices.Equal(f.calls, want) {
		t.Errorf("calls %q", f.calls)
	}
}

// TestServerStops checks that the stop flag, or a stopped program, ends an order early, and that
// the order is answered.
func TestServerStops(t *testing.T) {
	f := &fakes{size: 1, stop: 1}
	s := newSupervisor(t, f)
	s.send(wire.Setup, setup())
	s.send(wire.Seeds, list(false, "a", "b"))
	if n := s.inputs(); n != 1 {
		t.Errorf("%d inputs", n)
	}
	f.mem.RequestStop(true)
	s.send(wire.Seeds, list(false, "a"))
	s.inputs()
	s.send(wire.Mail, mail("x"))
	s.send(wire.Fuzz, wire.AppendUint(nil, 10))
	s.inputs()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if want := []string{"configure full", `seed ["a"]`, "finish", "finish", "finish"}; !slices.Equal(f.calls, want) {
		t.Errorf("calls %q", f.calls)
	}
}

func TestServerRefuses(t *testing.T) {
	gone := errors.New("the program is gone")
	for _, test := range []struct {
		name string
		send func(*supervisor)
		want string
	}{
		{"seeds before the configuration", func(s *supervisor) { s.send(wire.Seeds, list(false)) }, "before the configuration"},
		{"fuzzing before the configuration", func(s *supervisor) { s.send(wire.Fuzz, wire.AppendUint(nil, 1)) }, "before the configuration"},
		{"tuples before the configuration", func(s *supervisor) { s.send(wire.Tuples, nil) }, "before the configuration"},
		{"mail before the configuration", func(s *supervisor) { s.send(wire.Mail, nil) }, "before the configuration"},
		{"an unknown message", func(s *supervisor) { s.send(99, nil) }, "unknown message 99"},
		{"a configuration cut short", func(s *supervisor) { s.send(wire.Setup, setup()[:3]) }, wire.ErrShort.Error()},
		{"seeds cut short", func(s *supervisor) {
			s.send(wire.Setup, setup())
			s.send(wire.Seeds, list(false, "abc")[:3])
		}, wire.ErrShort.Error()},
		{"mail cut short", func(s *supervisor) {
			s.send(wire.Setup, setup())
			s.send(wire.Mail, mail("abc")[:3])
		}, wire.ErrShort.Error()},
		{"another order in the place of mail", func(s *supervisor) {
			s.send(wire.Setup, setup())
			s.f.mem.AnnounceMail()
			s.send(wire.Fuzz, wire.AppendUint(nil, 1))
			s.send(wire.Seeds, list(false))
		}, "in the middle of fuzzing"},
		{"programs that end", func(s *supervisor) {
			s.f.broken = gone
			s.send(wire.Setup, setup())
			s.send(wire.Seeds, list(false))
		}, gone.Error()},
	} {
		s := newSupervisor(t, &fakes{size: 1})
		test.send(s)
		if err := <-s.done; err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
