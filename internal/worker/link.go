package worker

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"parallax/internal/diversity"
	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// link is the worker's side of the shared memory and the socket with the supervisor's orders.
type link struct {
	mem     *wire.Memory
	socket  *bufio.Reader
	out     *bufio.Writer // of the socket
	answers wire.Answers
	read    uint64 // messages of mail read so far
	claims  *wire.Claims
}

// connect opens the files from the supervisor. Processes started by programs must not inherit them,
// since the supervisor would wait for more data.
func connect() (*link, error) {
	syscall.CloseOnExec(memoryFile)
	syscall.CloseOnExec(socketFile)
	mem, err := mapMemory()
	if err != nil {
		return nil, err
	}
	connected = socketOpen()
	claims, err := mapClaims()
	if err != nil {
		return nil, err
	}
	socket := os.NewFile(socketFile, "socket")
	return &link{mem: mem, socket: bufio.NewReaderSize(socket, 64<<10), out: bufio.NewWriter(socket), answers: newAnswers(), claims: claims}, nil
}

// newAnswers returns the encoder of the worker's answers. It removes the key from the environment
// of the programs.
func newAnswers() wire.Answers {
	key, _ := strconv.ParseUint(os.Getenv(wire.KeyVariable), 16, 64) // a supervisor without a key rejects all answers
	os.Unsetenv(wire.KeyVariable)
	return wire.Answers{Key: key}
}

func mapMemory() (*wire.Memory, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(memoryFile, &st); err != nil {
		return nil, fmt.Errorf("no shared memory: %w", err)
	}
	b, err := syscall.Mmap(memoryFile, 0, int(st.Size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping the shared memory: %w", err)
	}
	return wire.OpenMemory(b)
}

// mapClaims maps the table that the campaign's workers share, or returns nil for a single worker.
func mapClaims() (*wire.Claims, error) {
	if os.Getenv(wire.ClaimsVariable) == "" {
		return nil, nil
	}
	os.Unsetenv(wire.ClaimsVariable) // processes started by programs have none
	syscall.CloseOnExec(claimsFile)
	b, err := syscall.Mmap(claimsFile, 0, wire.ClaimsSize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping the memory that workers share: %w", err)
	}
	return wire.NewClaims(b), nil
}

// greet sends the description of the target. It reports false if the supervisor has ended.
func (l *link) greet(t *Target, regions []wire.Region) bool {
	m := &wire.HelloMessage{
		Regions: regions, Shape: t.Shape.String(), Values: t.CompareValues, Seeds: t.Seeds, Problems: t.Problems,
		Layers: uint64(t.Layers), Notes: t.Notes, Repairs: t.Repair != nil, Refused: t.Refused, Sites: t.Sites, Before: t.before, Tapes: t.Tapes || t.Generator != nil,
	}
	_, m.Guided = t.Generator.(Guided)
	if g, ok := t.Generator.(Maker); ok && g.Shape() != nil {
		m.Takes = g.Shape().String()
	}
	for _, p := range t.Programs {
		m.Programs = append(m.Programs, p.Name)
	}
	for i := range [mutate.NumOps]struct{}{} {
		m.Operators = append(m.Operators, mutate.Op(i).String())
	}
	return l.answers.Send(l.out, wire.Hello, m.Append(nil)) == nil && l.out.Flush() == nil
}

// answer sends the answer to an order. While the next order is already in the buffer, answers are
// collected. A write per answer would wake the supervisor each time, which costs both sides more
// than most inputs.
func (l *link) answer(kind byte, payload []byte) error {
	err := l.answers.Send(l.out, kind, payload)
	if err == nil && l.socket.Buffered() == 0 {
		err = l.out.Flush()
	}
	if err != nil { // the supervisor reads everything, or has ended
		err = fmt.Errorf("%w: %w", errCut, err)
	}
	return err
}

// takeMail reads the messages that arrived while programs ran.
func (l *link) takeMail(read func(*wire.Reader) error) error {
	for l.mem.Announced() != l.read {
		kind, payload, err := wire.Receive(l.socket)
		if err != nil {
			return nil // reading the next order reports the error
		}
		if kind != wire.Mail {
			return fmt.Errorf("message %d in the middle of fuzzing", kind)
		}
		l.read++
		if err := read(wire.NewReader(payload)); err != nil {
			return err
		}
	}
	return nil
}

// markSeen passes features of other workers to the engine.
func markSeen(e *engine.Engine, r *wire.Reader) {
	domain, level := r.Int(255), r.Int(64)
	e.Sample(domain, uint8(level))
	for r.More() {
		e.MarkSeen(domain, r.Uint())
	}
}

// fits checks that the shared memory has room for the counters of all programs.
func (l *link) fits(programs, blocks int) error {
	if programs*blocks > len(l.mem.Maps()) {
		return fmt.Errorf("%d programs of %d blocks: more than the shared memory holds", programs, blocks)
	}
	return nil
}

// configure returns the engine's configuration for a Setup order, with the novelty maps in shared
// memory.
func (l *link) configure(m *policy.Setup, t *Target, blocks int) engine.Config {
	room := l.mem.Maps()
	var maps []feature.Map
	var names []string
	for p := range t.Programs {
		names = append(names, t.Programs[p].Name)
		maps = append(maps, feature.Map(room[p*blocks:(p+1)*blocks:(p+1)*blocks]))
	}
	var claim func(key uint64, level uint8) (first, more bool)
	if l.claims != nil {
		claim = l.claims.Claim
	}
	var ignored func([]byte) bool
	if t.Ignored != nil {
		ignored = func(flat []byte) bool { return t.Ignored(flat, 0) }
	}
	return engine.Config{
		Claim: claim,
		Setup: *m, Shape: t.Shape, Programs: len(t.Programs), Names: names, Blocks: blocks, Maps: maps, Ignored: ignored,
		Diversity: diversity.BehindMaps(room, len(t.Programs), blocks),
	}
}
