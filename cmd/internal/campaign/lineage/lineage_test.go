package lineage

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// TestLineage checks that the origin of an input is the root of its tree and its depth there, in
// any order of arrival. A resumed campaign with other seeds has the roots in its corpus.
func TestLineage(t *testing.T) {
	shape := input.Shape{input.Bytes}
	hash := func(i int) string { return hashOf(shape, fmt.Append(nil, i)) }
	for run := range 100 {
		r := rand.New(rand.NewPCG(uint64(run), 1))
		const roots, inputs = 4, 60
		var seeds []corpus.Seed
		for i := range roots - 1 { // the last root is a new input
			seeds = append(seeds, corpus.Seed{Flat: fmt.Append(nil, i), From: fmt.Sprintf("file s%d", i)})
		}
		now, later := New(shape, seeds), New(shape, nil)
		parent, root, depth := make([]int, inputs), make([]int, inputs), make([]int, inputs)
		for i := range inputs {
			parent[i], root[i] = -1, i
			if i >= roots {
				parent[i] = r.IntN(i)
				root[i], depth[i] = root[parent[i]], depth[parent[i]]+1
			}
		}
		kept := inputs / 2
		for _, i := range r.Perm(kept) {
			var m corpus.Meta
			if parent[i] >= 0 {
				m.Parent = hash(parent[i])
			} else if i < roots-1 {
				m.From = fmt.Sprintf("file s%d", i)
			}
			now.Keep(hash(i), m)
			later.Keep(hash(i), m)
		}
		for i := range inputs {
			var of []byte
			if parent[i] >= kept {
				continue // inputs that are not kept have no children
			}
			if parent[i] >= 0 {
				of = fmt.Append(nil, parent[i])
			}
			from := fmt.Sprintf("file s%d", root[i])
			want := finding.SeedOrigin(from)
			switch isNew := root[i] == roots-1; {
			case isNew && depth[i] == 0:
				want = finding.Fuzzed
			case isNew:
				want = finding.MutatedOrigin("", depth[i])
			case depth[i] > 0:
				want = finding.MutatedOrigin(from, depth[i])
			}
			for _, l := range []*Lineage{now, later} {
				if got := l.origin(fmt.Append(nil, i), of); got != want {
					t.Fatalf("run %d, input %d: %s, want %s", run, i, got, want)
				}
			}
		}
	}
}

// TestLineageCircle checks that origins of any edited metadata can be computed.
func TestLineageCircle(t *testing.T) {
	shape := input.Shape{input.Bytes}
	l := New(shape, []corpus.Seed{{Flat: []byte("s"), From: "file s"}})
	a, b := hashOf(shape, []byte("a")), hashOf(shape, []byte("b"))
	l.Keep(a, corpus.Meta{Parent: b})
	l.Keep(b, corpus.Meta{Parent: a})
	if got := l.origin([]byte("a"), nil); got != "" {
		t.Errorf("a circle has the origin %q", got)
	}
	if got, want := l.origin([]byte("x"), []byte("y")), "mutated from an input whose origin is not on record in 1 step"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	found, minimized := l.Origins(&triage.Result{Flat: []byte("x"), Minimized: []byte("s")}, &finding.Candidate{Parent: []byte("s")})
	if found != "mutated from file s in 1 step" || minimized != "seed: file s" {
		t.Errorf("%q, %q", found, minimized)
	}
}

// TestOrigins checks origins of findings whose candidates hold no input, as of those that are
// located again. It also checks those that were taken from candidates with several causes.
func TestOrigins(t *testing.T) {
	shape := input.Shape{input.String, input.String}
	seed, err := shape.Pack("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	part, err := shape.Pack("a", "")
	if err != nil {
		t.Fatal(err)
	}
	l := New(shape, []corpus.Seed{{Flat: seed, From: "file s"}})
	for _, test := range []struct {
		flat      []byte
		candidate finding.Candidate
		want      string
	}{
		{seed, finding.Candidate{}, "seed: file s"},
		{part, finding.Candidate{}, finding.Fuzzed},
		{part, finding.Candidate{Flat: seed}, "mutated from file s in 1 step"},
		{part, finding.Candidate{Flat: part, Parent: seed}, "mutated from file s in 1 step"},
	} {
		if got, _ := l.Origins(&triage.Result{Flat: test.flat, Minimized: test.flat}, &test.candidate); got != test.want {
			t.Errorf("%q of %+v: %q, want %q", test.flat, test.candidate, got, test.want)
		}
	}
}
