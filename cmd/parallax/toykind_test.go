package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/subject/kinds"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
)

// A kind of program is one package and one row: here it is one file of a test. The toy accepts what
// begins with a word. It runs in the lockstep process, and brings a block table of its own, in
// which each letter of the word is a line.

// toyVariable has the test's executable be a parallax that has the toys of the tests: this kind,
// and those of toydomain_test.go.
const toyVariable = "PARALLAX_TEST_TOY"

func TestMain(m *testing.M) {
	command := len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") // started without the variable, in a sandbox or a box
	if command || os.Getenv(toyVariable) != "" {
		kinds.Table = append(kinds.Table, toyKind)
		feature.Table = append(feature.Table, &toyDomain)
		schedule.Table = append(schedule.Table, &toySchedule)
		main()
	}
	os.Setenv(fuzzing.TriageVariable, "0") // a busy machine must not decide what campaigns of tests find
	os.Exit(moduletest.WithScratch(m, "parallax"))
}

var toyKind = program.Kind{
	Name: "toy", Mark: "word", Keys: []string{"word", "timeout"}, Instead: map[string]string{"env": "a toy has no environment"},
	Parse: func(t *tomldoc.Table, _ *program.Common) program.Settings {
		s := &toy{Word: t.Text("word")}
		if !t.Has("word") {
			t.Reportf(t.Position(), `a program of kind toy has no word: write one like word = "abc"`)
		}
		return s
	},
	Open: program.Opener(func(_ context.Context, s toy) (*toy, error) { return &s, nil }),
}

// toy is the configuration of a program in parallax.toml. It is also sent to the lockstep process,
// and runs there.
type toy struct{ Word string }

func (s *toy) Runs() string           { return s.Word }
func (s *toy) Traits() program.Traits { return program.Traits{} }
func (s *toy) Prepare(*program.Common, *program.Preparation) (program.Prepared, error) {
	return s, nil
}
func (s *toy) Shown() string { return "the word " + s.Word }
func (s *toy) Line() string  { return s.Shown() }

func (s *toy) Features() int { return 0 }
func (s *toy) Batch() int    { return 64 }
func (s *toy) Close() error  { return nil }

func (s *toy) Execute(_ context.Context, inputs [][]byte, obs []program.Observation) error {
	for i, in := range inputs {
		o := &obs[i]
		n := 0
		for n < len(s.Word) && n < len(in) && in[n] == s.Word[n] {
			n++
		}
		for block := 0; block <= n; block++ {
			o.Features, o.Counts = append(o.Features, uint32(block)), append(o.Counts, 1)
		}
		if o.Outcome = oracle.Accepted; n < len(s.Word) {
			o.Outcome, o.Message = oracle.Rejected, "another word"
		}
	}
	return nil
}

// Regions implements program.Blocks.
func (s *toy) Regions() []program.Region {
	return []program.Region{{Name: "words.txt", Counters: 1 + len(s.Word)}}
}

// Table implements program.Mapped.
func (s *toy) Table(_ string, counters int) (*flow.Table, error) {
	t := &flow.Table{Package: "toy", Funcs: []flow.Func{{Name: "match", File: "words.txt", Line: 1, Count: counters}}}
	for id := range counters {
		b := flow.Block{ID: id, Kind: flow.Then, File: "words.txt", Line: 1 + id, Cond: 1 + id, EndLine: 1 + id, Exit: true}
		if id+1 < counters {
			b.Succs = []int{id + 1}
		}
		t.Blocks = append(t.Blocks, b)
	}
	t.Blocks[0].Kind = flow.Entry
	return t, nil
}

// WriteScript implements reproducer.Runner.
func (s *toy) WriteScript(w *reproducer.Writer) error {
	w.Run(fmt.Sprintf(`[ "$(head -c %d "$input")" = %s ]`, len(s.Word), shell.Text(s.Word)))
	w.Status([]string{"0) verdict=accepted"}, "*) verdict=rejected")
	w.Compare("out")
	return nil
}

func TestToyKind(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a campaign")
	}
	t.Parallel()
	dir := t.TempDir()
	parallax := func(args ...string) (stdout, stderr string) {
		t.Helper()
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), toyVariable+"=1", "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"))
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		cmd.Run() // the output shows any error
		return out.String(), errs.String()
	}
	configure := func(toy string) {
		t.Helper()
		text := "version = 1\n[[program]]\nname = \"tool\"\nkind = \"command\"\ncommand = [\"grep\", \"-aq\", \"^mo\"]\n[[program]]\n" + toy
		if err := os.WriteFile(filepath.Join(dir, "parallax.toml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	// Mistakes in it are reported as those of other kinds.
	for toy, want := range map[string]string{
		"kind = 'toy'":                            "parallax.toml:6:3: a program of kind toy has no word",
		"kind = 'toy'\nwrod = 'x'":                `parallax.toml:8:1: unknown key "wrod" in [[program]] (did you mean "word"?)`,
		"kind = 'toy'\nword = 'x'\nenv = {}":      "parallax.toml:9:1: env is not a key of kind toy, but of c, command, persistent or http: a toy has no environment",
		"kind = 'command'\nword = 'x'":            "parallax.toml:8:1: word is not a key of kind command, but of toy",
		"word = 'x'":                              `parallax.toml:6:3: [[program]] has no kind: go, c, command, persistent, http, original, model, dynamic or toy (for a word: kind = "toy")`,
		"kind = 'toy'\nword = 'x'\ntimeout = '0'": "parallax.toml:9:11: timeout =",
	} {
		configure(toy)
		if _, told := parallax("diff", "parallax.toml", "--fuzztime", "1x"); !strings.Contains(told, want) {
			t.Errorf("%s\n got %s\nwant %s", toy, told, want)
		}
	}

	configure("kind = 'toy'\nword = 'model'\n")
	if err := os.WriteFile(filepath.Join(dir, "seed"), []byte("mode"), 0o644); err != nil {
		t.Fatal(err)
	}
	summary, told := parallax("diff", "parallax.toml", "--seeds", "seed", "--parallel", "1", "--fuzztime", "60x", "--out", "out", "--json", "--ui", "none")
	var s finding.Summary
	if err := json.Unmarshal([]byte(summary), &s); err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
	if c := s.Coverage[1]; c.Program != "model" || c.Blocks != 6 || c.Covered < 5 || c.Features {
		t.Errorf("coverage %+v", s.Coverage)
	}
	if s.Findings.Total == 0 || len(s.Findings.Buckets) == 0 {
		t.Fatalf("no finding\n%s", told)
	}
	b := s.Findings.Buckets[0]
	if b.Outcomes["tool"] != "accepted" || b.Outcomes["model"] != "rejected" || !strings.HasPrefix(b.Location, "words.txt:") {
		t.Errorf("%+v", b)
	}
	scripts, _ := filepath.Glob(filepath.Join(dir, "out", "findings", b.ID, "*", reproducer.ScriptFile))
	if len(scripts) == 0 {
		t.Fatal("no reproducer")
	}
	out, err := exec.Command("sh", scripts[0]).CombinedOutput()
	if ended, ok := err.(*exec.ExitError); !ok || ended.ExitCode() != 1 || !strings.Contains(string(out), "model (toy; in the campaign: rejected)") || !strings.Contains(string(out), "The verdicts differ.") {
		t.Errorf("the reproducer: %v\n%s", err, out)
	}
	if told, _ := parallax("show", "--campaign", "out", b.ID); !strings.Contains(told, "the word model") {
		t.Errorf("what runs is not shown:\n%s", told)
	}
}
