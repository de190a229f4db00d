package change

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/flow"
)

// programs finds the changed lines of C and C++ programs: in the files of their tables, and in
// headers.
func (c *comparison) programs() {
	for _, t := range c.new.Programs {
		if t != nil && len(t.Files) > 0 {
			c.program(t)
		}
	}
}

// cFile is a C file in both versions.
type cFile struct {
	rel string
	// lines without comments and with single blanks; nil if the version lacks the file
	old, new []string
}

// region is a run of changed lines.
type region struct {
	file       *cFile
	old, new   [2]int // from, to (exclusive), counted from 0
	text, key  string
	names      []string // macros, types and variables that it declares
	occurrence int      // index among regions with the same text
}

func (c *comparison) program(t *flow.Table) {
	files := c.sourcesOf(t)
	var regions []*region
	for _, f := range files {
		for _, r := range f.regions() {
			if blocks, _ := r.blocks(t, filepath.Join(c.new.Root, filepath.FromSlash(f.rel))); len(blocks) == 0 {
				regions = append(regions, r.lines()...)
			} else {
				regions = append(regions, r)
			}
		}
	}
	for _, r := range regions {
		abs := filepath.Join(c.new.Root, filepath.FromSlash(r.file.rel))
		blocks, outside := r.blocks(t, abs)
		if len(blocks) > 0 {
			c.lines(t, r, blocks)
		}
		if outside || len(r.macros()) > 0 {
			r.names = r.declared()
			c.naming(t, files, r)
		}
		if len(blocks) == 0 && len(r.names) == 0 {
			c.note("unused", t.Package, "Lines changed in %s without a block:\n%s", r.file.rel, r.text)
		}
	}
}

// sources lists the file extensions of C and C++.
var sources = []string{".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".def", ".ipp", ".tcc", ".y", ".l"}

// sourcesOf lists the C files below the root that differ, or that the table names.
func (c *comparison) sourcesOf(t *flow.Table) (files []*cFile) {
	rels := map[string]bool{}
	for _, root := range []string{c.old.Root, c.new.Root} {
		filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
			case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
				return filepath.SkipDir
			case d.Type().IsRegular() && slices.Contains(sources, strings.ToLower(filepath.Ext(name))):
				rels[below(root, name)] = true
			}
			return nil
		})
	}
	for _, f := range t.Files {
		if rel := below(c.new.Root, f.Path); filepath.IsLocal(rel) {
			rels[rel] = true
		}
	}
	for _, rel := range sorted(rels) {
		read := func(root string) []string {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
			if err != nil {
				return nil
			}
			return plainLines(string(text))
		}
		files = append(files, &cFile{rel: rel, old: read(c.old.Root), new: read(c.new.Root)})
	}
	return files
}

// regions returns the runs of lines in which two versions of a file differ. Empty lines do not
// count. A line break between two words does not count either.
func (f *cFile) regions() (list []*region) {
	filled := func(lines []string) (numbers []int, texts []string) {
		for i, l := range lines {
			if l != "" {
				numbers, texts = append(numbers, i), append(texts, l)
			}
		}
		return numbers, texts
	}
	numbersA, a := filled(f.old)
	numbersB, b := filled(f.new)
	pairs, ok := common(a, b)
	if !ok {
		pairs = nil
	}
	at := func(numbers []int, i, end int) int {
		if i < len(numbers) {
			return numbers[i]
		}
		return end
	}
	counts := map[string]int{}
	i, k := 0, 0
	for _, p := range append(pairs, [2]int{len(a), len(b)}) {
		if x, y := strings.Join(a[i:p[0]], " "), strings.Join(b[k:p[1]], " "); squeezed(x) != squeezed(y) {
			r := &region{file: f, old: [2]int{at(numbersA, i, len(f.old)), at(numbersA, p[0], len(f.old))}, new: [2]int{at(numbersB, k, len(f.new)), at(numbersB, p[1], len(f.new))}}
			for _, l := range a[i:p[0]] {
				r.text += "-" + l + "\n"
			}
			for _, l := range b[k:p[1]] {
				r.text += "+" + l + "\n"
			}
			if k == p[1] { // nothing new: up to the next surviving line
				r.new[0] = at(numbersB, k, len(f.new))
				r.new[1] = r.new[0]
			}
			r.key = f.rel + "\n" + r.text
			counts[r.key]++
			r.occurrence = counts[r.key]
			list = append(list, r)
		}
		i, k = p[0]+1, p[1]+1
	}
	return list
}

// lines splits a region without code into its declarations, if each is on a line of its own in both
// versions. So two changed macros are two changes. Otherwise it returns the region alone.
func (r *region) lines() (list []*region) {
	filled := func(lines []string, at [2]int) (numbers []int) {
		for i := at[0]; i < at[1]; i++ {
			if lines[i] != "" {
				numbers = append(numbers, i)
			}
		}
		return numbers
	}
	a, b := filled(r.file.old, r.old), filled(r.file.new, r.new)
	if len(a) != len(b) || len(a) < 2 {
		return []*region{r}
	}
	names := func(sign, line string) []string {
		one := region{file: &cFile{}, text: sign + line}
		if m := define().FindStringSubmatch(line); m != nil {
			return m[1:]
		}
		return one.declared()
	}
	seen := map[string]bool{}
	for i := range a {
		was, is := r.file.old[a[i]], r.file.new[b[i]]
		declared := names("+", is)
		if len(declared) == 0 || !slices.Equal(names("-", was), declared) || strings.HasSuffix(was, `\`) || strings.HasSuffix(is, `\`) || seen[declared[0]] {
			return []*region{r}
		}
		seen[declared[0]] = true
		one := &region{file: r.file, old: [2]int{a[i], a[i] + 1}, new: [2]int{b[i], b[i] + 1}, text: "-" + was + "\n+" + is + "\n", occurrence: r.occurrence}
		one.key = r.file.rel + "\n" + one.text
		if was != is {
			list = append(list, one)
		}
	}
	return list
}

// squeezed returns a text without blanks that separate nothing.
func squeezed(text string) string {
	var b strings.Builder
	word := func(c byte) bool {
		return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for i := 0; i < len(text); i++ {
		if text[i] == ' ' && (i == 0 || i+1 == len(text) || !word(text[i-1]) || !word(text[i+1])) {
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// blocks returns the blocks of a region's lines. For a deletion, it takes the next surviving line,
// else the one before.
func (r *region) blocks(t *flow.Table, file string) (ids []int, outside bool) {
	if r.new[0] == r.new[1] {
		next := t.LinesToBlocks(file, []flow.Range{{First: r.new[0] + 1, Last: r.new[0] + 1}})
		ids = append(next.Blocks, next.Near...)
		if len(ids) == 0 && r.new[0] > 0 {
			before := t.LinesToBlocks(file, []flow.Range{{First: r.new[0], Last: r.new[0]}})
			ids = append(before.Blocks, before.Near...)
		}
		return ids, len(ids) == 0
	}
	change := t.LinesToBlocks(file, []flow.Range{{First: r.new[0] + 1, Last: r.new[1]}})
	return append(change.Blocks, change.Near...), len(change.Outside) > 0
}

// lines adds the points of a region, one for each function.
func (c *comparison) lines(t *flow.Table, r *region, blocks []int) {
	of := map[int][]int{}
	for _, b := range blocks {
		f := t.Blocks[b].Func
		of[f] = append(of[f], b)
	}
	var functions []int
	for f := range of {
		functions = append(functions, f)
	}
	slices.Sort(functions)
	for _, f := range functions {
		kind := Source
		if !strings.Contains("\n"+r.text, "\n+") {
			kind = Deletion
		}
		c.addSource(t, f, of[f], kind, r, r.new[0]+1, nil)
	}
}

func (c *comparison) addSource(t *flow.Table, f int, blocks []int, kind Kind, r *region, line int, lines []int) {
	fn := t.Funcs[f]
	name := fn.Name
	if fn.Symbol != "" && strings.Count(name, "(") == 0 && slices.IndexFunc(t.Funcs, func(o flow.Func) bool { return o.Name == name }) != f {
		name = fn.Symbol // several static functions have one name
	}
	p := Point{Kind: kind, Hunk: digest(r.key, string(rune('0'+r.occurrence))), Package: t.Package, Function: name, File: fn.File, Line: line, Blocks: blocks, Text: r.text}
	if kind == Source || kind == Deletion {
		p.File = filepath.Join(c.new.Root, filepath.FromSlash(r.file.rel))
	} else {
		p.Line = t.Blocks[slices.Min(blocks)].Line
	}
	if r.file.old != nil {
		p.Old = flow.Spot{File: filepath.Join(c.old.Root, filepath.FromSlash(r.file.rel)), Line: r.old[0] + 1}
	}
	if kind != Source && kind != Deletion {
		slices.Sort(blocks)
		p.Uses = []Use{{Hunk: p.Hunk, Kind: kind, Name: listed(r.names), Text: r.text, Old: p.Old, Blocks: slices.Compact(slices.Clone(blocks)), Lines: lines,
			At: flow.Spot{File: filepath.Join(c.new.Root, filepath.FromSlash(r.file.rel)), Line: min(r.new[0]+1, len(r.file.new))}}}
	}
	c.add(p, r.key)
}

var define = lazyregexp.New(`^# ?(?:define|undef) ([A-Za-z_][A-Za-z0-9_]*)`)

// macros returns the names of the macros whose definitions overlap the region.
func (r *region) macros() (names []string) {
	for _, side := range []struct {
		lines []string
		at    [2]int
	}{{r.file.old, r.old}, {r.file.new, r.new}} {
		for i := side.at[0]; i < side.at[1] && i < len(side.lines); i++ {
			first := i
			for first > 0 && strings.HasSuffix(side.lines[first-1], `\`) {
				first--
			}
			if m := define().FindStringSubmatch(side.lines[first]); m != nil && !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// Names that a declaration introduces: before its end, or after a keyword such as struct.
var (
	ended = lazyregexp.New(`([A-Za-z_][A-Za-z0-9_]*) ?(?:\[[^]]*\] ?)*(?::[^;,]*)?(?:[;,=}]|$)`)
	begun = lazyregexp.New(`\b(?:struct|union|enum|class) ([A-Za-z_][A-Za-z0-9_]*)`)
)

// cWords lists words that are not names.
var cWords = strings.Fields(`auto break case char const continue default do double else enum extern float for goto if inline int long register
	restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false class public private
	protected namespace using template typename this new delete try catch throw NULL nullptr endif ifdef ifndef include define undef`)

// declared returns the names that represent a region without code: those of macros, else of types,
// fields, constants and variables.
func (r *region) declared() (names []string) {
	names = r.macros()
	if len(names) > 0 {
		return names
	}
	for _, line := range strings.Split(r.text, "\n") {
		line = strings.TrimLeft(line, "+-")
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, m := range append(ended().FindAllStringSubmatch(line, -1), begun().FindAllStringSubmatch(line, -1)...) {
			if !slices.Contains(cWords, m[1]) && !slices.Contains(names, m[1]) && !('0' <= m[1][0] && m[1][0] <= '9') {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// maxUses limits the lines at which one declaration has points. A name that occurs everywhere
// identifies nothing.
const maxUses = 500

// naming adds the points of a declaration, at the lines that name it or a macro that uses it.
func (c *comparison) naming(t *flow.Table, files []*cFile, r *region) {
	wanted := map[string]bool{}
	for _, n := range r.names {
		wanted[n] = true
	}
	for more := true; more; { // add macros that use it
		more = false
		for _, f := range files {
			for i, line := range f.new {
				m := define().FindStringSubmatch(line)
				if m == nil || wanted[m[1]] {
					continue
				}
				for last := i; ; last++ {
					if slices.ContainsFunc(identifiers(f.new[last]), func(n string) bool { return wanted[n] }) {
						wanted[m[1]], more = true, true
					}
					if last+1 >= len(f.new) || !strings.HasSuffix(f.new[last], `\`) {
						break
					}
				}
			}
		}
	}
	of, lines := map[int][]int{}, map[int][]int{} // by function
	uses := 0
	for _, f := range files {
		abs := filepath.Join(c.new.Root, filepath.FromSlash(f.rel))
		for i, line := range f.new {
			if f == r.file && r.new[0] <= i && i < r.new[1] || strings.HasPrefix(line, "#") {
				continue
			}
			if !slices.ContainsFunc(identifiers(line), func(n string) bool { return wanted[n] }) {
				continue
			}
			found := t.LinesToBlocks(abs, []flow.Range{{First: i + 1, Last: i + 1}})
			for _, b := range append(found.Blocks, found.Near...) {
				fn := t.Blocks[b].Func
				if of[fn] = append(of[fn], b); t.Blocks[b].File == abs && !slices.Contains(lines[fn], i+1) {
					lines[fn] = append(lines[fn], i+1)
				}
			}
			if len(found.Blocks)+len(found.Near) > 0 {
				uses++
			}
		}
	}
	if uses > maxUses {
		c.note("wide", t.Package, "%s in %s changed and is named in %d lines, too many to be points.", listed(r.names), r.file.rel, uses)
		return
	}
	kind := Type
	if len(r.macros()) > 0 {
		kind = Constant
	}
	var functions []int
	for f := range of {
		functions = append(functions, f)
	}
	slices.SortFunc(functions, func(a, b int) int { return cmp.Compare(a, b) })
	for _, f := range functions {
		c.addSource(t, f, of[f], kind, r, 0, lines[f])
	}
	if len(functions) == 0 {
		c.note("unused", t.Package, "%s in %s changed, and no line with code names it.", listed(r.names), r.file.rel)
	}
}
