package worker

import (
	"sync/atomic"

	"parallax/internal/cmplog"
	"parallax/internal/feature"
)

// cmplogClients runs an input in several cmplog builds, one after another. Programs in lockstep
// have separate builds.
type cmplogClients struct {
	all  []*cmplogClient
	more []CmpLog // for other kinds of programs
	runs atomic.Uint64
	made func(flat []byte) []byte // returns the programs' input for an input of the campaign; nil means that they are equal
}

// CmpLogBuild describes a cmplog build of programs in other processes and its start. Empty fields
// mean the arguments, folder and environment of this process.
type CmpLogBuild struct {
	Path string   // of the executable, which may appear later
	Args []string `json:",omitempty"`
	Dir  string   `json:",omitempty"`
	Env  []string `json:",omitempty"` // added to the environment, with precedence
}

// newCmplogClients returns clients that start each build when it exists.
func newCmplogClients(builds []CmpLogBuild, more []CmpLog) *cmplogClients {
	a := &cmplogClients{more: more}
	for _, b := range builds {
		a.all = append(a.all, &cmplogClient{path: b.Path, start: b, beat: func() {}, runs: func() { a.runs.Add(1) }})
	}
	return a
}

// Ready reports whether each build exists or was given up.
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

// Compare runs the input in every build. It gives comparisons of different builds different sites.
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
