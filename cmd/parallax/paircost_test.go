package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
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

const costHarness = `-- go.mod --
module example.com/m

go 1.22
-- p/p_test.go --
package p

import (
	"strings"
	"testing"
)

func FuzzP(f *testing.F) {
	for _, s := range []string{"slow", "large", "four", "once", "better", "both"} {
		f.Add(s + strings.Repeat("-", 10))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if Work(s) < 0 {
			t.Error("less than nothing")
		}
	})
}
-- p/p.go --
package p

var (
	room  []byte
	table []int
)

func Work(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case 's':
		return slow(s)
	case 'l':
		for range RoomsOfLarge {
			room = make([]byte, 64<<10)
		}
		return len(s)
	case 'f':
		return steps(s, StepsOfFour)
	case 'o':
		if table == nil {
			for range StepsOfOnce {
				table = append(table, len(table))
			}
		}
		return len(s)
	case 'b':
		return steps(s, StepsOfBetter)
	}
	return len(s)
}

// steps takes so many.
func steps(s string, n int) int {
	a := 0
	for range n {
		a = len(s) - a
	}
	return len(s)
}
`

const (
	linear = `-- p/slow.go --
package p

const (
	RoomsOfLarge  = 1
	StepsOfFour   = 30_000
	StepsOfOnce   = 1
	StepsOfBetter = 120_000
)

// slow counts dashes.
func slow(s string) (n int) {
	for i := range s {
		if s[i] == '-' {
			n++
		}
	}
	return n
}
`
	quadratic = `-- p/slow.go --
package p

const (
	RoomsOfLarge  = 320
	StepsOfFour   = 120_000
	StepsOfOnce   = 120_000
	StepsOfBetter = 10
)

// slow counts dashes.
func slow(s string) (n int) {
	for i := range s {
		if s[i] == '-' {
			n = dashes(s, i+1)
		}
	}
	return n
}

// dashes counts those of a beginning, again and again: what is short costs enough, and is made smaller in few steps.
func dashes(s string, end int) (n int) {
	for range 2048 {
		n = 0
		for i := range end {
			if s[i] == '-' {
				n++
			}
		}
	}
	return n
}
`
)

// outputs are the records of findings, by their places in a campaign's folder.
func outputs(t *testing.T, out string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "findings", "*", "*", "outputs.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(name, out)] = data
	}
	return all
}

// TestPairCost runs a whole campaign on two versions that do the same. The new one does quadratic
// work in one place and allocates much in another. Work of four times the cost, work once per
// process, and cheaper work are not reported. With a seed, the findings repeat, including their
// numbers.
func TestPairCost(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a campaign")
	}
	t.Setenv(toyVariable, "1") // the test's executable is the tool
	t.Setenv("XDG_CACHE_HOME", moduletest.Cache())
	older, newer := moduletest.Tree(t, costHarness+linear), moduletest.Tree(t, costHarness+quadratic)
	f := fuzzing.Options{Campaign: campaign.Options{Options: subject.Options{Mode: subject.Diff, Packages: []string{"./p"}}}}
	c := &cobra.Command{}
	register(c, &f)
	if err := c.Flags().Parse([]string{"--fuzztime=200x", "--parallel=1", "--no-cmplog", "--max-bytes=32", "--seed=1", "--out=" + filepath.Join(t.TempDir(), "out"), "--timeout=20s"}); err != nil {
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
		New: subject.Version{Dir: newer, Package: "./p"}, Old: subject.Version{Dir: older, Package: "./p"}, Fuzz: "FuzzP",
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
	again := f.Campaign
	again.Out = filepath.Join(t.TempDir(), "again")
	if _, err := campaign.Run(ctx, nil, p, again, view, time.Now); err != nil {
		t.Fatal(err)
	}
	if a, b := outputs(t, f.Campaign.Out), outputs(t, again.Out); !maps.EqualFunc(a, b, bytes.Equal) {
		t.Errorf("what was found does not repeat: %q, then %q", a, b)
	}
	dirs := map[string]string{} // of findings, by the first letter of the input
	for _, b := range summary.Findings.Buckets {
		dir := filepath.Dir(b.Minimized)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(f.Campaign.Out, dir)
		}
		dirs[strings.Trim(b.Quoted, `"`)[:1]] = dir
		if b.Kind != "change" || b.Layer != "cost" || b.Flaky || b.Gone {
			t.Errorf("bucket %+v", b)
		}
	}
	if len(summary.Findings.Buckets) != 2 || dirs["s"] == "" || dirs["l"] == "" {
		t.Fatalf("findings of %v, want one each of s and l: %+v", dirs, summary.Findings.Buckets)
	}
	for _, want := range []struct {
		of, told, place   string
		blocks, allocated uint64 // of the new version, at least
		most              int    // bytes of the smallest input
	}{
		{"s", "blocks executed ", "p/slow.go:", 100_001, 0, 12},
		{"l", "bytes allocated ", "", 0, 20 << 20, 1},
	} {
		data, err := os.ReadFile(filepath.Join(dirs[want.of], "outputs.json"))
		if err != nil {
			t.Fatal(err)
		}
		var record struct {
			Minimized struct{ Size int }
			Programs  []struct {
				Name, Outcome     string
				Blocks, Allocated uint64
			}
		}
		if err := json.Unmarshal(data, &record); err != nil || len(record.Programs) != 2 {
			t.Fatalf("%v: %s", err, data)
		}
		now, before := record.Programs[0], record.Programs[1]
		if now.Blocks < want.blocks || now.Allocated < want.allocated || want.blocks > 0 && before.Blocks > now.Blocks/8 || want.allocated > 0 && before.Allocated > now.Allocated/8 {
			t.Errorf("%s: %+v beside %+v", want.of, now, before)
		}
		// The flat form of a string has a length of four bytes before it.
		if size := record.Minimized.Size; size > want.most+4 {
			t.Errorf("%s: an input of %d bytes is not small", want.of, size)
		}
		report, err := os.ReadFile(filepath.Join(dirs[want.of], "report.md"))
		if err != nil {
			t.Fatal(err)
		}
		if text := string(report); !strings.Contains(text, "differ in cost: "+want.told) || !strings.Contains(text, "Where the costs differ") || !strings.Contains(text, want.place) {
			t.Errorf("%s: the report does not tell the cost\n%s", want.of, text)
		}
		script := exec.Command("sh", "reproducer.sh")
		script.Dir = dirs[want.of]
		script.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, toyVariable) })
		if out, _ := script.CombinedOutput(); script.ProcessState.ExitCode() != 3 {
			t.Errorf("%s: the script ends with %d\n%s", want.of, script.ProcessState.ExitCode(), out)
		}
		id := filepath.Base(filepath.Dir(dirs[want.of]))
		show := exec.Command(tool, "show", "--campaign", f.Campaign.Out, id)
		if out, err := show.CombinedOutput(); err != nil || !strings.Contains(string(out), want.told) {
			t.Errorf("show: %v\n%s", err, out)
		}
		replay := exec.Command(tool, "replay", "--campaign", f.Campaign.Out, id)
		if out, err := replay.CombinedOutput(); replay.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "the programs disagree (cost: "+want.told) {
			t.Errorf("replay: %v\n%s", err, out)
		}
		bisect := exec.Command(tool, "bisect", "--campaign", f.Campaign.Out, "--module", "example.com/m", id)
		if out, _ := bisect.CombinedOutput(); bisect.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "of what two versions cost") {
			t.Errorf("bisect ends with %d\n%s", bisect.ProcessState.ExitCode(), out)
		}
	}
}
