package smt

import (
	"cmp"
	"fmt"
	"slices"
)

// Visit lists the terms within others, each once, arguments first.
func Visit(roots ...*Term) []*Term {
	seen := map[*Term]bool{}
	var all, stack []*Term
	push := func(t *Term) {
		if !seen[t] {
			seen[t] = true
			all = append(all, t)
			if len(t.args) > 0 {
				stack = append(stack, t)
			}
		}
	}
	for _, r := range roots {
		push(r)
	}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, a := range t.args {
			push(a)
		}
	}
	slices.SortFunc(all, func(a, b *Term) int { return cmp.Compare(a.id, b.id) })
	return all
}

// ConstantsOf lists the constants within terms, in the order in which they were made.
func ConstantsOf(roots ...*Term) []*Term {
	var constants []*Term
	for _, t := range Visit(roots...) {
		if t.op == OpConst {
			constants = append(constants, t)
		}
	}
	return constants
}

// Substitute replaces terms by others, all at once, and returns the new roots. It does not
// substitute within the replacements. A replacement with another sort is an error.
func (c *Context) Substitute(by map[*Term]*Term, roots ...*Term) ([]*Term, error) {
	for old, put := range by {
		if old.sort != put.sort {
			return nil, fmt.Errorf("%v cannot be replaced by a term of %v", old, put.sort)
		}
	}
	now := map[*Term]*Term{}
	for _, t := range Visit(roots...) {
		if put, ok := by[t]; ok {
			now[t] = put
			continue
		}
		changed := false
		for _, a := range t.args {
			changed = changed || now[a] != a
		}
		if !changed {
			now[t] = t
			continue
		}
		args := make([]*Term, len(t.args))
		for i, a := range t.args {
			args[i] = now[a]
		}
		made, err := c.Rebuild(t, args)
		if err != nil {
			return nil, err
		}
		now[t] = made
	}
	out := make([]*Term, len(roots))
	for i, r := range roots {
		out[i] = now[r]
	}
	return out, nil
}

// Rebuild applies the operation at the root of a term to other arguments of the same sorts.
func (c *Context) Rebuild(t *Term, args []*Term) (*Term, error) {
	for i, a := range args {
		if a.sort != t.args[i].sort {
			return nil, fmt.Errorf("argument %d of %v is %v, and has to be %v", i+1, t.op, a.sort, t.args[i].sort)
		}
	}
	return c.finish(Term{op: t.op, sort: t.sort, args: args, index: t.index, name: t.name, fn: t.fn})
}
