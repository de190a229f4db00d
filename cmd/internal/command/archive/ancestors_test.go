package archive

import (
	"fmt"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
)

// TestAncestors checks the way of an input back to its seed: whole, cut off, and in a circle.
func TestAncestors(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, "campaign", findingstest.FirstID)
	p, err := open("campaign")
	if err != nil {
		t.Fatal(err)
	}
	store, err := corpus.Open(atomicfile.OS, p.folder.CorpusDir(), p.Shape)
	if err != nil {
		t.Fatal(err)
	}
	pack := func(s string) []byte {
		flat, err := p.Shape.Pack(s)
		if err != nil {
			t.Fatal(err)
		}
		return flat
	}
	hash := func(s string) string { return corpus.Hash(p.Shape.Encode(pack(s))) }
	for s, m := range map[string]corpus.Meta{
		"seed": {From: "seeds/a"}, "middle": {Parent: hash("seed"), Operators: []string{"insert"}}, "last": {Parent: hash("middle")}, "orphan": {Parent: "0000000000000000"},
		"round": {Parent: hash("round")}, "outside": {Parent: "../../campaign.json"},
	} {
		if _, _, err := store.Put(pack(s), m); err != nil {
			t.Fatal(err)
		}
	}
	for parent, want := range map[string]string{
		"last": `"last" "middle" "seed" seed`, "seed": `"seed" seed`, "orphan": `"orphan"`, "round": `"round"`, "outside": `"outside"`, "missing": "", "": "",
	} {
		f := &finding.Finding{Shape: p.Shape}
		if parent != "" {
			f.Parent = pack(parent)
		}
		got := ""
		for i, a := range p.ancestors(f) {
			if i > 0 {
				got += " "
			}
			got += a.Input
			if a.Seed {
				got += fmt.Sprintf(" %.4s", a.From)
			}
		}
		if got != want {
			t.Errorf("of %q: %s, want %s", parent, got, want)
		}
	}
}
