package engine

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/bench/internal/subject"
)

// play is the environment variable that makes the test binary play an engine. Its value selects the
// behavior. BENCH_ENGINE_COUNT names a file whose length is the number of runs so far.
const play = "BENCH_ENGINE_PLAY"

func TestMain(m *testing.M) {
	if script := os.Getenv(play); script != "" {
		perform(strings.Split(script, ","))
	}
	os.Exit(m.Run())
}

// perform does what the script says for this run: its last word holds for all later ones.
func perform(script []string) {
	count := os.Getenv("BENCH_ENGINE_COUNT")
	earlier, _ := os.ReadFile(count)
	os.WriteFile(count, append(earlier, '.'), 0o644)
	word := script[min(len(earlier), len(script)-1)]
	argument := func(name string) string {
		for i, a := range os.Args {
			if value, found := strings.CutPrefix(a, name+"="); found {
				return value
			}
			if a == name {
				return os.Args[i+1]
			}
		}
		return ""
	}
	cache := filepath.Join(argument("-test.fuzzcachedir"), "FuzzX")
	write := func(name, text string) {
		os.MkdirAll(filepath.Dir(name), 0o755)
		os.WriteFile(name, []byte(text), 0o644)
	}
	switch word {
	case "ends": // the budget is used up
		write(filepath.Join(cache, "kept"), "kept")
		fmt.Println("fuzz: elapsed: 3s, execs: 70 (20/sec), new interesting: 1 (total: 2)")
		fmt.Println("fuzz: elapsed: 6s, execs: 100 (30/sec), new interesting: 1 (total: 2)")
		fmt.Println("fuzz: elapsed: 6s, minimizing")
	case "works": // until it is interrupted
		fmt.Println("fuzz: elapsed: 0s, execs: 5 (20/sec)")
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		for len(interrupted) == 0 {
		}
		fmt.Println("fuzz: elapsed: 1s, execs: 1000 (20/sec)")
	case "fails":
		fmt.Println("fuzz: elapsed: 0s, execs: 10 (20/sec)")
		write("testdata/fuzz/FuzzX/failing", "failing")
		os.Exit(1)
	case "own":
		fmt.Println("failure while testing seed corpus entry: FuzzX/seed#0")
		os.Exit(1)
	case "cached":
		write(filepath.Join(cache, "cafe"), "fails now and then")
		fmt.Println("failure while testing seed corpus entry: FuzzX/cafe")
		os.Exit(1)
	case "nothing":
		os.Exit(1)
	case "summary", "findings":
		folder := argument("--out")
		for _, name := range []string{
			"corpus/0123456789abcdef", "corpus/0123456789abcdef.json", "corpus/.broken/x", "tuples.log",
			"findings/crash/1a2b/input", "findings/crash/1a2b/minimized", "findings/crash/1a2b/parent", "findings/crash/bucket.json",
		} {
			write(filepath.Join(folder, name), name)
		}
		fmt.Println(`{"version":1,"inputs":41,"executions":42,"corpus":{"size":7,"bytes":9},"coverage":[{"program":"x","blocks":6,"covered":5}],` +
			`"findings":{"total":5,"buckets":[{"id":"a"},{"id":"b"}]}}`)
		if word == "findings" {
			os.Exit(1)
		}
	case "list":
		fmt.Println(`{"version":1,"targets":[{"executions":43,"findings":{"total":0}}]}`)
	case "broken":
		fmt.Fprintln(os.Stderr, "does not build")
		os.Exit(3)
	}
	os.Exit(0)
}

// stage sets up a run of a script and returns the subject and the folder for the run.
func stage(t *testing.T, script string) (subject.Package, string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv(play, script)
	t.Setenv("BENCH_ENGINE_COUNT", filepath.Join(dir, "count"))
	s := subject.Subject{Name: "x", Package: "sub", Fuzz: "FuzzX", Raw: "[]byte"}
	return subject.Package{Subject: s, Root: dir, Dir: dir}, filepath.Join(dir, "runs", "run")
}

func TestNative(t *testing.T) {
	tests := []struct {
		script   string
		limit    Limit
		want     Result // but for times
		inputs   string
		mistaken string // part of the error
	}{
		{script: "ends", limit: Limit{Inputs: 1}, want: Result{Executions: 100}, inputs: "kept"},
		{script: "ends", limit: Limit{Time: time.Microsecond}, want: Result{Executions: 100}, inputs: "kept"},
		{script: "works", limit: Limit{CPU: 20 * time.Millisecond}, want: Result{Executions: 1000}},
		{script: "fails,fails,ends,works", limit: Limit{CPU: 300 * time.Millisecond},
			want: Result{Executions: 1120, Findings: 2, Restarts: 3}, inputs: "kept failing"},
		{script: "cached,works", limit: Limit{CPU: 300 * time.Millisecond},
			want: Result{Executions: 1000, Restarts: 1}, inputs: "fails now and then"},
		{script: "own", limit: Limit{CPU: time.Hour}, mistaken: "fails on its own seeds"},
		{script: "nothing", limit: Limit{CPU: time.Hour}, want: Result{Restarts: idle - 1}, mistaken: "ends at once"},
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			pkg, folder := stage(t, test.script)
			n := &Native{pkg: pkg, binary: os.Args[0], counts: subject.Instrumented{Packages: 2, Counters: 3}}
			r, err := n.Fuzz(context.Background(), folder, test.limit, 1)
			if test.mistaken != "" {
				if err == nil || !strings.Contains(err.Error(), test.mistaken) {
					t.Errorf("error %v, want %q", err, test.mistaken)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.CPU < test.limit.CPU || r.Fuzzing() != r.CPU {
				t.Errorf("CPU time %v of %v, %v of it fuzzing", r.CPU, test.limit.CPU, r.Fuzzing())
			}
			test.want.CPU, test.want.Wall, test.want.Instrumented = r.CPU, r.Wall, n.counts
			if r.Progress = nil; !reflect.DeepEqual(r, test.want) {
				t.Errorf("got %+v, want %+v", r, test.want)
			}
			if left, _ := filepath.Glob(filepath.Join(pkg.Dir, "testdata/fuzz/FuzzX/*")); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
			same(t, n, folder, test.inputs)
		})
	}
}

// same compares the inputs of a run.
func same(t *testing.T, e Engine, folder, want string) {
	t.Helper()
	inputs, err := e.Inputs(folder)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, one := range inputs {
		texts = append(texts, string(one.What))
	}
	if got := strings.Join(texts, " "); got != want {
		t.Errorf("inputs %q, want %q", got, want)
	}
}

func TestNativeArguments(t *testing.T) {
	n := &Native{pkg: subject.Package{Subject: subject.Subject{Fuzz: "FuzzX"}}, minimize: "1x"}
	got := n.arguments("/run", Limit{Time: 3 * time.Second}, &Result{Wall: time.Second})
	want := []string{
		"-test.run=^$", "-test.fuzz=^FuzzX$", "-test.fuzzcachedir=/run/cache", "-test.parallel=1", "-test.fuzztime=2s",
		"-test.fuzzminimizetime=1x",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParallax(t *testing.T) {
	tests := []struct {
		script   string
		want     Result
		mistaken string
	}{
		{script: "summary", want: Result{Executions: 42, Findings: 2, Inputs: 41, Corpus: 7, Blocks: 6, Covered: 5}},
		{script: "findings", want: Result{Executions: 42, Findings: 2, Inputs: 41, Corpus: 7, Blocks: 6, Covered: 5}},
		{script: "list", want: Result{Executions: 43}},
		{script: "ends", mistaken: "the summary of"},
		{script: "broken", mistaken: "exit code 3:\ndoes not build"},
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			pkg, folder := stage(t, test.script)
			p := NewParallax("parallax", pkg, os.Args[0])
			r, err := p.Fuzz(context.Background(), folder, Limit{Inputs: 1}, 1)
			if test.mistaken != "" {
				if err == nil || !strings.Contains(err.Error(), test.mistaken) {
					t.Errorf("error %v, want %q", err, test.mistaken)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			test.want.CPU, test.want.Wall = r.CPU, r.Wall
			if r.Progress = nil; !reflect.DeepEqual(r, test.want) {
				t.Errorf("got %+v, want %+v", r, test.want)
			}
		})
	}
}

func TestParallaxInputs(t *testing.T) {
	pkg, folder := stage(t, "findings")
	p := NewParallax("parallax", pkg, os.Args[0])
	if _, err := p.Fuzz(context.Background(), folder, Limit{Inputs: 1}, 1); err != nil {
		t.Fatal(err)
	}
	raw := func(text string) string { return "go test fuzz v1\n[]byte(\"" + text + "\")\n" }
	same(t, p, folder, raw("corpus/0123456789abcdef")+" "+raw("findings/crash/1a2b/input")+" "+raw("findings/crash/1a2b/minimized"))
	p.pkg.Raw = ""
	same(t, p, folder, "corpus/0123456789abcdef findings/crash/1a2b/input findings/crash/1a2b/minimized")
}

func TestParallaxArguments(t *testing.T) {
	pkg, _ := stage(t, "")
	got := NewParallax("parallax", pkg, "", "--schedule", "afl").arguments("/run", Limit{Inputs: 7}, 3)
	want := []string{
		"fuzz", "./sub", "--fuzz", "^FuzzX$", "--fuzztime", "7x", "--parallel", "1", "--seed", "3", "--out", "/run/campaign", "--json",
		"--schedule", "afl",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
