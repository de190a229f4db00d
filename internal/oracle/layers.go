package oracle

import (
	"fmt"
	"strings"
)

// Layers is a set of comparison layers.
type Layers uint8

// The layers, in order of precedence.
const (
	VerdictLayer Layers = 1 << iota // one accepts, another rejects
	// Two accept, or two reject, with different values. Rejections have a value if the results
	// before the rejection are recorded.
	ValueLayer
	ClassLayer // two reject, with errors of different classes
	// Two do the same, and one costs far more: see CostDisagree. This layer applies only to two
	// versions of a program, and no configuration can request it.
	CostLayer
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

// ParseLayers parses the names of a configuration. No names, or repeated names, are not an error.
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

// Names returns the names of the layers in their order.
func (l Layers) Names() []string {
	var names []string
	for _, known := range layerNames {
		if l&known.layer != 0 {
			names = append(names, known.name)
		}
	}
	return names
}

// String joins the names with commas. The empty set is "none".
func (l Layers) String() string {
	if names := l.Names(); len(names) > 0 {
		return strings.Join(names, ",")
	}
	return "none"
}

// Disagree reports whether the observations of one input are a finding. Only
// programs that accepted or rejected take part. It allocates nothing.
func Disagree(l Layers, obs []Observation) bool { return DisagreeLayer(l, obs) != 0 }

// DisagreeLayer returns the first of the layers verdict, value, class in which the observations
// disagree. It returns 0 if they agree in all layers of l. An observation does not include the
// cost.
func DisagreeLayer(l Layers, obs []Observation) Layers { return DisagreeLayers(l, obs).First() }

// First returns the first layer of the set, 0 if it is empty.
func (l Layers) First() Layers { return l & -l }

// DisagreeLayers returns all of the layers verdict, value, class in which the observations
// disagree. Two programs disagree in at most one layer: if l has the value layer, errors are
// compared only between rejections with equal values. It allocates nothing.
func DisagreeLayers(l Layers, obs []Observation) (in Layers) {
	accepted, rejected := -1, -1 // first of each
	// Whether one differs from the first. values covers those that accept, apart those that reject.
	var values, apart, classes bool
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
				apart = apart || obs[i].Value != obs[rejected].Value
			}
		}
	}
	if accepted >= 0 && rejected >= 0 {
		in = VerdictLayer
	}
	if values || apart {
		in |= ValueLayer
	}
	if classes && (!apart || l&ValueLayer == 0 || otherClass(obs) >= 0) {
		in |= ClassLayer
	}
	return in & l
}

// otherClass returns the first program whose rejection has the same value as another program's, but
// another error class. It returns -1 if there is none.
func otherClass(obs []Observation) int {
	for i := range obs {
		for k := i + 1; k < len(obs); k++ {
			a, b := &obs[i], &obs[k]
			if a.Outcome == Rejected && b.Outcome == Rejected && a.Value == b.Value && a.Class != b.Class {
				return i
			}
		}
	}
	return -1
}

// Part returns the set of programs that take part in a disagreement of a layer. For the verdict
// layer, these are all that accept or reject. For the value layer, these are the programs that
// accept or, if these agree, those that reject. For the class layer, these are the rejections with
// one value. Without the other programs, the set disagrees in no other layer.
func Part(layer Layers, obs []Observation) (set uint64) {
	switch layer {
	case ValueLayer:
		for _, outcome := range [...]Outcome{Accepted, Rejected} {
			first, differ := -1, false
			set = 0
			for i := range obs {
				if obs[i].Outcome != outcome {
					continue
				}
				if set |= 1 << i; first < 0 {
					first = i
				}
				differ = differ || obs[i].Value != obs[first].Value
			}
			if differ {
				return set
			}
		}
		return 0
	case ClassLayer:
		first := otherClass(obs)
		for i := range obs {
			if obs[i].Outcome == Rejected && (first < 0 || obs[i].Value == obs[first].Value) {
				set |= 1 << i
			}
		}
	default:
		for i := range obs {
			if obs[i].Outcome.Comparable() {
				set |= 1 << i
			}
		}
	}
	return set
}

// Bystanders returns the set of programs that accept or reject but take no part in a disagreement
// of a layer. The first layer in which programs disagree has no bystanders.
func Bystanders(l, layer Layers, obs []Observation) (set uint64) {
	if layer == DisagreeLayer(l, obs) || layer == CostLayer {
		return 0
	}
	part := Part(layer, obs)
	for i := range obs {
		if part != 0 && part>>i&1 == 0 && obs[i].Outcome.Comparable() {
			set |= 1 << i
		}
	}
	return set
}

// Minority returns the sorted indices of the programs that differ from a strict majority in the
// first layer that disagrees. It is nil if fewer than three programs take part in that layer, or if
// no more than half of them agree. All that accepted or rejected take part in the verdict layer.
// Those that accepted take part in the value layer, and those that rejected in the class layer.
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
	// Boyer and Moore's majority vote, followed by a count that confirms it.
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

// ballot returns a program's vote in a layer, and whether it has one.
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
