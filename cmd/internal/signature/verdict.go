package signature

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/exit"
)

// sameVerdict refuses functions of which one returns a bool as its verdict and another returns the same results and an error: false
// means rejected for the first, and is an accepted value of the second.
func sameVerdict(calls []*Function, name func(*Function) string) error {
	for _, c := range calls {
		i := slices.IndexFunc(calls, func(d *Function) bool { return c.lacksError(d) })
		if i < 0 {
			continue
		}
		d := calls[i]
		width := max(len(name(c)), len(name(d)))
		text := fmt.Sprintf("false means rejected for %s, and is an accepted value of %s, which returns an error beside it:\n\t%-*s  %s\n\t%-*s  %s\n"+
			"wrap %[1]s in a function of your own module that returns the results of %[2]s, and name that instead",
			name(c), name(d), width, name(c), c.Signature(), width, name(d), d.Signature())
		if wrapper := c.withError(); wrapper != "" {
			text += ":\n\t" + wrapper
		}
		if note := misplaced(calls, name); note != "" {
			text += "\n" + note
		}
		return exit.Usage("%s", text)
	}
	return nil
}

// lacksError reports whether d returns what c does and an error behind its bool.
func (c *Function) lacksError(d *Function) bool {
	n := len(c.Values)
	if c.Ending != BoolLast || d.Ending != ErrorLast && d.Ending != PointerError || len(d.Values) != n+1 {
		return false
	}
	b, ok := d.Values[n].Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
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

// misplaced asks whether arguments are swapped if a function has a parameter where another has one of another name; "" if none has.
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
