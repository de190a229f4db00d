package oracle

import (
	"fmt"
	"strings"
)

// Layers is the set of things that are compared.
type Layers uint8

// The layers, in the order in which they are looked at.
const (
	VerdictLayer Layers = 1 << iota // one accepts, another rejects
	ValueLayer                      // two accept, or two reject, with different values; what rejects has one where it is told what it came by until then
	ClassLayer                      // two reject, with errors of different classes
	CostLayer                       // two do the same, and one cost far more: see CostDisagree. It is of two versions of a program, and no configuration asks for it
)

var layerNames = []struct {
	layer Layers
	name  string
}{
	{VerdictLayer, "verdict"},
	{ValueLayer, "value"},
	{ClassLayer, "class"},
	{CostLayer, "cost"},
}

// ParseLayers reads names as they stand in a configuration. No names, or a
// name twice, is no error.
func ParseLayers(names []string) (Layers, error) {
	var l Layers
next:
	for _, name := range names {
		for _, known := range layerNames {
			if known.name == name && known.layer != CostLayer {
				l |= known.layer
				continue next
			}
		}
		return 0, fmt.Errorf("unknown comparison layer %q: use verdict, value or class", name)
	}
	return l, nil
}

// Names lists the layers of the set in their order.
func (l Layers) Names() []string {
	var names []string
	for _, known := range layerNames {
		if l&known.layer != 0 {
			names = append(names, known.name)
		}
	}
	return names
}

// String joins the names with commas; the empty set is "none".
func (l Layers) String() string {
	if names := l.Names(); len(names) > 0 {
		return strings.Join(names, ",")
	}
	return "none"
}

// Disagree reports whether the observations of one input are a finding. Only
// programs that accepted or rejected take part. It allocates nothing.
func Disagree(l Layers, obs []Observation) bool { return DisagreeLayer(l, obs) != 0 }

// DisagreeLayer returns the first of the layers verdict, value, class in which
// the observations disagree, 0 if they agree in all that l holds. What programs
// cost is no part of an observation.
func DisagreeLayer(l Layers, obs []Observation) Layers {
	accepted, rejected := -1, -1 // the first of each
	var values, classes bool     // one that differs from the first
	for i := range obs {
		switch obs[i].Outcome {
		case Accepted:
			if accepted < 0 {
				accepted = i
			} else if obs[i].Value != obs[accepted].Value {
				values = true
			}
		case Rejected:
			if rejected < 0 {
				rejected = i
			} else {
				classes = classes || obs[i].Class != obs[rejected].Class
				values = values || obs[i].Value != obs[rejected].Value
			}
		}
	}
	switch {
	case l&VerdictLayer != 0 && accepted >= 0 && rejected >= 0:
		return VerdictLayer
	case l&ValueLayer != 0 && values:
		return ValueLayer
	case l&ClassLayer != 0 && classes:
		return ClassLayer
	}
	return 0
}

// Minority returns the indices of the odd ones out, in order: those that
// differ from a strict majority in the first layer that disagrees. It is nil
// if fewer than three programs take part in that layer, or if no more than
// half of them agree. All that accepted or rejected take part in the verdict
// layer, those that accepted in the value layer, those that rejected in the
// class layer.
func Minority(l Layers, obs []Observation) []int {
	layer := DisagreeLayer(l, obs)
	if layer == 0 {
		return nil
	}
	taking := 0
	for i := range obs {
		if _, ok := ballot(layer, obs[i]); ok {
			taking++
		}
	}
	if taking < 3 {
		return nil
	}
	// Boyer and Moore's majority vote, then the count that confirms it.
	var leader uint64
	lead := 0
	for i := range obs {
		vote, ok := ballot(layer, obs[i])
		switch {
		case !ok:
		case lead == 0:
			leader, lead = vote, 1
		case vote == leader:
			lead++
		default:
			lead--
		}
	}
	var odd []int
	for i := range obs {
		if vote, ok := ballot(layer, obs[i]); ok && vote != leader {
			odd = append(odd, i)
		}
	}
	if 2*len(odd) >= taking {
		return nil
	}
	return odd
}

// ballot is what a program says in a layer, and whether it says anything.
func ballot(layer Layers, o Observation) (uint64, bool) {
	switch layer {
	case VerdictLayer:
		return uint64(o.Outcome), o.Outcome.Comparable()
	case ValueLayer:
		return o.Value, o.Outcome == Accepted
	case ClassLayer:
		return o.Class, o.Outcome == Rejected
	}
	return 0, false
}
