package trial

import (
	"path/filepath"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// TestFindingsOfGenerators checks that the input of a finding is the generated one, which causes
// match, and not its tape.
func TestFindingsOfGenerators(t *testing.T) {
	shape, takes := input.Shape{input.Bytes}, input.Shape{input.String}
	folder, _, err := state.Open(atomicfile.OS, filepath.Join(t.TempDir(), "campaign"), state.Config{
		Target:   "t",
		Identity: state.Identity{Mode: "diff", Programs: []state.Program{{Name: "a", Function: "x.A"}, {Name: "b", Function: "x.B"}}, Shape: shape.String(), Compare: []string{"verdict"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	tape, err := shape.Pack([]byte("tape"))
	if err != nil {
		t.Fatal(err)
	}
	made, err := takes.Pack("text")
	if err != nil {
		t.Fatal(err)
	}
	const id = "aa0000000001"
	f := finding.Finding{
		Bucket: id, Kind: "discrepancy", Layer: "verdict", Shape: shape, Input: tape, Minimized: tape, Drawn: `input = "text"`, Generated: made, Takes: takes,
		Programs: []finding.Program{{Name: "a", Detail: oracle.Detail{Outcome: "accepted"}}, {Name: "b", Detail: oracle.Detail{Outcome: "rejected"}}},
	}
	outputs, err := f.JSON()
	if err != nil {
		t.Fatal(err)
	}
	file := shape.Encode(tape)
	if _, err := folder.WriteFinding(id, corpus.Hash(file), map[string][]byte{"input": file, "minimized": file, outputsFile: outputs}); err != nil {
		t.Fatal(err)
	}
	if err := folder.WriteBucket(finding.Bucket{ID: id, Kind: "discrepancy", Outcomes: map[string]string{"a": "accepted", "b": "rejected"}, Count: 1}); err != nil {
		t.Fatal(err)
	}
	s := &Sample{}
	if err := s.findings(folder); err != nil {
		t.Fatal(err)
	}
	if len(s.Buckets) != 1 || s.Buckets[0].Input != `"text"` {
		t.Errorf("%+v", s.Buckets)
	}
}
