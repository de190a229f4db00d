package report

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/units"
)

const (
	shownPlaces  = 3 // of each program
	sourceAround = 2 // lines above and below a place
)

// short is a source position as a reader elsewhere knows it: relative to where the campaign was started, or from the module on.
func (page *Page) short(position string) string {
	if rel, ok := below(page.Dir, position); ok {
		return rel
	}
	return escape.ShortPath(position)
}

// link is a source position that an editor can open from here; in Markdown, a short one.
func (page *Page) link(position string) string {
	if page.markdown {
		return page.short(position)
	}
	position = page.absolute(position)
	if rel, ok := below(page.Here, position); ok {
		return rel
	}
	return position
}

// absolute is the position in full: positions are recorded relative to where the campaign was started.
func (page *Page) absolute(position string) string {
	if page.Dir == "" || position == "" || filepath.IsAbs(position) {
		return position
	}
	return filepath.Join(page.Dir, position)
}

// below is a position relative to a folder that it is in.
func below(dir, position string) (string, bool) {
	if dir == "" || !filepath.IsAbs(position) {
		return "", false
	}
	file, rest, _ := cutPosition(position)
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel) + rest, true
}

// decided shows the source around the places that decide, of each program.
func (f *Finding) decided(d *document, page Page) {
	title := "Where they part"
	if f.single() {
		title = "Where"
	}
	first := true
	for _, p := range f.Programs {
		places := p.Ranked
		if len(places) == 0 && p.Deciding != "" {
			places = []Place{{Location: p.Deciding}}
		}
		if len(places) == 0 {
			continue
		}
		if first {
			d.add(headingBlock{2, []span{say("%s", title)}})
			first = false
		}
		p.showPlaces(d, page, places[:min(len(places), shownPlaces)])
	}
}

// wellSeparated is the score from which a place is told without a reservation: of what all do that disagree, it is that of a
// place to which as many come that agree.
const wellSeparated = 0.7

// separatesBadly reports whether no place of a program separates well.
func (p *Program) separatesBadly() bool {
	if len(p.Ranked) == 0 || len(p.Ranked) == 1 && p.Ranked[0].Branch == "" {
		return false
	}
	best := p.Ranked[0]
	return !best.Changed && best.Score > 0 && best.Score < wellSeparated
}

// errorText matches methods of error types, and methods that make the text of a value.
var errorText = lazyregexp.New(`\.\(?\*?\w*(?i:error)\)?\.\w+$|\)\.(Error|String|GoString|Format)$|\.\w+\.(Error|String|GoString|Format)$`)

// rendersError reports whether a program's best place belongs to the text of an error.
func (p *Program) rendersError() bool {
	return len(p.Ranked) > 0 && !p.Ranked[0].Changed && errorText().MatchString(path.Base(p.Ranked[0].Function))
}

// Doubtful reports whether the deciding place of a program explains little.
func (p *Program) Doubtful() bool { return p.separatesBadly() || p.rendersError() }

func (p *Program) showPlaces(d *document, page Page, places []Place) {
	d.add(headingBlock{3, []span{named(p.Name)}})
	own, gone := page.of(p.Name)
	if len(places) == 1 && places[0].Branch == "" {
		d.add(paragraphBlock{say("At "), named(page.link(places[0].Location)), say(".")})
	} else {
		if p.separatesBadly() {
			d.add(paragraphBlock{say("No place separates well. The nearest places:")})
		} else if p.rendersError() {
			d.add(paragraphBlock{say("The first place belongs to the text of an error, and decides nothing:")})
		}
		var list listBlock
		for _, at := range places {
			list = append(list, at.describe(page))
		}
		d.add(list)
	}
	if gone {
		d.add(paragraphBlock{say("Its source is no longer in the folder that it was built from.")})
		return
	}
	for _, lines := range excerpts(own, places) {
		d.add(codeBlock{lines: lines})
	}
}

// of is the page for one program, whose sources may have a folder of their own. It reports whether that is gone: files of the same name elsewhere
// are those of another version.
func (page Page) of(program string) (own Page, gone bool) {
	tree := page.Trees[program]
	if tree == "" {
		return page, false
	}
	_, err := os.Stat(tree)
	page.Dir, page.Source = tree, Sources(append([]string{tree}, page.Built...)...)
	return page, err != nil
}

// describe is a place in words.
func (at *Place) describe(page Page) item {
	it := item{text: []span{named(page.link(at.Location))}}
	if at.Function != "" {
		it.text = append(it.text, say(" in "), span{shortFunction(at.Function), asValue})
	}
	if _, did := at.Words(); did != "" {
		it.detail = append(it.detail, phrase(did)...)
	}
	if at.With+at.Without > 0 {
		if len(it.detail) > 0 {
			it.detail = append(it.detail, say("; "))
		}
		it.detail = append(it.detail, say("the same for %s that disagree, and %s that agree", plural(at.With, "similar input"), number(at.Without)))
	}
	return it
}

// phrase returns words in which operators of Go are code.
func phrase(words string) (spans []span) {
	for _, op := range []string{"&&", "||"} {
		if before, after, ok := strings.Cut(words, op); ok {
			return []span{{before, asPlain}, {op, asValue}, {after, asPlain}}
		}
	}
	return []span{{words, asPlain}}
}

// shortFunction is a function with the last element of its package's path that says something.
func shortFunction(name string) string {
	dir, base := path.Split(name)
	if version, _, ok := strings.Cut(base, "."); ok && dir != "" && len(version) > 1 && version[0] == 'v' && strings.Trim(version[1:], "0123456789") == "" {
		return path.Base(dir) + base[len(version):]
	}
	return base
}

func number(n int) string {
	if n <= 0 {
		return "none"
	}
	return units.Thousands(uint64(n))
}

// branches say what an input did at a place and, second, what it did not, by kind of block.
var branches = map[string][2]string{
	"entry":            {"the function was called", "the function was not called"},
	"then":             {"the condition held", "the condition did not hold"},
	"else":             {"the condition did not hold", "the condition held"},
	"implicit-else":    {"the condition did not hold", "the condition held"},
	"body":             {"the body was executed", "the body was not executed"},
	"case":             {"this case was chosen", "this case was not chosen"},
	"default":          {"the default was chosen", "the default was not chosen"},
	"implicit-default": {"no case was chosen", "a case was chosen"},
	"comm":             {"this case was chosen", "this case was not chosen"},
	"join":             {"it went on here", "it did not go on here"},
	"label":            {"it went on here", "it did not go on here"},
	"and":              {"the right side of && was evaluated", "the right side of && was not evaluated"},
	"or":               {"the right side of || was evaluated", "the right side of || was not evaluated"},
	"branch":           {"this branch was taken", "this branch was not taken"}, // of a C program
	"block":            {"it went on here", "it did not go on here"},
}

func taken(branch string) string {
	kind, not := strings.CutPrefix(branch, "not ")
	words, ok := branches[kind]
	switch {
	case ok && not:
		return words[1]
	case ok:
		return words[0]
	}
	return branch
}

// A window is lines around places of one file.
type window struct {
	file     string
	from, to int
	marks    map[int]string // before the lines of places
}

// excerpts are the lines around places, in the order of the places, those of one file together where they meet. The number of
// a place stands before its line when there are several.
func excerpts(page Page, places []Place) [][][]span {
	var windows []*window
	for i, at := range places {
		file, _, line := cutPosition(page.absolute(at.Location))
		if line == 0 {
			continue
		}
		mark := ">"
		if len(places) > 1 {
			mark = strconv.Itoa(i+1) + ">"
		}
		w := &window{file, line - sourceAround, line + sourceAround, map[int]string{line: mark}}
		windows = slices.DeleteFunc(windows, func(old *window) bool {
			if old.file != file || w.from > old.to+1 || old.from > w.to+1 {
				return false
			}
			w.from, w.to = min(w.from, old.from), max(w.to, old.to)
			for l, m := range old.marks { // of the better places
				w.marks[l] = m
			}
			return true
		})
		windows = append(windows, w)
	}
	var list [][][]span
	for _, w := range windows {
		if lines := w.lines(page); lines != nil {
			list = append(list, lines)
		}
	}
	return list
}

// lines is nil where the source cannot be read, or has no such line.
func (w *window) lines(page Page) [][]span {
	src, err := page.Source(w.file)
	if err != nil {
		return nil
	}
	source := strings.Split(string(src), "\n")
	var list [][]span
	found := false
	for n := max(1, w.from); n <= min(len(source), w.to); n++ {
		st := asPlain
		if w.marks[n] != "" {
			st, found = asLoud, true
		}
		text := strings.TrimRight(escape.Cut(source[n-1], 200), " \t\r")
		list = append(list, []span{{fmt.Sprintf("%2s %5d  ", w.marks[n], n), asQuiet}, {strings.ReplaceAll(text, "\t", "    "), st}})
	}
	if !found {
		return nil
	}
	return list
}

// cutPosition splits file:line or file:line:column; rest begins with the colon. The line is 0 when there is none.
func cutPosition(position string) (file, rest string, line int) {
	for i := 0; i < len(position); i++ {
		if position[i] != ':' {
			continue
		}
		number, _, _ := strings.Cut(position[i+1:], ":")
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			return position[:i], position[i:], n
		}
	}
	return position, "", 0
}

// shortStack is a stack without the folders of the machine.
func shortStack(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text := strings.TrimLeft(line, " \t")
		if strings.HasPrefix(text, "/") {
			b.WriteString(line[:len(line)-len(text)])
			text = escape.ShortPath(text)
		} else {
			text = line
		}
		b.WriteString(text)
	}
	return b.String()
}

// Words are a place's function, short, and in a sentence what the finding's input did there; empty where they are not known.
func (at *Place) Words() (function, did string) {
	switch {
	case at.Changed:
		did = "executed, and other code in the other program"
	case at.Branch != "":
		did = taken(at.Branch)
	}
	return shortFunction(at.Function), did
}
