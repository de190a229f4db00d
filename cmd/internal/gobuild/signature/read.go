package signature

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"parallax/internal/input"
)

// Problem is why a signature cannot be fuzzed.
type Problem struct {
	Where string // "parameter 1 (r io.Reader)"
	Why   string
}

// Read derives the shape and the outcome from the signature.
func (c *Function) Read() *Problem {
	if c.Type.TypeParams().Len() > 0 {
		return &Problem{"it is generic", "parallax calls functions of fixed types, so wrap an instantiation of it"}
	}
	c.readResults()
	params := c.Type.Params()
	n := params.Len()
	variadic := c.Type.Variadic()
	if variadic {
		n-- // a trailing variadic parameter is passed nothing, unless its values can be made
	}
	if n == 0 && !variadic {
		return &Problem{"it has no parameter", "there is nothing to fuzz"}
	}
	if n == 0 && !c.spreadable(params.At(n)) {
		p := params.At(n)
		written := p.Name() + " ..." + strings.TrimPrefix(c.Text(p.Type()), "[]")
		return &Problem{fmt.Sprintf("parameter 1 (%s)", strings.TrimSpace(written)), "a variadic parameter of such a type is given nothing, and there is no other"}
	}
	if n > 1 && emptyInterface(params.At(n-1).Type()) && c.decodes() {
		c.Decodes = true
		n--
	}
	for i := 0; i < n; i++ {
		p := params.At(i)
		kind, ok := KindOf(p.Type())
		if a, is := c.made(p, i); is && !ok {
			switch a.How {
			case Reads:
				a.Input, c.Shape = len(c.Shape), append(c.Shape, input.Bytes)
			case Instant:
				a.Input, c.Shape = len(c.Shape), append(c.Shape, input.Int64)
			}
			c.Args = append(c.Args, a)
			continue
		}
		where := fmt.Sprintf("parameter %d (%s)", i+1, strings.TrimSpace(p.Name()+" "+c.Text(p.Type())))
		if !ok {
			why := "parallax makes values of []byte, string, bool, integers and floats only, and of named types over them"
			if i == n-1 && i > 0 && emptyInterface(p.Type()) {
				why = "parallax gives it a pointer to where a value goes only if the function returns nothing, or an error after other results and has a name such as Decode"
			}
			return &Problem{where, why}
		}
		if named, ok := types.Unalias(p.Type()).(*types.Named); ok && !Assignable(kind, named) && !c.Nameable(named) {
			return &Problem{where, "its type cannot be named in another package"}
		}
		c.Args = append(c.Args, Arg{Type: p.Type(), Input: len(c.Shape)})
		c.Shape = append(c.Shape, kind)
		c.Params = append(c.Params, p.Type())
	}
	if variadic {
		c.spread(params.At(params.Len() - 1))
	}
	if len(c.Shape) == 0 {
		return &Problem{"it has no parameter that an input can be made for", "there is nothing to fuzz"}
	}
	// Decoding into the receiver, as UnmarshalText does: it is the value.
	if _, pointer := recvPointer(c.Type); pointer && !c.Variable && len(c.Values) == 0 && !c.Decodes && len(c.madeValues()) == 0 {
		c.OfReceiver = true
	}
	return nil
}

// decodes reports whether a last parameter of type any is the destination of a decoded value. With
// results besides the error, the function's name decides: others, such as Render(text string, data
// any) (string, error), read the parameter.
func (c *Function) decodes() bool {
	switch {
	case c.Ending == BoolLast:
		return false
	case len(c.Values) == 0:
		return true
	case c.Ending == NoVerdict:
		return false
	}
	return slices.ContainsFunc(decoders, func(word string) bool { return strings.Contains(c.Func.Name, word) })
}

// decoders are words in the names of functions that decode into an argument.
var decoders = []string{"Unmarshal", "Decode", "Deserialize", "Parse", "Load", "Read", "Scan", "Into"}

// unresolved reports whether a type of the signature could not be found.
func (c *Function) unresolved() bool {
	for _, tuple := range []*types.Tuple{c.Type.Params(), c.Type.Results()} {
		for i := 0; i < tuple.Len(); i++ {
			if strings.Contains(types.TypeString(tuple.At(i).Type(), nil), types.Typ[types.Invalid].String()) {
				return true
			}
		}
	}
	return false
}

// readResults splits the results into values and verdict.
func (c *Function) readResults() {
	results := c.Type.Results()
	n := results.Len()
	if n > 0 {
		last := results.At(n - 1).Type()
		switch under := last.Underlying().(type) {
		case *types.Interface:
			if IsError(last) {
				c.Ending = ErrorLast
			}
		case *types.Pointer:
			if IsError(last) {
				c.Ending = PointerError
			}
		case *types.Basic:
			if under.Kind() == types.Bool {
				c.Ending = BoolLast
			}
		}
		if c.Ending != NoVerdict {
			n--
		}
	}
	for i := 0; i < n; i++ {
		c.Values = append(c.Values, results.At(i).Type())
	}
}

// IsError reports whether values of the type are errors.
func IsError(t types.Type) bool { return types.Implements(t, errorInterface) }

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
