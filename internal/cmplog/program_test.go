package cmplog

import (
	"bytes"
	"encoding/binary"
	"sort"
	"strings"
	"testing"

	"parallax/internal/input"
)

// The programs below are solved by Solve alone, within budgets of several times the needed
// executions. They record comparisons by hand, as instrumented programs would.

// recorder collects the comparisons and the progress of a program.
type recorder struct {
	ops     []Comparison
	count   map[uint64]int
	reached map[int]bool
	solved  bool
}

func (r *recorder) note(o Comparison) {
	const most = 16 // per site, as in the instrumentation
	if r.count[o.Site]++; r.count[o.Site] <= most && len(r.ops) < 2048 {
		o.S, o.T = o.texts()
		r.ops = append(r.ops, o)
	}
}

// reach records that the run reached a point.
func (r *recorder) reach(point int) { r.reached[point] = true }

// integer is a constraint of all widths.
type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// ints records a comparison of an input's value with a constant.
func ints[T integer](r *recorder, site uint64, k Kind, a, b T, constant bool) {
	r.note(Comparison{Site: site, Kind: k, Width: uint8(binary.Size(fixed(a))), ConstB: constant, Signed: ^T(0) < 0, A: uint64(a), B: uint64(b)})
}

// fixed returns int and uint in a type with a size.
func fixed[T integer](v T) any {
	switch v := any(v).(type) {
	case int:
		return int64(v)
	case uint:
		return uint64(v)
	}
	return v
}

func isInt[T integer](r *recorder, site uint64, a, constant T) bool {
	ints(r, site, IntEqual, a, constant, true)
	return a == constant
}

func less[T integer](r *recorder, site uint64, a, constant T) bool {
	ints(r, site, IntOrder, a, constant, true)
	return a < constant
}

func (r *recorder) is(site uint64, s, constant string) bool {
	r.note(Comparison{Site: site, Kind: StringEqual, ConstB: true, S: s, T: constant})
	return s == constant
}

func (r *recorder) text(site uint64, k Kind, s, t string, constant bool) bool {
	r.note(Comparison{Site: site, Kind: k, ConstB: constant, S: s, T: t})
	switch k {
	case StringEqual:
		return s == t
	case StringOrder:
		return s < t
	case Prefix:
		return strings.HasPrefix(s, t)
	case Suffix:
		return strings.HasSuffix(s, t)
	case Contains:
		return strings.Contains(s, t)
	case Fold:
		return strings.EqualFold(s, t)
	}
	panic(k)
}

// lookup records the search for a key in a map.
func lookup[V any](r *recorder, site uint64, key string, constant bool, m map[string]V) (V, bool) {
	for _, k := range sortedKeys(m) {
		r.note(Comparison{Site: site, Kind: Lookup, ConstA: constant, S: key, T: k})
	}
	v, ok := m[key]
	return v, ok
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// program is a target and where to start.
type program struct {
	name   string
	shape  input.Shape
	seed   []any
	budget int
	run    func(r *recorder, args []any)
}

// solve runs a program on its seed, then on the patches for every input that got further, in the
// order found.
func (p program) solve(t *testing.T) (executions int, ok bool) {
	s := NewSolver(p.shape, 4096)
	seed, err := p.shape.Pack(p.seed...)
	if err != nil {
		t.Fatal(err)
	}
	type entry struct {
		flat []byte
		ops  []Comparison
	}
	reached := map[int]bool{}
	execute := func(flat []byte) ([]Comparison, bool, bool) {
		executions++
		r := &recorder{count: map[uint64]int{}, reached: map[int]bool{}}
		args, err := p.shape.Unpack(flat)
		if err != nil {
			t.Fatalf("mutant %q: %v", flat, err)
		}
		p.run(r, args)
		fresh := false
		for point := range r.reached {
			fresh = fresh || !reached[point]
			reached[point] = true
		}
		return r.ops, fresh, r.solved
	}
	first, _, solved := execute(seed)
	if solved {
		return executions, true
	}
	queue := []entry{{seed, first}}
	var dst []byte
	for round := 0; round < 8; round++ {
		for i := 0; i < len(queue); i++ {
			for _, patch := range s.Solve(queue[i].flat, queue[i].ops) {
				dst = s.Apply(dst, queue[i].flat, patch)
				found, fresh, solved := execute(dst)
				if solved {
					return executions, true
				}
				if executions >= 100000 {
					return executions, false
				}
				if fresh {
					queue = append(queue, entry{bytes.Clone(dst), found})
				}
			}
		}
	}
	return executions, false
}

func TestPrograms(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			n, ok := p.solve(t)
			switch {
			case !ok:
				t.Errorf("not solved in %d executions", n)
			case n > p.budget:
				t.Errorf("%d executions, budget %d", n, p.budget)
			default:
				t.Logf("%d executions of %d", n, p.budget)
			}
		})
	}
}
