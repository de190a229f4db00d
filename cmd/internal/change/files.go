package change

import (
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"parallax/cmd/internal/base/lazyregexp"
)

// files compares the files of packages that are not Go code.
func (c *comparison) files() {
	for _, p := range c.pairs {
		if p.a != nil && p.b != nil {
			c.embedded(p)
			c.native(p)
			c.preamble(p)
		}
	}
}

// remarks adds notes about changes without points.
func (c *comparison) remarks() {
	for _, p := range c.pairs {
		switch {
		case p.new == nil && p.old.Main:
			c.note("removed", p.old.Path, "Package %s is gone.", p.old.Path)
			continue
		case p.old == nil || p.new == nil:
			continue
		}
		if p.new.Error != "" {
			c.note("broken", p.new.Path, "The new version does not build: %s.", strings.TrimSpace(p.new.Error))
		}
		if p.old.Error != "" {
			c.note("broken", p.old.Path, "The base does not build: %s.", strings.TrimSpace(p.old.Error))
		}
		c.uncounted(p)
	}
}

// differing returns the files that differ between two lists, by their paths below the package's
// folder.
func differing(p packagePair, old, new []string) (names []string) {
	of := map[string]string{}
	for _, name := range old {
		of[below(p.old.Dir, name)] = name
	}
	for _, name := range new {
		rel := below(p.new.Dir, name)
		was, ok := of[rel]
		delete(of, rel)
		if !ok || !equalText(was, name) {
			names = append(names, rel)
		}
	}
	for rel := range of {
		names = append(names, rel)
	}
	slices.Sort(names)
	return names
}

// uncounted adds notes about changes that cannot have points.
func (c *comparison) uncounted(p packagePair) {
	if p.new.foreign() {
		return
	}
	if names := differing(p, p.old.Tests, p.new.Tests); len(names) > 0 {
		c.note("tests", p.new.Path, "Test files changed, without counted blocks: %s.", listed(names))
	}
	if names := differing(p, p.old.Ignored, p.new.Ignored); len(names) > 0 {
		c.note("tags", p.new.Path, "Files changed that this build leaves out, by build tags or by their names: %s.", listed(names))
	}
	if names := differing(p, p.old.Data(), p.new.Data()); len(names) > 0 {
		c.note("testdata", p.new.Path, "Test data changed: %s.", listed(names))
	}
	if p.a == nil || p.b == nil {
		return
	}
	if old, new := p.a.blankImports(), p.b.blankImports(); !slices.Equal(old, new) {
		c.note("imports", p.new.Path, "The imports for effects at the start of the program changed: %s, and was %s.", listed(new), listed(old))
	}
	if names := c.comments(p); len(names) > 0 {
		c.note("comments", p.new.Path, "Nothing changed that is executed, only comments, formatting, names of locals or the order of declarations: %s.", listed(names))
	}
}

// blankImports returns the packages that are imported only for their init functions.
func (p *source) blankImports() (list []string) {
	for _, f := range p.files {
		for _, s := range f.ast.Imports {
			if path := strings.Trim(s.Path.Value, "\"`"); s.Name != nil && s.Name.Name == "_" && path != "embed" && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	slices.Sort(list)
	return list
}

// Data returns the files in the testdata folder of a user's package.
func (p *Package) Data() (files []string) {
	if p.foreign() {
		return nil
	}
	filepath.WalkDir(filepath.Join(p.Dir, "testdata"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, name)
		}
		return nil
	})
	return files
}

// comments returns the files that differ although no change was found in them.
func (c *comparison) comments(p packagePair) (names []string) {
	changed := map[string]bool{}
	known := map[string]bool{}
	for _, name := range p.new.Files {
		known[filepath.Base(name)] = true
	}
	for _, q := range c.points {
		if q.Package == p.new.Path {
			if !known[filepath.Base(q.File)] { // a //line directive names the file, so the package's file is unknown
				return nil
			}
			changed[filepath.Base(q.File)], changed[filepath.Base(q.Old.File)] = true, true
		}
	}
	for _, e := range c.changed {
		if e.pkg == p.new.Path {
			changed[filepath.Base(e.old.File)] = true
			if v := p.b.values[e.name]; v != nil {
				changed[filepath.Base(v.file.path)] = true
			}
			if t := p.b.types[e.name]; t != nil {
				changed[filepath.Base(t.file.path)] = true
			}
		}
	}
	for _, name := range p.new.Files {
		rel := below(p.new.Dir, name)
		i := slices.IndexFunc(p.old.Files, func(old string) bool { return below(p.old.Dir, old) == rel })
		if i >= 0 && !equalText(p.old.Files[i], name) && !changed[filepath.Base(name)] && sameNames(p, filepath.Base(name)) {
			names = append(names, rel)
		}
	}
	return names
}

// sameNames reports whether both versions of a file have the same functions. Added and removed
// functions have notes of their own.
func sameNames(p packagePair, base string) bool {
	for _, pair := range [][2]*source{{p.a, p.b}, {p.b, p.a}} {
		for _, f := range pair[0].funcs {
			if filepath.Base(f.file.path) == base && pair[1].byName[f.id] == nil {
				return false
			}
		}
	}
	return true
}

// embedded finds variables whose embedded files changed.
func (c *comparison) embedded(p packagePair) {
	names := differing(p, p.old.Embedded, p.new.Embedded)
	for _, v := range p.b.order {
		var text string
		var contents []string
		for _, pattern := range v.embeds {
			pattern = strings.Trim(strings.TrimPrefix(pattern, "all:"), "\"`")
			for _, name := range names {
				// a pattern may match a parent folder
				for at := name; at != "."; at = path.Dir(at) {
					if ok, _ := path.Match(pattern, at); ok {
						contents = append(contents, readText(p.old.Dir, name), readText(p.new.Dir, name))
						text += name + "\n"
						break
					}
				}
			}
		}
		if o := p.a.values[v.name]; o != nil && !slices.Equal(o.embeds, v.embeds) {
			text += "-//go:embed " + strings.Join(o.embeds, " ") + "\n+//go:embed " + strings.Join(v.embeds, " ") + "\n"
		}
		if text != "" {
			c.edit(&edit{kind: Embedded, ref: p.b.key + "." + v.name, pkg: p.new.Path, name: v.name, text: text, key: text + digest(contents...),
				at: p.b.place(v.pos, token.NoPos), old: c.oldPlace(p.b, v.name)})
		}
	}
}

var assemblyText = lazyregexp.New(`(?m)^\s*TEXT\s+([^\s(<,]*)·([A-Za-z0-9_]+)`)

// native finds functions with changed bodies in assembly files, and calls of C in packages with
// changed C files.
func (c *comparison) native(p packagePair) {
	names := differing(p, p.old.Native, p.new.Native)
	for _, name := range names {
		old, new := readText(p.old.Dir, name), readText(p.new.Dir, name)
		if strings.EqualFold(filepath.Ext(name), ".s") {
			for _, fn := range changedAssembly(old, new) {
				c.nativeEdit(p, fn, name, old, new)
			}
			continue
		}
		// a header for assembly
		if !slices.ContainsFunc(p.b.files, func(f *sourceFile) bool { return f.imports["C"] != "" }) {
			for _, f := range p.b.funcs {
				if f.decl.Body == nil {
					c.nativeEdit(p, f.id, name, old, new)
				}
			}
			continue
		}
		c.calledC(p, name, old, new)
	}
}

func readText(dir, name string) string {
	data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	return string(data)
}

// nativeEdit records that a function without a Go body changed.
func (c *comparison) nativeEdit(p packagePair, fn, file, old, new string) {
	e := &edit{kind: Native, ref: p.b.key + "." + fn, pkg: p.new.Path, name: fn, text: fn + " in " + file + "\n", key: file + digest(uncommented(old), uncommented(new))}
	if f := p.b.byName[fn]; f != nil {
		e.at = p.b.place(f.decl.Pos(), token.NoPos)
	}
	if f := p.a.byName[fn]; f != nil {
		e.old = p.a.place(f.decl.Pos(), token.NoPos)
	}
	c.edit(e)
}

// changedAssembly returns the changed functions of an assembly file. If the part before the first
// function changed, it returns all.
func changedAssembly(old, new string) (names []string) {
	parts := func(text string) (head string, of map[string]string) {
		text = uncommented(text)
		of = map[string]string{}
		at := assemblyText().FindAllStringSubmatchIndex(text, -1)
		head = text
		for i, m := range at {
			if i == 0 {
				head = text[:m[0]]
			}
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			of[text[m[4]:m[5]]] = text[m[0]:end]
		}
		return head, of
	}
	headA, a := parts(old)
	headB, b := parts(new)
	for _, name := range sorted(b) {
		if a[name] != b[name] || headA != headB {
			names = append(names, name)
		}
	}
	for _, name := range sorted(a) {
		if _, ok := b[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

// uncommented returns C or assembly without comments, and with single blanks.
func uncommented(text string) string {
	var lines []string
	for _, l := range plainLines(text) {
		if l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// preamble finds calls of C in packages whose preamble of import "C" changed.
func (c *comparison) preamble(p packagePair) {
	of := func(s *source) string {
		var b strings.Builder
		for _, f := range s.files {
			b.WriteString(f.cgo)
		}
		return b.String()
	}
	old, new := of(p.a), of(p.b)
	if uncommented(old) != uncommented(new) {
		c.calledC(p, `the preamble of import "C"`, old, new)
	}
}

// calledC records changed C code: the names of C that Go code uses and that occur in changed lines,
// or all names if none occurs.
func (c *comparison) calledC(p packagePair, file, old, new string) {
	changed := map[string]bool{}
	x, y := plainLines(old), plainLines(new)
	pairs, _ := common(x, y)
	i, k := 0, 0
	for _, q := range append(pairs, [2]int{len(x), len(y)}) {
		for _, lines := range [][]string{x[i:q[0]], y[k:q[1]]} {
			for _, l := range lines {
				for _, name := range identifiers(l) {
					changed[name] = true
				}
			}
		}
		i, k = q[0]+1, q[1]+1
	}
	var used, named []string
	for _, f := range p.b.funcs {
		for _, a := range f.code().atoms {
			for _, w := range a.words {
				if name, ok := strings.CutPrefix(w.ref, "C."); ok && !slices.Contains(used, name) {
					used = append(used, name)
					if changed[name] {
						named = append(named, name)
					}
				}
			}
		}
	}
	if len(named) == 0 || !strings.HasPrefix(file, "the preamble") {
		named = used // a function that these call may have changed
	}
	slices.Sort(named)
	for _, name := range named {
		c.edit(&edit{kind: Native, ref: "C." + name, pkg: p.new.Path, name: "C." + name, text: "C." + name + " in " + file + "\n", key: file, hunk: digest(p.b.key, file, uncommented(old), uncommented(new))})
	}
}

// identifiers returns the names in a line of C.
func identifiers(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

// plainLines returns the lines of C or assembly, without comments and with single blanks.
func plainLines(text string) (lines []string) {
	inside := false
	for _, line := range strings.Split(text, "\n") {
		var b strings.Builder
		var quote byte
		for i := 0; i < len(line); i++ {
			two := line[i:min(i+2, len(line))]
			switch {
			case inside:
				if two == "*/" {
					inside = false
					i++
					b.WriteByte(' ')
				}
			case quote != 0:
				b.WriteByte(line[i])
				if line[i] == '\\' && i+1 < len(line) {
					i++
					b.WriteByte(line[i])
				} else if line[i] == quote {
					quote = 0
				}
			case two == "/*":
				inside = true
				i++
			case two == "//":
				i = len(line)
			default:
				if line[i] == '"' || line[i] == '\'' {
					quote = line[i]
				}
				b.WriteByte(line[i])
			}
		}
		lines = append(lines, strings.Join(strings.Fields(b.String()), " "))
	}
	return lines
}

// maxListed limits the names in a note.
const maxListed = 5

func listed(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:maxListed], ", ") + " and others"
}
