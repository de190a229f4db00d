package worker

import (
	"os"
	"path/filepath"
	"testing"

	"parallax/internal/cmplog"
)

// told is a build of another kind.
type told struct{ ready bool }

func (a *told) Ready() bool { return a.ready }

func (a *told) Compare([]byte) []cmplog.Comparison { return []cmplog.Comparison{{A: 1}} }

// Every build is waited for, and one that will not be there keeps nobody from the others.
func TestCmplogClients(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cmplog")
	other := &told{}
	a := newCmplogClients([]CmpLogBuild{{Path: path}}, []CmpLog{other})
	defer a.close()
	ready := func() bool {
		for i := 0; i < lookEvery; i++ {
			if a.Ready() {
				return true
			}
		}
		return false
	}
	if ready() {
		t.Error("ready without any build")
	}
	if other.ready = true; ready() {
		t.Error("ready without one of the builds")
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 2*maxBroken; i++ {
		if !ready() {
			t.Fatalf("not ready after %d inputs, with a build that does not start", i)
		}
		if ops := a.Compare([]byte("x")); len(ops) != 1 {
			t.Fatalf("%d comparisons", len(ops))
		}
	}
	if a.all[0].path != "" {
		t.Error("what does not start is not given up")
	}
}
