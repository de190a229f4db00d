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

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/process/diagnostic"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Replayer re-executes inputs, in one worker after another when programs end theirs. Its results never lack a program:
// the ones that a death left without an answer are run again without the culprit.
type Replayer struct {
	Spec     execute.Spec
	Programs int
	Shape    input.Shape
	Space    *flow.Space // the programs' blocks, and the functions that crash classes tell apart
	Traits   subject.Traits

	Ctx context.Context // ends the replayer; nil: never

	worker     *execute.Worker
	closing    sync.WaitGroup
	used       bool   // the worker has executed an input
	Runs       int    // inputs executed
	Executed   uint64 // blocks that they executed, where that is known
	Deaths     int
	LeftBehind int // those of them by a goroutine that a program had left behind

	enough       uint64 // blocks after which no other input is tried in place of one that shows the finding; 0: no limit
	plain        uint64 // flag of all runs: wire.Plain, or 0
	skip         uint64 // programs that are left out; their results are empty
	repairDeaths int    // those of them that the repair function caused
}

// Fresh makes the next Run use a process that has executed nothing.
func (s *Replayer) Fresh() {
	if w := s.worker; w != nil {
		s.closing.Add(1)
		go func() { // ending a process takes about as long as starting one
			defer s.closing.Done()
			w.Close()
		}()
		s.worker = nil
	}
}

// Close ends the replayer, and waits for its processes to end.
func (s *Replayer) Close() {
	s.Fresh()
	s.closing.Wait()
}

// Ended is how many processes inputs have ended.
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
		case bits.OnesCount64(left) == 1: // something that it left behind
			p := bits.TrailingZeros64(left)
			results[p] = s.dead(death, flat)
			left = 0
		default:
			results, err := s.each(flat, flags, left, results)
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

// drawAlone asks what a generator makes of an input, if all programs have ended their process on it, and so nobody has told. No program runs.
func (s *Replayer) drawAlone(flat []byte, flags uint64, results []wire.RunResult) {
	if Drawn(results) != "" || !slices.ContainsFunc(results, func(r wire.RunResult) bool { return oracle.Outcome(r.Outcome) >= oracle.Crashed }) {
		return
	}
	if s.start() != nil || !s.worker.Hello.Tapes || s.worker.Hello.Takes == "" {
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

// RunAll gives a worker so many inputs at a time, and no more when they have so many bytes.
const (
	batch      = 32
	batchBytes = 1 << 20
)

// RunAll executes inputs one after another, as Run does, and hands each one's results to use until that returns false.
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
		all, err := s.together(flats, flags)
		if err != nil {
			return err
		}
		for i, flat := range flats {
			if i == len(all) { // from here on something ended the process: Run finds out what
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

// together executes inputs at once, as many as the process survives. The culprit is not looked for, and not counted.
func (s *Replayer) together(flats [][]byte, flags uint64) ([][]wire.RunResult, error) {
	if s.Ctx != nil && s.Ctx.Err() != nil {
		return nil, s.Ctx.Err()
	}
	if err := s.start(); err != nil {
		return nil, err
	}
	var all [][]wire.RunResult
	err := s.order(func() (err error) {
		all, err = s.worker.RunAll(flats, flags|s.plain|s.skip<<wire.SkipShift)
		return err
	})
	if err != nil && s.worker == nil { // it was killed
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

// each executes the input on the programs left, each in a process of its own, to learn whose goroutine failed after all
// had returned.
func (s *Replayer) each(flat []byte, flags, left uint64, results []wire.RunResult) ([]wire.RunResult, error) {
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

// start makes sure that there is a process.
func (s *Replayer) start() error {
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

// attempt executes the input on some of the programs, in the process at hand or a new one.
func (s *Replayer) attempt(flat []byte, flags, programs uint64) ([]wire.RunResult, *execute.Death, error) {
	if s.Ctx != nil && s.Ctx.Err() != nil {
		return nil, nil, s.Ctx.Err()
	}
	if err := s.start(); err != nil {
		return nil, nil, err
	}
	skip := (uint64(1)<<s.Programs - 1) &^ programs
	var got []wire.RunResult
	err := s.order(func() (err error) {
		got, err = s.worker.Run(flat, flags|s.plain|skip<<wire.SkipShift)
		return err
	})
	if err != nil && s.worker == nil { // it was killed
		return nil, nil, err
	}
	var death *execute.Death
	if errors.As(err, &death) {
		s.Deaths++
		s.Fresh()
		if !death.InFlight && s.used { // something that an earlier input left behind
			return s.attempt(flat, flags, programs)
		}
		if !death.InFlight || death.Foreign { // it had executed nothing else: what one of the programs left behind, or has written
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

// order has the worker carry out an order, which ends with the context: then the worker is gone, and the error is that of the
// context.
func (s *Replayer) order(carryOut func() error) error {
	stop := context.AfterFunc(s.context(), s.worker.End)
	err := carryOut()
	if !stop() { // it was killed, perhaps
		s.Fresh()
		return s.Ctx.Err()
	}
	return err
}

// dead is the result of a program that ended its process on an input.
func (s *Replayer) dead(d *execute.Death, flat []byte) wire.RunResult {
	s.leftBehind(d.Text)
	c := oracle.ParseTrace(d.Text)
	c.Kind = KindOf(d.Outcome)
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
	c.Class = oracle.CrashClass(withoutInput(s.Shape, c.Message, flat))
	return wire.RunResult{
		Outcome: uint64(d.Outcome), Class: hash(s.key(d.Program, c)), Panic: c.Message, Stack: tidy(string(d.Text)), Shown: d.Drawn,
	}
}

// withLast is how a process ended, and the line that it printed last if there is one: what a program says before os.Exit, as log.Fatal does,
// tells causes apart.
func withLast(how string, text []byte) string {
	line := diagnostic.Explain(how, text)
	if line == nil || strings.Contains(how, string(line)) {
		return how
	}
	return how + ": " + string(line[:min(len(line), maxLastWords)])
}

// leftBehind counts the end of a process by a goroutine that a program had left behind.
func (s *Replayer) leftBehind(text []byte) {
	if execute.LeftBehind(text) {
		s.LeftBehind++
	}
}

// maxLastWords is how much of what a program printed belongs to the message of its crash.
const maxLastWords = 300

// ended completes the result of a program whose process, beside a lockstep process's, has ended. It is cheap where the program has a
// process for each input.
func (s *Replayer) ended(p int, r *wire.RunResult, flat []byte) {
	if cheap := p < len(s.Traits.ProcessPerInput) && s.Traits.ProcessPerInput[p]; !cheap {
		s.Deaths++
	}
	s.leftBehind([]byte(r.Stack))
	c := oracle.ParseTrace([]byte(r.Stack))
	c.Kind = KindOf(oracle.Outcome(r.Outcome))
	switch {
	case c.Kind != oracle.KindCrash || c.InC:
		c.Message = r.Panic
	case len(c.Frames) == 0:
		c.Message = withLast(r.Panic, []byte(r.Stack))
	}
	c.Class = oracle.CrashClass(withoutInput(s.Shape, c.Message, flat))
	r.Class, r.Panic, r.Stack = hash(s.key(p, c)), c.Message, tidy(r.Stack)
}

// classify gives a recovered panic or a failed test the class that its text has, so that it does not depend on addresses.
func (s *Replayer) classify(p int, r *wire.RunResult, flat []byte) {
	if r.Ended {
		s.ended(p, r, flat)
		return
	}
	if oracle.Outcome(r.Outcome) != oracle.Crashed || r.Stack == "" {
		return
	}
	r.Panic, r.Output = withoutHarness(r.Panic), withoutHarness(r.Output)
	c := s.crash(r, flat)
	r.Class = hash(s.key(p, c))
	if !r.Failure {
		r.Stack = "panic: " + r.Panic + "\n\n" + r.Stack
	}
	r.Stack = tidy(r.Stack)
}

// crash reads what a result that holds detail tells of a crash. Its class leaves out what repeats the input.
func (s *Replayer) crash(r *wire.RunResult, flat []byte) oracle.Crash {
	text := r.Stack
	if !strings.HasPrefix(text, "panic: ") {
		text = "panic: " + r.Panic + "\n\n" + text
	}
	c := oracle.ParseTrace([]byte(text))
	for i := range c.Frames {
		if f := &c.Frames[i]; f.Line == 0 { // as the compiler has it of a loop of few instructions
			f.Line = s.Space.Begins(f.Func)
		}
	}
	if r.Panic != "" {
		c.Message = r.Panic
	}
	c.Kind = Kind(r)
	c.Class = oracle.CrashClass(withoutInput(s.Shape, c.Message, flat))
	return c
}

// key names a program's crash: its message, its functions, and the line in the innermost of those of the program, counted from the
// function's beginning, since two causes may lie in one function. Where others report through a helper, the caller's line
// belongs to the place.
func (s *Replayer) key(program int, c oracle.Crash) string {
	return s.named(program, c).Key(s.Space.Own) + s.line(program, c)
}

// place is the key without the message. Where there is no stack, the program and how its process ended are all that is known of it.
func (s *Replayer) place(program int, c oracle.Crash) string {
	if len(c.Frames) == 0 {
		return fmt.Sprint(c.Kind, " | program ", program, " | ", c.Status())
	}
	return s.named(program, c).Where(s.Space.Own) + s.line(program, c)
}

// named is a crash with its functions as buckets name them. A crash in what was changed between versions comes from there, whoever calls it: its
// callers do not count.
func (s *Replayer) named(program int, c oracle.Crash) oracle.Crash {
	c.Frames = slices.Clone(c.Frames)
	if top := c.Tops(s.Space.Own, 1); len(top) > 0 && s.Space.ChangedAt(program, top[0].Func, top[0].Line) {
		c.Frames = top
	}
	for i := range c.Frames {
		c.Frames[i].Func = s.Space.Name(c.Frames[i].Func)
	}
	return c
}

func (s *Replayer) line(program int, c oracle.Crash) string {
	text := ""
	for _, f := range c.Tops(s.Space.Own, maxHelpers+1) {
		n, ok := s.Space.Line(program, f.Func, f.Line)
		if !ok {
			break
		}
		text += fmt.Sprintf(" +%d", n)
		if !c.Reported() || !s.Space.Helper(program, f.Func) {
			break
		}
	}
	return text
}

// maxHelpers is through how many helpers a failure is followed to the line that is meant.
const maxHelpers = 2

// Kind names the finding that a result is, if it is one by itself.
func Kind(r *wire.RunResult) string {
	if r.Failure {
		return oracle.KindFailure
	}
	return KindOf(oracle.Outcome(r.Outcome))
}

// KindOf names the finding that a failed run is.
func KindOf(o oracle.Outcome) string {
	switch o {
	case oracle.Timeout:
		return oracle.KindTimeout
	case oracle.OOM:
		return oracle.KindOOM
	}
	return oracle.KindCrash
}

// Observations are the results as the oracle sees them.
func Observations(results []wire.RunResult) []oracle.Observation {
	obs := make([]oracle.Observation, len(results))
	for i, r := range results {
		obs[i] = oracle.Observation{Outcome: oracle.Outcome(r.Outcome), Class: r.Class, Value: r.Value}
	}
	return obs
}

// Layer is the first layer in which programs disagree, 0 if they do not or if it is intended.
func Layer(layers oracle.Layers, results []wire.RunResult) oracle.Layers {
	return disagreeing(layers, results).First()
}

// disagreeing is the set of layers in which programs disagree, empty if that is intended.
func disagreeing(layers oracle.Layers, results []wire.RunResult) oracle.Layers {
	if len(results) > 0 && results[0].Ignored {
		return 0
	}
	if in := oracle.DisagreeLayers(layers, Observations(results)); in != 0 || Dear(layers, results) == 0 {
		return in
	}
	return oracle.CostLayer
}

// Failed reports whether a program crashed or ran out of time or memory, and the first that did.
func Failed(results []wire.RunResult) (program int, failed bool) {
	for i := range results {
		if fails(&results[i]) {
			return i, true
		}
	}
	return 0, false
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
