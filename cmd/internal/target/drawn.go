package target

import (
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/lockstep"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/signature"
	"parallax/internal/input"
)

// drawn adds the generator to the functions of a lockstep target, if the options name one. It is built as a part of its own, and runs in a process of
// its own.
func (m *assembly) drawn(o *Options, limits program.Limits, all []*function) []*function {
	if o.Generator == "" {
		return all
	}
	x := &lockstep.External{Name: o.Generator, Kind: gofunc.Kind.Name, Limits: limits}
	m.spec.Generator = x
	f := &function{program: -1, written: o.Generator, dir: o.Dir, text: true, draws: true, wanted: []*lockstep.External{x}}
	if file := o.Config; file != nil && file.Input.Generator == o.Generator {
		f.dir, f.at = file.Dir, file.Input.Drawn
	}
	return append(all, f)
}

// drawTapes makes tapes the inputs of the target, if there is a generator, and refuses one that draws something else than what the programs take.
func (t *Lockstep) drawTapes(o *Options) error {
	m := t.assembly
	if m.spec.Generator == nil {
		return nil
	}
	for _, p := range m.parts {
		if f := p.functions[0]; f.draws && !signature.SameShape(p.plan.Takes, t.Shape) {
			return f.blame(o, exit.Usage("--generator %s draws %s, and the programs take %s", o.Generator, p.plan.Takes, t.Shape))
		}
	}
	t.Plan.Takes = t.Shape
	t.Shape = input.Shape{input.Bytes}
	return nil
}
