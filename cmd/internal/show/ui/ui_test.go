package ui

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/finding/sample"
	"parallax/internal/feature"

	"github.com/charmbracelet/x/ansi"
	"parallax/cmd/internal/base/goldentest"
)

func typical() sample.Status {
	return sample.Status{
		Target: "semver", Guidance: []string{"coverage", "path-coarse", "path-fine", "output"},
		Programs: []sample.ProgramStatus{{Name: "x/mod/semver.IsValid", Blocks: 100, Covered: 40}, {Name: "Masterminds/semver.Parse", Blocks: 1234, Covered: 700}},
		Elapsed:  12*time.Second + 300*time.Millisecond, Left: 18 * time.Second, Inputs: 1234567, Executions: 2469134,
		Rate: 81234.5, RateTotal: 79000, CorpusSize: 312, CorpusBytes: 4200, Diversity: sample.Diversity{{Key: "coarse", N: 9}, {Key: "fine", N: 8123}, {Key: "output", N: 4}},
		SinceNew: map[string]time.Duration{
			"coverage": 2 * time.Second, "coarse": 11 * time.Second, "fine": 10 * time.Millisecond, "finding": 185 * time.Second,
		},
		Buckets: map[string]int{"discrepancy": 2, "crash": 1}, Discrepant: 17, Flaky: 1, Restarts: 3, Workers: 2, WorkersUp: 2,
		Operators: []sample.OperatorYield{{Name: "splice", Kept: 3, Tried: 1000}, {Name: "insert byte", Kept: 30, Tried: 2000}, {Name: "digits", Tried: 10}, {Name: "never"}}, Pending: 1,
		Phase: "fuzzing",
	}
}

func many() sample.Status {
	s := typical()
	s.Programs = nil
	for i := range 6 {
		s.Programs = append(s.Programs, sample.ProgramStatus{Name: fmt.Sprintf("example.com/a/rather/long/path/v%d.Parse\x1b", i), Blocks: 10000, Covered: 1000 * i})
	}
	s.Programs[5].Blocks = 0
	s.Operators = nil
	for i := range 20 {
		s.Operators = append(s.Operators, sample.OperatorYield{Name: fmt.Sprintf("operator %d", i), Kept: uint64(i), Tried: 10000})
	}
	s.Buckets = map[string]int{"discrepancy": 12, "crash": 1, "timeout": 3, "oom": 2}
	s.Left, s.BudgetInputs, s.WorkersUp, s.Pending = 0, 10_000_000, 1, 0
	s.Target = "a target with a name that is too long for the line it is shown in, whatever its width may be, and \x1b[31mred"
	s.SinceNew = nil
	return s
}

func inTriage() sample.Status {
	s := typical()
	s.Phase, s.Pending, s.WorkersUp, s.Rate, s.Left = sample.Triage, 120, 0, 0, 0
	return s
}

func screenOf(s sample.Status, w, h int) *state {
	st := &state{width: w, height: h, status: s, running: true, rates: []float64{0, 20, 40, 60, 81, 80, 79, 100, 90}}
	for i := range 12 {
		st.messages = append(st.messages, fmt.Sprintf("new discrepancy %012d: \"1.0.0-0%d\" x/mod/semver.IsValid rejected, Masterminds/semver.Parse accepted", i, i))
	}
	return st
}

// measured adds the domains that campaigns of several programs measure.
func measured(s sample.Status) sample.Status {
	if s.Diversity == nil {
		s.Diversity = sample.Diversity{{Key: "coarse"}, {Key: "fine"}, {Key: "output"}}
	}
	return s
}

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestFrames(t *testing.T) {
	starting := &state{width: 80, height: 24, messages: []string{"an early message"}}
	starting.begin("reading signatures", epoch)
	starting.begin("building the worker", epoch.Add(400*time.Millisecond))
	stopping := screenOf(typical(), 80, 24)
	stopping.interrupts = 1
	stopping.begin("minimizing 3 findings", epoch)
	triaging := screenOf(inTriage(), 80, 24)
	for _, tt := range []struct {
		name string
		s    *state
	}{
		{"triage-80x24.txt", triaging},
		{"two-80x24.txt", screenOf(typical(), 80, 24)}, {"two-120x40.txt", screenOf(typical(), 120, 40)},
		{"six-80x24.txt", screenOf(many(), 80, 24)}, {"six-120x40.txt", screenOf(many(), 120, 40)},
		{"two-60x30.txt", screenOf(typical(), 60, 30)}, {"start-80x24.txt", starting}, {"stopping-80x24.txt", stopping},
		{"empty-80x24.txt", &state{width: 80, height: 24, running: true, status: measured(sample.Status{})}},
	} {
		got := ansi.Strip(tt.s.frame(epoch.Add(7 * time.Second)))
		lines := strings.Split(got, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		goldentest.Compare(t, tt.name, strings.Join(lines, "\n")+"\n")
	}
}

// TestFrameFits checks that frames fit screens of any size, without a panic.
func TestFrameFits(t *testing.T) {
	awaits := inTriage()
	awaits.Awaits = "making the sanitize build of old"
	for _, s := range []sample.Status{typical(), many(), {}, awaits} {
		for w := 1; w < 170; w += 7 {
			for h := 1; h < 50; h += 3 {
				lines := strings.Split(screenOf(s, w, h).frame(epoch), "\n")
				if len(lines) > h {
					t.Fatalf("%dx%d: %d lines", w, h, len(lines))
				}
				for _, l := range lines {
					if cells(l) > w {
						t.Fatalf("%dx%d: %d columns: %s", w, h, cells(l), l)
					}
				}
			}
		}
	}
}

func TestStatusLine(t *testing.T) {
	var b strings.Builder
	for _, s := range []sample.Status{typical(), many(), {}, inTriage(), {Phase: sample.Triage, Pending: 1, Workers: 2}, {Phase: sample.Triage, Pending: 1, Awaits: "making the sanitize build of old"}, {Phase: sample.Triage, Workers: 2}, {Phase: "stopping", Buckets: map[string]int{"crash": 1}, SinceNew: map[string]time.Duration{"x": 0}}} {
		b.WriteString(statusLine(measured(s)) + "\n")
	}
	goldentest.Compare(t, "line.txt", b.String())
}

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// TestBehavior checks that the full view shows the diversity if blocks are known, and that the
// short line does not.
func TestBehavior(t *testing.T) {
	s := typical()
	s.Behavior = &sample.Behavior{Traces: 12345, B0: 740, B1: 512.7, B2: 400, Valid: 3, Invalid: 1, NewTrace: 0.0123,
		Evenness: 0.693, ValidTraces: 9000, NewBranch: 0.0021, RiskBound: 0.0004, Expected: 801.2,
		Structural: &sample.Yield{Tried: 1000, Won: 30}, Value: &sample.Yield{Tried: 1000, Won: 5}}
	if line := statusLine(s); strings.Contains(line, "evenness") {
		t.Error(line)
	}
	s.Mode = "diff"
	if frame := ansi.Strip((&state{width: 160, height: 50, running: true, status: s}).frame(time.Time{})); !strings.Contains(frame, ", a crash or timeout below 0.040 %") {
		t.Errorf("a failure of programs that are compared:\n%s", frame)
	}
	s.Mode = "fuzz"
	for _, size := range [][2]int{{80, 24}, {160, 50}} {
		frame := ansi.Strip((&state{width: size[0], height: size[1], running: true, status: s}).frame(time.Time{}))
		for _, said := range []string{"12.3k unique, next new 1.2 %", "0.69, 9000 unique traces of valid inputs",
			"a new branch about 0.21 %, a failure below 0.040 %", "at least 62 branches besides the 740 covered",
			"3.0 % of structural mutants, 0.50 % of value mutants"} {
			if size[1] == 50 && !strings.Contains(frame, said) {
				t.Errorf("no %q in\n%s", said, frame)
			}
		}
	}
}

// shown keeps the last status.
type shown struct {
	none
	last *sample.Status
}

func (s shown) Update(status sample.Status) { *s.last = status }

// TestBrief checks that a brief view shows no diversity.
func TestBrief(t *testing.T) {
	s := typical()
	s.Behavior = &sample.Behavior{Traces: 12345, B0: 740, B1: 512.7, B2: 400, Evenness: 0.693, NewBranch: 0.0021, RiskBound: 0.0004}
	frame := func(s sample.Status) string {
		return ansi.Strip((&state{width: 160, height: 50, running: true, status: s}).frame(time.Time{}))
	}
	var last sample.Status
	shown{last: &last}.Update(s)
	for _, word := range []string{"diversity", "evenness", "next new", "a new branch"} {
		if !strings.Contains(frame(last), word) {
			t.Errorf("no %q in\n%s", word, frame(last))
		}
	}
	Brief(shown{last: &last}).Update(s)
	for _, word := range []string{"diversity", "evenness", "next new", "a new branch", "behavior"} {
		if strings.Contains(frame(last), word) {
			t.Errorf("%q in\n%s", word, frame(last))
		}
	}
}

func TestLine(t *testing.T) {
	var b bytes.Buffer
	c := &clock{now: epoch}
	l := newLine(&b, terminal{width: func() int { return 0 }}, c.Now)
	l.Step("building")
	l.Step("building") // the same step
	l.tick()           // too early
	c.add(2 * time.Second)
	l.tick()
	c.add(11 * time.Second)
	l.tick()
	l.Step("quick")
	c.add(time.Second)
	l.tick()
	l.Step("building") // it was shown
	c.add(2 * time.Second)
	l.tick()
	s := measured(sample.Status{Elapsed: time.Second})
	l.Update(s)
	l.tick() // there is no current step
	c.add(time.Second)
	l.Update(measured(sample.Status{Elapsed: 2 * time.Second})) // too early
	l.Message("found \x1b[31m it\nall")
	c.add(2 * time.Second)
	l.Update(measured(sample.Status{Elapsed: 4 * time.Second}))
	l.Update(measured(sample.Status{Elapsed: 5 * time.Second})) // Close writes the last one
	l.Close()
	l.Close()
	l.Step("late")
	l.Update(s)
	l.Message("late")
	goldentest.Compare(t, "lines.txt", b.String())
}

// TestLineRepeated checks that the line is not repeated while candidates are triaged, except as a
// sign of life.
func TestLineRepeated(t *testing.T) {
	var b bytes.Buffer
	c := &clock{now: epoch}
	l := newLine(&b, terminal{width: func() int { return 0 }}, c.Now)
	s := inTriage()
	for range 16 { // 60 s
		l.Update(s)
		c.add(4 * time.Second)
	}
	s.Pending--
	l.Update(s)
	l.Close()
	if n := strings.Count(b.String(), "\n"); n != 3 {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
}

func TestLineWidth(t *testing.T) {
	var b bytes.Buffer
	l := newLine(&b, terminal{width: func() int { return 40 }}, time.Now)
	l.Update(typical())
	l.Close()
	if got := strings.TrimSuffix(b.String(), "\n"); cells(got) != 39 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d columns: %s", cells(got), got)
	}
}

// TestNew checks that a writer that is no terminal gets lines in each mode except none, which
// writes nothing.
func TestNew(t *testing.T) {
	for mode, want := range map[string]string{Auto: "*ui.lineUI", Line: "*ui.lineUI", Full: "*ui.lineUI", None: "ui.none", "?": "*ui.lineUI"} {
		var b bytes.Buffer
		u := New(&b, mode, nil)
		if got := fmt.Sprintf("%T", u); got != want {
			t.Errorf("%s: %s", mode, got)
		}
		u.Step("a")
		u.Update(sample.Status{})
		u.Message("b")
		u.Close()
		if (b.Len() == 0) != (mode == None) {
			t.Errorf("%s wrote %q", mode, b.String())
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 9999: "9999", 10000: "10.0k", 123456: "123k", 1234567: "1.23M", 45678901: "45.7M", 2e9: "2.00G", 3e12: "3.00T",
	} {
		if got := count(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestRowsApart checks that a name does not touch the number after it.
func TestRowsApart(t *testing.T) {
	for _, d := range feature.Table {
		if name := cmp.Or(d.Plural, d.Key); len(name) >= 15 {
			t.Errorf("%q does not fit", name)
		}
	}
}

// TestTimeLeft checks that the rest of triage is a time if that is known, and else a count and a
// bound.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		s    sample.Status
		want string
	}{
		{sample.Status{Pending: 28}, ""},
		{sample.Status{Pending: 28, Judged: 12}, " (12 of 40 judged)"},
		{sample.Status{Pending: 28, Judged: 12, TriageEnds: 9 * time.Second}, " (12 of 40 judged), at most 9s left"},
		{sample.Status{Pending: 28, TriageEnds: 9 * time.Second}, ", at most 9s left"},
		{sample.Status{Pending: 28, Judged: 12, TriageLeft: 4 * time.Second, TriageEnds: 9 * time.Second}, ", about 4s left"},
		{sample.Status{Pending: 28, Judged: 12, TriageLeft: 14 * time.Second, TriageEnds: 9 * time.Second}, ", about 9s left"},
		{sample.Status{Pending: 1, Judged: 39, TriageLeft: time.Millisecond}, ""},
	} {
		if got := timeLeft(&c.s); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}
