package revision

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// TestChoose checks the commits of the versions, for the user's flags and the state of the work
// tree.
func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		name       string
		make       func(r *repo)
		base, head string // as the user writes them
		want       string // revision of the base, or a part of the error
		wantHead   string // revision of the head; empty means the work tree
	}{
		{"a branch", func(r *repo) { r.git("checkout", "-q", "-b", "topic", "main~1"); r.commit("c", "3") }, "", "", "main~1", ""},
		{"a branch without commits of its own", func(r *repo) { r.git("checkout", "-q", "-b", "topic") }, "", "", "main~1", ""},
		{"the same with changes", func(r *repo) { r.git("checkout", "-q", "-b", "topic"); r.write("new.go", "") }, "", "", "main", ""},
		{"main, clean", func(r *repo) {}, "", "", "main~1", ""},
		{"main, changed", func(r *repo) { r.write("a", "changed") }, "", "", "main", ""},
		{"main, with a file that git does not know", func(r *repo) { r.write("new.go", "") }, "", "", "main", ""},
		{"main, with a report", func(r *repo) { r.write("parallax.sarif", "{}", "sub/notes.txt", "") }, "", "", "main~1", ""},
		{"main, with an ignored file", func(r *repo) { r.write("x.log", ""); r.write(".git/info/exclude", "*.log\n") }, "", "", "main~1", ""},
		{"main, with a campaign's folder", func(r *repo) { r.write("sub/.parallax/x/campaign.json", "") }, "", "", "main~1", ""},
		{"main, with accepted differences", func(r *repo) { r.write("sub/parallax-accepted.toml", "version = 1\n") }, "", "", "main~1", ""},
		{"detached", func(r *repo) { r.git("checkout", "-q", "--detach", "main~1"); r.commit("c", "3") }, "", "", "main~1", ""},
		{"detached at main", func(r *repo) { r.git("checkout", "-q", "--detach") }, "", "", "main~1", ""},
		{"a merge on main", func(r *repo) {
			r.git("checkout", "-q", "-b", "topic", "main~1")
			r.commit("c", "3")
			r.git("checkout", "-q", "main")
			r.git("merge", "-q", "--no-ff", "topic")
		}, "", "", "main^1", ""},
		{"master", func(r *repo) {
			r.git("branch", "-m", "main", "master")
			r.git("checkout", "-q", "-b", "topic", "master~1")
			r.commit("c", "3")
		}, "", "", "master~1", ""},
		{"another main branch", func(r *repo) {
			r.git("update-ref", "refs/remotes/origin/trunk", "main~1")
			r.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
		}, "", "", "main~1", ""},
		{"that of origin alone", func(r *repo) {
			r.git("update-ref", "refs/remotes/origin/main", "main~1")
			r.git("branch", "-m", "main", "topic")
		}, "", "", "topic~1", ""},
		{"no main branch", func(r *repo) { r.git("branch", "-m", "main", "topic") }, "", "", "with --base", ""},
		{"written", func(r *repo) { r.git("tag", "v1", "main~1") }, "v1", "", "main~1", ""},
		{"both written", func(r *repo) {}, "HEAD~1", "main", "main~1", "main"},
		{"head alone", func(r *repo) {
			r.git("checkout", "-q", "-b", "topic", "main~1")
			r.commit("c", "3")
			r.git("checkout", "-q", "main")
		}, "", "topic", "main~1", "topic"},
		{"head is main", func(r *repo) { r.write("a", "changed") }, "", "main", "main~1", "main"},
		{"the same", func(r *repo) {}, "main", "main", "the same commit", ""},
		{"latest commit against the work tree", func(r *repo) {}, "HEAD", "", "main", ""},
		{"unknown", func(r *repo) {}, "none", "", "--base none: the repository", ""},
		{"unknown head", func(r *repo) {}, "main", "none", "--head none: the repository", ""},
		{"an option", func(r *repo) {}, "--all", "", "is not a revision", ""},
		{"nothing in common", func(r *repo) { r.git("checkout", "-q", "--orphan", "other"); r.commit("z", "1") }, "", "", "no commit in common", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.commit("a", "1")
			r.commit("b", "2")
			tt.make(r)
			before := stateOf(r.dir)
			p, err := Resolve(context.Background(), Request{Dir: r.dir, Base: tt.base, Head: tt.head})
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) || exit.Code(err) != exit.UsageCode {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			defer p.Close()
			if want := r.git("rev-parse", "--verify", tt.want); p.Base.Commit != want {
				t.Errorf("the base is %s %q, want %s; %q", p.Base.Short, p.Base.Subject, want, p.Notes)
			}
			rev := tt.wantHead
			if rev == "" {
				rev = "HEAD"
			}
			if want := r.git("rev-parse", "--verify", rev); p.Head.Commit != want || p.Head.WorkTree != (tt.wantHead == "") {
				t.Errorf("the head is %+v, want %s", p.Head, want)
			}
			if after := stateOf(r.dir); after != before {
				t.Errorf("the repository was changed:\n%s\nwas\n%s", after, before)
			}
		})
	}
}

func TestNoVersions(t *testing.T) {
	r := newRepo(t)
	ctx := context.Background()
	fails := func(q Request, parts ...string) {
		t.Helper()
		p, err := Resolve(ctx, q)
		if err == nil {
			p.Close()
			t.Errorf("%+v resolves to %+v", q, p)
			return
		}
		for _, part := range parts {
			if !strings.Contains(err.Error(), part) || exit.Code(err) != exit.UsageCode {
				t.Errorf("%+v: %v, want %s", q, err, part)
			}
		}
	}
	fails(Request{Dir: t.TempDir()}, "not in a git repository", "MODULE@v1.2.0")
	fails(Request{Dir: filepath.Join(r.dir, "none")}, "no such folder")
	fails(Request{Dir: r.dir}, "has no commit yet")
	r.commit("a", "1")
	fails(Request{Dir: r.dir}, "is the only commit")
	r.commit("a", "2")
	bare := filepath.Join(t.TempDir(), "bare")
	r.git("clone", "-q", "--bare", ".", bare)
	fails(Request{Dir: bare}, "bare repository", "--head")
	if p, err := Resolve(ctx, Request{Dir: bare, Head: "main"}); err != nil || p.Base.Commit != r.git("rev-parse", "main~1") {
		t.Errorf("a bare repository: %+v, %v", p, err)
	}
	for _, q := range []Request{{}, {Base: "main~1"}} {
		shallow := filepath.Join(t.TempDir(), "shallow")
		r.git("clone", "-q", "--depth", "1", "file://"+r.dir, shallow)
		q.Dir = shallow
		fails(q, "is shallow", "git fetch --unshallow --tags", "fetch-depth: 0")
	}
	fails(Request{Modules: [2]string{"example.com/a@v1.0.0", "example.com/b@v1.0.0"}}, "two modules")
	fails(Request{Modules: [2]string{"example.com/a", "example.com/a@v1.0.0"}}, "MODULE@VERSION")
	fails(Request{Modules: [2]string{"example.com/a@v1.0.0", "example.com/a@v1.1.0"}, Base: "x"}, "do not go with")
	t.Setenv("PATH", "")
	fails(Request{Dir: r.dir}, "no git command", "install git")
}

// TestUntracked checks which untracked files belong to a version.
func TestUntracked(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go":      "package a\n\n//go:embed all:page \"x*.html\"\nvar f embed.FS\n",
		"a/a_test.go": "package a\n\nfunc TestA(t *testing.T) {}\n",
		"b/b_test.go": "package b\n\nfunc FuzzB(f *testing.F) {}\n",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o777)
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	reports := "parallax.sarif parallax.xml out/parallax.md summary.json notes.txt a.out log core a.orig .tools/ "
	for _, tt := range []struct {
		native   bool
		yes, not string
	}{
		{false, "x.go a/x_test.go go.mod sub/go.sum go.work vendor/modules.txt a/x.s a/x.c a/x.h a/page/in/_x a/x1.html",
			reports + "b/testdata/fuzz/FuzzB/1 b/testdata/x.json Makefile x.py .tools/x.go _old/x.go modules.txt a/testdata/x testdata/x a/in/x1.html b/x1.html"},
		{true, "x.c sub/x.hpp Makefile sub/CMakeLists.txt configure.ac config.h.in x.mk parallax.toml meson.build gen.py", reports + "b/testdata/fuzz/FuzzB/1 x.go seeds/1 x.o other.toml"},
	} {
		u := &untracked{top: top, native: tt.native, folders: map[string]goFolder{}}
		for _, name := range strings.Fields(tt.yes) {
			if !u.builds(name) {
				t.Errorf("native %t: %s does not count", tt.native, name)
			}
		}
		for _, name := range strings.Fields(tt.not) {
			if u.builds(name) {
				t.Errorf("native %t: %s counts", tt.native, name)
			}
		}
	}
}

// TestChanges checks that test data, documents and hidden files of a Go project make no new
// version, so the base is the commit before. Only test data is reported.
func TestChanges(t *testing.T) {
	r := newRepo(t)
	const fuzz = "package p\n\nfunc FuzzP(f *testing.F) {}\n"
	r.commit("p/p_test.go", fuzz, "p/testdata/a", "1", "README.md", "1", ".github/x.yml", "1", "data.json", "1", "q/testdata/a", "1")
	r.commit("p/p.go", "package p\n")
	base := func() (string, string) {
		t.Helper()
		p := resolved(t, Request{Dir: r.dir})
		return p.Base.Commit, strings.Join(append(p.Notes, p.Head.Notes...), "\n")
	}
	before := r.git("rev-parse", "HEAD~1")
	r.write("p/testdata/a", "2", "q/testdata/a", "2", "p/testdata/fuzz/FuzzP/x", "go test fuzz v1\n", "q/testdata/b", "1", "README.md", "2", ".github/x.yml", "2", "notes.txt", "")
	at, notes := base()
	if at != before || strings.Contains(notes, "changes that are not committed") || !strings.Contains(notes, "Both versions read test data that is not committed: p/testdata/a, p/testdata/fuzz/FuzzP/x.") {
		t.Errorf("the base is %s: %s", at, notes)
	}
	latest := r.git("rev-parse", "HEAD")
	r.write("p/new.go", "package p\n", "data.json", "2")
	at, notes = base()
	if at != latest || !strings.Contains(notes, "not committed in data.json, p/new.go. Git does not know p/new.go.") {
		t.Errorf("the base is %s: %s", at, notes)
	}
}
