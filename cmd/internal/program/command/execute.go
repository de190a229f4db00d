package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// argumentLimit is MAX_ARG_STRLEN of Linux: a longer argument, with its terminator, does not start.
const argumentLimit = 128 << 10

// textLimit is the number of bytes kept of a stream that is shown to people.
const textLimit = 64 << 10

// Execute implements program.Executor.
func (e *Executor) Execute(ctx context.Context, inputs [][]byte, obs []program.Observation) error {
	for i, input := range inputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		obs[i].Reset()
		if why := e.unsuitable(input); why != "" {
			obs[i].Outcome, obs[i].Message = oracle.Declined, why
			continue
		}
		r, err := e.run(ctx, input)
		if err == nil {
			err = e.probe(ctx, r)
		}
		if err != nil {
			return err
		}
		e.observe(r, &obs[i])
	}
	return nil
}

// unsuitable returns why an input cannot be an argument, or "".
func (e *Executor) unsuitable(input []byte) string {
	for _, arg := range e.config.Args[1:] {
		n := strings.Count(arg, "{arg}")
		if n == 0 {
			continue
		}
		if bytes.IndexByte(input, 0) >= 0 {
			return "an input with a zero byte cannot be an argument"
		}
		if len(arg)+n*(len(input)-len("{arg}")) >= argumentLimit {
			return fmt.Sprintf("an input of %d bytes is too long for an argument", len(input))
		}
	}
	return ""
}

// probe checks, at the first input, for a wrapper that cannot start its program. A shell exits with
// status 126 or 127 then, but a program that rejects may, too. The former also does so on an empty
// input.
func (e *Executor) probe(ctx context.Context, r *result) error {
	if e.tried {
		return nil
	}
	code := r.status.Exit
	if r.status.Signal == 0 && (code == 126 || code == 127) && !e.config.Exit.lists(code) {
		empty, err := e.run(ctx, nil)
		if err != nil {
			return err
		}
		if empty.status.Signal == 0 && empty.status.Exit == code {
			line, _ := firstLine(stable(empty.stderr.text(), empty.folder))
			if line == "" {
				line = "it says nothing"
			}
			return e.usage(fmt.Sprintf("it ends with exit status %d on every input, as shells do when they cannot start a program: %s", code, line),
				"install what is missing; if that status means something else, list it under exit")
		}
	}
	e.tried = true
	return nil
}

// result is the result of a run.
type result struct {
	status         confine.Status
	late           bool // killed by the timeout
	stdout, stderr stream
	output         []byte // the file {output}
	flood          string // the stream that exceeded the limit, or ""
	folder         string // the private folder of the run
}

// run runs an input. It opens another sandbox if the present one has ended.
func (e *Executor) run(ctx context.Context, input []byte) (*result, error) {
	for attempt := 1; ; attempt++ {
		r, err := e.runOnce(ctx, input)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, confine.ErrGone):
			return r, err
		case attempt == 2:
			return nil, e.infra(fmt.Errorf("the same input twice: %w", err))
		}
		e.sandbox.Close()
		if err := e.confine(ctx); err != nil {
			return nil, err
		}
	}
}

// runOnce runs an input in the present sandbox.
func (e *Executor) runOnce(ctx context.Context, input []byte) (*result, error) {
	r := &result{folder: e.sandbox.Folder(), stderr: stream{keep: textLimit}, stdout: stream{keep: textLimit}}
	limit := e.config.Limits.Output
	r.stdout.limit = limit
	switch e.config.Value {
	case "stdout":
		r.stdout.keep = -1
	case "stderr":
		r.stderr.keep, r.stderr.limit = -1, limit
	}
	p, err := e.start(r, input)
	if err != nil {
		return nil, err
	}
	var readers sync.WaitGroup
	for _, s := range []*stream{&r.stdout, &r.stderr} {
		readers.Go(func() { s.read(p.Kill) })
	}
	var late atomic.Bool
	var timer *time.Timer
	if timeout := e.config.Limits.Timeout; timeout > 0 {
		timer = time.AfterFunc(timeout, func() { late.Store(true); p.Kill() })
	}
	stop := context.AfterFunc(ctx, p.Kill)
	r.status = p.Wait()
	stop()
	if timer != nil {
		timer.Stop()
	}
	if r.status.Err != nil {
		// Without namespaces, processes outside of the program's group may still hold the streams.
		r.stdout.close()
		r.stderr.close()
	}
	readers.Wait() // all writers have ended
	if r.status.Kept != nil {
		defer r.status.Kept.Close()
	}
	if r.status.Err != nil {
		return nil, r.status.Err
	}
	r.late = late.Load() && r.status.Signal == unix.SIGKILL
	switch {
	case r.stdout.flooded:
		r.flood = "on standard output"
	case r.stderr.flooded:
		r.flood = "on standard error"
	}
	if r.status.Kept != nil {
		err = e.readOutputFile(r)
	}
	return r, err
}

// readOutputFile reads the file that the program wrote.
func (e *Executor) readOutputFile(r *result) error {
	from := io.Reader(r.status.Kept)
	limit := e.config.Limits.Output
	if limit > 0 {
		from = io.LimitReader(from, int64(limit)+1)
	}
	data, err := io.ReadAll(from)
	if err != nil {
		return e.infra(err)
	}
	if limit > 0 && len(data) > limit {
		data, r.flood = data[:limit], "in the file it wrote"
	}
	r.output = data
	return nil
}

// start starts the program with the input and opens the streams.
func (e *Executor) start(r *result, input []byte) (p *confine.Process, err error) {
	c := confine.Command{Path: e.path, Env: e.env, Dir: e.config.Dir, Args: e.arguments(r.folder, input)}
	if e.byFile != "" {
		c.Files = map[string][]byte{e.byFile: input}
	}
	if e.config.Value == "output" {
		c.Keep = e.output
	}
	if e.byStdin() {
		if c.Stdin, err = e.memory(input); err != nil {
			return nil, e.infra(err)
		}
		defer c.Stdin.Close()
	}
	for _, s := range []struct {
		stream *stream
		end    **os.File
	}{{&r.stdout, &c.Stdout}, {&r.stderr, &c.Stderr}} {
		if *s.end, err = s.stream.open(); err != nil {
			r.stdout.close()
			return nil, e.infra(err)
		}
		defer (*s.end).Close()
	}
	for patience := 10 * time.Millisecond; ; patience *= 2 {
		p, err = e.sandbox.Start(c)
		// Another process is writing the executable, or has just stopped.
		if !errors.Is(err, unix.ETXTBSY) || patience > time.Second {
			break
		}
		time.Sleep(patience)
	}
	if err == nil {
		return p, nil
	}
	r.stdout.close()
	r.stderr.close()
	if errors.Is(err, confine.ErrGone) {
		return nil, err
	}
	if e.config.Dir != "" {
		if info, failed := os.Stat(e.config.Dir); failed != nil || !info.IsDir() {
			return nil, e.usage(fmt.Sprintf("its folder %s is not there", e.config.Dir), "correct the path")
		}
	}
	return nil, e.unstartable(e.path, err)
}

// byStdin reports whether the input is on standard input.
func (e *Executor) byStdin() bool {
	if e.byFile != "" {
		return false
	}
	for _, arg := range e.config.Args[1:] {
		if strings.Contains(arg, "{arg}") {
			return false
		}
	}
	return true
}

// arguments returns the command line for an input.
func (e *Executor) arguments(folder string, input []byte) []string {
	args := []string{e.config.Args[0]}
	for _, arg := range e.config.Args[1:] {
		args = append(args, place().ReplaceAllStringFunc(arg, func(found string) string {
			if found == "{arg}" {
				return string(input)
			}
			return folder + "/" + strings.Trim(found, "{}")
		}))
	}
	return args
}

// memory writes the input into a memory file and opens it. A program that does not read all of it
// causes no broken pipe. One that seeks can do so, as in `tool < file`, the usual way to run it by
// hand.
func (e *Executor) memory(input []byte) (*os.File, error) {
	if e.stdin == nil {
		fd, err := unix.MemfdCreate("input", unix.MFD_CLOEXEC)
		if err != nil {
			return nil, os.NewSyscallError("memfd_create", err)
		}
		e.stdin = os.NewFile(uintptr(fd), "input")
	}
	if err := e.stdin.Truncate(0); err != nil {
		return nil, err
	}
	if _, err := e.stdin.WriteAt(input, 0); err != nil {
		return nil, err
	}
	return os.Open(fmt.Sprintf("/proc/self/fd/%d", e.stdin.Fd()))
}
