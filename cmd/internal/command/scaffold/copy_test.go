package scaffold

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"parallax"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/library"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
)

// edit changes a file.
func edit(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s: %v, or no %q", path, err, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// older turns a copy into that of an earlier library, as `parallax init` would have written it.
func older(t *testing.T, folder string) {
	t.Helper()
	driver := filepath.Join(folder, "driver.go")
	edit(t, driver, fmt.Sprintf("const Version = %d\n", parallax.Version), fmt.Sprintf("const Version = %d\n", parallax.Version-1))
	write(t, folder, map[string]string{"gone.go": "package parallax\n"})
	for _, name := range []string{"driver.go", "gone.go", "doc.go"} {
		path := filepath.Join(folder, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, rest, ok := strings.Cut(string(text), "DO NOT EDIT.\n\n"); ok {
			text = []byte(rest)
		}
		marked := strings.Replace(string(library.Mark(text)), fmt.Sprintf("version %d of", parallax.Version), fmt.Sprintf("version %d of", parallax.Version-1), 1)
		write(t, folder, map[string]string{name: marked})
	}
}

func TestMain(m *testing.M) { os.Exit(moduletest.WithScratch(m, "scaffold")) }

func newModule(t *testing.T) (dir, folder string) {
	t.Helper()
	dir = moduletest.Dir(t)
	write(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "m.go": "package m\n"})
	return dir, filepath.Join(dir, "internal", "parallax")
}

// initialized runs init without functions and checks its result.
func initialized(t *testing.T, o Options, want string) {
	t.Helper()
	r, err := Init(context.Background(), o)
	if err != nil || !strings.Contains(strings.Join(append(r.Done, r.Notes...), "\n"), want) {
		t.Errorf("%+v, %v; want %q", r, err, want)
	}
}

// refused runs init and checks its error.
func refused(t *testing.T, o Options, want string) {
	t.Helper()
	if _, err := Init(context.Background(), o); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
}

func TestCopyIsBroughtUpToDate(t *testing.T) {
	dir, folder := newModule(t)
	o := Options{Dir: dir}
	initialized(t, o, "wrote a copy of the library to internal/parallax\nimport \"example.com/m/internal/parallax\" for parallax.Diff, and \"example.com/m/internal/parallax/gen\" for generators")
	if err := library.Check("example.com/m/internal/parallax", folder); err != nil {
		t.Errorf("a fresh copy: %v", err)
	}
	initialized(t, o, "is up to date")

	older(t, folder)
	write(t, folder, map[string]string{"BUILD.bazel": "rules", "repair/OWNERS": "me"})
	if err := library.Check("", folder); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "parallax init") {
		t.Errorf("an old copy: %v", err)
	}
	initialized(t, o, fmt.Sprintf("updated the copy of the library in internal/parallax from version %d to %d", parallax.Version-1, parallax.Version))
	if isFile(filepath.Join(folder, "gone.go")) {
		t.Error("a file of the old version is left")
	}
	for name, want := range map[string]string{"BUILD.bazel": "rules", "repair/OWNERS": "me"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	initialized(t, o, "is up to date")

	// Line ends that version control changed do not count, nor does another path of the module.
	for _, name := range []string{"driver.go", "parallax.go"} {
		path := filepath.Join(folder, name)
		text, _ := os.ReadFile(path)
		write(t, folder, map[string]string{name: strings.ReplaceAll(string(text), "\n", "\r\n")})
	}
	initialized(t, o, "is up to date")
	edit(t, filepath.Join(dir, "go.mod"), "example.com/m", "example.com/renamed")
	initialized(t, o, "updated the copy of the library in internal/parallax (")

	// A missing file is restored.
	if err := os.Remove(filepath.Join(folder, "driver.go")); err != nil {
		t.Fatal(err)
	}
	initialized(t, o, "(1 file)")
	entries, err := os.ReadDir(filepath.Dir(folder))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the copy: %v, %v", entries, err)
	}
}

func TestChangedCopyIsNotOverwritten(t *testing.T) {
	dir, folder := newModule(t)
	o := Options{Dir: dir}
	initialized(t, o, "wrote")
	edit(t, filepath.Join(folder, "difference.go"), "maxValue    = 300", "maxValue    = 999")
	write(t, folder, map[string]string{"mine.go": "package parallax\n"})
	refused(t, o, "was changed after parallax init made it (difference.go, mine.go), and is not overwritten")
	r, err := Init(context.Background(), Options{Dir: dir, Functions: []string{"strings.ToUpper", "strings.ToLower"}})
	if err != nil || len(r.Notes) != 1 || strings.Contains(strings.Join(r.Done, "\n"), "library") || !strings.Contains(r.Notes[0], "difference.go, mine.go") || !isFile(filepath.Join(dir, "to_upper_parallax_test.go")) {
		t.Errorf("a test beside a changed copy: %+v, %v", r, err)
	}
	text, _ := os.ReadFile(filepath.Join(folder, "difference.go"))
	if !strings.Contains(string(text), "= 999") {
		t.Error("the change is gone")
	}
	older(t, folder)
	refused(t, Options{Dir: dir, Functions: []string{"strings.Trim", "strings.TrimLeft"}}, "is not overwritten")

	edit(t, filepath.Join(folder, "driver.go"), fmt.Sprintf("const Version = %d\n", parallax.Version-1), fmt.Sprintf("const Version = %d\n", parallax.Version+1))
	edit(t, filepath.Join(folder, "driver.go"), fmt.Sprintf("version %d of", parallax.Version-1), fmt.Sprintf("version %d of", parallax.Version+1))
	refused(t, o, "install the parallax that made it, or a later one")
}

func TestPlaces(t *testing.T) {
	dir, _ := newModule(t)
	write(t, dir, map[string]string{
		"nested/go.mod":         "module example.com/nested\n\ngo 1.22\n",
		"nested/n.go":           "package nested\n",
		"sub/internal/in.go":    "package internal\n",
		"p/p.go":                "package p\n",
		"taken/parallax/x.txt":  "mine",
		"file/parallax":         "",
		"empty/parallax/e/e.md": "",
	})
	if err := os.RemoveAll(filepath.Join(dir, "empty", "parallax", "e")); err != nil {
		t.Fatal(err)
	}
	two := []string{"strings.ToUpper", "strings.ToLower"}
	for library, want := range map[string]string{
		"lib":                    "--library lib/parallax",
		"../outside/parallax":    "is not below",
		"nested/parallax":        "belongs to another module, that of nested/go.mod",
		"testdata/parallax":      "in folders named testdata",
		"vendor/parallax":        "in folders named vendor",
		"_x/parallax":            "in folders named _x",
		"a b/parallax":           "the library cannot be in a b/parallax",
		"taken/parallax":         "exists already and is not a copy of the library: choose another folder by --library",
		"file/parallax":          "is not a folder",
		"sub/internal/parallax":  "package example.com/m/p cannot import the library at example.com/m/sub/internal/parallax",
		"nested/sub/../parallax": "belongs to another module",
	} {
		refused(t, Options{Dir: dir, Package: "p", Functions: two, Library: library}, want)
	}
	initialized(t, Options{Dir: dir, Library: "empty/parallax"}, "wrote a copy of the library to empty/parallax")
	initialized(t, Options{Dir: dir}, "the copy of the library in empty/parallax is up to date")
	initialized(t, Options{Dir: dir, Library: "sub/internal/parallax"}, "wrote a copy of the library to sub/internal/parallax")
	initialized(t, Options{Dir: dir, Package: "p", Functions: two}, "the copy of the library in empty/parallax is up to date")
	refused(t, Options{Dir: dir}, "several copies of the library: choose one by --library\n\tempty/parallax\n\tsub/internal/parallax")
	initialized(t, Options{Dir: filepath.Join(dir, "nested")}, "wrote a copy of the library to internal/parallax")
	text, err := os.ReadFile(filepath.Join(dir, "p", "to_upper_parallax_test.go"))
	if err != nil || !strings.Contains(string(text), "\t\"example.com/m/empty/parallax\"\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestLinkIsNotFollowed checks that init does not write through a link, which may lead to files of
// others.
func TestLinkIsNotFollowed(t *testing.T) {
	dir, folder := newModule(t)
	initialized(t, Options{Dir: dir, Library: "lib/parallax"}, "wrote")
	if err := errors.Join(os.Mkdir(filepath.Dir(folder), 0o777), os.Symlink(filepath.Join(dir, "lib", "parallax"), folder)); err != nil {
		t.Fatal(err)
	}
	refused(t, Options{Dir: dir}, "internal/parallax is not a folder, and the library goes there")
}

// TestModuleOfThatName checks a user's module with the name parallax, which can have a package of
// that name that is not the library.
func TestModuleOfThatName(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := moduletest.Dir(t)
	write(t, dir, map[string]string{
		"go.mod":      "module parallax\n\ngo 1.22\n",
		"p.go":        "package parallax\n\nimport \"strings\"\n\nfunc Upper(s string) string { return strings.ToUpper(s) }\n",
		"own_test.go": "package parallax_test\n\nimport (\n\t\"testing\"\n\n\t\"parallax\"\n)\n\nfunc TestOwn(t *testing.T) { parallax.Upper(\"\") }\n",
	})
	initialized(t, Options{Dir: dir, Functions: []string{".Upper", "strings.ToUpper"}, Name: "FuzzUpper"}, "wrote a copy of the library to internal/parallax")
	goes(t, dir, "test", "-vet=all", "-ldflags=-w", "./...")
	if text, _ := os.ReadFile(filepath.Join(dir, "own_test.go")); !strings.Contains(string(text), "\t\"parallax\"\n") {
		t.Errorf("own_test.go was changed:\n%s", text)
	}
}

// dying stops between two changes of the disk.
type dying struct{ *faultfs.FS }

func (d dying) Exchange(a, b string) error {
	if err := d.Remove(a + ".none"); !errors.Is(err, fs.ErrNotExist) { // counts as a change
		return err
	}
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// plain has no exchange, like some file systems.
type plain struct{ *faultfs.FS }

func (plain) Exchange(a, b string) error { return unix.EINVAL }

// image has folders that cannot be renamed, like those of a container's image.
type image struct {
	plain
	folder string
}

func (i image) Rename(from, to string) error {
	if from == i.folder {
		return unix.EXDEV
	}
	return i.plain.Rename(from, to)
}

func TestFolderThatCannotBeRenamed(t *testing.T) {
	dir := outdated(t)
	folder := filepath.Join(dir, "internal", "parallax")
	initialized(t, Options{Dir: dir, disk: image{plain{faultfs.New(atomicfile.OS)}, folder}}, "updated the copy")
	if got := state(t, dir); got != "new" {
		t.Error(got)
	}
	initialized(t, Options{Dir: dir}, "is up to date")
	if entries, _ := os.ReadDir(filepath.Dir(folder)); len(entries) != 1 {
		t.Errorf("beside the copy: %v", entries)
	}
}

// outdated makes a module with an old copy, which holds a file of the user.
func outdated(t *testing.T) string {
	dir, folder := newModule(t)
	initialized(t, Options{Dir: dir}, "wrote")
	older(t, folder)
	write(t, folder, map[string]string{"BUILD": "rules"})
	return dir
}

// state describes the copy: "old", "new", "none" or "half: ...".
func state(t *testing.T, dir string) string {
	t.Helper()
	folder := filepath.Join(dir, "internal", "parallax")
	v, err := library.Version(folder)
	kept, made, _ := library.Open(folder)
	files, _ := Files("example.com/m/internal/parallax")
	switch {
	case err != nil || !made:
		return "none"
	case v == parallax.Version && len(kept.Files) == len(files) && strings.Join(kept.Others, "") == "BUILD":
		return "new"
	case v == parallax.Version-1 && kept.Files["gone.go"] != nil && strings.Join(kept.Others, "") == "BUILD":
		return "old"
	}
	return fmt.Sprintf("half: %d, %d files, %s", v, len(kept.Files), kept.Others)
}

// TestKilled checks that a killed init leaves the old copy or the new one, and that the next init
// completes it.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command a hundred times")
	}
	before := os.DirFS(outdated(t))
	for _, exchanges := range []bool{true, false} {
		seen := map[string]bool{}
		options := func(faults *faultfs.FS) Options {
			o := Options{Dir: moduletest.Dir(t), disk: dying{faults}}
			if err := os.CopyFS(o.Dir, before); err != nil {
				t.Fatal(err)
			}
			if !exchanges {
				o.disk = plain{faults}
			}
			return o
		}
		whole := faultfs.New(atomicfile.OS)
		if _, err := Init(context.Background(), options(whole)); err != nil {
			t.Fatal(err)
		}
		for n := range whole.Changes() {
			if n%10 != 0 && n < whole.Changes()-20 {
				continue // between similar files of the new copy
			}
			faults := faultfs.New(atomicfile.OS).CrashAfter(n)
			o := options(faults)
			dir := o.Dir
			Init(context.Background(), o)
			if !faults.Crashed() {
				t.Errorf("there are fewer than %d changes", n)
			}
			got := state(t, dir)
			seen[got] = true
			if strings.HasPrefix(got, "half") || exchanges && strings.HasPrefix(got, "none") {
				t.Errorf("killed after %d changes: %s", n, got)
			}
			if _, err := Init(context.Background(), Options{Dir: dir}); err != nil {
				t.Errorf("another init after %d changes: %v", n, err)
			}
			if got := state(t, dir); got != "new" {
				t.Errorf("after another init, %d changes: %s", n, got)
			}
			if entries, _ := os.ReadDir(filepath.Join(dir, "internal")); len(entries) != 1 {
				t.Errorf("after another init, %d changes, there is %v", n, entries)
			}
		}
		want := []string{"new", "old"}
		if !exchanges {
			want = []string{"new", "none", "old"}
		}
		var got []string
		for s := range seen {
			got = append(got, s)
		}
		if sort.Strings(got); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("states:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestCannotBeWritten checks that an unwritable tree and a full disk leave all files unchanged, and
// are reported.
func TestCannotBeWritten(t *testing.T) {
	dir := outdated(t)
	before := state(t, dir)
	for name, faults := range map[string]*faultfs.FS{
		"read-only file system": faultfs.New(atomicfile.OS).ReadOnly(true),
		"disk full":             faultfs.New(atomicfile.OS).Full(10000),
	} {
		_, err := Init(context.Background(), Options{Dir: dir, disk: dying{faults}})
		if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "the library cannot be written to internal/parallax: ") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if got := state(t, dir); got != before {
			t.Errorf("%s: %s, before %s", name, got, before)
		}
	}
}

// TestChosenLibraryStays checks that a library that the user has from elsewhere stays, and so do
// the lines of go.mod.
func TestChosenLibraryStays(t *testing.T) {
	_, folder := newModule(t)
	initialized(t, Options{Dir: filepath.Dir(filepath.Dir(folder))}, "wrote")
	dir, _ := newModule(t)
	mod := "module example.com/m\n\ngo 1.22\n\nrequire parallax v0.0.0\n\nreplace parallax => " + folder + "\n"
	write(t, dir, map[string]string{"go.mod": mod, "a_test.go": "package m\n\nimport _ \"parallax\"\n"})
	write(t, folder, map[string]string{"go.mod": "module parallax\n\ngo 1.22\n"})
	initialized(t, Options{Dir: dir}, "is not a copy made by parallax init, and is left unchanged")
	refused(t, Options{Dir: dir, Library: "x/parallax"}, "leave --library out, or remove that line first")
	older(t, folder)
	refused(t, Options{Dir: dir}, "update it with")
	if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); string(text) != mod || isFolder(filepath.Join(dir, "internal")) {
		t.Errorf("the module was changed:\n%s", text)
	}
}
