package subject

import (
	"context"
	"fmt"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/lockstep"
	"parallax/internal/input"
)

// addGenerator adds the generator that the options name to the functions of a lockstep target. The
// generator is a part of its own, and runs in its own process.
func (m *assembly) addGenerator(o *Options, limits limits.Limits, all []*function) []*function {
	if o.Generator == "" {
		return all
	}
	f := newGenerator(o, limits, o.Dir, nil)
	m.spec.Generator = f.wanted[0]
	if file := o.Config; file != nil && file.Input.Generator == o.Generator {
		f.dir, f.at = file.Dir, file.Input.Drawn
	}
	return append(all, f)
}

// newGenerator returns the generator that the options name. dir is the folder from which it is
// found.
func newGenerator(o *Options, limits limits.Limits, dir string, environ []string) *function {
	x := &lockstep.External{Name: o.Generator, Kind: gofunc.Kind.Name, Limits: limits}
	return &function{program: -1, written: o.Generator, dir: dir, environ: environ, text: true, draws: true, wanted: []*lockstep.External{x}}
}

// addDerivedGenerator adds a generator if a function takes a struct and the options define no
// inputs otherwise. The generator draws values of the struct's type as JSON, the common input of
// all programs.
func (m *assembly) addDerivedGenerator(ctx context.Context, all []*function, o *Options, progress func(string)) ([]*function, error) {
	if o.Generator != "" || o.GrammarFile != "" || o.Config != nil && o.Config.Repair != nil {
		return all, nil
	}
	for _, p := range m.parts {
		f, written := p.functions[0], p.plan.FromText()
		if written == "" {
			continue
		}
		draws := *f
		draws.program, draws.written, draws.name, draws.text, draws.draws, draws.texts = -1, written, "", true, true, true
		plan, dir, err := m.resolve(ctx, []*function{&draws}, o, progress)
		if err != nil {
			return nil, f.blame(o, err)
		}
		x := &lockstep.External{Name: plan.Draws(), Kind: gofunc.Kind.Name, Limits: m.spec.Programs[f.program].Limits}
		m.spec.Generator, draws.wanted = x, []*lockstep.External{x}
		draws.part, draws.index = len(m.parts), 0
		m.parts = append(m.parts, &part{functions: []*function{&draws}, plan: plan, dir: dir})
		p.plan.Notes = append(p.plan.Notes, fmt.Sprintf("inputs are drawn from the type of the parameters, by %s, and given to all programs as JSON: tags of fields say more of their values (parallax help generators)", plan.Draws()))
		return append(all, &draws), nil
	}
	return all, nil
}

// drawTapes makes tapes the inputs of a target with a generator. It refuses a generator whose
// values do not have the shape that the programs take.
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
	if o.Generator == "" {
		t.Plan.Seeds, t.Plan.Dictionary = nil, nil // of other programs: tapes are no seeds that a user has, and words are no choices
	}
	t.Plan.Takes = t.Shape
	t.Shape = input.Shape{input.Bytes}
	return nil
}

// CheckGenerator reports a generator that a version lacks or that does not compile, before anything
// is fuzzed.
func CheckGenerator(ctx context.Context, v Version, o *Options, tool string, progress func(string)) error {
	if o.Generator == "" {
		return nil
	}
	space, err := buildcache.Open(ctx, "generator", v.Dir, o.Generator)
	if err != nil {
		return err
	}
	defer space.Close()
	m := &assembly{variants: variants{space: space, say: progress}, tool: tool}
	_, _, err = m.resolve(ctx, []*function{newGenerator(o, limits.Limits{}, v.Dir, v.Environ)}, o, progress)
	return err
}

// drawPair adds the generator that the options name to the versions of a FuzzXxx. The new version's
// generator draws for both versions in its own process, so both get the same inputs. If several
// harnesses are fuzzed and the generator does not fit this one, drawPair clears the option.
func (t *Lockstep) drawPair(ctx context.Context, o *Options, newer *side, progress func(string)) error {
	if o.Generator == "" {
		return nil
	}
	m, r := t.assembly, &t.Pair.request
	misfit := func(why string) error {
		if !r.Several {
			return exit.Usage("--generator %s does not fit %s: %s", o.Generator, r.Fuzz, why)
		}
		t.Plan.Notes = append(t.Plan.Notes, fmt.Sprintf("%s is fuzzed without the generator %s: %s", t.Name, o.Generator, why))
		o.Generator = ""
		return nil
	}
	if newer.info.tapes {
		return misfit("it ends with gen.Fuzz, and so draws its inputs itself")
	}
	f := newGenerator(o, limits.Limits{Timeout: o.Timeout, Memory: o.Memory}, r.New.Dir, r.New.Environ)
	plan, dir, err := m.resolve(ctx, []*function{f}, o, progress)
	if err != nil {
		return err
	}
	if !signature.SameShape(plan.Takes, t.Shape) {
		return misfit(fmt.Sprintf("it draws %s, and the FuzzXxx takes %s", plan.Takes, t.Shape))
	}
	built, err := plan.Build(ctx)
	if err != nil {
		return err
	}
	f.part = len(m.parts)
	p := &part{functions: []*function{f}, plan: plan, dir: dir}
	if p.binary, err = m.space.Own(built); err != nil {
		return err
	}
	m.parts, m.functions, m.spec.Generator = append(m.parts, p), append(m.functions, f), f.wanted[0]
	t.Name += Drawn // the target without the generator has its own campaign, whose inputs are no tapes
	t.Plan.Seeds, t.Plan.Dictionary = nil, nil
	t.Plan.Takes, t.Plan.Target = t.Shape, t.Name
	t.Shape = input.Shape{input.Bytes}
	return nil
}
