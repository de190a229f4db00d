package worker

import (
	"sync/atomic"

	"parallax/internal/cmplog"
	"parallax/internal/feature"
)

// cmplogClients run an input in several cmplog builds, one after another: programs in lockstep are built apart.
type cmplogClients struct {
	all  []*cmplogClient
	more []CmpLog // of other kinds
	runs atomic.Uint64
}

// newCmplogClients starts the executables at the paths, which may appear later.
func newCmplogClients(paths []string, more []CmpLog) *cmplogClients {
	a := &cmplogClients{more: more}
	for _, path := range paths {
		a.all = append(a.all, &cmplogClient{path: path, beat: func() {}, runs: func() { a.runs.Add(1) }})
	}
	return a
}

// Ready reports whether each build is there, or was given up.
func (a *cmplogClients) Ready() bool {
	some := len(a.more) > 0
	for _, one := range a.more {
		if !one.Ready() {
			return false
		}
	}
	for _, one := range a.all {
		if one.path != "" && !one.Ready() {
			return false
		}
		some = some || one.path != ""
	}
	return some
}

// Compare runs the input in every build. Comparisons of different builds are of different places.
func (a *cmplogClients) Compare(flat []byte) (ops []cmplog.Comparison) {
	for i, one := range a.all {
		for _, op := range one.Compare(flat) {
			op.Site = feature.Chain(op.Site, uint64(i))
			ops = append(ops, op)
		}
	}
	for i, one := range a.more {
		a.runs.Add(1)
		for _, op := range one.Compare(flat) {
			op.Site = feature.Chain(op.Site, uint64(len(a.all)+i))
			ops = append(ops, op)
		}
	}
	return ops
}

func (a *cmplogClients) close() {
	for _, one := range a.all {
		one.close()
	}
}
