package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/change/synthesis"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/flow/reach"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
)

// Between these versions Get got modifiers, and v1.2.1 is from before the module had a go.mod.
var gjsonVersions = [2]string{"github.com/tidwall/gjson@v1.2.1", "github.com/tidwall/gjson@v1.3.0"}

const gjsonHarness = `-- go.mod --
module example.com/h

go 1.22

require github.com/tidwall/gjson v1.3.0
-- h_test.go --
package h

import (
	"testing"

	"github.com/tidwall/gjson"
)

func FuzzGet(f *testing.F) {
	f.Add("[1,2]", "@reverse")
	f.Fuzz(func(t *testing.T, json, path string) {
		if !gjson.Valid(json) {
			t.Skip()
		}
		gjson.Get(json, path).String()
	})
}
`

// TestPublishedCampaigns runs a whole campaign on a function of two published versions, and one on
// a FuzzXxx of a module that requires them.
func TestPublishedCampaigns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Setenv(toyVariable, "1") // the test's executable is the tool
	t.Setenv("XDG_CACHE_HOME", moduletest.Cache())
	ctx := context.Background()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	versions, err := revision.Resolve(ctx, revision.Request{Modules: gjsonVersions})
	if err != nil {
		t.Fatal(err)
	}
	defer versions.Close()
	view := ui.New(os.Stderr, ui.None, nil)
	defer view.Close()
	flags := func(out string, o subject.Options) *fuzzing.Options {
		f := &fuzzing.Options{Campaign: campaign.Options{Options: o}}
		c := &cobra.Command{}
		register(c, f)
		if err := c.Flags().Parse([]string{"--fuzztime=1000x", "--parallel=1", "--out=" + out, "--timeout=20s"}); err != nil {
			t.Fatal(err)
		}
		if err := f.Complete(); err != nil {
			t.Fatal(err)
		}
		return f
	}
	differs := func(out string, s *finding.Summary) {
		t.Helper()
		if s == nil || !slices.Equal(s.Programs, []string{"new", "old"}) || len(s.Findings.Buckets) == 0 {
			t.Errorf("summary %+v", s)
		}
		files, err := filepath.Glob(filepath.Join(out, "findings", "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no findings: %v", err)
		}
		replay := exec.Command(tool, "replay", "--campaign", out)
		said, err := replay.CombinedOutput()
		if code := replay.ProcessState.ExitCode(); code != 1 || !strings.Contains(string(said), "the programs disagree (value)") {
			t.Errorf("replay: %d, %v\n%s", code, err, said)
		}
	}

	t.Run("synthesized", func(t *testing.T) {
		p, err := synthesis.Open(ctx, synthesis.Request{New: versions.Head, Old: versions.Base, Parallax: tool})
		if err != nil {
			t.Fatal(err)
		}
		fn, err := p.Find("Get")
		if err != nil {
			t.Fatal(err)
		}
		seeds := filepath.Join(t.TempDir(), "seeds")
		if err := os.MkdirAll(seeds, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(seeds, "a"), []byte("go test fuzz v1\nstring(\"[1,2]\")\nstring(\"@reverse\")\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		here := t.TempDir()
		out := filepath.Join(here, ".parallax", "get")
		f := flags(out, subject.Options{Mode: subject.Diff, Config: p.Configuration(fn, here, 20*time.Second, 1<<30), Seeds: []string{seeds}})
		built, err := subject.Build(ctx, &f.Campaign.Options, tool, view.Step)
		if err != nil {
			t.Fatal(err)
		}
		defer built.Close()
		about := built.About()
		if about.Name != "gjson.Get" || about.Plan.Programs[0].Version != "v1.3.0" || about.Plan.Programs[1].Version != "v1.2.1" || !about.Plan.CompareValues {
			t.Errorf("target %s of %+v", about.Name, about.Plan.Programs)
		}
		summary, err := campaign.Run(ctx, nil, built, f.Campaign, view, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		differs(out, summary)
	})

	t.Run("folders", func(t *testing.T) {
		const text = "-- m/go.mod --\nmodule example.com/m\n\ngo 1.22\n-- m/p/p.go --\npackage p\n\nfunc Kind(data []byte) int {\n\tif len(data) > 1 && data[0] == 'v' {\n\t\treturn 1\n\t}\n\treturn 0\n}\n"
		version := func(text, short string) revision.Version {
			dir := moduletest.Tree(t, text)
			moduletest.Untouched(t, dir)
			return revision.Version{Dir: dir, Home: filepath.Join(dir, "m"), Modules: []string{"m"}, Short: short, Env: []string{"GOWORK=off"}}
		}
		p, err := synthesis.Open(ctx, synthesis.Request{New: version(text, "b2b2b2b"), Old: version(strings.Replace(text, "return 1", "return 2", 1), "a1a1a1a"), Parallax: tool})
		if err != nil {
			t.Fatal(err)
		}
		fn, err := p.Find("example.com/m/p.Kind")
		if err != nil {
			t.Fatal(err)
		}
		here := t.TempDir()
		out := filepath.Join(here, ".parallax", "kind")
		f := flags(out, subject.Options{Mode: subject.Regress, Config: p.Configuration(fn, here, 20*time.Second, 1<<30)})
		built, err := subject.Build(ctx, &f.Campaign.Options, tool, view.Step)
		if err != nil {
			t.Fatal(err)
		}
		defer built.Close()
		var changed []int
		built.About().Space.All(func(t *flow.Table, first int, owners []int) {
			for i := range t.Blocks {
				if slices.Contains(owners, 0) && t.Blocks[i].Line >= 4 {
					changed = append(changed, first+i)
				}
			}
		})
		f.Campaign.Impact = reach.Analyze(reach.Request{Space: built.About().Space, Points: [][]int{changed}})
		if err := built.(*subject.Lockstep).Follow(f.Campaign.Impact.Impacted, f.Campaign.Impact.Impacted); err != nil || !f.Campaign.Impact.Known() {
			t.Fatal(err)
		}
		if programs := built.About().Plan.Programs; programs[0].Version != "b2b2b2b" || programs[1].Version != "a1a1a1a" {
			t.Errorf("programs %+v", programs)
		}
		summary, err := campaign.Run(ctx, nil, built, f.Campaign, view, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		differs(out, summary)
		scripts, _ := filepath.Glob(filepath.Join(out, "findings", "*", "*", "reproducer.sh"))
		if len(scripts) == 0 {
			t.Fatal("no script reproduces a finding")
		}
		cmd := exec.Command("sh", scripts[0])
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, toyVariable) })
		said, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(string(said), "1") {
			t.Errorf("the script ends with %d\n%s", code, said)
		}
	})

	t.Run("harness", func(t *testing.T) {
		dir := moduletest.Tree(t, gjsonHarness)
		moduletest.Untouched(t, dir)
		both, err := versions.Dependents(ctx, revision.Dependent{Dir: dir, Parallax: tool})
		if err != nil {
			t.Fatal(err)
		}
		defer both.Close()
		out := filepath.Join(t.TempDir(), "out")
		f := flags(out, subject.Options{Mode: subject.Diff, Packages: []string{"."}})
		built, err := subject.BuildPair(ctx, subject.PairRequest{
			New: subject.Version{Dir: both.Head.Home, Name: both.Head.Short, Environ: both.Head.Env}, Old: subject.Version{Dir: both.Base.Home, Name: both.Base.Short, Environ: both.Base.Env},
			Module: versions.Head.Module, Fuzz: "FuzzGet",
		}, &f.Campaign.Options, tool, view.Step)
		if err != nil {
			t.Fatal(err)
		}
		defer built.Close()
		if !strings.Contains(built.Pair.Compared, "gjson.Get") {
			t.Errorf("compared is %s", built.Pair.Compared)
		}
		summary, err := campaign.Run(ctx, nil, built, f.Campaign, view, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		differs(out, summary)
	})
}
