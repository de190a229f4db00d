package findings

import (
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
)

// TestSettle checks that the history of a bucket has an entry for each change of its state. A run
// that shows the same adds none.
func TestSettle(t *testing.T) {
	f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
	f.Revision = func() string { return "abc" }
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "in"))
	const id = findingstest.FirstID
	for i, c := range []struct {
		gone    bool
		entries int
		state   history.State
	}{{false, 0, history.New}, {true, 1, history.Fixed}, {true, 1, history.Fixed}, {false, 2, history.Again}, {false, 2, history.Again}, {true, 3, history.Fixed}} {
		if err := f.Mark(id, c.gone); err != nil {
			t.Fatal(err)
		}
		if err := f.Settle(id); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			row, log := f.Rows()[0], f.Find(id).History
			if len(log) != c.entries || row.State != string(c.state) || row.Open() == c.gone || len(log) > 0 && log[0].Revision != "abc" {
				t.Errorf("%d: %s, open %v, %+v", i, row.State, row.Open(), log)
			}
			f = newFindings(t, f.folder)
			f.Revision = func() string { return "abc" }
		}
	}
	if err := f.Settle("ffff"); err != nil {
		t.Errorf("a bucket that moved: %v", err)
	}
}

// TestSettleVariant checks that the history of a fixed bucket says that it shows again through a
// new variant.
func TestSettleVariant(t *testing.T) {
	for _, variant := range []string{"1111", "2222"} {
		f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
		const id = findingstest.FirstID
		add := func(variant, flat, small string) {
			found := findingstest.Disagreement(id, id, flat, small)
			found.Variant = variant
			addAll(t, f, found)
			if err := f.Settle(id); err != nil {
				t.Fatal(err)
			}
		}
		add("1111", "input", "in")
		if err := f.Mark(id, true); err != nil {
			t.Fatal(err)
		}
		if err := f.Settle(id); err != nil {
			t.Fatal(err)
		}
		add(variant, "another", "an")
		log := f.Find(id).History
		if len(log) != 2 || log[1].State != history.Again || (log[1].Comment != "") != (variant == "2222") {
			t.Errorf("variant %s: %+v", variant, log)
		}
	}
}

// TestBequeath checks that the history of a bucket follows its finding to the bucket where its
// triage ends. It has lines that were appended while the campaign ran.
func TestBequeath(t *testing.T) {
	f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
	found := findingstest.Disagreement("cccc00000001", "cccc00000001", "input", "input")
	cand := finding.Candidate{Flat: found.Flat, Layer: found.Layer}
	found.Unfinished = f.CandidateKey(&cand)
	if _, _, err := f.Add(found, cand); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two"} {
		if err := f.folder.AppendHistory("cccc00000001", history.Entry{Comment: text}.Encode()); err != nil {
			t.Fatal(err)
		}
	}
	found = findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "in")
	if _, _, err := f.Add(found, cand); err != nil {
		t.Fatal(err)
	}
	f = newFindings(t, f.folder)
	log := f.Find(findingstest.FirstID).History
	if len(f.IDs()) != 1 || len(log) != 2 || log[0].Comment != "one" || log[1].Comment != "two" {
		t.Errorf("%q, %+v", f.IDs(), log)
	}
}
