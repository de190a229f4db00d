package original

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// kept returns the file of a recorded extraction.
func kept(t *testing.T, function string) string {
	t.Helper()
	return written(t, extracttest.Answer(t, function))
}

func written(t *testing.T, a *extract.Answer) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "extraction.json")
	if err := (&record.Record{Answer: *a}).Write(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTable checks that the block table matches runs. Each step of a trace is an edge of the table,
// a call or a return. Counts belong to the blocks at the source lines.
func TestTable(t *testing.T) {
	s := &Settings{Extraction: kept(t, "strchr")}
	if _, err := s.Prepare(nil, nil); err != nil {
		t.Fatal(err)
	}
	if l := s.Traits().Layout; l == nil || l.Numbers != 4 {
		t.Errorf("the layout of an input: %+v", l)
	}
	e, err := open(s)
	if err != nil {
		t.Fatal(err)
	}
	counters := e.Regions()[0].Counters
	table, err := s.Table("", counters)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Blocks) != counters || len(table.Funcs) < 3 || table.Funcs[0].Name != "strchr" {
		t.Fatalf("%d blocks for %d counters, functions %+v", len(table.Blocks), counters, table.Funcs)
	}
	if _, err := s.Table("", counters+1); err == nil {
		t.Error("a table of another number of blocks")
	}
	c := e.original.Signature.Decode([]byte("b\x00\x00\x00ab"))
	run, err := e.original.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	for i := 1; i < len(run.Trace); i++ {
		from, to := &table.Blocks[e.blocks.local[run.Trace[i-1]]], &table.Blocks[e.blocks.local[run.Trace[i]]]
		switch {
		case contains(from.Succs, to.ID):
			edges++
		case from.Exit || to.Kind == flow.Entry || len(from.Calls) > 0: // a return, or a call
		default:
			t.Errorf("a step from block %d (%s:%d) to %d (%s:%d), which the table does not have", from.ID, from.File, from.Line, to.ID, to.File, to.Line)
		}
	}
	if edges == 0 {
		t.Error("no step is an edge of the table")
	}
	obs := make([]program.Observation, 1)
	if err := e.Execute(context.Background(), [][]byte{[]byte("b\x00\x00\x00ab")}, obs); err != nil {
		t.Fatal(err)
	}
	total := 0
	for k, n := range obs[0].Counts {
		if b := table.Blocks[obs[0].Features[k]]; !strings.HasPrefix(b.File, "src/string/") {
			t.Errorf("block %d is in %s", b.ID, b.File)
		}
		total += int(n)
	}
	if total != len(run.Trace) {
		t.Errorf("%d blocks are counted, and the trace has %d", total, len(run.Trace))
	}
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// TestExecute checks that undefined calls are declined, and that others are accepted with their
// effects.
func TestExecute(t *testing.T) {
	e, err := open(&Settings{Extraction: kept(t, "memcpy")})
	if err != nil {
		t.Fatal(err)
	}
	obs := make([]program.Observation, 2)
	if err := e.Execute(context.Background(), [][]byte{{}, {1, 'a', 0, 0, 0, 'b'}}, obs); err != nil {
		t.Fatal(err)
	}
	if obs[0].Outcome != oracle.Accepted || string(obs[0].Value) != "returns arg_0" {
		t.Errorf("nothing is copied: %v %q", obs[0].Outcome, obs[0].Value)
	}
	if obs[1].Outcome != oracle.Accepted || string(obs[1].Value) != `returns arg_0, writes "b" at arg_0+0` {
		t.Errorf("%s: %v %q %s", e.Quote([]byte{1, 'a', 0, 0, 0, 'b'}), obs[1].Outcome, obs[1].Value, obs[1].Message)
	}
	i32 := extract.Argument{Name: "arg_0", Kind: "scalar", Bits: 32, Signed: true}
	abs := &extract.Answer{Function: "abs", Status: extract.OK, Arguments: []extract.Argument{i32}, Result: &extract.Result{Name: "ret", Kind: "scalar", Bits: 32, Signed: true}}
	e, err = open(&Settings{Extraction: written(t, abs)})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Execute(context.Background(), [][]byte{{0, 0, 0, 0x80}, {0xff, 0xff, 0xff, 0xff}}, obs); err != nil {
		t.Fatal(err)
	}
	if obs[0].Outcome != oracle.Declined || obs[0].Message == "" {
		t.Errorf("abs of the smallest number: %v %q", obs[0].Outcome, obs[0].Message)
	}
	if obs[1].Outcome != oracle.Accepted || string(obs[1].Value) != "returns 1" {
		t.Errorf("abs(-1): %v %q", obs[1].Outcome, obs[1].Value)
	}
	if _, err := open(&Settings{Extraction: kept(t, "strcat"), Compare: "sign"}); err == nil || !strings.Contains(err.Error(), `compare = "sign" does not fit`) {
		t.Errorf("an address by its sign: %v", err)
	}
}
