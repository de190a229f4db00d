// Package sequence owns models that are Go types: a fake of a file system, of a store, of a service. A constructor makes a value of the original,
// another one a value of the model, and both execute the same sequences of method calls.
//
// Two functions need nothing of this: parallax diff compares them. The operations come from package signature, the worker from gobuild, the
// running from package sequence of the library; an original that acts on the machine runs in a box (package box). Whoever has a table that names a
// model, as `parallax model` has, calls Model.Options and gives the target a campaign.
package sequence

import (
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/subject"
)

// Model is a model that is a Go type, and its original.
type Model struct {
	Original, Model string // constructors, as parallax diff takes functions: ./real.New, github.com/spf13/afero.NewMemMapFs@v1.11.0
	gobuild.Sequence
}

// Options has the target of o be the two: subject.Build makes it. What it takes from the user is checked there.
func (m *Model) Options(o *subject.Options) {
	how := m.Sequence
	o.Mode, o.Functions, o.Sequence = subject.Diff, []string{m.Model, m.Original}, &how
}
