package plan

import (
	"slices"

	"parallax/cmd/internal/finding/regress"
)

// How the budget is shared out among the harnesses of a plan.

// Add adds functions to the harnesses, or takes them in their place, and shares the budget out again.
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

// Omit takes harnesses out, by their names, and shares the budget out again.
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

// Wanted returns the change points for which functions are to be fuzzed: no harness reaches them by calls that can be seen, or no seed of
// those that do executes them in a call whose results are compared.
func (p *Plan) Wanted() (points []int) {
	for i := range p.Points {
		if pt := &p.Points[i]; !pt.Reached || len(pt.Hidden) > 0 || pt.Missed {
			points = append(points, i)
		}
	}
	return points
}

// Return takes a harness in again, and shares the budget out again.
func (p *Plan) Return(h Harness, inputs uint64) { p.share(append(p.Harnesses, h), inputs) }

// share shares the budget out among harnesses.
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
	for i, s := range regress.Split(given, inputs) { // all of them, in their order
		list[i].Share = s
	}
	p.Harnesses = list
}

// atStart are those of the change points that a harness, by its full name, executes only when its process starts.
func (p *Plan) atStart(function string, reaches []int) []int {
	return slices.DeleteFunc(slices.Clone(reaches), func(at int) bool { return !slices.Contains(p.Points[at].only, function) })
}

// StartsOnly reports whether a harness executes all that it reaches only when its process starts.
func (p *Plan) StartsOnly(h *Harness) bool {
	return len(h.Reaches) > 0 && len(p.atStart(h.function, h.Reaches)) == len(h.Reaches)
}
