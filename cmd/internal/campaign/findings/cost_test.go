package findings

import (
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// dearer returns a triaged finding of cost.
func dearer(blocks uint64) *triage.Result {
	f := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "long", "ln")
	f.Kind, f.Layer, f.Dear = triage.Change, oracle.CostLayer, oracle.Blocks
	f.Results = []wire.RunResult{{Outcome: uint64(oracle.Accepted), Length: blocks, Allocated: 4096}, {Outcome: uint64(oracle.Accepted), Length: 10}}
	return f
}

// TestCostIsFiled checks that a finding of cost is filed with its numbers, shown and read again.
func TestCostIsFiled(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	found := dearer(1_204_331)
	b, fresh, err := f.Add(found, finding.Candidate{Flat: found.Flat, Layer: oracle.CostLayer})
	if err != nil || !fresh || b.Kind != "change" {
		t.Fatalf("%+v, %v", b, err)
	}
	if p := b.Best.Programs; b.Best.Layer != "cost" || p[0].Blocks != 1_204_331 || p[0].Allocated != 4096 || p[1].Blocks != 10 || p[1].Allocated != 0 {
		t.Errorf("recorded as %s of %+v", b.Best.Layer, p)
	}
	page, err := folder.ReadFinding(b.ID, b.BestHash, ReportFile)
	if err != nil || !strings.Contains(string(page), "blocks executed 1,204,331 beside 10") {
		t.Errorf("%v\n%s", err, page)
	}
	if rows := f.Rows(); len(rows) != 1 || rows[0].Kind != "change" || rows[0].Layer != "cost" || Closed(rows[0]) || f.Kinds()["change"] != 1 {
		t.Errorf("%+v", rows)
	}
	list, problems, _, err := Read(folder)
	if err != nil || len(problems) > 0 || len(list) != 1 || list[0].Best.Programs[0].Blocks != 1_204_331 || list[0].Kind != "change" {
		t.Errorf("%+v, %q, %v", list, problems, err)
	}
}

// TestCostIsShown checks that other findings have no numbers, and that a run without a higher cost
// is not written.
func TestCostIsShown(t *testing.T) {
	f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
	verdict := findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "other", "ot")
	verdict.Results[0].Length, verdict.Results[0].Allocated = 1e6, 1e6
	if b, _, err := f.Add(verdict, finding.Candidate{Flat: verdict.Flat}); err != nil || b.Best.Programs[0].Blocks != 0 || b.Best.Programs[0].Allocated != 0 {
		t.Errorf("%+v, %v", b, err)
	}
	if _, _, err := f.Add(dearer(50), finding.Candidate{Flat: []byte("long")}); err == nil || !strings.Contains(err.Error(), "do not show a change") {
		t.Errorf("%v", err)
	}
}
