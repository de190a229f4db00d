package triage

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Taken is a path of the first program, an original, as in Agreement, with the inputs that take it.
type Taken struct {
	Key              uint64
	Hits             []uint32 // the blocks
	Cell             string   // the kind of the outcome; empty without cells
	Runs, Agree      int      // different inputs, and those on which all agree
	Crashes          int      // inputs on which another program crashes or hangs
	Agreed, Deviates []byte   // an input of each kind, or nil
	Original, Model  wire.RunResult
	Names            []string // of the named inputs
}

// Paths counts inputs by the paths of the first program.
type Paths struct {
	List     []*Taken // in order of appearance
	Runs     int      // different inputs with a known path, which no program declines
	Given    int      // given inputs, without those near them
	Declined int      // given inputs that a program declines
	Refused  []byte   // one of these
	Failed   int      // inputs on which the first program crashes or hangs

	cells bool
	by    map[string]*Taken
	seen  map[string]bool // executed inputs, and whether they were given
}

// NewPaths returns empty counts.
func NewPaths(cells bool) *Paths {
	return &Paths{cells: cells, by: map[string]*Taken{}, seen: map[string]bool{}}
}

// pathsDeaths bounds the processes that may end during Add.
const pathsDeaths = 8

// Add runs inputs, and near neighbors of each. names holds names by input.
func (p *Paths) Add(ctx context.Context, j *Triager, inputs [][]byte, near int, names map[string]string) error {
	s := j.Replayer()
	s.Ctx = ctx
	defer s.Close()
	return s.RunAll(p.fresh(j, inputs, near), wire.WantHits|wire.WantDetail, func(flat []byte, results []wire.RunResult) bool {
		p.count(j, flat, results, names[string(flat)])
		return s.Deaths < pathsDeaths
	})
}

// fresh yields inputs that were not run, and near neighbors of each.
func (p *Paths) fresh(j *Triager, inputs [][]byte, near int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		one := func(flat []byte, given bool) bool {
			if _, there := p.seen[string(flat)]; there {
				return true
			}
			p.seen[string(flat)] = given
			return yield(flat)
		}
		for _, flat := range inputs {
			if !one(flat, true) {
				return
			}
		}
		if near == 0 {
			return
		}
		for _, flat := range inputs {
			for b := range Neighbors(j.Shape, flat, near) {
				if !one(b, false) {
					return
				}
			}
		}
	}
}

func (p *Paths) count(j *Triager, flat []byte, results []wire.RunResult, name string) {
	if len(results) < 2 {
		return
	}
	first := &results[0]
	failed, fails := Failed(results)
	given := p.seen[string(flat)]
	if given {
		p.Given++
	}
	switch {
	case fails && failed == 0:
		p.Failed++
		return
	case slices.ContainsFunc(results, declined):
		if given { // a neighbor may be no call at all
			p.Declined++
		}
		if given && p.Refused == nil {
			p.Refused = slices.Clone(flat)
		}
		return
	case len(first.Hits) == 0 && !p.cells:
		return
	}
	of := ""
	if p.cells {
		of = cell(first)
	}
	id := fmt.Sprint(first.Hits, of)
	t := p.by[id]
	if t == nil {
		t = &Taken{Key: Hash(id), Hits: slices.Clone(first.Hits), Cell: of}
		p.by[id] = t
		p.List = append(p.List, t)
	}
	p.Runs++
	t.Runs++
	if name != "" {
		t.Names = append(t.Names, name)
	}
	switch layer := Layer(j.Layers, results); {
	case layer == 0 && !fails:
		if t.Agree++; t.Agreed == nil {
			t.Agreed = slices.Clone(flat)
		}
		return
	case fails:
		t.Crashes++
	}
	if t.Deviates == nil {
		t.Deviates, t.Original, t.Model = slices.Clone(flat), results[0], results[1]
	}
}

// Outcome returns the kind of the outcome in words.
func (t *Taken) Outcome() string {
	number, kind, _ := strings.Cut(t.Cell, " ")
	outcome, _ := strconv.ParseUint(number, 10, 64)
	first, empty, lists := strings.Cut(kind, " empty ")
	if lists {
		kind = map[string]string{"[": "list", "{": "object", "'": "text", "`": "text", `"`: "text", "(": "tuple"}[first]
		if kind == "" {
			kind = first
		}
		if empty == "true" {
			kind = "empty " + kind
		} else {
			kind += " that is not empty"
		}
	}
	return strings.TrimSpace(oracle.Outcome(outcome).String() + " " + kind)
}

// Came describes the outcome of a run.
func Came(r *wire.RunResult) string {
	switch oracle.Outcome(r.Outcome) {
	case oracle.Accepted:
		if r.Rendered == "" {
			return "returns"
		}
		return "returns " + r.Rendered
	case oracle.Rejected:
		if r.Error == "" {
			return "refuses it"
		}
		return "refuses it: " + r.Error
	}
	return oracle.Outcome(r.Outcome).String()
}
