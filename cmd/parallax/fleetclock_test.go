package main_test

import (
	"bytes"
	"encoding/json"
	"go/build"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// clockShift is the environment variable with the error of the clock in seconds.
const clockShift = "CLOCK_SHIFT"

// shifted builds parallax with a clock that is wrong. The calls of other programs keep the right
// one.
func shifted(t *testing.T) string {
	t.Helper()
	source := filepath.Join(build.Default.GOROOT, "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(`(?m)^func Now\(\) Time \{\n\tsec, nsec, mono := \w+\(\)$`)
	if !pattern.Match(text) {
		t.Fatalf("%s has another time.Now: adapt the pattern", source)
	}
	dir := moduletest.Dir(t) // so that the go command finds the packages again
	text = pattern.ReplaceAll(text, []byte("$0\n\tsec += int64(clockShift)"))
	text = bytes.Replace(text, []byte("\npackage time\n"), []byte("\npackage time\n\nimport \"syscall\"\n"), 1)
	text = append(text, `
var clockShift, _ = atoi(func() string { s, _ := syscall.Getenv("`+clockShift+`"); return s }())
`...)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: filepath.Join(dir, "time.go")}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"time.go": text, "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "parallax")
	c := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-ldflags=-w", "-o", path, ".")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestFleetClocks checks that a fleet exchanges everything if the clock of a member is a day ahead,
// and that of another one a day behind. Then the hub's clock jumps a day ahead, and two days back.
func TestFleetClocks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds parallax with another clock, and runs campaigns")
	}
	ahead, behind := []string{clockShift + "=86400"}, []string{clockShift + "=-86400"}
	path := shifted(t)
	tomorrow := func() string { return time.Now().Add(24 * time.Hour).UTC().Format(time.DateOnly) }
	began := tomorrow()
	f := newFleet(t, 3)
	for i, env := range [][]string{ahead, behind} {
		m := f.members[1+i]
		f.kill(m)
		m.path, m.env = path, env
		f.start(m)
	}
	inputs, buckets := map[string]bool{}, map[string]bool{}
	look := func() {
		for _, m := range f.members {
			maps.Copy(inputs, f.inputs(m, "corpus/*"))
			maps.Copy(buckets, f.buckets(m))
		}
	}
	const causes = 4
	for _, env := range [][]string{nil, ahead, behind} {
		if env != nil {
			f.kill(f.hub)
			f.hub.path, f.hub.env = path, env
			f.start(f.hub)
		}
		f.eventually("all members have all inputs and findings", func() bool {
			f.revive()
			look()
			return len(buckets) >= causes && !slices.ContainsFunc(f.members, func(m *running) bool {
				return f.lacks(m, inputs) > 0 || !maps.Equal(f.buckets(m), buckets)
			})
		})
	}
	if len(buckets) != causes {
		t.Errorf("%d findings of %d causes: %q", len(buckets), causes, slices.Sorted(maps.Keys(buckets)))
	}
	log, err := os.ReadFile(filepath.Join(f.dir, f.members[1].name, "log.txt"))
	if err != nil || !regexp.MustCompile(began+"|"+tomorrow()).Match(log) {
		t.Errorf("the clock of a member is right: its log lacks %s (%v)", began, err)
	}
}
