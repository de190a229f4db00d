package revision

import (
	"context"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/change/git"
)

// resolved resolves versions with the base at a revision and the work tree as the head.
func resolved(t *testing.T, q Request) *Pair {
	t.Helper()
	p, err := Resolve(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func text(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

func noted(t *testing.T, notes []string, part string) {
	t.Helper()
	if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, part) }) {
		t.Errorf("no note says %q: %q", part, notes)
	}
}

// TestFiles checks that files are written as committed: modes, links, names, without filters, hooks
// or attributes.
func TestFiles(t *testing.T) {
	r := newRepo(t)
	ran := filepath.Join(t.TempDir(), "ran")
	r.write(".gitattributes", "*.bin filter=lfs -text\n*.txt eol=crlf\nleft export-ignore\nleft export-subst\n",
		"x.bin", "version https://git-lfs.github.com/spec/v1\n", "a.txt", "1\n2\n", "left", "$Format:%H$\n", "run.sh", "#!/bin/sh\n", "sub/ö \"x\"", "")
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
		r.write(".git/hooks/"+hook, "#!/bin/sh\necho "+hook+" >> "+ran+"\n")
		os.Chmod(filepath.Join(r.dir, ".git/hooks", hook), 0o755)
	}
	os.Chmod(filepath.Join(r.dir, "run.sh"), 0o755)
	for name, to := range map[string]string{"in": "sub", "up": "../shared/data", "abs": "/etc/hosts", "own": filepath.Join(r.dir, "sub")} {
		if err := os.Symlink(to, filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r.commit()
	r.git("config", "filter.lfs.smudge", "touch "+ran+"; cat")
	r.git("config", "filter.lfs.clean", "touch "+ran+"; cat")
	r.git("config", "filter.lfs.required", "true")
	r.git("config", "core.fsmonitor", "touch "+ran)
	r.write("x.bin", "changed\n")
	os.Remove(ran)
	p := resolved(t, Request{Dir: r.dir, Base: "HEAD"})
	if _, err := os.Stat(ran); err == nil {
		t.Error("a hook or a filter ran")
	}
	dir := p.Base.Dir
	for name, want := range map[string]string{"x.bin": "version https://git-lfs.github.com/spec/v1\n", "a.txt": "1\n2\n", "left": "$Format:%H$\n", "sub/ö \"x\"": ""} {
		if got := text(t, dir, name); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"in": "sub", "up": filepath.Join(filepath.Dir(r.dir), "shared/data"), "abs": "/etc/hosts", "own": "sub"} {
		if got, err := os.Readlink(filepath.Join(dir, name)); got != want {
			t.Errorf("%s leads to %q, %v, want %q", name, got, err, want)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "run.sh")); err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("run.sh: %v, %v", info, err)
	}
	noted(t, p.Base.Notes, "filter for *.bin; eol for *.txt")
	noted(t, p.Base.Notes, "lead out of the repository, to what is there now: abs, up")
	noted(t, p.Head.Notes, "not committed in x.bin")

	// Cached files are used again unless they changed.
	list := filepath.Join(filepath.Dir(dir), listFile)
	before, _ := os.Stat(list)
	again := resolved(t, Request{Dir: filepath.Join(r.dir, "sub"), Base: "HEAD"})
	if after, _ := os.Stat(list); again.Base.Dir != dir || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the same commit was written again: %+v", again.Base)
	}
	if again.Base.Home != filepath.Join(dir, "sub") || again.Head.Home != filepath.Join(r.dir, "sub") {
		t.Errorf("homes are %s and %s", again.Base.Home, again.Head.Home)
	}
	noted(t, again.Base.Notes, "lead out of the repository")
	for _, change := range []func() error{
		func() error { return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("x"), 0o644) },
		func() error { return os.WriteFile(filepath.Join(dir, "more"), nil, 0o644) },
		func() error { return os.Remove(filepath.Join(dir, "in")) },
		func() error { return os.Remove(list) },
		func() error { return os.WriteFile(list, []byte("{"), 0o644) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		resolved(t, Request{Dir: r.dir, Base: "HEAD"})
		_, more := os.Stat(filepath.Join(dir, "more"))
		if _, err := os.Lstat(filepath.Join(dir, "in")); text(t, dir, "a.txt") != "1\n2\n" || more == nil || err != nil {
			t.Error("a changed folder was used again")
		}
	}
}

// TestWholeOrNothing checks that a failed write leaves nothing that looks like a version.
func TestWholeOrNothing(t *testing.T) {
	r := newRepo(t)
	commit := r.commit("a", "1", "b", "2")
	r.write("a", "2")
	blob := r.git("rev-parse", commit+":b")
	object := filepath.Join(r.dir, ".git/objects", blob[:2], blob[2:])
	if err := os.Rename(object, object+".away"); err != nil {
		t.Fatal(err)
	}
	q := Request{Dir: r.dir, Base: "HEAD"}
	if _, err := Resolve(context.Background(), q); err == nil || !strings.Contains(err.Error(), "is not in this clone") {
		t.Errorf("without one of the files: %v", err)
	}
	if err := os.Rename(object+".away", object); err != nil {
		t.Fatal(err)
	}
	p := resolved(t, q)
	if text(t, p.Base.Dir, "b") != "2" {
		t.Error("the file is missing")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Resolve(ctx, q); err == nil {
		t.Error("a canceled context is no error")
	}
}

// TestConcurrentResolve checks that several requests for one version at the same time all succeed.
func TestConcurrentResolve(t *testing.T) {
	r := newRepo(t)
	r.commit("a", "1", "b/c", "2")
	errs := make(chan error)
	for range 4 {
		go func() {
			p, err := Resolve(context.Background(), Request{Dir: r.dir, Base: "HEAD"})
			if err == nil {
				_, err = os.Stat(filepath.Join(p.Base.Dir, "b/c"))
				p.Close()
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestSubmodules(t *testing.T) {
	sub := newRepo(t)
	sub.commit("s.go", "package s\n")
	r := newRepo(t)
	r.git("submodule", "add", "-q", sub.dir, "deps/s")
	r.commit("a", "1")
	r.write("a", "2")
	if p := resolved(t, Request{Dir: r.dir, Base: "HEAD"}); text(t, p.Base.Dir, "deps/s/s.go") != "package s\n" || len(p.Base.Notes) > 0 {
		t.Errorf("a submodule that is here: %q", p.Base.Notes)
	}
	clone := &repo{t, filepath.Join(t.TempDir(), "clone")}
	r.git("clone", "-q", r.dir, clone.dir)
	p := resolved(t, Request{Dir: clone.dir, Base: "HEAD"})
	noted(t, p.Base.Notes, "left out that are not here at the commit that")
	noted(t, p.Base.Notes, "deps/s. `git submodule update")
}

func TestSparse(t *testing.T) {
	r := newRepo(t)
	r.commit("in/a", "1", "out/b", "2")
	r.git("sparse-checkout", "set", "--no-cone", "/in/")
	p := resolved(t, Request{Dir: r.dir, Base: "HEAD"})
	if _, err := os.Stat(filepath.Join(p.Base.Dir, "out")); err == nil {
		t.Error("the base has what the work tree leaves out")
	}
	noted(t, p.Base.Notes, "the 1 files that the work tree leaves out")
}

// TestModules checks that modules and folders outside of the repository keep their place, and that
// those inside come from the commit.
func TestModules(t *testing.T) {
	r := newRepo(t)
	beside := filepath.Dir(r.dir)
	module := func(dir, name, more string) {
		os.MkdirAll(dir, 0o755)
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+name+"\n\ngo 1.22\n"+more), 0o644)
		os.WriteFile(filepath.Join(dir, "x.go"), []byte("package x\n\nconst X = 1\n"), 0o644)
	}
	module(filepath.Join(beside, "far"), "example.com/far", "")
	module(filepath.Join(r.dir, "near"), "example.com/near", "")
	module(r.dir, "example.com/own", "\nrequire (\n\texample.com/far v0.0.0\n\texample.com/near v0.0.0\n)\n\nreplace example.com/near => ./near\n\nreplace (\n\texample.com/far v0.0.0 => ../far // kept\n)\n\ntool example.com/far/tool\n")
	r.write("y.go", "package x\n\nimport (\n\tfar \"example.com/far\"\n\tnear \"example.com/near\"\n)\n\nconst Y = far.X + near.X\n")
	r.commit("testdata/go.mod", "module no\n")
	r.write("near/x.go", "package x\n\nconst X = 2\n")
	p := resolved(t, Request{Dir: r.dir, Base: "HEAD"})
	if got := strings.Join(p.Base.Modules, " "); got != ". near" || got != strings.Join(p.Head.Modules, " ") {
		t.Errorf("modules %q and %q", got, p.Head.Modules)
	}
	noted(t, p.Base.Notes, "Modules outside of the repository are taken as they are now: example.com/far ("+filepath.Join(beside, "far")+")")
	if mod := text(t, p.Base.Dir, "go.mod"); !strings.Contains(mod, "=> "+filepath.Join(beside, "far")+" // kept") || !strings.Contains(mod, "=> ./near\n") || !strings.Contains(mod, "tool example.com/far/tool") {
		t.Errorf("go.mod is\n%s", mod)
	}
	folders := func(v Version) string {
		t.Helper()
		cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", ".")
		cmd.Dir, cmd.Env = v.Home, append(os.Environ(), v.Env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return strings.Join(strings.Fields(string(out)), " ")
	}
	if got, want := folders(p.Base), filepath.Join(beside, "far")+" "+filepath.Join(p.Base.Dir, "near")+" "+p.Base.Dir; got != want {
		t.Errorf("the base is built from %s, want %s", got, want)
	}

	// A workspace above the repository.
	os.WriteFile(filepath.Join(beside, "go.work"), []byte("go 1.24\n\nuse (\n\t./repo\n\t./repo/near\n\t./repo/new\n\t./far\n)\n"), 0o644)
	module(filepath.Join(r.dir, "new"), "example.com/new", "")
	p = resolved(t, Request{Dir: r.dir, Base: "HEAD"})
	if len(p.Base.Env) != 1 || !strings.HasPrefix(p.Base.Env[0], "GOWORK=/") {
		t.Fatalf("the environment of the base is %q", p.Base.Env)
	}
	work := text(t, strings.TrimPrefix(p.Base.Env[0], "GOWORK="))
	for _, dir := range []string{p.Base.Dir, filepath.Join(p.Base.Dir, "near"), filepath.Join(beside, "far")} {
		if !strings.Contains(work, "\t"+dir+"\n") {
			t.Errorf("go.work lacks %s:\n%s", dir, work)
		}
	}
	if strings.Contains(work, "new") {
		t.Errorf("go.work has a module that the base lacks:\n%s", work)
	}
	if got, want := folders(p.Base), filepath.Join(beside, "far")+" "+filepath.Join(p.Base.Dir, "near")+" "+p.Base.Dir; got != want {
		t.Errorf("the base is built from %s, want %s", got, want)
	}
	t.Setenv("GOWORK", "off")
	if p = resolved(t, Request{Dir: r.dir, Base: "HEAD"}); len(p.Base.Env) != 1 || p.Base.Env[0] != "GOWORK=off" {
		t.Errorf("the environment is %q where the user has no workspace", p.Base.Env)
	}
}

// TestVendor checks that paths in vendor/modules.txt match those in go.mod, which the go command
// compares.
func TestVendor(t *testing.T) {
	r := newRepo(t)
	far := &repo{t, filepath.Join(filepath.Dir(r.dir), "far")}
	far.write("go.mod", "module example.com/far\n\ngo 1.22\n", "x.go", "package far\n\nconst X = 1\n")
	r.write("go.mod", "module example.com/own\n\ngo 1.22\n\nrequire example.com/far v0.0.0\n\nreplace example.com/far => ../far\n",
		"y.go", "package own\n\nimport \"example.com/far\"\n\nconst Y = far.X\n")
	t.Setenv("GOWORK", "off")
	vendor := exec.Command("go", "mod", "vendor")
	vendor.Dir = r.dir
	if out, err := vendor.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r.commit()
	p := resolved(t, Request{Dir: r.dir, Base: "HEAD"})
	cmd := exec.Command("go", "list", "-deps", "-f", "{{.Dir}}", ".")
	cmd.Dir, cmd.Env = p.Base.Home, append(os.Environ(), p.Base.Env...)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), filepath.Join(p.Base.Dir, "vendor/example.com/far")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPublished checks two versions from the proxy.
func TestPublished(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p := resolved(t, Request{Modules: [2]string{"github.com/tidwall/gjson@v1.2.1", "github.com/tidwall/gjson@v1.3.0"}})
	for v, want := range map[*Version]string{&p.Base: "v1.2.1", &p.Head: "v1.3.0"} {
		if v.Short != want || v.Module != "github.com/tidwall/gjson" || !strings.Contains(text(t, v.Dir, "gjson.go"), "package gjson") {
			t.Errorf("%+v", v)
		}
		cmd := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/tidwall/gjson")
		cmd.Dir, cmd.Env = v.Home, append(os.Environ(), v.Env...)
		if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != v.Dir {
			t.Errorf("%v\n%s", err, out)
		}
	}
	noted(t, p.Base.Notes, "v1.2.1 has no go.mod: it is built with the modules that v1.3.0 requires")
	for _, tt := range []struct{ a, b, part string }{
		{"v1.2.1", "v1.2.1", "the same version"},
		{"v1.2.1", "v99.0.0", "has no version v99.0.0"},
	} {
		q := Request{Modules: [2]string{"github.com/tidwall/gjson@" + tt.a, "github.com/tidwall/gjson@" + tt.b}}
		if _, err := Resolve(context.Background(), q); err == nil || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("%q: %v, want %s", q.Modules, err, tt.part)
		}
	}
}

// TestLacking checks that ignored Go files of the work tree are reported.
func TestLacking(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "gen.go\n*.o\n.parallax\n", "p/p.go", "package p\n")
	r.commit()
	repo, err := git.Open(context.Background(), r.dir)
	if err != nil {
		t.Fatal(err)
	}
	v := Version{WorkTree: true, repo: repo}
	r.write("p/a.o", "", ".parallax/x/repro.go", "package x\n")
	if text := v.Lacking(context.Background()); text != "" {
		t.Error(text)
	}
	r.write("p/gen.go", "package p\n")
	if text := v.Lacking(context.Background()); !strings.HasPrefix(text, "Git ignores p/gen.go, ") {
		t.Error(text)
	}
	v.WorkTree = false
	if text := v.Lacking(context.Background()); text != "" {
		t.Error(text)
	}
}

// TestCraftedTree checks that a malicious commit, with a link and a folder of the same name, is
// written only into its folder.
func TestCraftedTree(t *testing.T) {
	for _, mode := range []string{"120000", "100644"} { // of the entry behind the link
		r := newRepo(t)
		outside := t.TempDir()
		r.commit("a.txt", "1\n")
		hash := func(kind, content string) string {
			cmd := exec.Command("git", "hash-object", "-t", kind, "-w", "--literally", "--stdin")
			cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(content)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			return strings.TrimSpace(string(out))
		}
		entry := func(mode, name, hash string) string {
			raw, err := hex.DecodeString(hash)
			if err != nil {
				t.Fatal(err)
			}
			return mode + " " + name + "\x00" + string(raw)
		}
		sub := hash("tree", entry(mode, "written", hash("blob", "/etc/hosts")))
		tree := hash("tree", entry("120000", "sub", hash("blob", outside))+entry("40000", "sub", sub))
		commit := r.git("commit-tree", "-m", "crafted", "-p", "HEAD", tree)
		p, err := Resolve(context.Background(), Request{Dir: r.dir, Base: commit})
		if err == nil {
			p.Close()
		}
		if left, _ := os.ReadDir(outside); len(left) > 0 {
			t.Errorf("mode %s: %v was written outside (%v)", mode, left, err)
		}
	}
}
