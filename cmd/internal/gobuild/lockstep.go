package gobuild

import "parallax/cmd/internal/gobuild/signature"

// Agree checks that the programs of all plans take the same inputs, and decides whether their values are compared. The plans
// are of versions of a module, or toolchains, side by side. Text says that values are compared as texts, whatever their types, and outside
// that they are compared by what users of their packages see.
func Agree(plans []*Plan, text, outside bool) (*signature.Agreement, error) {
	var calls []*signature.Function
	for _, p := range plans {
		calls = append(calls, p.calls...)
	}
	return signature.AgreeVersions(calls, text, outside)
}

// Transforms says why a program cannot turn bytes into others, as one that repairs or normalizes does; nil if it can.
func (p *Plan) Transforms(program int) error { return p.calls[program].Transforms() }
