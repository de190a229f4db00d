package execute

import (
	"bytes"
	"fmt"
	"os"
	"syscall"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Death is how a worker ended.
type Death struct {
	Outcome    oracle.Outcome // Crashed, Timeout or OOM
	Status     string         // "exit status 2", "signal: killed"
	Text       []byte         // what it printed on standard error, cut in the middle
	InFlight   bool           // an input was being executed
	Determined bool           // and was a mutant of the cmplog source
	Repairing  bool           // or rather, it was being repaired: no program was running
	Program    int            // the program that was running
	Recent     [][]byte       // the latest inputs, the one in flight first
	Maps       []byte         // a copy of the coverage maps
}

// Harmed reports whether the worker ended itself because a program had harmed what it shares with this process.
func (d *Death) Harmed() bool { return d.Harm() != "" }

// Harm says how; "" where nothing was harmed.
func (d *Death) Harm() string {
	if d.Status != fmt.Sprintf("exit status %d", wire.Harmed) {
		return ""
	}
	at := bytes.LastIndex(d.Text, []byte(wire.HarmPrefix))
	if at < 0 {
		return "the program ended its process: " + d.Status // its standard error is closed
	}
	line, _, _ := bytes.Cut(d.Text[at+len("parallax: "):], []byte("\n"))
	return string(line)
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
