package gen

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"parallax/internal/tape"
)

// site is where choices are made, as people know it. What several alternatives or levels of a combinator draw in the same way is one site.
type site struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Label    string `json:"label"` // of the draw; Type.Field within Of, rule and place within Grammar
	By       string `json:"by"`    // combinators, the outermost first: "SliceOf, OneOf"; what of the last one: "SliceOf, length"
	Kind     string `json:"kind"`
	Override bool   `json:"override"` // Structural, Value or a tag says so, and not the combinator
}

// place is a line of the user's at which something is drawn.
type place struct {
	function, file string
	line           int
}

// sites are those of a property, as they are seen.
type sites struct {
	t      *T
	list   []site
	index  map[site]int
	drawn  []int // of each choice of the run: its site
	labels []string
	part   string // the field of Of

	frames map[uintptr]frame
	paths  map[uint64]way
	many   map[drawLine][]string // labels of a line
	names  map[drawnAt]place     // where labels of a span were drawn first
	shared map[[2]place]string
	lines  map[place]bool // that draw, also what makes no choice itself
	fresh  []drawLine     // of them, those that were not told yet

	grammars []func(site uint32) string // that were drawn from; they name the places of a grammar
	rules    map[uint32]string          // what they said
}

// drawLine is a line at which something is drawn.
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
	name string // of a combinator; "": it is none
	role string
}

// way is from a line of the user's to where a choice is recorded.
type way struct {
	at place
	by string
}

// fewLabels is how many labels of one line are told apart: a line that makes labels up has any number.
const fewLabels = 8

func newSites(t *T) *sites {
	return &sites{t: t, index: map[site]int{}, frames: map[uintptr]frame{}, paths: map[uint64]way{}, many: map[drawLine][]string{}, names: map[drawnAt]place{}, shared: map[[2]place]string{}, lines: map[place]bool{}, rules: map[uint32]string{}}
}

// begin begins a run.
func (s *sites) begin() {
	s.drawn, s.labels, s.part, s.grammars = s.drawn[:0], s.labels[:0], "", nil
}

// grammar is told that a text of a grammar is drawn.
func (s *sites) grammar(where func(site uint32) string) { s.grammars = append(s.grammars, where) }

// rule is the place in a grammar at which choices of a site are made.
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

// enter is told of a draw that begins, or of one that was made of T itself.
func (s *sites) enter(at uint32, label string) {
	s.labels = append(s.labels, label)
	if n := len(s.drawn); n > 0 && n == s.t.src.Drawn() && s.t.src.Out.Choices[n-1].Site == at && s.list[s.drawn[n-1]].Label == "" {
		one := s.list[s.drawn[n-1]]
		one.Label = s.few(drawLine{one.File, one.Line}, label)
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

// mostNoted is how many choices of an input are looked at: a generator that draws without bound would take long.
const mostNoted = 1 << 12

// noted is told of a choice that is being recorded.
func (s *sites) noted(choice int) {
	if choice >= mostNoted {
		return
	}
	from, ofT := s.caller()
	one := site{File: from.at.file, Line: from.at.line, By: from.by, Label: s.part}
	if n := len(s.labels); n > 0 && one.Label == "" && !ofT { // a draw of T's own says its label afterwards
		one.Label = s.few(drawLine{one.File, one.Line}, s.labels[n-1])
	}
	one.Override = s.t.channel != declared
	s.drawn = append(s.drawn[:choice], s.number(one))
}

// kinds completes what was noted: the channel is known once a choice is recorded.
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

// few is a label, or what stands for further ones of a line that has many.
func (s *sites) few(at drawLine, label string) string {
	switch known := s.many[at]; {
	case slices.Contains(known, label):
	case len(known) < fewLabels:
		s.many[at] = append(known, label)
	default:
		return "..."
	}
	return label
}

// ofGen begins the names of functions of this package. genDir is where its files are, as the compiler knows them, and internalDir where those of the library's
// own packages are.
var ofGen, genDir, internalDir = func() (string, string, string) {
	pc, file, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/') + 1
	dir := path.Dir(file)
	return name[:slash+strings.IndexByte(name[slash:], '.')+1], dir, path.Join(path.Dir(dir), "internal")
}()

// ofLibrary reports whether a function is of the library, and not of its tests. Its file says so: the name of a closure is that of where it was inlined.
func ofLibrary(file string) bool {
	dir := path.Dir(file)
	return (dir == genDir || path.Dir(dir) == internalDir) && !strings.HasSuffix(file, "_test.go")
}

// caller is the innermost line of the user's on the stack, and the combinators below it; ofT says that it called a method of T that draws.
func (s *sites) caller() (p way, ofT bool) {
	var room [256]uintptr
	pcs := room[:runtime.Callers(2, room[:])]
	h, end := uint64(14695981039346656037), 0
	for ; end < len(pcs); end++ {
		f, ok := s.frames[pcs[end]]
		if !ok {
			one, _ := runtime.CallersFrames(pcs[end : end+1]).Next()
			f = frame{place: place{one.Function, one.File, one.Line}, own: ofLibrary(one.File)}
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
		p.by = s.by(pcs[:end])
		s.paths[h] = p
	}
	return p, ofOwnT(p.by)
}

// ofOwnT reports whether a method of T draws, which says its label afterwards.
func ofOwnT(by string) bool {
	return by == "Choose" || by == "Flip" || by == "Count" || by == "T.IntRange"
}

// by names the combinators of a stack, given from its innermost call on.
func (s *sites) by(pcs []uintptr) string {
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

// combinator is the name by which users know what a function of this package draws for, or what of it; "": it draws for none.
func combinator(function string) (name, role string) {
	var words []string // without type arguments, and the numbers of closures
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
	last, of := words[len(words)-1], ""
	if len(words) > 1 {
		of = words[len(words)-2]
	}
	switch last {
	case "count", "countOr":
		return "", "length"
	case "drawRune":
		return "Rune", ""
	case "draw":
		if strings.HasPrefix(of, "(*recursion") {
			return "Recursive", ""
		}
	case "IntRange":
		if of == "(*T)" {
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
