package command

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/diagnostic"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// ExitCodes defines the meaning of exit statuses. If all lists are empty, 0 is an acceptance and
// all others are rejections. Otherwise a status in no list is a crash, except 0, which is an
// acceptance if Accepted is empty.
type ExitCodes struct {
	Accepted, Rejected, Declined []int
}

func (c ExitCodes) none() bool { return len(c.Accepted)+len(c.Rejected)+len(c.Declined) == 0 }

func (c *ExitCodes) lists(code int) bool {
	return slices.Contains(c.Accepted, code) || slices.Contains(c.Rejected, code) || slices.Contains(c.Declined, code)
}

// crashes lists the signals of crashes. A shell exits with 128 plus the signal that ended its
// command.
var crashes = []syscall.Signal{unix.SIGILL, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE, unix.SIGSEGV}

// outcome returns the outcome of an exit status. why describes a crash.
func (c *ExitCodes) outcome(code int) (o oracle.Outcome, why string) {
	switch {
	case slices.Contains(c.Accepted, code):
		return oracle.Accepted, ""
	case slices.Contains(c.Rejected, code):
		return oracle.Rejected, ""
	case slices.Contains(c.Declined, code):
		return oracle.Declined, ""
	case code == 0 && len(c.Accepted) == 0:
		return oracle.Accepted, ""
	case slices.Contains(crashes, syscall.Signal(code-128)):
		return oracle.Crashed, fmt.Sprintf("exit status %d: %v", code, syscall.Signal(code-128))
	case len(c.Accepted)+len(c.Rejected)+len(c.Declined) > 0:
		return oracle.Crashed, fmt.Sprintf("exit status %d, which the configuration does not list", code)
	}
	return oracle.Rejected, ""
}

// observe turns a run into an observation. Actions of the sandbox take precedence over the
// program's own end.
func (e *Executor) observe(r *result, o *program.Observation) {
	limits := &e.config.Limits
	s := &r.status
	o.Outcome = oracle.Crashed
	switch {
	case s.OOM:
		o.Outcome, o.Message = oracle.OOM, fmt.Sprintf("more than %s of memory", size(limits.Memory))
	case s.Forked:
		o.Message = fmt.Sprintf("more than %d processes at once", limits.Processes)
	case r.flood != "":
		o.Message = fmt.Sprintf("output flood: more than %s %s", size(int64(limits.Output)), r.flood)
	case r.late:
		o.Outcome, o.Message = oracle.Timeout, fmt.Sprintf("no end within %v", limits.Timeout)
	case s.Signal != 0:
		o.Message = fmt.Sprintf("signal: %v", s.Signal)
	default:
		o.Outcome, o.Message = e.config.Exit.outcome(s.Exit)
	}
	said := stable(r.stderr.text(), r.folder)
	switch o.Outcome {
	case oracle.Accepted:
		o.Value = append(o.Value, stable(e.value(r), r.folder)...)
	case oracle.Rejected, oracle.Declined:
		if line := diagnostic.First(said); line != nil {
			o.Message, _ = firstLine(line)
			if rest := bytes.TrimSpace(said); bytes.HasPrefix(rest, line) {
				said = rest[len(line):]
			}
		}
		if o.Message == "" {
			o.Message, _ = firstLine(stable(r.stdout.text(), r.folder))
		}
		if o.Message == "" {
			o.Message = fmt.Sprintf("exit status %d", s.Exit)
		}
	}
	o.Detail = bounded(string(bytes.TrimSpace(said)), textLimit)
}

// value returns the value of an acceptance.
func (e *Executor) value(r *result) []byte {
	switch e.config.Value {
	case "stdout":
		return r.stdout.text()
	case "stderr":
		return r.stderr.text()
	case "output":
		return r.output
	}
	return nil
}

// stable removes the private folder's path from text: files in it are named relative to it.
func stable(text []byte, folder string) []byte {
	if !bytes.Contains(text, []byte(folder)) {
		return text
	}
	text = bytes.ReplaceAll(text, []byte(folder+"/"), nil)
	return bytes.ReplaceAll(text, []byte(folder), []byte("."))
}

// messageLimit is the maximum length of a message, in bytes.
const messageLimit = 1024

// firstLine returns the first line that is not empty as a message, and the text after it.
func firstLine(text []byte) (line string, rest []byte) {
	for len(text) > 0 {
		var first []byte
		first, text, _ = bytes.Cut(text, []byte("\n"))
		if first = bytes.TrimSpace(first); len(first) > 0 {
			return bounded(strings.ToValidUTF8(string(first), "\uFFFD"), messageLimit), text
		}
	}
	return "", nil
}

// bounded returns at most n bytes of text, cut between two characters.
func bounded(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// size formats a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
