package text

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// costFinding returns a finding of two versions that return the same value.
func costFinding(blocks, allocated, before, beforeAllocated uint64) *finding.Finding {
	did := oracle.Detail{Outcome: "accepted", Value: "7"}
	return &finding.Finding{
		Bucket: "0c057b10c000", Kind: "change", Layer: "cost", Target: "p.FuzzP", Shape: input.Shape{input.String}, Input: []byte("aaaa"), Minimized: []byte("aa"), Count: 1,
		Programs: []finding.Program{
			{Name: "new", Detail: did, Blocks: blocks, Allocated: allocated}, {Name: "old", Detail: did, Blocks: before, Allocated: beforeAllocated},
		},
	}
}

func TestCost(t *testing.T) {
	noSource := func(string) ([]byte, error) { return nil, errNoSource }
	for _, test := range []struct {
		name   string
		f      *finding.Finding
		costs  string
		page   []string
		lacks  string
		result string // of the new version in the summary
	}{
		{"blocks", costFinding(1_204_331, 4096, 8_210, 2048), "blocks executed 1,204,331 beside 8,210",
			[]string{"| `new` | 1,204,331 | 4,096 |", "| `old` | 8,210 | 2,048 |", "`new` executes 146 times as many blocks as `old` does"}, "", "1,204,331 blocks executed, 4,096 bytes allocated"},
		{"bytes", costFinding(10, 64<<20, 10, 1024), "bytes allocated 67,108,864 beside 1,024",
			[]string{"| `new` | 10 | 67,108,864 |", "`new` allocates 65,536 times as many bytes as `old` does"}, "", "10 blocks executed, 67,108,864 bytes allocated"},
		{"beside nothing", costFinding(10, 64<<20, 10, 0), "bytes allocated 67,108,864 beside 0", []string{"| `old` | 10 | not counted |"}, "times as many", "10 blocks executed, 67,108,864 bytes allocated"},
		{"of programs in C", costFinding(200_000, 0, 1, 0), "blocks executed 200,000 beside 1", []string{"| `new` | 200,000 | not counted |"}, "", "200,000 blocks executed"},
		{"of one program", func() *finding.Finding { f := costFinding(5, 0, 1, 0); f.Programs = f.Programs[:1]; return f }(), "blocks executed 5", nil, "times as many", "5 blocks executed"},
	} {
		page := string(Markdown(test.f, finding.Page{Source: noSource}))
		for _, want := range append(test.page, " differ in cost: "+test.costs+"\n", "## Where the costs differ\n", "| `new` | accepted | `7` |") {
			if len(test.f.Programs) == 2 && !strings.Contains(page, want) {
				t.Errorf("%s: the page lacks %q\n%s", test.name, want, page)
			}
		}
		if test.lacks != "" && strings.Contains(page, test.lacks) {
			t.Errorf("%s: the page has %q\n%s", test.name, test.lacks, page)
		}
		if got := Title(test.f); !strings.HasSuffix(got, " differ in cost: "+test.costs) {
			t.Errorf("%s: %s", test.name, got)
		}
		if text := string(Terminal(test.f, finding.Page{Source: noSource}, TextOptions{Width: 100})); !strings.Contains(text, test.costs) {
			t.Errorf("%s: a terminal shows\n%s", test.name, text)
		}
		if b := test.f.Summarize(); b.Results["new"] != test.result || b.Layer != "cost" || bucketTitle(b) != "cost change" {
			t.Errorf("%s: %+v", test.name, b)
		}
		data, err := test.f.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := finding.ParseFinding(data); err != nil || !reflect.DeepEqual(got, test.f) {
			t.Errorf("%s: %+v, %v\n%s", test.name, got, err, data)
		}
	}
	f := costFinding(1, 1, 1, 1)
	if Cost(f, &f.Programs[0]) == "" {
		t.Error("a cost is not told")
	}
	f.Layer = "value"
	if Cost(f, &f.Programs[0]) != "" {
		t.Error("a cost is told of a finding that is not of cost")
	}
}

// TestNoCost checks that a record without costs has no keys for them.
func TestNoCost(t *testing.T) {
	data, err := findingtest.SemverFinding().JSON()
	if err != nil || bytes.Contains(data, []byte(`"blocks"`)) || bytes.Contains(data, []byte(`"allocated"`)) {
		t.Errorf("%v\n%s", err, data)
	}
}

// TestScriptOfCost checks that a script says that it sees no cost. It exits with a status of its
// own while the versions agree otherwise.
func TestScriptOfCost(t *testing.T) {
	f := costFinding(1_000_000, 0, 1, 0)
	files, err := new(reproducer.Script).Files(f)
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[reproducer.ScriptFile])
	for _, want := range []string{"1 while the programs disagree in the verdict", "# 3 when the campaign compares how many blocks", "exit 3\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the script lacks %q\n%s", want, text)
		}
	}
}

// TestTableOfCosts checks that findings of cost have a heading of their own in a list.
func TestTableOfCosts(t *testing.T) {
	value, cost := findingtest.TwoBuckets()[0], findingtest.TwoBuckets()[1]
	cost.ID, cost.Layer = "c0c0c0c0c0c0", finding.CostLayer
	for _, c := range []struct {
		list []finding.Row
		want int
	}{{[]finding.Row{value, cost, cost}, 1}, {[]finding.Row{cost, cost}, 0}, {[]finding.Row{value, value}, 0}} {
		var b bytes.Buffer
		if err := Table(&b, c.list, TableOptions{}); err != nil {
			t.Fatal(err)
		}
		if before, _, found := strings.Cut(b.String(), "Only costs differ:"); found != (c.want > 0) || found && (strings.Contains(before, cost.ID) || strings.Count(b.String(), "Only costs") > 1) {
			t.Errorf("heading %v, want %d:\n%s", found, c.want, b.String())
		}
	}
}
