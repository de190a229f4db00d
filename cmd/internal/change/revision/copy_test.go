package revision

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listOf lists the files of a folder with their contents.
func listOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, name)
		switch info, _ := d.Info(); {
		case d.IsDir():
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(name)
			list = append(list, rel+" -> "+to)
		case info.Mode()&0o100 != 0:
			list = append(list, rel+" * "+text(t, name))
		default:
			list = append(list, rel+" "+text(t, name))
		}
		return nil
	})
	slices.Sort(list)
	return list
}

// TestSource checks that a work tree is copied unchanged, without ignored files, and does not
// change itself.
func TestSource(t *testing.T) {
	r := newRepo(t)
	sub := newRepo(t)
	sub.commit("s.c", "sub\n")
	r.write(".gitignore", "*.o\nout/\n", "kept.o", "forced", "a.c", "1\n", "gone.c", "x", "dir/b.c", "b\n", "run.sh", "#!/bin/sh\n")
	os.Chmod(filepath.Join(r.dir, "run.sh"), 0o755)
	for name, to := range map[string]string{"in": "dir", "dir/up": "../../shared/data", "abs": filepath.Join(r.dir, "dir")} {
		if err := os.Symlink(to, filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r.git("add", "-f", "kept.o")
	r.git("submodule", "--quiet", "add", sub.dir, "sub")
	r.commit()
	ran := filepath.Join(t.TempDir(), "ran")
	r.git("config", "filter.x.smudge", "touch "+ran+"; cat")
	r.git("config", "filter.x.clean", "touch "+ran+"; cat")
	r.git("config", "core.fsmonitor", "touch "+ran)
	r.write(".gitattributes", "*.c filter=x\n", "a.c", "2\n", "new.c", "new\n", "a.o", "product", "out/c.c", "product", ".parallax/x/y", "campaign", "sub/more.c", "more\n")
	os.Remove(filepath.Join(r.dir, "gone.c"))
	os.Remove(ran)
	p := resolved(t, Request{Dir: r.dir, Base: "HEAD"})
	before := stateOf(r.dir)
	head, err := p.Head.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "copy")
	if err := head.CopyTo(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	want := []string{".gitattributes *.c filter=x\n", ".gitignore *.o\nout/\n", ".gitmodules " + text(t, r.dir, ".gitmodules"), "a.c 2\n", "abs -> dir", "dir/b.c b\n",
		"dir/up -> " + filepath.Join(filepath.Dir(r.dir), "shared/data"), "in -> dir", "kept.o forced", "new.c new\n", "run.sh * #!/bin/sh\n", "sub/more.c more\n", "sub/s.c sub\n"}
	if got := listOf(t, to); !slices.Equal(got, want) {
		t.Errorf("the copy has\n%q, want\n%q", got, want)
	}
	if stateOf(r.dir) != before {
		t.Error("the work tree has changed")
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a filter ran")
	}
	base, err := p.Base.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if base.Digest == head.Digest {
		t.Error("two versions have one digest")
	}
	from := filepath.Join(t.TempDir(), "copy")
	if err := base.CopyTo(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	if got := listOf(t, from); slices.Contains(got, "new.c new\n") || !slices.Contains(got, "gone.c x") || !slices.Contains(got, "a.c 1\n") {
		t.Errorf("the copy of the base has %q", got)
	}

	// After a commit, the version is the same.
	r.git("-C", "sub", "add", "-A")
	r.git("-C", "sub", "commit", "-q", "-m", "more")
	r.git("config", "--unset", "core.fsmonitor")
	r.git("config", "--remove-section", "filter.x")
	r.commit()
	committed := resolved(t, Request{Dir: r.dir, Base: "HEAD~1", Head: "HEAD"})
	again, err := committed.Head.Source(t.Context())
	if err != nil || again.Digest != head.Digest {
		t.Errorf("after a commit the digest is another one, %v", err)
	}
	r.write("a.c", "3\n")
	if err := head.CopyTo(t.Context(), filepath.Join(t.TempDir(), "late")); err == nil || !strings.Contains(err.Error(), "a.c has changed while it was copied") {
		t.Errorf("a file that changed is copied: %v", err)
	}
}

// TestCopiesKeepPermissions checks that a copy has the readers of the original, and that its owner
// may write it.
func TestCopiesKeepPermissions(t *testing.T) {
	r := newRepo(t)
	r.commit("a.c", "1\n", "run.sh", "#!/bin/sh\n", "private/b.c", "b\n")
	r.write("secret", "key", "private/more/c.c", "c\n", "fixed", "f")
	want := map[string]fs.FileMode{"a.c": 0o644, "run.sh": 0o750, "secret": 0o600, "private": 0o700, "private/b.c": 0o640, "private/more": 0o750, "private/more/c.c": 0o600, "fixed": 0o600}
	for name, mode := range want {
		if name == "fixed" {
			mode = 0o400
		}
		if err := os.Chmod(filepath.Join(r.dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	s, err := resolved(t, Request{Dir: r.dir, Base: "HEAD"}).Head.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	work, tree := filepath.Join(t.TempDir(), "copy"), filepath.Join(t.TempDir(), "copy")
	if err := s.CopyTo(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	if err := copyTree(r.dir, tree, func(rel string, d fs.DirEntry) bool { return rel == ".git" }); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{work, tree} {
		for name, mode := range want {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, want %v, %v", name, info.Mode(), mode, err)
			}
		}
	}
}
