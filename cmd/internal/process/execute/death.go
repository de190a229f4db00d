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

// Death is how a worker ended.
type Death struct {
	Outcome    oracle.Outcome // Crashed, Timeout or OOM
	Status     string         // "exit status 2", "signal: killed"
	Text       []byte         // what it printed on standard error, cut in the middle
	Drawn      string         // what it told of what it drew in its latest run, a line a draw; empty if it was not asked to
	InFlight   bool           // an input was being executed
	Determined bool           // and was a mutant of the cmplog source, also where it is not known any more
	Repairing  bool           // or rather, it was being repaired, or drawn by a generator: no program was running
	Program    int            // the program that was running; as many as there are, if that is not known
	Recent     [][]byte       // the latest inputs, the one in flight first
	Maps       []byte         // a copy of the coverage maps
	Wrote      bool           // a program wrote into the memory that the worker shares with this process
	Foreign    bool           // a program wrote to the socket by which the worker answers
	Silent     bool           // the worker owed an answer and gave no sign of life, though no input was in flight
	Hits       []uint32       // blocks that the input in flight had executed when it ended the process, ascending, where they are known
	Counts     []byte         // how often, parallel to Hits
	Spoiled    int            // inputs among the latest that were none any more, and were left out
}

// read takes what the memory of a worker that has ended tells. A program may have written anything there: what is taken can be used as what
// it says it is. ordered tells whether the worker owed an answer.
func (d *Death) read(mem *wire.Memory, hello *wire.HelloMessage, ordered bool) {
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
		case i == 0: // what was in flight is not known
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

// survived reads the counters that outlive the process. Nothing is known of one that was ended from outside: how far it came is chance.
func (d *Death) survived(mem *wire.Memory, hello *wire.HelloMessage) {
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

// bury makes the Death of a worker whose process has ended.
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
		d.read(w.Mem, &w.Hello, w.outstanding())
		// A kill may come in the middle of counting. What runs in a worker that is idle has changed the word that says so.
		d.Wrote = d.Wrote || !killed(w.cmd.ProcessState) && !w.Mem.Counted() || d.Silent && bytes.Contains(d.Text, []byte(calling))
		d.Maps = append([]byte{}, w.Mem.Maps()[:w.mapBytes()]...)
		if d.InFlight && !d.Repairing && !d.Wrote && d.Outcome == oracle.Crashed {
			d.survived(w.Mem, &w.Hello)
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

// calling is in the stack of a goroutine that runs a program, wherever the library lies in the build.
const calling = "/worker.(*runner).call("

// Harmed reports whether a program had harmed what the worker shares with this process, which the worker or this process saw.
func (d *Death) Harmed() bool { return d.Harm() != "" }

// Harm says how; "" where nothing was harmed.
func (d *Death) Harm() string {
	if d.Status != fmt.Sprintf("exit status %d", wire.Harmed) {
		return d.seen()
	}
	at := bytes.LastIndex(d.Text, []byte(wire.HarmPrefix))
	if at < 0 {
		return "the program ended its process: " + d.Status // its standard error is closed
	}
	line, _, _ := bytes.Cut(d.Text[at+len("parallax: "):], []byte("\n"))
	return string(line)
}

// seen is the harm that the worker could not tell of.
func (d *Death) seen() string {
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

// Exited reports whether the process ended itself with a status, as os.Exit does: nothing from outside ended it.
func (d *Death) Exited() bool {
	return d.Outcome == oracle.Crashed && strings.HasPrefix(d.Status, "exit status ")
}

// Error makes a Death usable where an error is expected.
func (d *Death) Error() string {
	return fmt.Sprintf("the worker ended: %s (%s)", d.Outcome, d.Status)
}

// killed reports whether SIGKILL ended a process.
func killed(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
