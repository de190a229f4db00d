package gen

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"parallax/internal/tape"
)

// site identifies a place of choices for users. Alternatives or levels of a combinator that draw in
// the same way share a site.
type site struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// of the draw; Type.Field within Of, rule and place within Grammar
	Label string `json:"label"`
	// combinators, outermost first, and the role within the last: "SliceOf, length"
	By       string `json:"by"`
	Kind     string `json:"kind"`
	Override bool   `json:"override"` // set by Structural, Value or a tag, not by the combinator
}

// place is a line of user code that draws.
type place struct {
	function, file string
	line           int
}

// sites collects the sites of a property.
type sites struct {
	t      *T
	list   []site
	index  map[site]int
	drawn  []int // site of each choice of the run
	labels []string
	part   string // the field of Of

	frames map[uintptr]frame
	paths  map[uint64]callPath
	many   map[drawLine][]string // labels of a line
	names  map[drawnAt]place     // first place of a label in a span
	shared map[[2]place]string
	lines  map[place]bool // that draw, including those without own choices
	fresh  []drawLine     // lines that were not reported yet

	grammars []func(site uint32) string // of the run; they name places of a grammar
	rules    map[uint32]string          // results of grammars
}

// drawLine is a line that draws.
type drawLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// drawnAt is a label in a span.
type drawnAt struct {
	around uint32
	label  string
	in     string // the function
}

// frame is a function call on the stack.
type frame struct {
	place
	own  bool   // of this package
	name string // of a combinator; empty for other functions
	role string
}

// callPath leads from a line of user code to the recording of a choice.
type callPath struct {
	at place
	by string
}

// fewLabels limits the distinct labels of a line. A line that computes labels may have any number.
const fewLabels = 8

func newSites(t *T) *sites {
	return &sites{t: t, index: map[site]int{}, frames: map[uintptr]frame{}, paths: map[uint64]callPath{}, many: map[drawLine][]string{}, names: map[drawnAt]place{}, shared: map[[2]place]string{}, lines: map[place]bool{}, rules: map[uint32]string{}}
}

// begin begins a run.
func (s *sites) begin() {
	s.drawn, s.labels, s.part, s.grammars = s.drawn[:0], s.labels[:0], "", nil
}

// grammar records that a text of a grammar is being drawn.
func (s *sites) grammar(where func(site uint32) string) { s.grammars = append(s.grammars, where) }

// rule returns the place in a grammar of a site's choices.
func (s *sites) rule(site uint32) string {
	name, ok := s.rules[site]
	if !ok {
		for _, where := range s.grammars {
			if name = where(site); name != "" {
				break
			}
		}
		s.rules[site] = name
	}
	return name
}

// enter records the begin of a draw, or a finished draw by a method of T.
func (s *sites) enter(at uint32, label string) {
	s.labels = append(s.labels, label)
	if n := len(s.drawn); n > 0 && n == s.t.src.Drawn() && s.t.src.Out.Choices[n-1].Site == at && s.list[s.drawn[n-1]].Label == "" {
		one := s.list[s.drawn[n-1]]
		one.Label = s.shortLabel(drawLine{one.File, one.Line}, label)
		s.drawn[n-1] = s.number(one)
	}
	if s.t.src.Drawn() > mostNoted {
		return
	}
	here, _ := s.caller()
	if !s.lines[here.at] {
		s.lines[here.at] = true
		s.fresh = append(s.fresh, drawLine{here.at.file, here.at.line})
	}
	key := drawnAt{s.t.src.Around(), label, here.at.function}
	if first, ok := s.names[key]; !ok {
		s.names[key] = here.at
	} else if first != here.at {
		pair := [2]place{first, here.at}
		if first.line > here.at.line {
			pair[0], pair[1] = pair[1], pair[0]
		}
		s.shared[pair] = label
	}
}

func (s *sites) leave() { s.labels = s.labels[:len(s.labels)-1] }

// mostNoted limits the recorded choices per input. A generator without bound would take too long.
const mostNoted = 1 << 12

// noted records the site of a choice that is being recorded on the tape.
func (s *sites) noted(choice int) {
	if choice >= mostNoted {
		return
	}
	from, ofT := s.caller()
	one := site{File: from.at.file, Line: from.at.line, By: from.by, Label: s.part}
	// methods of T report their label afterwards
	if n := len(s.labels); n > 0 && one.Label == "" && !ofT {
		one.Label = s.shortLabel(drawLine{one.File, one.Line}, s.labels[n-1])
	}
	one.Override = s.t.channel != declared
	s.drawn = append(s.drawn[:choice], s.number(one))
}

// kinds adds the channels to the sites, which are known after the choices are recorded.
func (s *sites) kinds(t *tape.Tape) {
	s.drawn = s.drawn[:min(len(s.drawn), len(t.Choices))]
	for i, n := range s.drawn {
		one := s.list[n]
		one.Kind = t.Choices[i].Channel.String()
		if one.By == "Grammar" || strings.HasSuffix(one.By, ", Grammar") {
			one.Label = s.rule(t.Choices[i].Site)
		}
		s.drawn[i] = s.number(one)
	}
}

func (s *sites) number(one site) int {
	n, ok := s.index[one]
	if !ok {
		n = len(s.list)
		s.index[one], s.list = n, append(s.list, one)
	}
	return n
}

// shortLabel returns the label, or "..." if its line has too many.
func (s *sites) shortLabel(at drawLine, label string) string {
	switch known := s.many[at]; {
	case slices.Contains(known, label):
	case len(known) < fewLabels:
		s.many[at] = append(known, label)
	default:
		return "..."
	}
	return label
}

// genPrefix begins the names of this package's functions. genDir is the folder of its files, as the
// compiler recorded it. internalDir is the folder of the library's own packages.
var genPrefix, genDir, internalDir = func() (string, string, string) {
	pc, file, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/') + 1
	dir := path.Dir(file)
	return name[:slash+strings.IndexByte(name[slash:], '.')+1], dir, path.Join(path.Dir(dir), "internal")
}()

// inLibrary reports whether a file belongs to the library and not to its tests. It uses the file,
// since a closure has the name of the function into which it was inlined.
func inLibrary(file string) bool {
	dir := path.Dir(file)
	return (dir == genDir || path.Dir(dir) == internalDir) && !strings.HasSuffix(file, "_test.go")
}

// caller returns the innermost user line on the stack, and the combinators below it. ofT reports
// whether this line calls a drawing method of T.
func (s *sites) caller() (p callPath, ofT bool) {
	var room [256]uintptr
	pcs := room[:runtime.Callers(2, room[:])]
	h, end := uint64(14695981039346656037), 0
	for ; end < len(pcs); end++ {
		f, ok := s.frames[pcs[end]]
		if !ok {
			one, _ := runtime.CallersFrames(pcs[end : end+1]).Next()
			f = frame{place: place{one.Function, one.File, one.Line}, own: inLibrary(one.File)}
			if f.own {
				f.name, f.role = combinator(one.Function)
			}
			s.frames[pcs[end]] = f
		}
		h = (h ^ uint64(pcs[end])) * 1099511628211
		if !f.own {
			break
		}
	}
	p, ok := s.paths[h]
	if !ok {
		if end < len(pcs) {
			p.at = s.frames[pcs[end]].place
		}
		p.by = s.combinators(pcs[:end])
		s.paths[h] = p
	}
	return p, ofOwnT(p.by)
}

// ofOwnT reports whether a drawing method of T, which reports its label afterwards, makes the
// choice.
func ofOwnT(by string) bool {
	return by == "Choose" || by == "Flip" || by == "Count" || by == "T.IntRange"
}

// combinators names the combinators on a stack, whose innermost call is first.
func (s *sites) combinators(pcs []uintptr) string {
	var names []string
	role := ""
	for i := len(pcs) - 1; i >= 0; i-- {
		f := s.frames[pcs[i]]
		if f.name != "" && !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
		if f.name != "" {
			role = ""
		}
		if f.role != "" {
			role = f.role
		}
	}
	if len(names) > 1 && names[0] == "Flip" {
		names = names[:1]
	}
	if role != "" {
		names = append(names, role)
	}
	return strings.Join(names, ", ")
}

// combinator returns the combinator for which a function of this package draws, and its role within
// it. Both are empty for other functions.
func combinator(function string) (name, role string) {
	var words []string // without type arguments and closure numbers
	depth, begin := 0, 0
	for i := 0; i <= len(function); i++ {
		switch {
		case i == len(function) || function[i] == '.' && depth == 0:
			word, _, _ := strings.Cut(function[begin:i], "[")
			if rest := strings.TrimLeft(strings.TrimPrefix(word, "func"), "0123456789"); rest != "" && rest != "gowrap" {
				words = append(words, word)
			}
			begin = i + 1
		case function[i] == '[':
			depth++
		case function[i] == ']':
			depth--
		}
	}
	last, receiver := words[len(words)-1], ""
	if len(words) > 1 {
		receiver = words[len(words)-2]
	}
	switch last {
	case "count", "countOr":
		return "", "length"
	case "drawRune":
		return "Rune", ""
	case "draw":
		if strings.HasPrefix(receiver, "(*recursion") {
			return "Recursive", ""
		}
	case "IntRange":
		if receiver == "(*T)" {
			return "T.IntRange", ""
		}
		return last, ""
	case "SliceOfN", "StringN", "BytesN", "MapOfN":
		return strings.TrimSuffix(last, "N"), ""
	case "Choose", "Flip", "Count", "Repeat", "Filter", "Bool", "Int", "Float", "FloatRange", "Rune", "SliceOf", "String", "Bytes", "MapOf", "StringMatching",
		"SliceOfDistinct", "Grammar", "OneOf", "SampledFrom", "Permutation", "Optional", "Recursive", "Of":
		return last, ""
	}
	return "", ""
}
