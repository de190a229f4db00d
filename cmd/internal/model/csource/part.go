package csource

import (
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/original"
)

// Part is a C function as one side of a comparison, in a form that can be stored. Running it needs
// no compiler.
type Part struct {
	*Sources
	Function string `json:"function"` // as the files call it

	slow error // of a compiler that timed out in Shared; it is not run again
}

// Files returns the names of its files.
func (p *Part) Files() string {
	var names []string
	for _, u := range p.Units {
		names = append(names, u.File)
	}
	return strings.Join(names, " and ")
}

// Original returns the function as an original.
func (p *Part) Original(s *call.Signature) (*original.Original, error) {
	c, err := p.Load()
	if err != nil {
		return nil, err
	}
	return c.Original(s, p.Function)
}

// Evaluator returns the function as a model.
func (p *Part) Evaluator(s *call.Signature) (*Model, error) {
	c, err := p.Load()
	if err != nil {
		return nil, err
	}
	return c.Model(s, p.Function)
}
