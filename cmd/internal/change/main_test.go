package change

import (
	"context"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"parallax/cmd/internal/flow"
)

// lay writes files. A line that begins and ends with -- names the next file.
func lay(t *testing.T, dir, text string) {
	t.Helper()
	name := ""
	var lines []string
	flush := func() {
		if name == "" {
			return
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if file, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(file, " --") {
			flush()
			name, lines = strings.TrimSuffix(file, " --"), nil
			continue
		}
		lines = append(lines, line)
	}
	flush()
}

// tree lists the packages of a module like Load, but without the go command and without the
// standard library.
func tree(t *testing.T, dir string) *Tree {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		lay(t, dir, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n")
	}
	out := &Tree{Root: dir, Go: "go1.26"}
	type mod struct {
		path, dir, version, language string
		main                         bool
	}
	read := func(dir string) *modfile.File {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := modfile.Parse("go.mod", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	language := func(f *modfile.File) string {
		if f.Go == nil {
			return ""
		}
		return f.Go.Version
	}
	f := read(dir)
	mods := []mod{{f.Module.Mod.Path, dir, "", language(f), true}}
	for _, r := range f.Replace { // dependencies of tests are folders, with versions in their names
		_, version, _ := strings.Cut(filepath.Base(r.New.Path), "@")
		at := filepath.Join(dir, r.New.Path)
		mods = append(mods, mod{r.Old.Path, at, version, language(read(at)), false})
	}
	for _, m := range mods {
		filepath.WalkDir(m.dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if name := d.Name(); name == "testdata" || name == "deps" && m.main {
				return filepath.SkipDir
			}
			p, err := build.ImportDir(path, 0)
			if err != nil && p.Name == "" {
				return nil
			}
			q := listedPackage{ImportPath: m.path, Name: p.Name, Dir: path, GoFiles: p.GoFiles, CgoFiles: p.CgoFiles, IgnoredGoFiles: p.IgnoredGoFiles,
				CFiles: p.CFiles, HFiles: p.HFiles, SFiles: p.SFiles, TestGoFiles: p.TestGoFiles, XTestGoFiles: p.XTestGoFiles, Imports: p.Imports}
			if rel := below(m.dir, path); rel != "." {
				q.ImportPath += "/" + rel
			}
			for _, pattern := range p.EmbedPatterns {
				found, _ := filepath.Glob(filepath.Join(path, pattern))
				for _, name := range found {
					q.EmbedFiles = append(q.EmbedFiles, below(path, name))
				}
			}
			q.Module = &listedModule{Path: m.path, Version: m.version, GoVersion: m.language, Main: m.main}
			out.Packages = append(out.Packages, q.converted(""))
			return nil
		})
	}
	return out
}

// differ compares two versions. Files below old/ and new/ are added to the common files.
func differ(t *testing.T, text string) (*Result, *Tree) {
	t.Helper()
	root := t.TempDir()
	lay(t, root, text)
	both := filepath.Join(root, "both")
	for _, side := range []string{"old", "new"} {
		dir := filepath.Join(root, side)
		os.MkdirAll(dir, 0o755)
		if _, err := os.Stat(both); err == nil {
			filepath.WalkDir(both, func(path string, d os.DirEntry, _ error) error {
				rel, _ := filepath.Rel(both, path)
				to := filepath.Join(dir, rel)
				if d.IsDir() {
					return os.MkdirAll(to, 0o755)
				}
				data, err := os.ReadFile(path)
				if err == nil {
					err = os.WriteFile(to, data, 0o644)
				}
				return err
			})
		}
	}
	old, new := tree(t, filepath.Join(root, "old")), tree(t, filepath.Join(root, "new"))
	r, err := Compare(context.Background(), old, new)
	if err != nil {
		t.Fatal(err)
	}
	return r, new
}

// shown renders a point for tests: kind, function, and the blocks, each by its kind and its first
// line of code.
func shown(t *Tree, p Point) string {
	var table *flow.Table
	for _, q := range t.Packages {
		if q.Path == p.Package {
			table = q.Table
		}
	}
	var blocks []string
	for _, id := range p.Blocks {
		b := table.Blocks[id]
		line := ""
		if data, err := os.ReadFile(b.File); err == nil {
			lines := strings.Split(string(data), "\n")
			line = strings.TrimSpace(lines[b.Line-1])
		}
		blocks = append(blocks, fmt.Sprintf("%s %q", b.Kind, line))
	}
	return fmt.Sprintf("%s %s: %s", p.Kind, p.Function, strings.Join(blocks, ", "))
}

// expect compares the points, in any order, and searches for parts of notes.
func expect(t *testing.T, r *Result, tree *Tree, want []string, notes []string) {
	t.Helper()
	var got []string
	for _, p := range r.Points {
		got = append(got, shown(tree, p))
		if p.ID == "" || p.Hunk == "" || p.Line == 0 || p.File == "" || p.Text == "" || len(p.Blocks) == 0 {
			t.Errorf("a point lacks something: %+v", p)
		}
	}
	slices.Sort(got)
	want = slices.Clone(want)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("points are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		for _, p := range r.Points {
			t.Logf("%s %s:\n%s", p.Kind, p.Function, p.Text)
		}
	}
	for _, part := range notes {
		if !slices.ContainsFunc(r.Notes, func(n Note) bool { return strings.Contains(n.Kind+": "+n.Text, part) }) {
			t.Errorf("no note says %q: %q", part, r.Notes)
		}
	}
}

// loaded lists packages with the go command.
func loaded(t *testing.T, o Options) *Tree {
	t.Helper()
	tree, err := Load(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
