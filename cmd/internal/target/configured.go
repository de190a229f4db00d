package target

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/config"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/harness"
	"parallax/cmd/internal/lockstep"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/http"
	"parallax/cmd/internal/program/persistent"
	"parallax/cmd/internal/target/cache"
	"parallax/internal/wire"
)

// describeConfig lists the programs of a configuration, and the functions that repair and normalise.
func (t *Lockstep) describeConfig(o *Options) ([]*function, error) {
	m, file := t.mix, o.Config
	m.from = file
	t.Name = harness.TargetName([]string{file.Name})
	steps := len(file.Compare.Normalise)
	m.spec.Text = len(file.Compare.Classes) > 0 || steps > 0
	for i := range file.Programs {
		p := &file.Programs[i]
		t.Names = append(t.Names, p.Name)
		m.spec.Text = m.spec.Text || p.Kind != config.Go || len(p.Normalise) > 0
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
		cp := lockstep.Program{Name: p.Name, Limits: p.Limits}
		env := append(file.Environ(p, os.LookupEnv), clock...)
		switch p.Kind {
		case config.Go:
			cp.Go = &lockstep.Go{}
			written := p.Function
			if p.Version != "" {
				written += "@" + p.Version
			}
			all = append(all, &function{program: i, at: p.At, name: p.Name, written: written, dir: p.Dir, toolchain: p.Toolchain, instrument: append(slices.Clone(o.Instrument), p.Instrument...), text: m.spec.Text})
		case config.C:
			if cp.Native, err = m.native(o, p, env); err != nil {
				if p.At.Line == 0 { // it was named on the command line
					return nil, err
				}
				return nil, file.Fail(p.At, "%w", err)
			}
		case config.Command:
			cp.Command = m.command(file, p, env)
		case config.Persistent:
			cp.Driver = &persistent.Config{Name: p.Name, Args: config.Absolute(p.Dir, p.Command), Env: env, Dir: p.Dir, Limits: p.Limits, Box: m.confined(p.Limits)}
		case config.HTTP:
			cp.Service = m.service(p, env)
		}
		for _, s := range append(slices.Clone(p.Normalise), file.Compare.Normalise...) {
			step, err := m.step(file, s, env, &all)
			if err != nil {
				return nil, err
			}
			cp.Normalise = append(cp.Normalise, step)
		}
		m.spec.Programs = append(m.spec.Programs, cp)
	}
	if file.Repair != nil {
		m.spec.Repair, err = m.external(file, file.Repair, append(file.Environ(&config.Program{}, os.LookupEnv), clock...), &all)
	}
	return all, err
}

func (m *mix) command(file *config.File, p *config.Program, env []string) *command.Config {
	return &command.Config{
		Name: p.Name, Args: config.Absolute(p.Dir, p.Command), Env: env, Value: string(p.Value), Limits: p.Limits, Box: m.confined(p.Limits),
		Exit: command.ExitCodes{Accepted: p.Exit.Accepted, Rejected: p.Exit.Rejected, Declined: p.Exit.Declined},
	}
}

func (m *mix) service(p *config.Program, env []string) *http.Config {
	c := &http.Config{
		Name: p.Name, URL: p.URL, Method: p.Method, Value: p.Parts, Accepted: p.Accepted, Rejected: p.Rejected,
		Rate: float64(p.Rate), Retries: p.Retries, Limits: p.Limits, Ready: p.Ready, Dir: p.Dir, Env: env, Tool: m.tool, TempDir: m.dir,
	}
	for _, h := range p.Headers {
		c.Headers = append(c.Headers, http.Header{Name: h.Name, Value: h.Value})
	}
	if len(p.Start) > 0 {
		c.Start = config.Absolute(p.Dir, p.Start)
	}
	return c
}

// step is a normaliser for the conductor.
func (m *mix) step(file *config.File, s config.Step, env []string, all *[]*function) (lockstep.Step, error) {
	step := lockstep.Step{Builtin: s.Builtin, With: s.With}
	switch {
	case s.Replace != nil:
		step.Replace = s.Replace.String()
	case s.External != nil:
		e, err := m.external(file, s.External, env, all)
		step.External = e
		return step, err
	}
	return step, nil
}

// external is a Go function or a command that turns bytes into others. Functions used in several places are built once.
func (m *mix) external(file *config.File, e *config.External, env []string, all *[]*function) (*lockstep.External, error) {
	x := &lockstep.External{Limits: file.Limits}
	if e.Go == "" {
		args := config.Absolute(file.Dir, e.Command)
		x.Command = &command.Config{Name: strings.Join(e.Command, " "), Args: args, Env: env, Limits: file.Limits, Box: m.confined(file.Limits)}
		return x, nil
	}
	if _, err := funcname.Parse(e.Go); err != nil {
		return nil, file.Fail(e.At, "%w", err)
	}
	x.Go = &lockstep.Go{}
	at := slices.IndexFunc(*all, func(f *function) bool { return f.program < 0 && f.written == e.Go })
	if at < 0 {
		at = len(*all)
		*all = append(*all, &function{program: -1, written: e.Go, dir: file.Dir, text: true})
	}
	f := (*all)[at]
	f.wanted = append(f.wanted, x.Go)
	f.at = e.At
	return x, nil
}

// wireExternals tells those who repair and normalise in which build they are.
func (m *mix) wireExternals(all []*function) {
	for _, f := range all {
		for _, g := range f.wanted {
			*g = lockstep.Go{Build: f.part, Program: f.index}
		}
	}
}

// fakeTimes are where Debian and others keep the library that pins the clock of programs.
var fakeTimes = []string{"/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1", "/usr/local/lib/faketime/libfaketime.so.1"}

// pinned are the variables that give programs the time that the configuration names.
func pinned(file *config.File) ([]string, error) {
	at := file.Environment.Clock
	processes := slices.ContainsFunc(file.Programs, func(p config.Program) bool {
		return p.Kind == config.C || p.Kind == config.Command || p.Kind == config.Persistent || len(p.Start) > 0
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
	return nil, exit.Usage("%s: environment.clock needs the library libfaketime, which is not here: install it, for example with apt-get install faketime", file.Path)
}

// readTables computes the block tables of all parts, and lines them up with the conductor's regions.
func (t *Lockstep) readTables() error {
	m := t.mix
	t.regions, t.Space = t.hello.Regions, t.newSpace()
	var builds []string
	regions := t.hello.Regions
	notes := make([]int, len(m.parts)) // that were there before
	for k, p := range m.parts {
		notes[k] = len(p.plan.Notes)
	}
	for _, k := range m.order() {
		p := m.parts[k]
		var own []wire.Region
		for len(regions) > 0 && strings.HasPrefix(regions[0].Package, lockstep.BuildOf(k)) {
			own = append(own, wire.Region{Package: strings.TrimPrefix(regions[0].Package, lockstep.BuildOf(k)), Counters: regions[0].Counters})
			regions = regions[1:]
		}
		b, err := lineUp(p.plan, own)
		if err != nil {
			return err
		}
		t.Plan.Notes = append(t.Plan.Notes, p.plan.Notes[notes[k]:]...)
		for i, tab := range b.tables {
			var owners []int
			for _, f := range p.members {
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
	}
	t.BuildID = fmt.Sprintf("%016x", cache.Digest(builds...))
	return nil
}

// outsideTable is the block table of a region that no part of Go functions has, and the program that it is of.
func (t *Lockstep) outsideTable(r wire.Region) (program string, table *flow.Table, err error) {
	if program, file, ok := lockstep.Blocks(r.Package); ok {
		table, err := t.nativeTable(program, file, r.Counters)
		return program, table, err
	}
	return strings.TrimPrefix(r.Package, lockstep.FeaturesOf), featureTable(r.Package, r.Counters), nil
}

// order lists the parts that hold programs, as the conductor's regions have them: by their first program.
func (m *mix) order() []int {
	var order []int
	for _, p := range m.spec.Programs {
		if p.Go != nil && !slices.Contains(order, p.Go.Build) {
			order = append(order, p.Go.Build)
		}
	}
	return order
}

// featureTable stands for the features of a program whose source is not known.
func featureTable(name string, n int) *flow.Table {
	return &flow.Table{Package: name, Funcs: []flow.Func{{Name: "features", Count: n}}, Blocks: make([]flow.Block, n)}
}
