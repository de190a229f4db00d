// Package findingstest holds fixtures for tests of findings, campaigns and their users. It has an
// empty folder of a campaign on two programs, and findings as triage would return them. It imports
// only packages below findings.
package findingstest

import (
	"parallax/cmd/internal/finding"
	"testing"

	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Ids of buckets. The first two have a common prefix.
const (
	FirstID  = "aaaa00000001"
	SecondID = "aaaa00000002"
	ThirdID  = "bbbb00000003"
)

// Target returns the target of the folder's campaign.
func Target() *subject.InProcess {
	return &subject.InProcess{Facts: subject.Facts{
		Plan:  &gobuild.Plan{Target: "a-b", Programs: []gobuild.Program{{Name: "a"}, {Name: "b"}}},
		Names: []string{"a", "b"}, Shape: input.Shape{input.String},
	}}
}

// OpenFolder opens a campaign's folder and closes it at the end of the test.
func OpenFolder(t testing.TB, dir string) *state.Folder {
	t.Helper()
	f, _, err := state.Open(atomicfile.OS, dir, state.Config{
		Target: "a-b", Dir: "/home/user",
		Identity: state.Identity{Mode: "diff", Shape: "(string)", Compare: []string{"verdict"}, Programs: []state.Program{{Name: "a"}, {Name: "b"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Disagreement returns a triaged discrepancy. An empty small means that it was not minimized.
func Disagreement(before, id, flat, small string) *triage.Result {
	f := &triage.Result{
		Kind: finding.KindDiscrepancy, Layer: oracle.VerdictLayer, Flat: []byte(flat), Minimized: []byte(small),
		Before: before, Bucket: id, Deciding: []int{triage.None, triage.None},
	}
	if small == "" {
		f.Minimized, f.Bucket = f.Flat, before
		return f
	}
	f.Results = []wire.RunResult{
		{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Rejected), Error: "no", ErrorType: "T", ErrorClass: "no"},
	}
	return f
}

// Pending returns the names of the candidates that wait in a folder.
func Pending(t testing.TB, f *state.Folder) []string {
	t.Helper()
	list, _, err := f.Pending()
	if err != nil {
		t.Fatal(err)
	}
	return list
}
