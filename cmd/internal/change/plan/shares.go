package plan

import (
	"slices"

	"parallax/cmd/internal/finding/regress"
)

// This file distributes the budget among the harnesses of a plan.

// Add adds functions to the harnesses, or replaces them, and distributes the budget again.
func (p *Plan) Add(functions []Function, instead bool, inputs uint64) {
	list := p.Harnesses
	if instead {
		p.Named = true
		list = nil
	}
	for _, f := range functions {
		list = append(list, Harness{Share: regress.Share{Name: f.Name, Reaches: f.Reaches}, Function: true, function: f.Full, Fuzz: f.Name})
	}
	p.share(list, inputs)
}

// Omit removes harnesses by name, and distributes the budget again.
func (p *Plan) Omit(names []string, inputs uint64) {
	out := func(name string) bool { return slices.Contains(names, name) }
	var full []string
	for i := range p.Harnesses {
		if h := &p.Harnesses[i]; out(h.Name) {
			full = append(full, h.function)
		}
	}
	p.share(slices.DeleteFunc(slices.Clone(p.Harnesses), func(h Harness) bool { return out(h.Name) }), inputs)
	for i := range p.Points {
		pt := &p.Points[i]
		if pt.By = slices.DeleteFunc(slices.Clone(pt.By), func(name string) bool { return slices.Contains(full, name) }); len(pt.By) == 0 {
			pt.Nearest = ""
		}
	}
}

// Wanted returns the change points for which functions should be fuzzed. No harness reaches them by
// visible calls, or no seed of those that do executes them in a call with compared results.
func (p *Plan) Wanted() (points []int) {
	for i := range p.Points {
		if pt := &p.Points[i]; !pt.Reached || len(pt.Hidden) > 0 || pt.Missed {
			points = append(points, i)
		}
	}
	return points
}

// Give adds a share to the harnesses from an index on. It reports false if there are none.
func (p *Plan) Give(rest regress.Share, from int) bool {
	var to []*regress.Share
	for i := from; i < len(p.Harnesses); i++ {
		to = append(to, &p.Harnesses[i].Share)
	}
	regress.Give(rest, to)
	return len(to) > 0
}

// Return adds a removed harness again, and distributes the budget again.
func (p *Plan) Return(h Harness, inputs uint64) { p.share(append(p.Harnesses, h), inputs) }

// share distributes the budget among harnesses.
func (p *Plan) share(list []Harness, inputs uint64) {
	for i := range p.Points {
		p.Points[i].Reached = false
	}
	list = slices.DeleteFunc(slices.Clone(list), func(h Harness) bool { return len(h.Reaches) == 0 })
	given := make([]regress.Harness, len(list))
	for i := range list {
		seldom := p.atStart(list[i].function, list[i].Reaches)
		for _, at := range list[i].Reaches {
			if p.Points[at].Missed && !list[i].Function && !slices.Contains(seldom, at) {
				seldom = append(seldom, at)
			}
		}
		given[i] = regress.Harness{Name: list[i].Name, Reaches: list[i].Reaches, Seldom: seldom}
		for _, at := range list[i].Reaches {
			p.Points[at].Reached = true
		}
	}
	for i, s := range regress.Split(given, inputs) { // all of them, in order
		list[i].Share = s
	}
	p.Harnesses = list
}

// atStart returns those change points that a harness, by full name, executes only when its process
// starts.
func (p *Plan) atStart(function string, reaches []int) []int {
	return slices.DeleteFunc(slices.Clone(reaches), func(at int) bool { return !slices.Contains(p.Points[at].only, function) })
}

// StartsOnly reports whether a harness executes all its points only when its process starts.
func (p *Plan) StartsOnly(h *Harness) bool {
	return len(h.Reaches) > 0 && len(p.atStart(h.function, h.Reaches)) == len(h.Reaches)
}
