package text

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/sources"
)

const (
	shownPlaces  = 3 // of each program
	sourceAround = 2 // lines above and below a place
)

// short returns a source position for readers elsewhere: relative to the folder in which the
// campaign started, or from the module on.
func (page *paper) short(position string) string {
	if rel, ok := below(page.Dir, position); ok {
		return rel
	}
	return escape.ShortPath(position)
}

// link returns a source position that an editor can open from here. In Markdown, it returns a short
// one.
func (page *paper) link(position string) string {
	if page.markdown {
		return page.short(position)
	}
	position = page.absolute(position)
	if rel, ok := below(page.Here, position); ok {
		return rel
	}
	return position
}

// absolute returns a position with its folder. Records have positions relative to the folder in
// which the campaign started.
func (page *paper) absolute(position string) string {
	if page.Dir == "" || position == "" || filepath.IsAbs(position) {
		return position
	}
	return filepath.Join(page.Dir, position)
}

// below returns a position relative to a folder that it is in.
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

// decided shows the source around the places that decide, for each program.
func decided(f *finding.Finding, d *document, page paper) {
	title := "Where they part"
	if single(f) {
		title = "Where"
	}
	first := true
	for _, p := range f.Programs {
		places := placesOf(&p)
		if len(places) == 0 {
			continue
		}
		if first {
			d.add(headingBlock{2, []span{say("%s", title)}})
			if first = false; page.Older {
				d.add(paragraphBlock{say("%s", OlderNote)})
			}
		}
		caller := ""
		if p.Name == f.Program {
			caller = f.Caller
		}
		showPlaces(&p, d, page, places, caller)
	}
}

// OlderNote explains places that are shown without source lines.
const OlderNote = "These are lines of older sources, which were edited since. The next run locates the finding again, if it still shows."

// showPlaces shows places of a program. If a dependency crashed, caller is its call in the tested
// code.
func showPlaces(p *finding.Program, d *document, page paper, places []finding.Place, caller string) {
	d.add(headingBlock{3, []span{named(p.Name)}})
	own, gone := page.of(p.Name)
	if len(places) == 1 && places[0].Branch == "" {
		at := paragraphBlock{say("At "), named(page.link(places[0].Location))}
		if caller != "" {
			at = append(at, say(", called at "), named(page.link(caller)))
		}
		d.add(append(at, say(".")))
	} else {
		if note := Reservation(p); note != "" {
			d.add(paragraphBlock{say("%s", note)})
		}
		var list listBlock
		for _, at := range places {
			list = append(list, describe(&at, page))
		}
		d.add(list)
	}
	if page.Older {
		return
	}
	if gone {
		d.add(paragraphBlock{say("Its source is no longer in the folder that it was built from.")})
		return
	}
	for _, lines := range excerpts(own, places) {
		d.add(codeBlock{lines: lines})
	}
}

// Reservation explains why the first place of a program may decide nothing. It returns "" if the
// place is certain.
func Reservation(p *finding.Program) string {
	switch {
	case p.Uncertain() && p.Ranked[0].Changed:
		return "The input executed several lines that differ between the programs. Those that separate best:"
	case p.Uncertain():
		return "The places that separate best. Code after the cause separates as well:"
	case p.RendersError():
		return "The first place belongs to the text of an error, and decides nothing:"
	case p.Forwards():
		return "The first place calls an internal package of the standard library, which has no counters and probably decides (--instrument adds it):"
	}
	return ""
}

// of returns the page for one program, whose sources may have a folder of their own. It reports
// whether that folder is gone: files of the same name elsewhere belong to another version.
func (page paper) of(program string) (own paper, gone bool) {
	tree := page.Trees[program]
	if tree == "" {
		return page, false
	}
	_, err := os.Stat(tree)
	page.Dir, page.Source = tree, sources.Of(append([]string{tree}, page.Built...)...)
	return page, err != nil
}

// describe returns a place in words.
func describe(at *finding.Place, page paper) item {
	it := item{text: []span{named(page.link(at.Location))}}
	if at.Function != "" {
		it.text = append(it.text, say(" in "), span{finding.ShortFunction(at.Function), asValue})
	}
	if _, did := at.Words(); did != "" {
		it.detail = append(it.detail, phrase(did)...)
	}
	if at.With+at.Without > 0 {
		if len(it.detail) > 0 {
			it.detail = append(it.detail, say("; "))
		}
		it.detail = append(it.detail, say("the same for %s that %s, and %s that agree", units.Plural(at.With, "similar input"), map[bool]string{true: "disagrees", false: "disagree"}[at.With == 1], number(at.Without)))
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

func number(n int) string {
	if n <= 0 {
		return "none"
	}
	return units.Thousands(uint64(n))
}

// A window is lines around places of one file.
type window struct {
	file     string
	from, to int
	marks    map[int]string // before the lines of places
}

// windows returns the lines around places, in the order of the places. Adjacent lines of one file
// are joined. If there are several places, their numbers precede their lines.
func windows(page paper, places []finding.Place) (windows []*window) {
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
			maps.Copy(w.marks, old.marks) // of the better places
			return true
		})
		windows = append(windows, w)
	}
	return windows
}

// excerpts returns the source lines of the windows of places.
func excerpts(page paper, places []finding.Place) (list [][][]span) {
	for _, w := range windows(page, places) {
		if lines := w.lines(page); lines != nil {
			list = append(list, lines)
		}
	}
	return list
}

// lines returns the lines of a window. It returns nil if the source cannot be read, or is too
// short.
func (w *window) lines(page paper) [][]span {
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

// cutPosition splits file:line or file:line:column; rest begins with the colon. The line is 0 if
// there is none.
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

// shortStack returns a stack without the folders of the machine.
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
