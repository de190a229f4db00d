package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/gocommand/moduletest"
)

// The hook in package testing does in every release of Go what it is to do: of testdata/hook, what is planted fails, and
// nothing else.
func TestReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads toolchains and builds campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	for _, release := range []string{"local", "go1.24.0", "go1.25.14", "go1.27.4"} {
		t.Run(release, func(t *testing.T) {
			if out, err := goVersion(release); err != nil {
				t.Skipf("no toolchain %s: %s", release, out)
			}
			u := *tool
			u.root = filepath.Join(moduletest.Dir(t), "hook")
			if err := os.CopyFS(u.root, os.DirFS("testdata/hook")); err != nil {
				t.Fatal(err)
			}
			u.env = append(slices.Clone(tool.env), "GOTOOLCHAIN="+release, "GOWORK=off", "GOFLAGS=")
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
}

func goVersion(release string) ([]byte, error) {
	cmd := exec.Command("go", "version")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+release)
	return cmd.CombinedOutput()
}
