package execute

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/process/execute/workertest"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// releases lists the Go releases that parallax fuzz is tested with: the first and the newest patch
// of each minor release. The go command downloads them.
var releases = []string{"go1.24.0", "go1.24.13", "go1.25.0", "go1.25.14", "go1.26.0", "go1.26.11", "go1.27.0", "go1.27.4"}

// TestReleases checks that the worker's verdict on an execution equals that of go test, whatever
// was executed before. It holds in every supported release of Go, for every way in which an
// execution can end.
func TestReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("builds test binaries with several releases of Go")
	}
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			choose(t, release)
			f := workertest.BuildFuzz(t, filepath.Join("testdata", "verdicts"), false)
			native := nativeBinary(t, f.Dir)
			verdicts(t, f, native)
			panicNil(t, f, native)
			operands(t, f)
			differs(t)
		})
	}
	for minor := golang.OldestTested; minor <= golang.NewestTested; minor++ {
		tested := func(r string) bool { return strings.HasPrefix(r, fmt.Sprintf("go1.%d.", minor)) }
		if n := len(slices.DeleteFunc(slices.Clone(releases), func(r string) bool { return !tested(r) })); n != 2 {
			t.Errorf("%d patches of go1.%d are tested, want 2", n, minor)
		}
	}
}

// choose selects a release for the go command.
func choose(t *testing.T, release string) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err == nil && strings.TrimSpace(string(out)) == release {
		return
	}
	t.Setenv("GOTOOLCHAIN", release)
	if out, err := exec.Command("go", "version").CombinedOutput(); err != nil || !strings.Contains(string(out), release+" ") {
		t.Fatalf("%s is needed for this test, and `GOTOOLCHAIN=%s go version`, which downloads it, fails: %v\n%s"+
			"Let the machine reach a module proxy (GOPROXY) once, or run the tests with -short", release, release, err, out)
	}
}

// nativeBinary builds the package's tests without parallax.
func nativeBinary(t *testing.T, dir string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "native.test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-w", "-o", binary, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	return binary
}

// nativeVerdict returns the verdict of go test on a seed: pass, skip or fail.
func nativeVerdict(t *testing.T, binary, dir, test, name string) string {
	t.Helper()
	cmd := exec.Command(binary, "-test.run=^"+test+"$/^"+regexp.QuoteMeta(name)+"$", "-test.v", "-test.paniconexit0", "-test.timeout=1m")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	for verdict, line := range map[string]string{"pass": "--- PASS: ", "skip": "--- SKIP: ", "fail": "--- FAIL: "} {
		if strings.Contains(string(out), line+test+"/"+name+" ") && (err != nil) == (verdict == "fail") {
			return verdict
		}
	}
	if err == nil {
		t.Errorf("go test says nothing of %s\n%s", name, out)
	}
	return "fail" // the process died
}

var verdictOf = map[oracle.Outcome]string{oracle.Accepted: "pass", oracle.Declined: "skip", oracle.Crashed: "fail"}

// verdicts runs every case after every other in one worker.
func verdicts(t *testing.T, f workertest.Fuzz, native string) {
	names := list(t, native, f.Dir)
	want := map[string]string{}
	count := map[string]int{}
	for _, name := range names {
		seed(t, f.Dir, "FuzzVerdict", name)
		want[name] = nativeVerdict(t, native, f.Dir, "FuzzVerdict", name)
		count[want[name]]++
	}
	want["panic-skip"] = "fail" // go test drops the panic
	if count["pass"] < 20 || count["skip"] < 8 || count["fail"] < 30 {
		t.Errorf("verdicts %v", count)
	}
	w := start(t, fuzzSpec(f, "FuzzVerdict"))
	wrong := map[string]bool{}
	check := func(name, before string, flags uint64) {
		r := run(t, w, name, flags)[0]
		got := verdictOf[oracle.Outcome(r.Outcome)]
		if got != want[name] && !wrong[name] {
			wrong[name] = true
			t.Errorf("%s after %s: %s, and go test says %s: %s", name, before, oracle.Outcome(r.Outcome), want[name], r.Panic)
		}
		if fails := got == "fail"; fails != (r.Class != 0) || flags&wire.WantDetail != 0 && fails != (r.Panic != "") {
			t.Errorf("%s after %s: %s with class %x and message %q", name, before, got, r.Class, r.Panic)
		}
	}
	classes := map[string]uint64{}
	for i, a := range names {
		check(a, "anything", wire.WantDetail)
		for _, b := range names[i:] { // with each other one before and after it
			check(b, a, 0)
			check(a, b, 0)
		}
		classes[a] = run(t, w, a, 0)[0].Class
	}
	for i, a := range names {
		for _, b := range names[:i] {
			if classes[a] == classes[b] && classes[a] != 0 {
				t.Errorf("%s and %s look alike", a, b)
			}
		}
	}
	w.Close()
	if d := w.Death(); d.Status != "exit status 0" {
		t.Errorf("the test binary ends with %s\n%s", d.Status, d.Text)
	}
}

// panicNil is for modules with a go line before 1.21, where panic(nil) cannot be distinguished from
// runtime.Goexit.
func panicNil(t *testing.T, f workertest.Fuzz, native string) {
	t.Setenv("GODEBUG", "panicnil=1")
	w := start(t, fuzzSpec(f, "FuzzVerdict"))
	for _, name := range []string{"panic-nil", "pass", "panic-nil", "skip", "cleanup-panic-nil", "cleanup", "cleanup-panic-nil", "skip", "sub"} {
		want := nativeVerdict(t, native, f.Dir, "FuzzVerdict", name)
		for _, flags := range []uint64{0, wire.WantDetail} {
			if got := verdictOf[oracle.Outcome(run(t, w, name, flags)[0].Outcome)]; got != want {
				t.Errorf("%s with GODEBUG=panicnil=1: %s, and go test says %s", name, got, want)
			}
		}
	}
}

// list returns the cases of a test binary.
func list(t *testing.T, binary, dir string) (names []string) {
	t.Helper()
	cmd := exec.Command(binary, "-test.run=^TestList$", "-test.v")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(out), "\n") {
		if name, ok := strings.CutPrefix(line, "case "); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// seed writes a file of the seed corpus of a FuzzXxx with a string argument.
func seed(t *testing.T, dir, test, name string) {
	t.Helper()
	write(t, filepath.Join(dir, "testdata", "fuzz", test, name), "go test fuzz v1\nstring(\""+name+"\")\n")
}

// fuzzSpec returns the Spec of a worker for a FuzzXxx.
func fuzzSpec(f workertest.Fuzz, test string) Spec {
	return Spec{
		Binary: f.Binary, Args: []string{"-test.run=^" + test + "$", "-test.paniconexit0", "-test.timeout=0"}, Dir: f.Dir,
		Mode: "fuzz", Test: true, MaxFlat: 4096, Timeout: time.Minute, Memory: 2 << 30,
	}
}

// operands tests reports of the cmplog build.
func operands(t *testing.T, f workertest.Fuzz) {
	s := fuzzSpec(f, "FuzzSecret")
	s.CmpLog = f.CmpLog
	fz := newFuzz(t, s, 1, "coverage")
	fz.seeds(false, "")
	fz.fuzz(500)
	if len(fz.cands) == 0 || string(fz.cands[0].Flat) != "a rather long secret" {
		t.Errorf("candidates %+v", fz.cands)
	}
	if fz.w.Mem.Stat(wire.Compared) == 0 {
		t.Error("no input was run in the cmplog build")
	}
}

// differs compares a worker's verdict on implementations with that of go test on the same
// parallax.Diff.
func differs(t *testing.T) {
	f := workertest.BuildFuzz(t, filepath.Join("testdata", "differs"), true)
	native := nativeBinary(t, f.Dir)
	s := fuzzSpec(f, "FuzzDiff")
	s.Mode = "diff"
	w := start(t, s)
	if len(w.Hello.Problems) > 0 || strings.Join(w.Hello.Programs, " ") != "a b" || !w.Hello.Values {
		t.Fatalf("hello %+v", w.Hello)
	}
	names := list(t, native, f.Dir)
	want := map[string]string{}
	for _, name := range names {
		seed(t, f.Dir, "FuzzDiff", name)
		want[name] = nativeVerdict(t, native, f.Dir, "FuzzDiff", name)
	}
	for range 2 { // an input must not affect the next one
		for _, name := range names {
			results := run(t, w, name, wire.WantDetail)
			if got := together(results); got != want[name] {
				t.Errorf("%s: %s, and go test says %s: %+v", name, got, want[name], results)
			}
		}
	}
}

// together returns the joint verdict on the results of implementations.
func together(results []wire.RunResult) string {
	obs := make([]oracle.Observation, len(results))
	declined := 0
	for i, r := range results {
		obs[i] = oracle.Observation{Outcome: oracle.Outcome(r.Outcome), Class: r.Class, Value: r.Value}
		switch obs[i].Outcome {
		case oracle.Crashed:
			return "fail"
		case oracle.Declined:
			declined++
		}
	}
	switch {
	case declined == len(results):
		return "skip"
	case oracle.Disagree(oracle.VerdictLayer|oracle.ValueLayer, obs) && !results[0].Ignored:
		return "fail"
	}
	return "pass"
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
