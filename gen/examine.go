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

// parallax gen check runs test binaries with this variable, which holds an examination as JSON. Check and Fuzz then examine what the property draws
// from, in the place of checking or fuzzing it, and print what they find: lines that begin with the key. The property is called for each input, since it alone knows what is
// drawn; what it finds is not looked at.
const examineVariable = "PARALLAX_GEN_CHECK"

// examineVersion is that of the variable and of the lines.
const examineVersion = 1

// examination is what is wanted.
type examination struct {
	Key     string `json:"key"`
	Seed    uint64 `json:"seed"`
	Inputs  int    `json:"inputs"`
	Reruns  int    `json:"reruns"`  // of each site
	From    int    `json:"from"`    // the first input, of the property
	Skip    int    `json:"skip"`    // properties of the test that are done
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
	os.Unsetenv(examineVariable) // is not for processes that tests start
	x := &examination{}
	if json.Unmarshal([]byte(text), x) != nil || x.Key == "" {
		return nil
	}
	x.out = os.Stdout
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stdout = null // what properties print, hundreds of times
	}
	return x
})

// line is what is printed: of a property that begins or ends, or of an input.
type line struct {
	Version  int        `json:"version,omitempty"` // the first line of a property
	Property int        `json:"property"`
	Name     string     `json:"name,omitempty"`
	Input    int        `json:"input"`
	Choices  int        `json:"choices,omitempty"`
	Runs     int        `json:"runs,omitempty"`
	Invalid  bool       `json:"invalid,omitempty"`
	Reason   string     `json:"reason,omitempty"` // why it is invalid, and where it was said
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Failed   bool       `json:"failed,omitempty"` // in what is no generator
	Sites    []evidence `json:"sites,omitempty"`
	Lines    []drawLine `json:"lines,omitempty"` // that were not seen before
	Mistakes []mistake  `json:"mistakes,omitempty"`
	Done     bool       `json:"done,omitempty"`
}

// evidence is what reruns with one choice of a site changed told, and how often it was drawn.
type evidence struct {
	site
	Draws   int    `json:"draws"`
	Bound   uint64 `json:"bound"`   // the largest value that there may have been
	Reruns  int    `json:"reruns"`  // that tell something
	Changed int    `json:"changed"` // of them, those that drew at other sites, or deeper or less deep
	Unclear int    `json:"unclear"` // ended early, or drew another value than was wanted
}

// mistake is what is wrong at a place.
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

// The kinds of mistakes that show while a property runs.
const (
	panics           = "panic"
	endless          = "endless"
	hangs            = "timeout"
	nondeterministic = "nondeterministic"
	sharedLabel      = "shared-label"
)

// print prints a line whole, whatever the property has printed before.
func (x *examination) print(l line) {
	text, err := json.Marshal(l)
	if err == nil {
		fmt.Fprintf(x.out, "\n%s %s\n", x.Key, text)
	}
}

// mark says which run follows, for when the process does not come through it.
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

// watch ends the process when a run takes too long, and says where it is. It counts its own ticks, which a machine that is busy delays as it does the run.
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

// running is the stack of the goroutine that runs a property, of those of all.
func running(stacks string) string {
	for _, one := range strings.Split(stacks, "\n\n") {
		if strings.Contains(one, ofGen+"(*checker).once(") {
			return one
		}
	}
	return ""
}

// stackPlace finds in the text of a stack the line of the user's that is innermost, and whether it is below a draw. A panic has the line that panicked.
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
		if strings.HasPrefix(name, ofGen) && strings.Contains(name, "Gen[") && strings.Contains(name, ".Draw(") {
			within = true
		}
		file, rest, _ := strings.Cut(strings.TrimSpace(lines[i+1]), ".go:")
		if at.file != "" || ofLibrary(file+".go") || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "panic(") || strings.HasPrefix(file, standardDir+"/") {
			continue
		}
		at.file = file + ".go"
		fmt.Sscanf(rest, "%d", &at.line)
	}
	return at, within
}

// standardDir is where the files of the standard library are, as the compiler knows them.
var standardDir = func() string {
	pc := reflect.ValueOf(strings.Contains).Pointer()
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	return path.Dir(path.Dir(file))
}()

// examiner examines one property.
type examiner struct {
	checker
	x     *examination
	sites *sites
	told  map[string]bool // mistakes that were reported
	done  []evidence      // of all inputs so far, by site
	runs  int
	now   line // of the input that is being looked at

	endless int // runs that drew without bound
}

// mostEndless is how many runs may draw without bound: they take long, and no more is to be learned.
const mostEndless = 3

func newExaminer(x *examination, tb testing.TB, property func(*T)) *examiner {
	e := &examiner{x: x, told: map[string]bool{}}
	e.checker = checker{t: tb, property: property, placed: true}
	e.T = T{TB: tb, src: &tape.Source{}}
	e.sites = newSites(&e.T)
	return e
}

// input draws an input, and then others that have one choice of it changed.
func (e *examiner) input(k int) line {
	e.x.mark(k)
	e.now, e.runs = line{Property: e.x.property, Input: k}, 0
	random := seeds(e.x.Seed, uint64(k+1))
	e.src.Random(random.Uint64())
	e.src.Noted = e.sites.noted
	e.sites.begin()
	e.shows = &shown{sites: e.sites}
	r := e.call()
	e.src.Noted, e.sites.part = nil, ""
	said := e.shows.lines
	first := e.src.Tape().Clone()
	e.sites.kinds(first)
	drawn := append([]int(nil), e.sites.drawn...)
	e.now.Lines, e.sites.fresh = e.sites.fresh, nil
	e.now.Choices, e.now.Invalid, e.now.Failed = len(first.Choices), r.skipped, r.bad()
	if r.skipped {
		e.now.Reason = r.reason
		if at, ok := strings.CutPrefix(r.key, "skipped at "); ok {
			if i := strings.LastIndexByte(at, ':'); i > 0 {
				e.now.File = at[:i]
				fmt.Sscanf(at[i+1:], "%d", &e.now.Line)
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
	if !e.failedIn(r) && e.repeats(first, drawn, said) {
		e.shows = nil
		e.change(first, drawn, r, k, random)
	}
	e.shows = nil
	e.now.Runs = e.runs
	for n := range e.done {
		d := e.done[n]
		if n < len(before) {
			d.Draws, d.Reruns, d.Changed, d.Unclear = d.Draws-before[n].Draws, d.Reruns-before[n].Reruns, d.Changed-before[n].Changed, d.Unclear-before[n].Unclear
		}
		if d.Draws > 0 {
			e.now.Sites = append(e.now.Sites, d)
		}
	}
	return e.now
}

// call calls the property.
func (e *examiner) call() *run {
	e.x.runs.Add(1)
	e.runs++
	return e.once()
}

// whole reports whether two runs can be compared as far as they went: both came to their ends, or ended in the same way at the same place. Of one that ended
// elsewhere it is not known what it would have drawn.
func (r *run) whole(other *run) bool {
	return r.returned && other.returned || r.endedThere() && other.endedThere() && r.key == other.key
}

// endedThere reports whether a run ended at the place that its key names.
func (r *run) endedThere() bool {
	return !r.returned && (r.panicked != nil || r.fails == 1 && !r.skipped || r.fails == 0 && r.skipped)
}

// grow makes room for the evidence of sites that are new, and returns what there was.
func (e *examiner) grow() []evidence {
	before := append([]evidence(nil), e.done...)
	for n := len(e.done); n < len(e.sites.list); n++ {
		e.done = append(e.done, evidence{site: e.sites.list[n]})
	}
	return before
}

// report notes a mistake, each once.
func (e *examiner) report(m mistake) {
	if key := fmt.Sprint(m.Kind, m.File, m.Line, m.Label, m.By, m.Other); !e.told[key] {
		e.told[key] = true
		e.now.Mistakes = append(e.now.Mistakes, m)
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

// misused reports whether a panic says that a generator cannot be as it was asked for, as an empty range: no draw is under way then.
func misused(panicked any) bool {
	text, ok := panicked.(string)
	return ok && strings.HasPrefix(text, "gen: ")
}

// pointers are what differs in the text of a value from run to run and means nothing.
var pointers = regexp.MustCompile(`0x[0-9a-f]+`)

// repeats reports whether the generator draws the same again of the same choices.
func (e *examiner) repeats(first *tape.Tape, drawn []int, said []string) bool {
	for n := 0; n < 2; n++ {
		e.src.Replay(first, 1)
		e.shows.lines, e.shows.open = nil, nil
		r := e.call()
		if !e.same(first, drawn) {
			return false
		}
		if !r.returned || len(said) != len(e.shows.lines) {
			continue
		}
		for i := range said {
			if said[i] != e.shows.lines[i] && pointers.ReplaceAllString(said[i], "") != pointers.ReplaceAllString(e.shows.lines[i], "") {
				label, _, _ := strings.Cut(said[i], " = ")
				e.report(mistake{Kind: nondeterministic, Label: label, Text: "value"})
				return false
			}
		}
	}
	return true
}

// same reports whether the run drew what the first one did, of the same choices.
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

// most reruns of one site for one input: they are to tell of many inputs.
const mostReruns = 10

// change changes one choice after another of those sites of which too little is known, and looks whether what is drawn depends on them.
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
					return // not for this choice
				}
				d.Changed++
			}
			d.Reruns++
		}
	}
}
