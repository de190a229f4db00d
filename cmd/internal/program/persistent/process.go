package persistent

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// process is one run of the driver: its pipes, its standard error, and its end.
type process struct {
	run      running
	in       *os.File // requests
	answers  *answers
	tail     *program.Tail
	hello    hello // its greeting
	answered int   // answers of this process

	chunks  chan [][]byte // for the writer
	written chan error    // one per chunk
	pending int           // chunks not written yet
	ended   chan struct{} // closed once status is set
	status  confine.Status
}

// pipe returns both ends of a pipe. Ours supports deadlines; the driver's blocks, as programs
// expect.
func pipe(oursReads bool) (ours, theirs *os.File, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("making a pipe: %w", err)
	}
	r, w := fds[0], fds[1]
	if !oursReads {
		r, w = w, r
	}
	// Before NewFile, which reads this flag.
	unix.SetNonblock(r, true)
	return os.NewFile(uintptr(r), "pipe of the driver"), os.NewFile(uintptr(w), "pipe to the driver"), nil
}

// start starts the driver, and does not wait for its greeting.
func start(b sandbox, c Config) (*process, error) {
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	var ours []*os.File
	for _, reads := range []bool{false, true, true} {
		o, t, err := pipe(reads)
		if err != nil {
			closeAll(ours)
			return nil, err
		}
		ours, theirs = append(ours, o), append(theirs, t)
	}
	path, err := executable(c)
	if err != nil {
		closeAll(ours)
		return nil, err
	}
	run, err := b.Start(confine.Command{Path: path, Args: c.Args, Env: c.Env, Dir: c.Dir, Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2]})
	if err != nil {
		closeAll(ours)
		return nil, err
	}
	p := &process{
		run: run, in: ours[0], answers: newAnswers(ours[1]), tail: program.NewTail(ours[2]),
		// At most two chunks are pending.
		chunks: make(chan [][]byte, 2), written: make(chan error, 2), ended: make(chan struct{}),
	}
	go p.tail.Drain()
	go p.write()
	go func() {
		p.status = run.Wait()
		close(p.ended)
	}()
	return p, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// write sends requests until chunks is closed. It needs a goroutine of its own, because a driver
// that writes an answer may not read meanwhile.
func (p *process) write() {
	w := bufio.NewWriterSize(p.in, 64<<10)
	var header [4]byte
	for chunk := range p.chunks {
		for _, input := range chunk {
			binary.LittleEndian.PutUint32(header[:], uint32(len(input)))
			w.Write(header[:]) // errors stay until Flush
			w.Write(input)
		}
		p.written <- w.Flush()
	}
	close(p.written)
}

// send passes requests to the writer, which reads inputs until flushed reports that they are sent.
func (p *process) send(inputs [][]byte) {
	p.pending++
	p.chunks <- inputs
}

// flushed waits until at most n chunks are pending. It is called when the answers to the others
// have come, so a wait longer than limit means that the driver answered without reading. A failed
// write is not an error here: the driver's end shows in its answers.
func (p *process) flushed(n int, limit time.Duration) error {
	if p.pending <= n {
		return nil
	}
	late := time.NewTimer(orNever(limit))
	defer late.Stop()
	for p.pending > n {
		select {
		case <-p.written:
			p.pending--
		case <-late.C:
			return &violation{What: "it answered requests that it had not read to the end"}
		}
	}
	return nil
}

func orNever(limit time.Duration) time.Duration {
	if limit <= 0 {
		return 1 << 62
	}
	return limit
}

// over reports whether the process has ended.
func (p *process) over() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// interrupt makes reads of answers return. It may be called from any goroutine.
func (p *process) interrupt() {
	p.run.Kill()
	p.answers.file.SetReadDeadline(time.Unix(1, 0))
}

// bury returns how the process ended. It kills the process if it has not ended within grace, and
// closes its files. alive reports that it was killed.
func (p *process) bury(grace time.Duration) (s confine.Status, alive bool) {
	if grace > 0 {
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case <-p.ended:
		case <-late.C:
		}
	}
	select {
	case <-p.ended:
	default:
		alive = true
		p.run.Kill()
		<-p.ended
	}
	p.in.Close()
	close(p.chunks)
	for range p.written {
	}
	p.tail.End()
	p.answers.file.Close()
	return p.status, alive
}

// grace is the time for a driver to end by itself after its pipes were closed.
const grace = 2 * time.Second

// close closes the driver's input, and waits for its end.
func (p *process) close() {
	p.in.Close()
	p.bury(grace)
}

// greet reads the greeting.
func (p *process) greet(ctx context.Context, limit time.Duration) error {
	stop := context.AfterFunc(ctx, p.interrupt)
	p.answers.await(limit)
	h, err := p.answers.greeting()
	if !stop() {
		return ctx.Err() // the process is killed, whatever its greeting
	}
	p.hello = h
	return err
}

// Errors of reading an answer, besides *violation.
var (
	errClosed = errors.New("the driver closed its standard output")
	errLate   = errors.New("no answer in time")
	errIdle   = errors.New("the driver ended between inputs")
)

// flood is a text longer than the limit. Its value is the limit.
type flood int

func (f flood) Error() string { return fmt.Sprintf("output flood: more than %d bytes", int(f)) }

// violation is output that violates the protocol.
type violation struct {
	What        string // "the answer's verdict is 'h', not A, R, D or C"
	Received    []byte // the first bytes of the output instead of an answer
	Order       bool   // an answer to another request than the next
	Unsolicited bool   // output without a request: earlier answers may belong to other inputs
}

func (v *violation) Error() string {
	if v.Received == nil {
		return v.What
	}
	return fmt.Sprintf("%s; what came begins with %q", v.What, v.Received)
}
