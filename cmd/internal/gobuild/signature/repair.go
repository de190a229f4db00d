package signature

import (
	"go/types"

	"parallax/internal/input"
)

// RepairType is the type of a function that repairs inputs of the shape.
func RepairType(shape input.Shape) string {
	out := shape.String()
	if len(shape) == 1 {
		out = shape[0].String()
	}
	return "func" + shape.String() + " " + out
}

// ReadRepair reads the signature, and reports whether it is right for the shape.
func (c *Function) ReadRepair(shape input.Shape) bool {
	params, results := c.Type.Params(), c.Type.Results()
	if c.Func.Receiver != "" || c.Type.TypeParams().Len() > 0 || c.Type.Variadic() || params.Len() != len(shape) || results.Len() != len(shape) {
		return false
	}
	for i, k := range shape {
		in, out := params.At(i).Type(), results.At(i).Type()
		if !c.holds(in, k) || !c.holds(out, k) {
			return false
		}
		kind, _ := KindOf(in)
		c.Shape, c.Params, c.Values = append(c.Shape, kind), append(c.Params, in), append(c.Values, out)
	}
	return true
}

// holds reports whether values of the type are of the kind, and can be converted to and from it in
// the harness.
func (c *Function) holds(t types.Type, k input.Kind) bool {
	kind, ok := KindOf(t)
	if !ok || kind != k && !(TextLike(kind) && TextLike(k)) {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || Assignable(kind, named) || c.Nameable(named)
}
