package plan

import (
	"slices"

	"parallax/cmd/internal/change/callgraph"
	"parallax/cmd/internal/finding/regress"
)

// Reason returns why a harness would not execute a change point, as far as calls are known. A nil h
// means no harness.
func (p *Plan) Reason(point int, h *Harness) regress.Reason {
	pt := &p.Points[point]
	hidden := h != nil && slices.Contains(pt.Hidden, h.function)
	switch {
	case hidden, p.Unseen:
		return regress.UnseenCalls
	case h != nil && slices.Contains(h.Reaches, point):
		if len(pt.Blocks) == 0 {
			return regress.NoCode
		}
		if p.ByName() {
			return regress.UnseenCalls
		}
		return regress.NotExecuted
	case pt.Reached:
		return regress.OtherTarget
	case p.graph == nil || p.ByName():
		return regress.ByName
	}
	origin := callgraph.Unknown
	for _, name := range p.functions(point) {
		origin = max(origin, p.graph.Origin(name))
	}
	switch origin {
	case callgraph.Nowhere:
		return regress.NoCaller
	case callgraph.Tests:
		return regress.TestsOnly
	case callgraph.Starts:
		return regress.AtStart
	}
	return regress.NoCall
}
