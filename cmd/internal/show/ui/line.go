package ui

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/text"
)

// every is the least time between two lines, the same as in go test -fuzz.
const every = 3 * time.Second

// stepsVariable makes each step print a line when it begins.
const stepsVariable = "PARALLAX_STEPS"

// shortest is the duration from which a step is shown.
const shortest = 2 * time.Second

// repeated is the least time between two lines of a step.
const repeated = 10 * time.Second

// longest is the greatest time between two lines of a step.
const longest = 30 * time.Second

// lineUI writes lines: one per message, one for the status every few seconds, and one for a long
// step. A long step is repeated with its age. A step with the name of an earlier one is shown only
// when it is repeated.
type lineUI struct {
	mu     sync.Mutex
	w      io.Writer
	width  func() int
	now    func() time.Time
	atOnce bool            // steps are shown when they begin, however long they last: tests wait for them
	last   time.Time       // of the last status or step line
	step   string          // the current step
	known  map[string]bool // names of shown steps
	begun  bool            // the current step was shown, or need not be
	began  time.Time
	stop   chan struct{} // ends the goroutine that repeats a step; nil if none runs
	done   chan struct{}
	shut   bool

	latest  sample.Status // not written yet if dirty
	dirty   bool
	written bool
	shown   string // the last written line
}

func newLine(w io.Writer, t terminal, now func() time.Time) *lineUI {
	return &lineUI{w: w, width: t.width, now: now, atOnce: os.Getenv(stepsVariable) != ""}
}

func (l *lineUI) Step(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut || text == l.step {
		return
	}
	l.step, l.began, l.last = text, l.now(), l.now()
	l.dirty = false // the next lines are not about the status
	if l.begun = l.known[text]; l.atOnce {
		l.begun = true
		l.print(text)
	}
	if l.stop == nil {
		l.stop, l.done = make(chan struct{}), make(chan struct{})
		go l.repeat(l.stop, l.done)
	}
}

// repeat shows that a step still runs.
func (l *lineUI) repeat(stop, done chan struct{}) {
	defer close(done)
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
			l.tick()
		}
	}
}

func (l *lineUI) tick() {
	l.mu.Lock()
	defer l.mu.Unlock()
	age := l.now().Sub(l.began) // a step is repeated less and less often
	if l.step != "" && !l.shut && !l.begun && age >= shortest {
		if l.known == nil {
			l.known = map[string]bool{}
		}
		l.begun, l.known[l.step], l.last = true, true, l.now()
		l.print(l.step)
		return
	}
	if l.step == "" || l.shut || l.now().Sub(l.last) < max(repeated, min(age/2, longest)) {
		return
	}
	l.last = l.now()
	l.print(fmt.Sprintf("%s (%s)", l.step, units.Duration(l.now().Sub(l.began))))
}

func (l *lineUI) Update(s sample.Status) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut {
		return
	}
	l.step = ""
	l.latest, l.dirty = s, true
	if l.written && l.now().Sub(l.last) < longest && statusLine(s) == l.shown { // a candidate can take minutes
		l.dirty = false
		return
	}
	if l.written && l.now().Sub(l.last) < every {
		return
	}
	l.status()
}

func (l *lineUI) status() {
	l.last, l.dirty, l.written = l.now(), false, true
	l.shown = statusLine(l.latest)
	l.print(l.shown)
}

func (l *lineUI) Message(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut {
		return
	}
	fmt.Fprintln(l.w, escape.Text(text)) // without a cut: it may hold an id to copy
}

func (l *lineUI) Close() {
	l.mu.Lock()
	if l.shut {
		l.mu.Unlock()
		return
	}
	if l.dirty {
		l.status()
	}
	l.shut = true
	stop, done := l.stop, l.done
	l.mu.Unlock()
	if stop != nil {
		close(stop)
		<-done
	}
}

func (l *lineUI) print(text string) {
	text = escape.Text(text)
	if width := l.width(); width > 1 {
		text = ansi.Truncate(text, width-1, "…")
	}
	fmt.Fprintln(l.w, text)
}

// statusLine returns a status in one line, the most important parts first, since a narrow terminal
// cuts its end.
func statusLine(s sample.Status) string {
	if triaging(&s) && s.Pending > 0 {
		if s.Awaits != "" {
			return fmt.Sprintf("triage: %s, %s%s, waits: %s (^C leaves them for the next run)", findings(s), text.Unjudged(s.Pending), timeLeft(&s), s.Awaits)
		}
		return fmt.Sprintf("triage: %s, %s%s (^C leaves them for the next run)", findings(s), text.Unjudged(s.Pending), timeLeft(&s))
	}
	parts := []string{"fuzz: " + units.Duration(s.Elapsed)}
	inputs := count(s.Inputs) + " inputs"
	if !triaging(&s) {
		inputs += " (" + count(uint64(max(0, s.Rate))) + " runs/s)"
		if s.Phase != "" && s.Phase != "fuzzing" {
			parts[0] += " " + s.Phase
		}
	}
	parts = append(parts, findings(s))
	if s.Pending > 0 && !triaging(&s) {
		parts = append(parts, text.Unjudged(s.Pending))
	}
	parts = append(parts, inputs, lastNew(s))
	parts = append(parts, fmt.Sprintf("corpus %s", count(uint64(max(0, s.CorpusSize)))))
	if c := coverage(s.Programs); c != "" {
		parts = append(parts, "coverage "+c)
	}
	if s.WorkersUp < s.Workers && !triaging(&s) {
		parts = append(parts, fmt.Sprintf("workers %d of %d", s.WorkersUp, s.Workers))
	}
	if left := budgetLeft(s); left != "" {
		parts = append(parts, left)
	}
	return strings.Join(parts, ", ")
}

// triaging reports whether fuzzing is over and candidates are triaged: no rate is known then.
func triaging(s *sample.Status) bool { return s.Phase == sample.Triage }

func findings(s sample.Status) string {
	n := 0
	for _, c := range s.Buckets {
		n += c
	}
	if n == 1 {
		return "1 finding"
	}
	return fmt.Sprintf("%d findings", n)
}

// newest returns the time since the last new item of any kind.
func newest(s sample.Status) (time.Duration, bool) {
	least, any := time.Duration(0), false
	for _, d := range s.SinceNew {
		if !any || d < least {
			least, any = d, true
		}
	}
	return least, any
}

func lastNew(s sample.Status) string {
	d, ok := newest(s)
	if !ok {
		return "nothing new yet"
	}
	return "new " + ago(d, ok)
}

func ago(d time.Duration, ok bool) string {
	if !ok {
		return "never"
	}
	if d < time.Second {
		return "just now"
	}
	return units.Duration(d.Truncate(time.Second)) + " ago"
}

// shownName bounds the columns of a program's name in the status line, by the number of programs.
func shownName(programs int) int { return max(8, 40/programs) }

// coverage lists the covered shares of blocks, with the names of several programs.
func coverage(programs []sample.ProgramStatus) string {
	var parts []string
	measured := false
	for _, p := range programs {
		part := "-"
		if p.Blocks > 0 {
			measured, part = true, fmt.Sprintf("%d%%", 100*p.Covered/p.Blocks)
		}
		if len(programs) > 1 {
			part = columns.CutStart(escape.Text(p.Name), shownName(len(programs))) + " " + part
		}
		parts = append(parts, part)
	}
	if !measured {
		return ""
	}
	return strings.Join(parts, " ")
}

func budgetLeft(s sample.Status) string {
	switch {
	case s.Left > 0:
		return units.Duration(s.Left.Truncate(time.Second)) + " left"
	case s.BudgetInputs > 0 && s.Inputs < s.BudgetInputs:
		return count(s.BudgetInputs-s.Inputs) + " inputs left"
	}
	return ""
}

// count formats a number in about five characters: 123, 12.3k, 4.56M.
func count(n uint64) string {
	for _, u := range []struct {
		at   uint64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if n < u.at {
			continue
		}
		unit := u.at
		if u.name == "k" {
			unit = 1e3
		}
		f := float64(n) / float64(unit)
		switch {
		case f < 10:
			return fmt.Sprintf("%.2f%s", f, u.name)
		case f < 100:
			return fmt.Sprintf("%.1f%s", f, u.name)
		}
		return fmt.Sprintf("%.0f%s", f, u.name)
	}
	return fmt.Sprint(n)
}
