package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"
)

// shifted builds parallax with a clock that is wrong by so much. The calls of other programs keep
// the right one.
func shifted(t *testing.T, by time.Duration) string {
	t.Helper()
	source := filepath.Join(runtime.GOROOT(), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(`(?m)^(func Now\(\) Time \{\n\tsec, nsec, mono := \w+\(\))$`)
	if !pattern.Match(text) {
		t.Fatalf("%s has another time.Now: adapt the pattern", source)
	}
	dir := t.TempDir()
	text = pattern.ReplaceAll(text, fmt.Appendf(nil, "$1\n\tsec += %d", int(by.Seconds())))
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
		t.Skip("builds parallax twice, and runs campaigns")
	}
	ahead, behind := shifted(t, 24*time.Hour), shifted(t, -24*time.Hour)
	tomorrow := func() string { return time.Now().Add(24 * time.Hour).UTC().Format(time.DateOnly) }
	began := tomorrow()
	f := newFleet(t, 3)
	f.members[1].path, f.members[2].path = ahead, behind
	for _, m := range f.members[1:] {
		f.kill(m)
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
	for _, path := range []string{f.tool.path, ahead, behind} {
		if path != f.tool.path {
			f.kill(f.hub)
			f.hub.path = path
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
