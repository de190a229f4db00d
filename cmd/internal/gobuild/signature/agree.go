package signature

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/input"
)

// Agreement holds the common properties of functions that run on the same inputs.
type Agreement struct {
	Shape   input.Shape
	Values  bool     // accepted values are comparable
	Ignored []string // fields of structs that only some versions have, as in yaml.Node.Column
	Notes   []string // for the user
}

// Agree checks that functions that share a process take the same inputs, and decides whether their
// values are compared.
func Agree(calls []*Function) (*Agreement, error) {
	a, err := alike(calls, func(c *Function) string { return c.Name })
	if err != nil {
		return nil, err
	}
	some, differ := differing(calls, comparableTypes)
	a.Values = some && !differ
	if some && differ {
		a.note("values are not compared, since their types differ (%s): only whether an input is accepted counts", listValues(calls, func(c *Function) string { return c.Name }))
	}
	return a, a.verdicts(calls)
}

// alike checks that functions take the same inputs and mean the same by a bool.
func alike(calls []*Function, name func(*Function) string) (*Agreement, error) {
	if err := checkShapes(calls, name); err != nil {
		return nil, err
	}
	if err := sameVerdict(calls, name); err != nil {
		return nil, err
	}
	a := &Agreement{Shape: calls[0].Shape}
	for _, at := range calls[0].instants() {
		a.note("argument %d, a time.Time, is in UTC; its input counts nanoseconds since 1970", at+1)
	}
	if note := misplaced(calls, name); note != "" {
		a.note("%s", note)
	}
	return a, nil
}

func (a *Agreement) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// checkShapes says which functions cannot be given the same inputs.
func checkShapes(calls []*Function, name func(*Function) string) error {
	first := calls[0]
	for _, c := range calls[1:] {
		if SameShape(first.Shape, c.Shape) && slices.Equal(first.instants(), c.instants()) {
			continue
		}
		var b strings.Builder
		for _, c := range calls {
			fmt.Fprintf(&b, "\n\t%-*s  %s", widest(calls), name(c), c.Signature())
		}
		return exit.Usage("the functions do not take the same arguments (only []byte and string are interchangeable):%s\nwrap the odd one in a function of your own module that takes %s", b.String(), first.Shape)
	}
	return nil
}

// differing reports whether any function gives values, and whether those of two functions mean
// different things.
func differing(calls []*Function, same func(a, b types.Type) bool) (some, differ bool) {
	first := calls[0]
	for _, c := range calls {
		a, b := first.Compared(), c.Compared()
		some = some || len(b) > 0
		if len(a) != len(b) {
			differ = true
			continue
		}
		for i := range a {
			differ = differ || !same(a[i], b[i])
		}
	}
	return some, differ
}

// listValues says which values each function gives.
func listValues(calls []*Function, name func(*Function) string) string {
	var parts []string
	for _, c := range calls {
		parts = append(parts, name(c)+" gives "+c.ValueText())
	}
	return strings.Join(parts, ", ")
}

// verdicts checks the programs without a verdict, an error or a bool: they accept every input on
// which they do not crash. If other programs have verdicts, it adds a note. If none has, and values
// are not compared, it fails, because only crashes could be found.
func (a *Agreement) verdicts(calls []*Function) error {
	var without []string
	values := false
	for _, c := range calls {
		if c.Ending == NoVerdict {
			without = append(without, c.Name)
		}
		values = values || len(c.Compared()) > 0
	}
	switch {
	case len(without) == len(calls) && values && !a.Values:
		return exit.Usage("there is nothing to compare: no function returns an error or a bool, and %s\nwrap them in functions of your own module that return values of one type", strings.TrimPrefix(a.Notes[len(a.Notes)-1], "values are not compared, since "))
	case len(without) > 0 && len(without) < len(calls):
		a.note("%s returns neither an error nor a bool, so every input counts as accepted; if nil or a special value means rejected, compare a wrapper that returns an error", strings.Join(without, ", "))
	}
	return nil
}

func widest(calls []*Function) int {
	n := 0
	for _, c := range calls {
		n = max(n, len(c.Name))
	}
	return n
}
