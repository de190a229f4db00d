package subject

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/lockstep"
	"parallax/cmd/internal/subject/config"
	"parallax/internal/wire"
)

// describeConfig lists the programs of a configuration, and the functions that repair and
// normalize.
func (t *Lockstep) describeConfig(o *Options) ([]*function, error) {
	m, file := t.assembly, o.Config
	m.from = file
	t.Name = gobuild.TargetName([]string{file.Name})
	steps := len(file.Compare.Normalize)
	m.spec.Text = len(file.Compare.Classes) > 0 || steps > 0
	for i := range file.Programs {
		p := &file.Programs[i]
		t.Names = append(t.Names, p.Name)
		m.spec.Text = m.spec.Text || !p.Settings.Traits().Typed || len(p.Normalize) > 0
	}
	for _, c := range file.Compare.Classes {
		k := lockstep.Class{Name: c.Name, Programs: c.Programs}
		for _, re := range c.Match {
			k.Match = append(k.Match, re.String())
		}
		m.spec.Classes = append(m.spec.Classes, k)
	}
	clock, err := pinned(file)
	if err != nil {
		return nil, err
	}
	var all []*function
	for i := range file.Programs {
		p := &file.Programs[i]
		cp := lockstep.Program{Name: p.Name, Kind: p.Kind, Limits: p.Limits}
		env := append(file.Environ(p, os.LookupEnv), clock...)
		prepared, err := p.Settings.Prepare(&p.Common, m.preparation(o, env))
		if err != nil {
			if m.ctx.Err() != nil {
				return nil, m.ctx.Err()
			}
			if p.At.Line == 0 { // it was named on the command line
				return nil, err
			}
			return nil, file.Fail(p.At, "%w", err)
		}
		if fn, ok := p.Settings.(*gofunc.Function); ok {
			all = append(all, &function{program: i, at: p.At, confined: o.confinementOf(p, fn), name: p.Name, written: fn.Written(), dir: p.Dir, toolchain: fn.Toolchain, instrument: append(slices.Clone(o.Instrument), fn.Instrument...), environ: fn.Environ, require: fn.Require, label: fn.Label, making: fn.Making, text: m.spec.Text})
		}
		for _, s := range append(slices.Clone(p.Normalize), file.Compare.Normalize...) {
			step, err := m.step(file, s, m.preparation(o, env), &all)
			if err != nil {
				return nil, err
			}
			cp.Normalize = append(cp.Normalize, step)
		}
		m.add(cp, prepared, p.Settings.Traits())
	}
	if file.Repair != nil {
		m.spec.Repair, err = m.external(file, file.Repair, m.preparation(o, append(file.Environ(&config.Program{}, os.LookupEnv), clock...)), &all)
	}
	return m.addGenerator(o, file.Limits, all), err
}

// preparation returns the properties of the target that a program needs to prepare itself.
func (m *assembly) preparation(o *Options, env []string) *program.Preparation {
	return &program.Preparation{
		Tool: m.tool, Dir: m.dir, Env: env, Order: o.order(), Clocked: o.Clocked,
		Note:   func(text string) { m.spec.Notes = append(m.spec.Notes, text) },
		Beside: o.Beside, Ctx: m.ctx, Say: m.progress, Own: m.ownFile,
	}
}

// step converts a normalizer for the lockstep process.
func (m *assembly) step(file *config.File, s config.Step, p *program.Preparation, all *[]*function) (lockstep.Step, error) {
	step := lockstep.Step{Builtin: s.Builtin, With: s.With}
	switch {
	case s.Replace != nil:
		step.Replace = s.Replace.String()
	case s.External != nil:
		e, err := m.external(file, s.External, p, all)
		step.External = e
		return step, err
	}
	return step, nil
}

// external returns a Go function or a command that converts bytes. A function that is used in
// several places is built once.
func (m *assembly) external(file *config.File, e *config.External, p *program.Preparation, all *[]*function) (*lockstep.External, error) {
	if e.Go == "" {
		x := &lockstep.External{Name: strings.Join(e.Command, " "), Kind: command.Kind.Name, Limits: file.Limits}
		settings, err := json.Marshal(command.Filter(x.Name, program.Absolute(file.Dir, e.Command), x.Limits, p))
		x.Settings = settings
		return x, err
	}
	x := &lockstep.External{Kind: gofunc.Kind.Name, Limits: file.Limits}
	if _, err := funcname.Parse(e.Go); err != nil {
		return nil, file.Fail(e.At, "%w", err)
	}
	at := slices.IndexFunc(*all, func(f *function) bool { return f.program < 0 && f.written == e.Go })
	if at < 0 {
		at = len(*all)
		*all = append(*all, &function{program: -1, written: e.Go, dir: file.Dir, text: true})
	}
	f := (*all)[at]
	f.wanted = append(f.wanted, x)
	f.at = e.At
	return x, nil
}

// fakeTimes lists the places where Debian and others install the library that pins the clock of
// programs.
var fakeTimes = []string{"/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1", "/usr/local/lib/faketime/libfaketime.so.1"}

// pinned returns the variables that pin the clock of programs to the time that the configuration
// names.
func pinned(file *config.File) ([]string, error) {
	at := file.Environment.Clock
	processes := slices.ContainsFunc(file.Programs, func(p config.Program) bool {
		return p.Settings.Traits().Processes
	})
	if at.IsZero() || !processes { // Go functions are built with a clock that can be pinned
		return nil, nil
	}
	for _, pattern := range fakeTimes {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return []string{
				"LD_PRELOAD=" + found[0], "FAKETIME=" + at.UTC().Format("2006-01-02 15:04:05"), "FAKETIME_DONT_RESET=1", "FAKETIME_NO_CACHE=1",
				fmt.Sprintf("SOURCE_DATE_EPOCH=%d", at.Unix()),
			}, nil
		}
	}
	return nil, exit.Usage("%s: environment.clock needs the library libfaketime: install it, for example with apt-get install faketime", file.Path)
}

// readTables computes the block tables of all parts, and lines them up with the lockstep process's
// regions.
func (t *Lockstep) readTables() error {
	m := t.assembly
	t.regions, t.Space = t.hello.Regions, t.newSpace()
	var builds []string
	regions := t.hello.Regions
	notes := make([]int, len(m.parts)) // before the tables are read
	for k, p := range m.parts {
		notes[k] = len(p.plan.Notes)
	}
	for _, k := range m.order() {
		p := m.parts[k]
		var own []wire.Region
		for len(regions) > 0 && strings.HasPrefix(regions[0].Package, gofunc.Region(k)) {
			own = append(own, wire.Region{Package: strings.TrimPrefix(regions[0].Package, gofunc.Region(k)), Counters: regions[0].Counters})
			regions = regions[1:]
		}
		b, err := lineUp(p.plan, own)
		if err != nil {
			return err
		}
		t.Plan.Notes = append(t.Plan.Notes, p.plan.Notes[notes[k]:]...)
		for i, tab := range b.tables {
			var owners []int
			for _, f := range p.functions {
				if slices.Contains(b.owners[i], f.index) {
					owners = append(owners, f.program)
				}
			}
			t.Space.Add(tab, owners...)
		}
		builds = append(builds, b.id)
	}
	for _, r := range regions {
		name, table, err := t.outsideTable(r)
		if err != nil {
			return err
		}
		t.Space.Add(table, slices.Index(t.Names, name))
		builds = append(builds, fmt.Sprint(r))
		if _, _, own := lockstep.Blocks(r.Package); own {
			t.Traits.NoCoverage[slices.Index(t.Names, name)] = false
			h := fnv.New64a()
			identify(h, table)
			builds = append(builds, fmt.Sprint(h.Sum64()))
		}
	}
	for _, p := range m.programs {
		if i, ok := p.(program.Identified); ok {
			builds = append(builds, i.Identity())
		}
	}
	t.BuildID = fmt.Sprintf("%016x", buildcache.Digest(builds...))
	t.CodeID = codeID(t.BuildID, m.codeFiles())
	return nil
}

// outsideTable returns the block table of a region without Go functions, and the program that owns
// the region.
func (t *Lockstep) outsideTable(r wire.Region) (program string, table *flow.Table, err error) {
	if program, file, ok := lockstep.Blocks(r.Package); ok {
		table, err := t.ownTable(program, file, r.Counters)
		return program, table, err
	}
	return strings.TrimPrefix(r.Package, lockstep.FeaturesOf), featureTable(r.Package, r.Counters), nil
}

// order lists the parts that hold programs by their first program, like the regions of the lockstep
// process.
func (m *assembly) order() []int {
	var order []int
	for _, f := range m.functions {
		if f.program >= 0 && !slices.Contains(order, f.part) {
			order = append(order, f.part)
		}
	}
	return order
}

// featureTable represents the features of a program without known source.
func featureTable(name string, n int) *flow.Table {
	return &flow.Table{Package: name, Funcs: []flow.Func{{Name: flow.Features, Count: n}}, Blocks: make([]flow.Block, n)}
}
