package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// hookReleases are the oldest and the newest that the hook is tested with as a command, that of the
// machine, and one between. Package execute tests it with each of releases.
var hookReleases = []string{"local", "go1.24.0", "go1.25.14", "go1.27.4"}

// releases are the oldest and the newest patch of each minor release.
var releases = []string{"go1.24.0", "go1.24.13", "go1.25.0", "go1.25.14", "go1.26.0", "go1.26.11", "go1.27.0", "go1.27.4"}

// TestReleases checks the hook in package testing in every release of Go. The planted failures of
// testdata/hook are found, and nothing else.
func TestReleases(t *testing.T) {
	inReleases(t, "hook", hookReleases, func(t *testing.T, u *tool) {
		r := u.run(t, "fuzz", ".", "--fuzztime", "4000x", "--parallel", "1", "--json", "--ui", "none")
		r.exits(t, 1)
		var got []string
		for _, s := range r.targets(t) {
			for _, b := range s.Findings.Buckets {
				got = append(got, b.Kind+": "+b.Results[s.Programs[0]])
			}
		}
		slices.Sort(got)
		want := []string{"failure: planted after t.Parallel", "failure: planted in a cleanup function", "failure: planted in a subtest"}
		if !slices.Equal(got, want) {
			t.Errorf("findings %q, want %q\n%s", got, want, r.stderr)
		}
	})
}

// TestReleasesCompare compares functions, versions of a function and a FuzzXxx with parallax.Diff,
// with every release of Go.
func TestReleasesCompare(t *testing.T) {
	inReleases(t, "releases", releases, func(t *testing.T, u *tool) {
		tiny := []string{"--fuzztime", "50x", "--parallel", "1", "--seed", "1", "--no-cmplog", "--json", "--ui", "none"}
		finds := func(kind string, args ...string) {
			t.Helper()
			r := u.run(t, append(args, tiny...)...)
			r.exits(t, 1)
			s := r.targets(t)[0]
			if b := s.Findings.Buckets; len(b) != 1 || b[0].Kind != kind || s.Inputs < 50 {
				t.Errorf("%q: %d inputs, findings %+v", args, s.Inputs, b)
			}
		}
		finds("discrepancy", "diff", ".Strict", ".Lax")
		u.run(t, "init").exits(t, 0)
		finds("discrepancy", "diff", ".")
		git := func(args ...string) {
			t.Helper()
			cmd := exec.Command("git", append([]string{"-C", u.root, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %q: %v\n%s", args, err, out)
			}
		}
		git("init", "-q")
		git("add", ".")
		git("commit", "-qm", "one")
		path := filepath.Join(u.root, "releases.go")
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(text, []byte("return len(s), nil"), []byte(`panic("changed")`), 1), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		finds("crash", "regress", ".", "--func", "Parse", "--base", "HEAD")
	})
}

// inReleases runs a test in a copy of a folder of testdata, with each release.
func inReleases(t *testing.T, folder string, releases []string, test func(t *testing.T, u *tool)) {
	if testing.Short() {
		t.Skip("downloads toolchains and builds campaigns")
	}
	t.Parallel()
	made := newTool(t)
	for _, release := range releases {
		t.Run(release, func(t *testing.T) { test(t, made.of(t, release, folder)) })
	}
}

// of returns the tool in a copy of a folder of testdata, with a release of Go.
func (u *tool) of(t *testing.T, release, folder string) *tool {
	t.Helper()
	if out, err := goVersion(release); err != nil {
		t.Skipf("no toolchain %s: %s", release, out)
	}
	v := *u
	v.root = filepath.Join(moduletest.Dir(t), folder)
	if err := os.CopyFS(v.root, os.DirFS(filepath.Join("testdata", folder))); err != nil {
		t.Fatal(err)
	}
	v.env = append(slices.Clone(u.env), "GOTOOLCHAIN="+release, "GOWORK=off", "GOFLAGS=")
	return &v
}

func goVersion(release string) ([]byte, error) {
	cmd := exec.Command("go", "version")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+release)
	return cmd.CombinedOutput()
}
