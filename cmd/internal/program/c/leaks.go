package c

import "context"

// maxJoint is the number of consecutive batches that may leak without an input that leaks alone.
const maxJoint = 4

// search finds leaking inputs: in batches where a leak check reported one, and in batches that
// ended before their check.
func (g *Program) search(ctx context.Context, inputs [][]byte, results []Result) error {
	if len(g.leaky)+len(g.unchecked) == 0 {
		return nil
	}
	copyResults(results)
	sure := len(g.leaky) > 0
	found, err := g.narrow(ctx, inputs, results)
	if err != nil {
		return err
	}
	switch {
	case found:
		g.barren = 0
	case sure:
		if g.barren++; g.barren >= maxJoint {
			g.c.Leaks, g.joint = false, true
			g.Fresh()
		}
	}
	return nil
}

// narrow bisects suspects. It runs batches in a process of their own each, and splits those that
// leak in two, down to single inputs. A single input is never split, whatever the program reports:
// n suspects take fewer than 4n batches.
func (g *Program) narrow(ctx context.Context, inputs [][]byte, results []Result) (found bool, err error) {
	parts := append(halves(g.leaky), halves(g.unchecked)...)
	g.leaky, g.unchecked = nil, nil
	for _, part := range parts {
		some, told := make([][]byte, len(part)), make([]Result, len(part))
		for k, i := range part {
			some[k] = inputs[i]
		}
		g.Fresh()
		if err := g.do(ctx, runInputs, some, 0, told); err != nil {
			return found, err
		}
		copyResults(told)
		for k, i := range part {
			if e := told[k].End; e != nil && e.Leak {
				results[i], found = told[k], true
			}
		}
		for _, list := range []*[]int{&g.leaky, &g.unchecked} {
			for k, i := range *list {
				(*list)[k] = part[i]
			}
		}
		more, err := g.narrow(ctx, inputs, results)
		if found = found || more; err != nil {
			return found, err
		}
	}
	return found, nil
}

// halves splits a list in two, unless it is too short.
func halves(list []int) [][]int {
	switch n := len(list); n {
	case 0:
		return nil
	case 1:
		return [][]int{list}
	default:
		return [][]int{list[:n/2], list[n/2:]}
	}
}

// suspects returns the inputs among the batch's first that may have leaked. first is the index of
// the batch's first input in the call.
func (m *memory) suspects(first, inputs int) (all []int) {
	for i := range inputs {
		if m.b[atSuspect+i] != 0 {
			all = append(all, first+i)
		}
	}
	return all
}
