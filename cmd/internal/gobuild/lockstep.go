package gobuild

import "parallax/cmd/internal/gobuild/signature"

// Agree checks that the programs of all plans take the same inputs, and decides whether their
// values are compared. The plans are for several versions or toolchains. text compares values as
// texts, whatever their types. outside compares only what users of the packages can see.
func Agree(plans []*Plan, text, outside bool) (*signature.Agreement, error) {
	var calls []*signature.Function
	for _, p := range plans {
		calls = append(calls, p.calls...)
	}
	return signature.AgreeVersions(calls, text, outside)
}

// Transforms returns why a program cannot transform bytes, as repair functions and normalizers do,
// or nil.
func (p *Plan) Transforms(program int) error { return p.calls[program].Transforms() }
