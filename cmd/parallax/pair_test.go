package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
)

const pairHarness = `-- go.mod --
module example.com/m

go 1.22
-- p/p_test.go --
package p

import "testing"

func FuzzP(f *testing.F) {
	for _, s := range []string{"same", "value", "fails", "new panics", "old panics", "both panic", "skipped"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Kind(s)
		if err != nil {
			t.Skip(err)
		}
		if !Right(n) {
			t.Errorf("kind %d is not right", n)
		}
	})
}
-- p/p.go --
package p

import "errors"

func Kind(s string) (int, error) {
	if s == "" {
		return 0, errors.New("empty")
	}
	switch s[0] {
	case 'v':
		return 1, nil
	case 'f':
		return 2, nil
	case 'n':
		return 3, nil
	case 'o':
		panic("in the old version")
	case 'b':
		panic("in both")
	case 's':
		return 4, nil
	}
	return len(s), nil
}

func Right(n int) bool { return n != 99 }
`

// TestPairCampaign runs a whole campaign on two versions of a FuzzXxx. It checks that differences
// in values, verdicts and crashes are found and reported side by side. go test must reproduce them.
func TestPairCampaign(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a campaign")
	}
	t.Setenv(toyVariable, "1") // the test's executable is the tool
	t.Setenv("XDG_CACHE_HOME", moduletest.Cache())
	older := moduletest.Tree(t, pairHarness)
	newer := moduletest.Tree(t, strings.NewReplacer("return 1, nil", "return 10, nil", "return 2, nil", "return 99, nil", "return 3, nil", `panic("in the new version")`,
		`panic("in the old version")`, "return 5, nil", "return 4, nil", `return 0, errors.New("no")`).Replace(pairHarness))
	moduletest.Untouched(t, older)
	moduletest.Untouched(t, newer)

	f := fuzzing.Options{Campaign: campaign.Options{Options: subject.Options{Mode: subject.Diff, Packages: []string{"./p"}}}}
	c := &cobra.Command{}
	register(c, &f)
	if err := c.Flags().Parse([]string{"--fuzztime=3000x", "--parallel=1", "--out=" + filepath.Join(t.TempDir(), "out"), "--timeout=20s"}); err != nil {
		t.Fatal(err)
	}
	if err := f.Complete(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	view := ui.New(os.Stderr, ui.None, nil)
	defer view.Close()
	p, err := subject.BuildPair(ctx, subject.PairRequest{
		New: subject.Version{Dir: newer, Package: "./p", Name: "worktree"}, Old: subject.Version{Dir: older, Package: "./p", Name: "v1.0.0"}, Fuzz: "FuzzP",
	}, &f.Campaign.Options, tool, view.Step)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	f.Campaign.Describe = text.Markdown
	summary, err := campaign.Run(ctx, nil, p, f.Campaign, view, time.Now)
	if err != nil || summary == nil {
		t.Fatal(err)
	}
	if summary.CmpLogRuns == 0 {
		t.Error("no operands of comparisons were recorded")
	}
	files, err := filepath.Glob(filepath.Join(f.Campaign.Out, "findings", "*", "*", "outputs.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{} // folders, by what the programs do
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var outputs struct {
			Layer    string
			Programs []struct{ Name, Outcome, Value, Message string }
		}
		if err := json.Unmarshal(data, &outputs); err != nil || len(outputs.Programs) != 2 {
			t.Fatalf("%v: %s", err, data)
		}
		a, z := outputs.Programs[0], outputs.Programs[1]
		found[a.Outcome+" "+z.Outcome] = filepath.Dir(name)
		if a.Outcome == z.Outcome && a.Outcome == "accepted" {
			if a.Value != "Kind (p_test.go:10): 10, nil\nRight (p_test.go:14): true" || z.Value != "Kind (p_test.go:10): 1, nil\nRight (p_test.go:14): true" {
				t.Errorf("values %q, %q", a.Value, z.Value)
			}
		}
	}
	for _, want := range []struct {
		outcomes string
		code     int // of the script; 0: of crashes it runs as long as it takes
	}{{"accepted accepted", 3}, {"rejected accepted", 1}, {"crashed accepted", 1}, {"accepted crashed", 1}, {"crashed crashed", 1}} {
		dir := found[want.outcomes]
		if dir == "" {
			t.Errorf("no finding where new and old are %s; there are %v", want.outcomes, found)
			continue
		}
		cmd := exec.Command("sh", "reproducer.sh")
		cmd.Dir = dir
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, toyVariable) })
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want.code {
			t.Errorf("%s: the script ends with %d, not %d\n%s", want.outcomes, code, want.code, out)
		}
	}
	// The commands that work on campaigns build the versions again.
	replay := exec.Command(tool, "replay", "--campaign", f.Campaign.Out, filepath.Base(filepath.Dir(found["accepted accepted"])))
	if out, err := replay.CombinedOutput(); replay.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "Kind (p_test.go:10): 10, nil") {
		t.Errorf("replay: %v\n%s", err, out)
	}
	var crashes []string
	for _, name := range files {
		report, err := os.ReadFile(filepath.Join(filepath.Dir(name), "report.md"))
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Dir(name); name == found["rejected accepted"] && !strings.Contains(string(report), "p/p.go:21") {
			t.Errorf("the report does not name the changed line\n%s", report)
		}
		for _, text := range []string{"in the new version", "in the old version", "in both", "kind 99 is not right"} {
			if strings.Contains(string(report), text) && !slices.Contains(crashes, text) {
				crashes = append(crashes, text)
			}
		}
	}
	if len(crashes) != 4 {
		t.Errorf("of the crashes, only %q are told", crashes)
	}

	// Without an old version the new one is fuzzed alone, by the same options.
	f.Campaign.Out, f.Campaign.NoCmpLog, f.Campaign.Budget.Inputs = filepath.Join(t.TempDir(), "alone"), true, 500
	alone, err := subject.BuildPair(ctx, subject.PairRequest{New: subject.Version{Dir: newer, Package: "./p"}, NoOld: true, Fuzz: "FuzzP"}, &f.Campaign.Options, tool, view.Step)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if summary, err = campaign.Run(ctx, nil, alone, f.Campaign, view, time.Now); err != nil || summary == nil || len(summary.Programs) != 1 || summary.Open() == 0 {
		t.Errorf("the new version alone: %v, %+v", err, summary)
	}
}
