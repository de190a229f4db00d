package triage

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/process/diagnostic"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Replayer re-executes inputs, in a new worker after each death. Its results never lack a program:
// those without an answer run again without the culprit.
type Replayer struct {
	Spec     execute.Spec
	Programs int
	Shape    input.Shape
	Space    *flow.Space // blocks of the programs, and functions of crash classes
	Traits   subject.Traits

	Ctx context.Context // ends the replayer; nil means never

	worker     *execute.Worker
	closing    sync.WaitGroup
	used       bool   // the worker has executed an input
	Runs       int    // executed inputs
	Executed   uint64 // their executed blocks, where known
	Deaths     int
	LeftBehind int // deaths by a goroutine that a program left behind

	enough       uint64 // limit of Executed for minimizing; 0 means none
	plain        uint64 // flag of all runs: wire.Plain, or 0
	skip         uint64 // set of programs that are left out; their results are empty
	repairDeaths int    // deaths in the repair function
}

// Fresh makes the next Run use a process that has executed nothing.
func (s *Replayer) Fresh() {
	if w := s.worker; w != nil {
		s.closing.Go(func() { // ending a process takes as long as a start
			w.Close()
		})
		s.worker = nil
	}
}

// Close ends the replayer and waits for the end of its processes.
func (s *Replayer) Close() {
	s.Fresh()
	s.closing.Wait()
}

// Ended returns the number of processes that inputs have ended.
func (s *Replayer) Ended() int { return s.Deaths }

// Run executes the input on every program.
func (s *Replayer) Run(flat []byte, flags uint64) ([]wire.RunResult, error) {
	s.Runs++
	results := make([]wire.RunResult, s.Programs)
	left := (uint64(1)<<s.Programs - 1) &^ s.skip // programs without a result
	for left != 0 {
		got, death, err := s.attempt(flat, flags, left)
		switch {
		case err != nil:
			return nil, err
		case death == nil:
			for p := range got {
				if left>>p&1 != 0 {
					results[p] = got[p]
				}
			}
			left = 0
		case death.Program < s.Programs && left>>death.Program&1 != 0:
			results[death.Program] = s.dead(death, flat)
			left &^= 1 << death.Program
		case bits.OnesCount64(left) == 1: // by a leftover goroutine
			p := bits.TrailingZeros64(left)
			results[p] = s.dead(death, flat)
			left = 0
		default:
			results, err := s.runSeparately(flat, flags, left, results)
			if err == nil && flags&wire.WantDetail != 0 {
				s.drawAlone(flat, flags, results)
			}
			return results, err
		}
	}
	if flags&wire.WantDetail != 0 {
		s.drawAlone(flat, flags, results)
	}
	return results, nil
}

// drawAlone lets a generator draw without a program, if all programs ended their process before.
func (s *Replayer) drawAlone(flat []byte, flags uint64, results []wire.RunResult) {
	if Drawn(results) != "" || !slices.ContainsFunc(results, func(r wire.RunResult) bool { return oracle.Outcome(r.Outcome) >= oracle.Crashed }) {
		return
	}
	if s.Start() != nil || !s.worker.Hello.Tapes || s.worker.Hello.Takes == "" {
		return
	}
	var got []wire.RunResult
	err := s.order(func() (err error) {
		got, err = s.worker.Run(flat, flags&(wire.WantDetail|wire.WantDrawn)|s.plain|(uint64(1)<<s.Programs-1)<<wire.SkipShift)
		return err
	})
	if err != nil { // the generator has ended the process
		s.Fresh()
		return
	}
	if len(got) > 0 {
		results[0].Shown, results[0].Made, results[0].Drawn = got[0].Shown, got[0].Made, got[0].Drawn
	}
}

// RunAll sends batches of at most batch inputs and batchBytes bytes to a worker.
const (
	batch      = 32
	batchBytes = 1 << 20
)

// RunAll executes inputs in order and passes each one's results to use, until that returns false.
func (s *Replayer) RunAll(inputs iter.Seq[[]byte], flags uint64, use func(flat []byte, results []wire.RunResult) bool) error {
	next, stop := iter.Pull(inputs)
	defer stop()
	for {
		var flats [][]byte
		for size := 0; len(flats) < batch && size < batchBytes; {
			flat, ok := next()
			if !ok {
				break
			}
			flats = append(flats, flat)
			size += len(flat)
		}
		if len(flats) == 0 {
			return nil
		}
		all, err := s.runBatch(flats, flags)
		if err != nil {
			return err
		}
		for i, flat := range flats {
			if i == len(all) { // an input ended the process: Run finds the culprit
				results, err := s.Run(flat, flags)
				if err != nil {
					return err
				}
				all = append(all, results)
			}
			if !use(flat, all[i]) {
				return nil
			}
		}
	}
}

// runBatch executes inputs until one ends the process. It neither identifies nor counts that one.
func (s *Replayer) runBatch(flats [][]byte, flags uint64) ([][]wire.RunResult, error) {
	if s.Ctx != nil && s.Ctx.Err() != nil {
		return nil, s.Ctx.Err()
	}
	if err := s.Start(); err != nil {
		return nil, err
	}
	var all [][]wire.RunResult
	err := s.order(func() (err error) {
		all, err = s.worker.RunAll(flats, flags|s.plain|s.skip<<wire.SkipShift)
		return err
	})
	if err != nil && s.worker == nil { // the context has ended it
		return nil, err
	}
	var death *execute.Death
	if errors.As(err, &death) {
		s.Fresh()
	} else if err != nil {
		return nil, err
	}
	s.used = s.used || len(all) > 0
	s.Runs += len(all)
	for i, results := range all {
		for p := range results {
			s.classify(p, &results[p], flats[i])
			s.Executed += results[p].Length
		}
	}
	return all, nil
}

// runSeparately executes the remaining programs in processes of their own, to find the one whose
// goroutine failed after all had returned.
func (s *Replayer) runSeparately(flat []byte, flags, left uint64, results []wire.RunResult) ([]wire.RunResult, error) {
	for p := range results {
		if left>>p&1 == 0 {
			continue
		}
		s.Fresh()
		got, death, err := s.attempt(flat, flags, 1<<p)
		switch {
		case err != nil:
			return nil, err
		case death != nil:
			results[p] = s.dead(death, flat)
		default:
			results[p] = got[p]
		}
	}
	return results, nil
}

// Start starts a process if there is none.
func (s *Replayer) Start() error {
	if s.worker != nil {
		return nil
	}
	w, err := execute.StartContext(s.context(), s.Spec)
	if err == nil {
		s.worker, s.used = w, false
	}
	return err
}

func (s *Replayer) context() context.Context {
	if s.Ctx == nil {
		return context.Background()
	}
	return s.Ctx
}

// attempt executes the input on a set of programs, in the current process or a new one.
func (s *Replayer) attempt(flat []byte, flags, programs uint64) ([]wire.RunResult, *execute.Death, error) {
	if s.Ctx != nil && s.Ctx.Err() != nil {
		return nil, nil, s.Ctx.Err()
	}
	if err := s.Start(); err != nil {
		return nil, nil, err
	}
	skip := (uint64(1)<<s.Programs - 1) &^ programs
	var got []wire.RunResult
	err := s.order(func() (err error) {
		got, err = s.worker.Run(flat, flags|s.plain|skip<<wire.SkipShift)
		return err
	})
	if err != nil && s.worker == nil { // the context has ended it
		return nil, nil, err
	}
	var death *execute.Death
	if errors.As(err, &death) {
		s.Deaths++
		s.Fresh()
		if !death.InFlight && s.used { // an earlier input is the cause
			return s.attempt(flat, flags, programs)
		}
		if !death.InFlight || death.Foreign { // the program that left something behind is unknown
			death.Program = s.Programs
		}
		return nil, death, nil
	}
	s.used = true
	for p := range got {
		s.classify(p, &got[p], flat)
		s.Executed += got[p].Length
	}
	return got, nil, err
}

// order lets the worker carry out an order. If the context ends, so does the worker.
func (s *Replayer) order(carryOut func() error) error {
	stop := context.AfterFunc(s.context(), s.worker.End)
	err := carryOut()
	if !stop() { // the context may have ended the worker
		s.Fresh()
		return s.Ctx.Err()
	}
	return err
}

// dead returns the result of a program that ended its process on an input.
func (s *Replayer) dead(d *execute.Death, flat []byte) wire.RunResult {
	s.leftBehind(d.Text)
	c := oracle.ParseTrace(d.Text)
	c.Kind = oracle.KindOf(d.Outcome)
	switch {
	case d.Outcome == oracle.Timeout:
		c.Message = "still running after " + s.Spec.Timeout.String()
		if d.Harmed() {
			c.Message = d.Harm() + ", and is " + c.Message
		}
	case d.Outcome == oracle.OOM:
		c.Message = fmt.Sprintf("more than %d MiB in use", s.Spec.Memory>>20)
	case d.Harmed():
		c.Message, c.Frames = d.Harm(), nil
	case len(c.Frames) == 0:
		c.Message = withLast("the program ended its process: "+d.Status, d.Text)
	}
	c.Class = oracle.CrashClass(causes.WithoutInput(s.Shape, c.Message, flat))
	return wire.RunResult{
		Outcome: uint64(d.Outcome), Class: Hash(s.key(d.Program, c)), Panic: c.Message, Stack: tidy(string(d.Text)), Shown: d.Drawn,
	}
}

// withLast appends the last line that a process printed, as by log.Fatal: it separates causes.
func withLast(how string, text []byte) string {
	line := diagnostic.Explain(how, text)
	if line == nil || strings.Contains(how, string(line)) {
		return how
	}
	return how + ": " + string(line[:min(len(line), maxLastWords)])
}

// leftBehind counts a death by a goroutine that a program left behind.
func (s *Replayer) leftBehind(text []byte) {
	if execute.LeftBehind(text) {
		s.LeftBehind++
	}
}

// maxLastWords bounds the last line in the message of a crash.
const maxLastWords = 300

// completeEnded completes the result of a program whose own process has ended under a lockstep
// process. That is cheap for programs with a process per input.
func (s *Replayer) completeEnded(p int, r *wire.RunResult, flat []byte) {
	if cheap := p < len(s.Traits.ProcessPerInput) && s.Traits.ProcessPerInput[p]; !cheap {
		s.Deaths++
	}
	s.leftBehind([]byte(r.Stack))
	c := oracle.ParseTrace([]byte(r.Stack))
	c.Kind = oracle.KindOf(oracle.Outcome(r.Outcome))
	switch {
	case c.Kind != oracle.KindCrash || c.InC:
		c.Message = r.Panic
	case len(c.Frames) == 0:
		c.Message = withLast(r.Panic, []byte(r.Stack))
	}
	c.Class = oracle.CrashClass(causes.WithoutInput(s.Shape, c.Message, flat))
	r.Class, r.Panic, r.Stack = Hash(s.key(p, c)), c.Message, tidy(r.Stack)
}

// classify sets the class of a panic or a failed test from its text, which addresses do not change.
func (s *Replayer) classify(p int, r *wire.RunResult, flat []byte) {
	if r.Ended {
		s.completeEnded(p, r, flat)
		return
	}
	if oracle.Outcome(r.Outcome) != oracle.Crashed || r.Stack == "" {
		return
	}
	r.Panic, r.Output = withoutHarness(r.Panic), withoutHarness(r.Output)
	c := s.crash(r, flat)
	r.Class = Hash(s.key(p, c))
	if !r.Failure {
		r.Stack = "panic: " + r.Panic + "\n\n" + r.Stack
	}
	r.Stack = tidy(r.Stack)
}

// crash parses the crash in a result with detail. Its class leaves out echoes of the input.
func (s *Replayer) crash(r *wire.RunResult, flat []byte) oracle.Crash {
	text := r.Stack
	if !strings.HasPrefix(text, "panic: ") {
		text = "panic: " + r.Panic + "\n\n" + text
	}
	c := oracle.ParseTrace([]byte(text))
	for i := range c.Frames {
		if f := &c.Frames[i]; f.Line == 0 { // the compiler's line of a short loop
			f.Line = s.Space.Begins(f.Func)
		}
	}
	if r.Panic != "" {
		c.Message = r.Panic
	}
	c.Kind = Kind(r)
	c.Class = oracle.CrashClass(causes.WithoutInput(s.Shape, c.Message, flat))
	return c
}

// key names a program's crash by message, functions, and the line in the innermost of them. Lines
// count from the function's beginning, since one function may have two causes. For failures that
// helpers report, the line of the caller is included.
func (s *Replayer) key(program int, c oracle.Crash) string {
	return s.bucketFrames(program, c).Key(s.Space.Code) + s.Space.Lines(program, c)
}

// place returns the key without the message. Without a stack, it is the program and its status.
func (s *Replayer) place(program int, c oracle.Crash) string {
	if len(c.Frames) == 0 {
		return fmt.Sprint(c.Kind, " | program ", program, " | ", c.Status())
	}
	return s.bucketFrames(program, c).Where(s.Space.Code) + s.Space.Lines(program, c)
}

// bucketFrames returns a crash with functions as in bucket names. A crash in changed code has no
// callers: it comes from the change in any case.
func (s *Replayer) bucketFrames(program int, c oracle.Crash) oracle.Crash {
	c.Frames = slices.Clone(c.Frames)
	if top := c.Tops(s.Space.Code, 1); len(top) > 0 && s.Space.ChangedAt(program, top[0].Func, top[0].Line) {
		c.Frames = top
	}
	for i := range c.Frames {
		c.Frames[i].Func = s.Space.Name(c.Frames[i].Func)
	}
	return c
}

// Kind returns the kind of finding that a failed result is.
func Kind(r *wire.RunResult) string {
	if r.Failure {
		return oracle.KindFailure
	}
	return oracle.KindOf(oracle.Outcome(r.Outcome))
}

// Observations converts results for the oracle.
func Observations(results []wire.RunResult) []oracle.Observation {
	obs := make([]oracle.Observation, len(results))
	for i, r := range results {
		obs[i] = oracle.Observation{Outcome: oracle.Outcome(r.Outcome), Class: r.Class, Value: r.Value, Parts: r.Parts}
	}
	return obs
}

// Layer returns the first layer in which programs disagree, or 0 if they do not, or intend to.
func Layer(layers oracle.Layers, results []wire.RunResult) oracle.Layers {
	return disagreeing(layers, results).First()
}

// disagreeing returns the set of layers in which programs disagree, empty if that is intended.
func disagreeing(layers oracle.Layers, results []wire.RunResult) oracle.Layers {
	if len(results) > 0 && results[0].Ignored {
		return 0
	}
	if in := oracle.DisagreeLayers(layers, Observations(results)); in != 0 || Dear(layers, results) == 0 {
		return in
	}
	return oracle.CostLayer
}

// Failed returns the first program that crashed or reached a limit, if there is one.
func Failed(results []wire.RunResult) (program int, failed bool) {
	for i := range results {
		if fails(&results[i]) {
			return i, true
		}
	}
	return 0, false
}

// Hash returns a hash of a text, as in the class of an observation.
func Hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
