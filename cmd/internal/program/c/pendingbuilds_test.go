package c

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// TestFailedBackgroundBuild checks that no process waits for a build that failed in the background,
// even if no file next to the program explains it. Other programs' operands are used.
func TestFailedBackgroundBuild(t *testing.T) {
	for _, test := range []struct {
		name   string
		folder string
		says   string
	}{
		{"no kit", "h.parallax", "is not there"},
		{"no folder", "gone", "no such file"},
	} {
		dir := t.TempDir()
		os.Mkdir(filepath.Join(dir, "h.parallax"), 0o755)
		path := func(v clang.Variant) string { return filepath.Join(dir, test.folder, string(v)) }
		made := &Variants{Config: Config{Name: "h", Path: filepath.Join(dir, "h")}, Done: filepath.Join(dir, "done"), build: &clang.Build{
			Variants: map[clang.Variant]string{}, Missing: map[clang.Variant]string{},
			Later: map[clang.Variant]string{clang.CmpLog: path(clang.CmpLog), clang.Sanitize: path(clang.Sanitize)},
		}}
		if err := made.recordBuilds(); err != nil {
			t.Fatal(err)
		}
		settings, err := json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		n := &Variants{} // of a worker
		if err := json.Unmarshal(settings, n); err != nil {
			t.Fatal(err)
		}
		g := &Executor{n: n, later: pendingBuilds{n: n}}
		a := g.CmpLog(t.Context()).(*comparisons)
		if a.Ready() || g.later.available(clang.Sanitize) {
			t.Errorf("%s: builds are there before they are made", test.name)
		}
		os.WriteFile(made.Done, []byte("opera"), 0o644) // half a line
		a.poll()
		if a.Ready() {
			t.Errorf("%s: half of a line is taken for a build", test.name)
		}
		os.Remove(made.Done)
		if notes := strings.Join(made.Finish(t.Context(), true, func(string) {}), "\n"); !strings.Contains(notes, test.says) {
			t.Errorf("%s: notes %q", test.name, notes)
		}
		a.poll()
		g.later.poll()
		if !a.Ready() || a.Compare([]byte("x")) != nil || g.later.available(clang.Sanitize) || n.Sanitize != "" || len(n.Later) > 0 {
			t.Errorf("%s: ready %t, left %v, %q", test.name, a.Ready(), n.Later, n.Sanitize)
		}
		if g.CmpLog(t.Context()) != nil {
			t.Errorf("%s: operands of a build that cannot be made", test.name)
		}
	}
}

// TestPendingInputs checks that while the build with sanitizers is missing, inputs with rare blocks
// replace others. Blocks of inputs that are not kept come up again.
func TestPendingInputs(t *testing.T) {
	n := &Variants{Sanitize: filepath.Join(t.TempDir(), "sanitize"), Later: []clang.Variant{clang.Sanitize}}
	g := &Executor{n: n, later: pendingBuilds{n: n}, results: make([]Result, 1)}
	next, name := uint64(1), uint64(0)
	give := func(set uint64) {
		g.sample.credit = maxSavings
		name++
		g.results[0] = Result{Outcome: oracle.Accepted, Set: set, Length: 100}
		if err := g.inspect(t.Context(), [][]byte{binary.LittleEndian.AppendUint64(nil, name)}, make([]program.Observation, 1)); err != nil {
			t.Fatal(err)
		}
	}
	fresh := func() uint64 {
		next = next*6364136223846793005 + 1442695040888963407
		return next
	}
	kept := func() [2]int { return [2]int{len(g.waiting.fresh), len(g.waiting.others)} }
	for range mostWaiting + 10 {
		give(7)
	}
	if kept() != [2]int{1, mostWaiting - 1} {
		t.Fatalf("kept %v", kept())
	}
	for range mostWaiting - 1 {
		give(fresh())
	}
	if kept() != [2]int{mostWaiting, 0} || g.waiting.bytes != 8*mostWaiting {
		t.Fatalf("kept %v, %d bytes", kept(), g.waiting.bytes)
	}
	late := fresh()
	give(late)
	if _, again := g.sample.wants(late, 100); !again || kept() != [2]int{mostWaiting, 0} {
		t.Errorf("kept %v, and the blocks of what is not kept come up again: %t", kept(), again)
	}
	n.Later = nil
	seen := 0
	for some := g.Recall(); len(some) > 0; some = g.Recall() {
		seen += len(some)
	}
	if seen != mostWaiting || g.waiting.bytes != 0 {
		t.Errorf("%d are run again, %d bytes are left", seen, g.waiting.bytes)
	}
}

// TestMakeSanitize checks that a script makes the build with sanitizers if it is missing, linking
// first if needed.
func TestMakeSanitize(t *testing.T) {
	const tool = `#!/bin/sh
echo "$PWD: $*" >>"$LOG"
case $2 in
--make) [ -e "$3.parallax/later" ] && : >"$3.parallax/sanitize" && chmod +x "$3.parallax/sanitize"; exit 3 ;;
esac
mkdir -p h.parallax && : >h.parallax/later
`
	dir := filepath.Join(t.TempDir(), "a folder")
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(bin, "parallax"), []byte(tool), 0o755)
	h, log := filepath.Join(dir, "h"), filepath.Join(dir, "log")
	n := &Variants{Config: Config{Path: h}, Sanitize: h + ".parallax/sanitize", build: &clang.Build{Path: h, Compiler: "c++", Dir: dir, Link: []string{"h.o", "-o", "h"}}}
	link, make := dir+": c++ h.o -o h", dir+": cc --make "+h
	for _, test := range []struct {
		spoil string
		runs  []string
	}{
		{"/none", []string{link, make}}, {"/none", nil}, {"/sanitize", []string{make}}, {"", []string{link, make}},
	} {
		os.RemoveAll(h + ".parallax" + test.spoil)
		os.Remove(log)
		c := exec.Command("sh", "-c", n.makeSanitize(shell.Text))
		c.Dir, c.Env = dir, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "LOG=" + log}
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("without %q: %v %s", test.spoil, err, out)
		}
		text, _ := os.ReadFile(log)
		var runs []string
		if len(text) > 0 {
			runs = strings.Split(strings.TrimSpace(string(text)), "\n")
		}
		if !slices.Equal(runs, test.runs) {
			t.Errorf("without %q: %q, want %q", test.spoil, runs, test.runs)
		}
	}
}
