package worker

import (
	"sync/atomic"

	"parallax/internal/feature"
	"parallax/internal/operand"
)

// askers ask several operand builds, one after another: programs of a conductor are built apart.
type askers struct {
	all  []*asker
	more []Asker
	runs atomic.Uint64
}

// newAskers asks the executables at the paths, which may appear later.
func newAskers(paths []string, more []Asker) *askers {
	a := &askers{more: more}
	for _, path := range paths {
		a.all = append(a.all, &asker{path: path, beat: func() {}, runs: &a.runs})
	}
	return a
}

// Ready reports whether each build is there, or was given up.
func (a *askers) Ready() bool {
	some := len(a.more) > 0
	for _, one := range a.all {
		if one.path != "" && !one.Ready() {
			return false
		}
		some = some || one.path != ""
	}
	return some
}

// Compare runs the input in every build. Comparisons of different builds are of different places.
func (a *askers) Compare(flat []byte) (ops []operand.Op) {
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

func (a *askers) close() {
	for _, one := range a.all {
		one.close()
	}
}
