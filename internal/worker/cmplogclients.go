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
	made func(flat []byte) []byte // what the programs take of an input of the campaign; nil: the input
}

// CmpLogBuild is the cmplog build of programs that run elsewhere, and how its process is started. Without arguments, folder or
// variables of its own it has those of this process.
type CmpLogBuild struct {
	Path string   // of the executable, which may appear later
	Args []string `json:",omitempty"`
	Dir  string   `json:",omitempty"`
	Env  []string `json:",omitempty"` // beside the environment, and before it
}

// newCmplogClients starts the builds, each when it is there.
func newCmplogClients(builds []CmpLogBuild, more []CmpLog) *cmplogClients {
	a := &cmplogClients{more: more}
	for _, b := range builds {
		a.all = append(a.all, &cmplogClient{path: b.Path, start: b, beat: func() {}, runs: func() { a.runs.Add(1) }})
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
	if a.made != nil {
		if flat = a.made(flat); flat == nil {
			return nil
		}
	}
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
