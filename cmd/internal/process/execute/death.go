package execute

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"

	"parallax/cmd/internal/process/quota"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/tape"
	"parallax/internal/wire"
)

// Death describes the end of a worker.
type Death struct {
	Outcome oracle.Outcome // Crashed, Timeout or OOM
	Status  string         // "exit status 2", "signal: killed"
	Text    []byte         // standard error, cut in the middle
	// the values that the latest run drew, one per line; empty unless recording was requested
	Drawn      string
	InFlight   bool // an input was being executed
	Determined bool // the input was a mutant of the cmplog source, even if the input is lost
	// the input was being repaired or drawn by a generator, and no program was running
	Repairing bool
	Program   int      // index of the running program; the number of programs means unknown
	Recent    [][]byte // the latest inputs, the one in flight first
	Maps      []byte   // a copy of the coverage maps
	Wrote     bool     // a program wrote into the memory that the worker shares with this process
	Foreign   bool     // a program wrote to the socket for the worker's answers
	// the worker owed an answer and showed no sign of life, without an input in flight
	Silent  bool
	Hits    []uint32 // blocks that the input in flight had executed, ascending; empty if unknown
	Counts  []byte   // execution counts, parallel to Hits
	Spoiled int      // number of the latest inputs that were damaged and left out
}

// readMemory reads the memory of a worker that has ended. A program may have written anything
// there, so every value is checked before use. ordered reports whether the worker owed an answer.
func (d *Death) readMemory(mem *wire.Memory, hello *wire.HelloMessage, ordered bool) {
	programs := len(hello.Programs)
	d.Wrote = programs > 0 && !mem.Sound(programs)
	d.InFlight = mem.State() == wire.InFlight || (d.Wrote || d.Silent || d.Foreign) && ordered
	d.Determined = d.InFlight && mem.Determined()
	d.Repairing = d.InFlight && mem.Repairing() && (hello.Repairs || hello.Tapes)
	d.Program = min(mem.Program(), programs)
	recent := mem.Recent()
	shape, err := input.ParseShape(hello.Shape)
	for i, flat := range recent {
		switch {
		case err == nil && shape.Check(flat) == nil:
			d.Recent = append(d.Recent, flat)
		case i == 0: // the input in flight is unknown
			d.InFlight, d.Repairing = false, false
			fallthrough
		default:
			d.Spoiled++
		}
	}
	if len(recent) == 0 {
		d.InFlight = false
	}
	d.Wrote = d.Wrote || d.Spoiled > 0
}

// readCounters reads the counters that outlive the process. A process that was killed from outside
// has no meaningful counters: its progress is chance.
func (d *Death) readCounters(mem *wire.Memory, hello *wire.HelloMessage) {
	s, first := mem.Survivors(len(hello.Regions)), uint32(0)
	for i, r := range hello.Regions {
		for k, n := range s.Counters(i, r.Counters) {
			if n != 0 {
				d.Hits, d.Counts = append(d.Hits, first+uint32(k)), append(d.Counts, n)
			}
		}
		first += uint32(r.Counters)
	}
}

// bury records the Death of a worker whose process has ended.
func (w *Worker) bury(err error, refused quota.Count) {
	d := &Death{Outcome: oracle.Crashed, Status: w.cmd.ProcessState.String()}
	d.Text, d.Drawn = tape.SplitDraws(w.text.Bytes())
	d.Text = withoutWaiters(d.Text)
	w.mapMu.Lock()
	if w.reason != 0 {
		d.Outcome = w.reason
	}
	if w.mapping != nil {
		d.Silent, d.Foreign = w.silent, w.foreign
		d.readMemory(w.Mem, &w.Hello, w.outstanding())
		// A kill may interrupt the counting. A program that runs in an idle worker has changed the
		// state word.
		d.Wrote = d.Wrote || !killed(w.cmd.ProcessState) && !w.Mem.Counted() || d.Silent && bytes.Contains(d.Text, []byte(calling))
		d.Maps = append([]byte{}, w.Mem.Maps()[:w.mapBytes()]...)
		if d.InFlight && !d.Repairing && !d.Wrote && d.Outcome == oracle.Crashed {
			d.readCounters(w.Mem, &w.Hello)
		}
	}
	w.mapMu.Unlock()
	if d.Spoiled > 0 {
		d.Text = append(d.Text, fmt.Sprintf("\nparallax: %d of the latest inputs in the shared memory are none: a program has written over them\n", d.Spoiled)...)
	}
	switch {
	case d.Outcome == oracle.Crashed && refused.Killed > 0 && killed(w.cmd.ProcessState):
		d.Outcome = oracle.OOM
	case refused.Tasks > 0:
		d.Text = append(d.Text, fmt.Sprintf("\nparallax: the kernel refused it more than %d processes and threads at once\n", quota.Tasks(workerProcesses))...)
	}
	if d.Outcome == oracle.Crashed && err == nil {
		d.Status = "exit status 0"
	}
	w.death = d
	close(w.Dead)
}

// calling is a frame of every goroutine that runs a program, wherever the library lies in the
// build.
const calling = "/worker.(*runner).call("

// Harmed reports whether the worker or this process noticed that a program damaged their shared
// state.
func (d *Death) Harmed() bool { return d.Harm() != "" }

// Harm describes the damage. It returns "" if there is none.
func (d *Death) Harm() string {
	if d.Status != fmt.Sprintf("exit status %d", wire.Harmed) {
		return d.observedHarm()
	}
	at := bytes.LastIndex(d.Text, []byte(wire.HarmPrefix))
	if at < 0 {
		// without the worker's message, because its standard error is closed
		return "the program ended its process: " + d.Status
	}
	line, _, _ := bytes.Cut(d.Text[at+len("parallax: "):], []byte("\n"))
	return string(line)
}

// observedHarm describes damage that only this process noticed.
func (d *Death) observedHarm() string {
	what := ""
	switch {
	case d.Foreign:
		return "the program wrote to the socket between its worker and parallax"
	case d.Wrote:
		what = "the program wrote into the memory that its worker shares with parallax"
	case d.Silent:
		what = "the program keeps its worker from going on"
	default:
		return ""
	}
	if d.Exited() {
		what += ", and ended its process: " + d.Status
	}
	return what
}

// Exited reports whether the process ended itself with a status, as os.Exit does.
func (d *Death) Exited() bool {
	return d.Outcome == oracle.Crashed && strings.HasPrefix(d.Status, "exit status ")
}

// Error implements error.
func (d *Death) Error() string {
	return fmt.Sprintf("the worker ended: %s (%s)", d.Outcome, d.Status)
}

// killed reports whether SIGKILL ended a process.
func killed(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
