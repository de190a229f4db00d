package finding

import (
	"go/token"
	"slices"
	"strings"

	"parallax/cmd/internal/base/quote"
)

// ArgumentNames returns the names of an input's arguments, if there are several and each has one.
func (f *Finding) ArgumentNames() []string {
	if len(f.Parameters) < 2 || len(f.Parameters) != len(f.Shape) || slices.ContainsFunc(f.Parameters, func(name string) bool { return !token.IsIdentifier(name) }) {
		return nil
	}
	return f.Parameters
}

// named returns the minimized input on one line with the names of its arguments. It returns "" if
// they have none.
func (f *Finding) named(limit int) string {
	names := f.ArgumentNames()
	if names == nil || f.Drawn != "" || f.Shape.Check(f.Minimized) != nil {
		return ""
	}
	spans := f.Shape.Spans(nil, f.Minimized)
	parts := make([]string, len(names))
	for i, s := range spans {
		one := quote.Input(f.Shape[i:i+1], f.Minimized[s.Start:s.End], limit)
		if len(one) > 1 && one[0] == '(' && one[len(one)-1] == ')' {
			one = one[1 : len(one)-1]
		}
		parts[i] = names[i] + ": " + one
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// ArgumentComment returns a comment with the name of an argument, for the end of its line of Go. It
// returns "" if the argument has no name.
func (f *Finding) ArgumentComment(i int) string {
	if names := f.ArgumentNames(); i < len(names) {
		return " // " + names[i]
	}
	return ""
}
