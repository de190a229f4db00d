package gen

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parallax/internal/tape"
)

// parallax gen check runs test binaries with this variable, which holds an examination as JSON.
// Check and Fuzz then examine the generators of the property instead of checking or fuzzing it.
// They print results in lines that begin with the key. Each input calls the property, since only
// the property knows its draws. Its failures do not matter.
const examineVariable = "PARALLAX_GEN_CHECK"

// examineVersion numbers the format of the variable and of the lines.
const examineVersion = 1

// examination holds the request of parallax gen check.
type examination struct {
	Key     string `json:"key"`
	Seed    uint64 `json:"seed"`
	Inputs  int    `json:"inputs"`
	Reruns  int    `json:"reruns"`  // per site
	From    int    `json:"from"`    // first input of the property
	Skip    int    `json:"skip"`    // finished properties of the test
	Timeout int    `json:"timeout"` // of a run, in milliseconds

	out       *os.File
	mu        sync.Mutex // one property at a time
	count     int        // properties that were seen
	runs      atomic.Int64
	property  int
	stopWatch chan struct{}
}

// exitHung is the exit status of a process that has reported a run without end.
const exitHung = 121

var examining = sync.OnceValue(func() *examination {
	text, ok := os.LookupEnv(examineVariable)
	if !ok {
		return nil
	}
	os.Unsetenv(examineVariable) // processes that tests start must not see it
	x := &examination{}
	if json.Unmarshal([]byte(text), x) != nil || x.Key == "" {
		return nil
	}
	x.out = os.Stdout
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stdout = null // properties print hundreds of times
	}
	return x
})

// line is one printed line. It reports a property that begins or ends, or an input.
type line struct {
	Version  int        `json:"version,omitempty"` // in the first line of a property
	Property int        `json:"property"`
	Name     string     `json:"name,omitempty"`
	Input    int        `json:"input"`
	Choices  int        `json:"choices,omitempty"`
	Runs     int        `json:"runs,omitempty"`
	Invalid  bool       `json:"invalid,omitempty"`
	Reason   string     `json:"reason,omitempty"` // of an invalid input, with its place
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Failed   bool       `json:"failed,omitempty"` // outside of generators
	Sites    []evidence `json:"sites,omitempty"`
	Lines    []drawLine `json:"lines,omitempty"` // lines that were not reported before
	Mistakes []mistake  `json:"mistakes,omitempty"`
	Done     bool       `json:"done,omitempty"`
}

// evidence counts the draws of a site and the effects of reruns that changed one of its choices.
type evidence struct {
	site
	Draws   int    `json:"draws"`
	Bound   uint64 `json:"bound"`   // largest bound of its choices
	Reruns  int    `json:"reruns"`  // with a clear result
	Changed int    `json:"changed"` // reruns that drew at other sites or other depths
	Unclear int    `json:"unclear"` // reruns that ended early, or drew another value than requested
}

// mistake describes a mistake in a generator or property, and its place.
type mistake struct {
	Kind  string `json:"kind"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Label string `json:"label,omitempty"`
	By    string `json:"by,omitempty"`
	Text  string `json:"text,omitempty"`
	Other int    `json:"other,omitempty"` // another line
	Draws bool   `json:"draws,omitempty"` // it was in a generator
}

// Kinds of mistakes that appear while a property runs.
const (
	panics           = "panic"
	endless          = "endless"
	hangs            = "timeout"
	nondeterministic = "nondeterministic"
	sharedLabel      = "shared-label"
)

// print prints a line. The leading newline separates it from the property's own output.
func (x *examination) print(l line) {
	text, err := json.Marshal(l)
	if err == nil {
		fmt.Fprintf(x.out, "\n%s %s\n", x.Key, text)
	}
}

// mark prints the run that follows. The tool uses it if the process dies in the run.
func (x *examination) mark(input int) {
	x.runs.Add(1)
	fmt.Fprintf(x.out, "\n%s @%d %d\n", x.Key, x.property, input)
}

// examine examines a property.
func (x *examination) examine(tb testing.TB, property func(*T)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.property = x.count
	if x.count++; x.property < x.Skip {
		return
	}
	from := 0
	if x.property == x.Skip {
		from = x.From
	}
	x.stopWatch = make(chan struct{})
	defer close(x.stopWatch)
	go x.watch(x.stopWatch)
	x.print(line{Version: examineVersion, Property: x.property, Name: tb.Name()})
	e := newExaminer(x, tb, property)
	for k := from; k < x.Inputs && e.endless < mostEndless; k++ {
		x.print(e.input(k))
	}
	x.print(line{Property: x.property, Done: true})
}

// watch ends the process when a run takes too long, and reports the place. It counts its own ticks,
// which a busy machine delays as it delays the run.
func (x *examination) watch(stop chan struct{}) {
	const tick = 20 * time.Millisecond
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last, ticks := x.runs.Load(), 0
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		now := x.runs.Load()
		if ticks++; now != last {
			last, ticks = now, 0
		}
		if ticks > 0 && ticks*int(tick/time.Millisecond) >= x.Timeout {
			buf := make([]byte, 1<<20)
			at, within := stackPlace(running(string(buf[:runtime.Stack(buf, true)])))
			x.print(line{Property: x.property, Mistakes: []mistake{{Kind: hangs, File: at.file, Line: at.line, Draws: within}}})
			os.Exit(exitHung)
		}
	}
}

// running returns the stack of the goroutine that runs a property, from the stacks of all
// goroutines.
func running(stacks string) string {
	for _, one := range strings.Split(stacks, "\n\n") {
		if strings.Contains(one, genPrefix+"(*checker).once(") {
			return one
		}
	}
	return ""
}

// stackPlace returns the user's innermost line of a printed stack, and whether it is below a draw.
// After a panic, it is the line that panicked.
func stackPlace(stack string) (at place, within bool) {
	lines := strings.Split(stack, "\n")
	for i := range lines {
		if strings.HasPrefix(lines[i], "panic(") {
			lines = lines[i:]
			break
		}
	}
	for i := 0; i+1 < len(lines); i++ {
		if !strings.HasPrefix(lines[i+1], "\t") {
			continue
		}
		name := lines[i]
		if strings.HasPrefix(name, genPrefix) && strings.Contains(name, "Gen[") && strings.Contains(name, ".Draw(") {
			within = true
		}
		file, rest, _ := strings.Cut(strings.TrimSpace(lines[i+1]), ".go:")
		if at.file != "" || inLibrary(file+".go") || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "panic(") || strings.HasPrefix(file, standardDir+"/") {
			continue
		}
		at.file = file + ".go"
		fmt.Sscanf(rest, "%d", &at.line)
	}
	return at, within
}

// standardDir is the folder of the standard library's sources, as the compiler recorded it.
var standardDir = func() string {
	pc := reflect.ValueOf(strings.Contains).Pointer()
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	return path.Dir(path.Dir(file))
}()

// examiner examines one property.
type examiner struct {
	checker
	x        *examination
	sites    *sites
	reported map[string]bool // keys of reported mistakes
	done     []evidence      // of all inputs so far, by site
	runs     int
	current  line // of the current input

	endless int // runs that drew without bound
}

// mostEndless limits the runs that may draw without bound. They are slow, and more of them give no
// new information.
const mostEndless = 3

func newExaminer(x *examination, tb testing.TB, property func(*T)) *examiner {
	e := &examiner{x: x, reported: map[string]bool{}}
	e.checker = checker{t: tb, property: property, placed: true}
	e.T = T{TB: tb, src: &tape.Source{}}
	e.sites = newSites(&e.T)
	return e
}

// input draws one input, and then variants with one changed choice.
func (e *examiner) input(k int) line {
	e.x.mark(k)
	e.current, e.runs = line{Property: e.x.property, Input: k}, 0
	random := seeds(e.x.Seed, uint64(k+1))
	e.src.Random(random.Uint64())
	e.src.Noted = e.sites.noted
	e.sites.begin()
	e.shows = &shown{sites: e.sites}
	r := e.call()
	e.src.Noted, e.sites.part = nil, ""
	lines := e.shows.lines
	first := e.src.Tape().Clone()
	e.sites.kinds(first)
	drawn := append([]int(nil), e.sites.drawn...)
	e.current.Lines, e.sites.fresh = e.sites.fresh, nil
	e.current.Choices, e.current.Invalid, e.current.Failed = len(first.Choices), r.skipped, r.bad()
	if r.skipped {
		e.current.Reason = r.reason
		if at, ok := strings.CutPrefix(r.key, "skipped at "); ok {
			if i := strings.LastIndexByte(at, ':'); i > 0 {
				e.current.File = at[:i]
				fmt.Sscanf(at[i+1:], "%d", &e.current.Line)
			}
		}
	}
	before := e.grow()
	for i, n := range drawn {
		e.done[n].Draws++
		e.done[n].Bound = max(e.done[n].Bound, first.Choices[i].Bound)
	}
	for pair, label := range e.sites.shared {
		e.report(mistake{Kind: sharedLabel, File: pair[0].file, Line: pair[0].line, Other: pair[1].line, Label: label})
	}
	e.sites.shared = map[[2]place]string{}
	e.shows = &shown{}
	if !e.failedIn(r) && e.repeats(first, drawn, lines) {
		e.shows = nil
		e.change(first, drawn, r, k, random)
	}
	e.shows = nil
	e.current.Runs = e.runs
	for n := range e.done {
		d := e.done[n]
		if n < len(before) {
			d.Draws, d.Reruns, d.Changed, d.Unclear = d.Draws-before[n].Draws, d.Reruns-before[n].Reruns, d.Changed-before[n].Changed, d.Unclear-before[n].Unclear
		}
		if d.Draws > 0 {
			e.current.Sites = append(e.current.Sites, d)
		}
	}
	return e.current
}

// call calls the property.
func (e *examiner) call() *run {
	e.x.runs.Add(1)
	e.runs++
	return e.once()
}

// whole reports whether the draws of two runs are comparable: both returned, or both ended in the
// same way at the same place. If a run ended elsewhere, its remaining draws are unknown.
func (r *run) whole(other *run) bool {
	return r.returned && other.returned || r.endedThere() && other.endedThere() && r.key == other.key
}

// endedThere reports whether a run ended at the place that its key names.
func (r *run) endedThere() bool {
	return !r.returned && (r.panicked != nil || r.fails == 1 && !r.skipped || r.fails == 0 && r.skipped)
}

// grow adds evidence for new sites, and returns the evidence as it was before.
func (e *examiner) grow() []evidence {
	before := append([]evidence(nil), e.done...)
	for n := len(e.done); n < len(e.sites.list); n++ {
		e.done = append(e.done, evidence{site: e.sites.list[n]})
	}
	return before
}

// report adds a mistake to the current line, unless it was reported before.
func (e *examiner) report(m mistake) {
	if key := fmt.Sprint(m.Kind, m.File, m.Line, m.Label, m.By, m.Other); !e.reported[key] {
		e.reported[key] = true
		e.current.Mistakes = append(e.current.Mistakes, m)
	}
}

// failedIn reports a run in which a generator failed.
func (e *examiner) failedIn(r *run) bool {
	if r.panicked == nil || !r.endless && !r.generator && !misused(r.panicked) {
		return false
	}
	at, _ := stackPlace(r.stack)
	m := mistake{Kind: panics, File: at.file, Line: at.line, Text: fmt.Sprint(r.panicked), Draws: true}
	if r.endless {
		m.Kind = endless
		e.endless++
	}
	e.report(m)
	return true
}

// misused reports whether a panic comes from an impossible generator, such as an empty range. No
// draw is in progress then.
func misused(panicked any) bool {
	text, ok := panicked.(string)
	return ok && strings.HasPrefix(text, "gen: ")
}

// pointers matches the addresses in a value's text, which differ between runs.
var pointers = regexp.MustCompile(`0x[0-9a-f]+`)

// repeats reports whether the generator draws the same values from the same choices.
func (e *examiner) repeats(first *tape.Tape, drawn []int, lines []string) bool {
	for n := 0; n < 2; n++ {
		e.src.Replay(first, 1)
		e.shows.lines, e.shows.open = nil, nil
		r := e.call()
		if !e.same(first, drawn) {
			return false
		}
		if !r.returned || len(lines) != len(e.shows.lines) {
			continue
		}
		for i := range lines {
			if lines[i] != e.shows.lines[i] && pointers.ReplaceAllString(lines[i], "") != pointers.ReplaceAllString(e.shows.lines[i], "") {
				label, _, _ := strings.Cut(lines[i], " = ")
				e.report(mistake{Kind: nondeterministic, Label: label, Text: "value"})
				return false
			}
		}
	}
	return true
}

// same reports whether the run drew the same choices as the first one.
func (e *examiner) same(first *tape.Tape, drawn []int) bool {
	again := e.src.Tape()
	if again.Equal(first) {
		return true
	}
	at := 0
	for at < len(first.Choices) && at < len(again.Choices) && first.Choices[at] == again.Choices[at] {
		at++
	}
	m := mistake{Kind: nondeterministic}
	if at = min(at, len(drawn)-1); at >= 0 {
		s := e.sites.list[drawn[at]]
		m.File, m.Line, m.Label, m.By = s.File, s.Line, s.Label, s.By
	}
	e.report(m)
	return false
}

// mostReruns limits the reruns per site and input, so that the reruns of a site cover many inputs.
const mostReruns = 10

// change changes choices of the sites with too little evidence, one per rerun, and records whether
// further draws depend on them.
func (e *examiner) change(first *tape.Tape, drawn []int, before *run, k int, random *tape.Source) {
	var order []int
	choices := map[int][]int{}
	for i, n := range drawn {
		if first.Choices[i].Bound == 0 {
			continue
		}
		if choices[n] == nil {
			order = append(order, n)
		}
		choices[n] = append(choices[n], i)
	}
	left := max(1, e.x.Inputs-k)
	draft := &tape.Tape{}
	for _, n := range order {
		d := &e.done[n]
		quota := min(mostReruns, 2*(e.x.Reruns-d.Reruns+left-1)/left)
		for ; quota > 0 && d.Reruns < e.x.Reruns; quota-- {
			i := choices[n][random.UpTo(uint64(len(choices[n])-1))]
			draft.Choices, draft.Spans = append(draft.Choices[:0], first.Choices...), append(draft.Spans[:0], first.Spans...)
			value, _ := draft.Choices[i].Other(random.Uint64)
			draft.Choices[i].Value = value
			e.x.mark(k)
			e.src.Replay(draft, random.Uint64())
			r := e.call()
			drew := e.src.Tape()
			if e.failedIn(r) || e.src.Tries > 0 || len(drew.Choices) <= i || drew.Choices[i] != draft.Choices[i] {
				d.Unclear++ // it failed, or a filter drew again
				continue
			}
			depends, clear := first.Depends(drew, before.whole(r))
			switch {
			case !clear:
				d.Unclear++
				continue
			case depends:
				e.src.Replay(first, 1)
				if e.call(); !e.same(first, drawn) {
					return // the changed choice is not the cause
				}
				d.Changed++
			}
			d.Reruns++
		}
	}
}
