package report

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// parameters are the names of an input's arguments where there are several and each has one.
func (f *Finding) parameters() []string {
	if len(f.Parameters) < 2 || len(f.Parameters) != len(f.Shape) || slices.ContainsFunc(f.Parameters, func(name string) bool { return !token.IsIdentifier(name) }) {
		return nil
	}
	return f.Parameters
}

// named is the minimized input on one line with the names of its arguments; "" where they have none.
func (f *Finding) named(limit int) string {
	names := f.parameters()
	if names == nil || f.Drawn != "" || f.Shape.Check(f.Minimized) != nil {
		return ""
	}
	spans := f.Shape.Spans(nil, f.Minimized)
	parts := make([]string, len(names))
	for i, s := range spans {
		one := QuoteInput(f.Shape[i:i+1], f.Minimized[s.Start:s.End], limit)
		if len(one) > 1 && one[0] == '(' && one[len(one)-1] == ')' {
			one = one[1 : len(one)-1]
		}
		parts[i] = names[i] + ": " + one
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// argument names an argument for people.
func (f *Finding) argument(i int) string {
	if names := f.parameters(); i < len(names) {
		return fmt.Sprintf("Argument %d, %s", i+1, names[i])
	}
	return fmt.Sprintf("Argument %d", i+1)
}

// argumentComment is a comment with the name of an argument, behind its Go expression; "" where it has none.
func (f *Finding) argumentComment(i int) string {
	if names := f.parameters(); i < len(names) {
		return " // " + names[i]
	}
	return ""
}

// allComment is a comment with the names of all arguments; "" where they have none.
func (f *Finding) allComment() string {
	if names := f.parameters(); names != nil {
		return " // " + strings.Join(names, ", ")
	}
	return ""
}
