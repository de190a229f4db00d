package signature

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/implementation"
)

// sameVerdict refuses functions if the false of one is a value of another.
func sameVerdict(calls []*Function, name func(*Function) string) error {
	var list []implementation.Returns
	for _, c := range calls {
		list = append(list, c.returns())
	}
	i, k, found := implementation.Misread(list)
	if !found {
		return nil
	}
	c, d := calls[i], calls[k]
	width := max(len(name(c)), len(name(d)))
	text := fmt.Sprintf("%s:\n\t%-*s  %s\n\t%-*s  %s\n"+
		"wrap %s in a function of your own module that returns the results of %s, and name that instead",
		implementation.MisreadText(name(c), name(d)), width, name(c), c.Signature(), width, name(d), d.Signature(), name(c), name(d))
	if wrapper := c.withError(); wrapper != "" {
		text += ":\n\t" + wrapper
	}
	if note := misplaced(calls, name); note != "" {
		text += "\n" + note
	}
	return exit.Usage("%s", text)
}

// returns describes the function's results, as far as its verdict needs them.
func (c *Function) returns() implementation.Returns {
	r := implementation.Returns{Bool: c.Ending == BoolLast, Error: c.Ending == ErrorLast || c.Ending == PointerError, Values: len(c.Values)}
	if r.Values > 0 {
		b, ok := c.Values[r.Values-1].Underlying().(*types.Basic)
		r.Answer = ok && b.Kind() == types.Bool
	}
	return r
}

// withError is a wrapper that returns the bool as a value; "" where one line does not hold it.
func (c *Function) withError() string {
	names := c.Names()
	if c.Receiver != nil || len(c.Values) > 0 || c.Type.Variadic() || len(names) != c.Type.Params().Len() {
		return ""
	}
	var params []string
	for i, name := range names {
		params = append(params, name+" "+c.Text(c.Type.Params().At(i).Type()))
	}
	return fmt.Sprintf("func %s(%s) (bool, error) { return %s.%[1]s(%[4]s), nil }", c.Func.Name, strings.Join(params, ", "), c.Package.Name, strings.Join(names, ", "))
}

// misplaced asks whether arguments are swapped if a function has a parameter where another has one
// of another name; "" if none has.
func misplaced(calls []*Function, name func(*Function) string) string {
	for i, c := range calls {
		names := c.Names()
		for _, d := range calls[:i] {
			for k, param := range d.Names() {
				if at := slices.Index(names, param); at >= 0 && at != k {
					return fmt.Sprintf("%s calls its parameters (%s), %s (%s): are the arguments in the same order?",
						name(c), strings.Join(names, ", "), name(d), strings.Join(d.Names(), ", "))
				}
			}
		}
	}
	return ""
}
