// Package sequence owns models that are Go types: a fake of a file system, of a store, of a
// service. One constructor makes a value of the original, another one a value of the model. Both
// values execute the same sequences of method calls.
//
// Two functions do not need this package: parallax diff compares them. The operations come from
// package signature, the worker from gobuild, the running from package sequence of the library. An
// original that acts on the machine runs in a box (package box). A caller whose table names a
// model, as in `parallax model`, calls Model.Options and starts a campaign on the target.
package sequence

import (
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/subject"
)

// Model names a model that is a Go type, and its original.
type Model struct {
	Original, Model string // constructors, as parallax diff takes functions: ./real.New, github.com/spf13/afero.NewMemMapFs@v1.11.0
	gobuild.Sequence
}

// Options makes the two the target of o, which subject.Build builds and checks.
func (m *Model) Options(o *subject.Options) {
	how := m.Sequence
	o.Mode, o.Functions, o.Sequence = subject.Diff, []string{m.Model, m.Original}, &how
}
