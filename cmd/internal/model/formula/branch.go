package formula

import (
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/smt"
)

// choices computes which branch of a path gives the result for a call.
type choices struct {
	machine *smt.Machine
	nodes   []choice
	roots   []int // nodes of the results
	seen    []int // by node, the number of the last call that reached it
	calls   int
}

// choice is a term of a result. Conditions are no part of the nodes.
type choice struct {
	condition int   // root of the machine, or -1 for a term that is no ite
	next      []int // nodes of the arguments; of an ite the two sides, -1 for one without an ite
}

// Branch returns a hash of the choices that the model makes for the result of a call. These are its
// path, the sides of each ite, and the cases of each disjunction. Conditions count as a whole.
// Calls with the same branch have the same formula of the result. Branch returns 0 if the answer is
// not Returned, or only a solver can compute it.
func (m *Model) Branch(c call.Call, a *Answer) (uint64, error) {
	if a.Kind != Returned || a.Path >= len(m.Paths) {
		return 0, nil
	}
	p := m.Paths[a.Path]
	if p.runner == nil || !p.recovered.Ground() {
		return 0, nil
	}
	if p.choices == nil {
		var err error
		if p.choices, err = m.choices(p); err != nil {
			return 0, err
		}
	}
	for i, in := range p.Inputs {
		if err := p.choices.machine.Set(i, m.Value(in, c)); err != nil {
			return 0, err
		}
	}
	return p.choices.hashChoices(uint64(a.Path) + 1)
}

// choices compiles the conditions of a path's results.
func (m *Model) choices(p *Path) (*choices, error) {
	var results []*smt.Term
	for _, r := range p.results {
		if r.kind == ret || r.kind == retInto || m.Signature.Result.Kind == "void" {
			results = append(results, r.term)
		}
	}
	expanded, err := p.recovered.Expand(results...)
	if err != nil {
		return nil, err
	}
	k := &choices{}
	var conditions []*smt.Term
	known := map[*smt.Term]int{}
	var build func(t *smt.Term) int
	build = func(t *smt.Term) int {
		if n, there := known[t]; there {
			return n
		}
		n := choice{condition: -1}
		args := t.Args()
		if t.Op() == smt.OpIte {
			n.condition = len(conditions)
			conditions, args = append(conditions, args[0]), args[1:]
		}
		for _, a := range args {
			if at := build(a); at >= 0 || n.condition >= 0 {
				n.next = append(n.next, at)
			}
		}
		known[t] = -1
		if n.condition >= 0 || n.next != nil {
			known[t] = len(k.nodes)
			k.nodes = append(k.nodes, n)
		}
		return known[t]
	}
	for _, t := range expanded {
		if at := build(t); at >= 0 {
			k.roots = append(k.roots, at)
		}
	}
	var inputs []*smt.Term
	for _, in := range p.Inputs {
		inputs = append(inputs, in.Term)
	}
	given := len(inputs)
	for _, c := range smt.ConstantsOf(conditions...) {
		if !slices.Contains(inputs, c) {
			inputs = append(inputs, c)
		}
	}
	program, err := smt.Compile(inputs, conditions...)
	if err != nil {
		return nil, err
	}
	k.machine, k.seen = program.Machine(), make([]int, len(k.nodes))
	// The result follows from the arguments alone, so the value of a free variable does not matter.
	for i, in := range inputs[given:] {
		if err := k.machine.Set(given+i, smt.Zero(in.Sort())); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// hashChoices runs the conditions, and hashes the choices in the order of the terms.
func (k *choices) hashChoices(path uint64) (uint64, error) {
	if err := k.machine.Run(); err != nil {
		return 0, err
	}
	k.calls++
	hash := mixed(0, path)
	var walk func(at int)
	walk = func(at int) {
		if at < 0 || k.seen[at] == k.calls {
			return
		}
		k.seen[at] = k.calls
		n := &k.nodes[at]
		if n.condition < 0 {
			for _, next := range n.next {
				walk(next)
			}
			return
		}
		side := 1
		if k.machine.Bool(n.condition) {
			side = 0
		}
		hash = mixed(hash, uint64(2*at+side))
		walk(n.next[side])
	}
	for _, root := range k.roots {
		walk(root)
	}
	return hash | 1, nil
}

// mixed adds a number to a hash.
func mixed(hash, n uint64) uint64 {
	hash = (hash ^ n) * 0x9E3779B97F4A7C15
	return hash ^ hash>>29
}
