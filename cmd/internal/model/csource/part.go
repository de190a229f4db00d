package csource

import (
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/original"
)

// Part is one side of a comparison that is a C function, in a form that can be kept: no compiler is needed to run it.
type Part struct {
	*Sources
	Function string `json:"function"` // as the files call it

	slow error // of a compiler that did not end when it made Shared: it is not waited for again
}

// Files are the names of its files.
func (p *Part) Files() string {
	var names []string
	for _, u := range p.Units {
		names = append(names, u.File)
	}
	return strings.Join(names, " and ")
}

// Original runs it as an original.
func (p *Part) Original(s *call.Signature) (*original.Original, error) {
	c, err := p.Load()
	if err != nil {
		return nil, err
	}
	return c.Original(s, p.Function)
}

// Evaluator runs it as a model.
func (p *Part) Evaluator(s *call.Signature) (*Model, error) {
	c, err := p.Load()
	if err != nil {
		return nil, err
	}
	return c.Model(s, p.Function)
}
