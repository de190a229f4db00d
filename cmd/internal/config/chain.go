package config

import "parallax/cmd/internal/normalise"

// Chain makes the normalisers of steps. open starts one that is not built in; it may be asked for the same External several
// times, once for each program.
func Chain(steps []Step, open func(*External) (normalise.External, error)) (*normalise.Chain, error) {
	var all []normalise.Step
	for _, s := range steps {
		one := normalise.Step{Builtin: s.Builtin, Replace: s.Replace, With: s.With}
		if s.External != nil {
			var err error
			if one.External, err = open(s.External); err != nil {
				return nil, err
			}
		}
		all = append(all, one)
	}
	return normalise.New(all...), nil
}

// Steps are all normalisers of a program's values, in order.
func (f *File) Steps(p *Program) []Step {
	return append(append([]Step(nil), p.Normalise...), f.Compare.Normalise...)
}
