package subject

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/gobuild/mining"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/lockstep"
	"parallax/cmd/internal/subject/config"
	"parallax/internal/input"
)

// Lockstep is a target whose programs cannot share a process: versions of one module, toolchains,
// commands, drivers, services. A lockstep process runs them (package lockstep). Its Go functions
// are built in parts, and each part is a worker.
type Lockstep struct {
	Facts
	assembly *assembly
}

// assembly holds the parts from which the programs are built.
type assembly struct {
	variants
	tool  string
	clock string // time for Go functions, in seconds since 1970; empty for that of the machine
	spec  lockstep.Spec
	parts []*part
	// programs are in the order of the target, as are their traits. An entry of a Go function
	// represents the worker of its part.
	programs  []program.Prepared
	traits    []program.Traits
	functions []*function
	env       []string            // of workers, in addition to the configuration's
	confined  execute.Confinement // of functions without a confinement
	from      *config.File        // nil for functions named on the command line
	file      string              // path of the lockstep process's Spec for fuzzing
	dir       string              // folder of such files and of the working folders
	files     int                 // written so far
	siblings  *buildcache.Folder  // shared by the FuzzXxx of a package; may be nil

	ctx      context.Context // of the build
	progress func(string)
}

// begin locks the folder of the build until release is called, and makes the working folder of the
// programs in it.
func (m *assembly) begin(ctx context.Context, o *Options, progress func(string)) (release func(), err error) {
	m.ctx, m.progress = ctx, progress
	if release, err = m.space.Lock(ctx, progress); err != nil {
		return nil, err
	}
	m.dir = filepath.Join(m.space.Dir, "run", fmt.Sprintf("%016x", buildcache.Digest(o.Out)))
	if err := os.MkdirAll(m.dir, 0o755); err != nil {
		release()
		return nil, exit.Infra("creating the working folder of the programs: %w", err)
	}
	return release, nil
}

// part holds Go functions that share a binary.
type part struct {
	functions []*function
	plan      *gobuild.Plan
	dir       string // of its build products
	binary    string
	test      *sideTest // of a FuzzXxx; nil for functions
}

// function is a Go function of a lockstep target: a program, a repair function, a normalizer or a
// generator.
type function struct {
	program     int // its number in the target, -1 for none
	name        string
	written     string // as `parallax diff` takes it, with its version
	dir         string
	toolchain   string
	instrument  []string
	environ     []string // of the go command, in addition to the user's
	require     []string // versions of other modules
	making      signature.Making
	label       string               // name of a version that the go command does not know
	text        bool                 // its values are needed as texts
	wanted      []*lockstep.External // the users of a function that repairs, normalizes or draws
	confined    *execute.Confinement // of the configuration; nil for that of all functions
	draws       bool                 // it is a generator
	texts       bool                 // a generator draws texts for it
	at          config.Position      // where the configuration names it
	part, index int                  // its place, set by group
}

// buildLockstep builds a target of functions that cannot share a binary, or of a configuration.
func buildLockstep(ctx context.Context, o *Options, tool string, progress func(string)) (Target, error) {
	space, err := buildcache.Open(ctx, append([]string{"lockstep", o.Dir, o.configPath(), fmt.Sprint(o.Instrument), fmt.Sprint(o.order()), o.Tags}, o.Functions...)...)
	if err != nil {
		return nil, err
	}
	t := &Lockstep{Facts: Facts{Mode: o.Mode}, assembly: &assembly{variants: variants{space: space, say: progress}, tool: tool, clock: o.clock(), confined: o.confinement()}}
	if o.Config != nil && (len(o.Config.Built) > 0 || o.Mode == Regress) { // two versions, or the new one alone
		t.Versions, t.Mode = true, Diff
		if len(o.Config.Programs) == 1 {
			t.Mode = Fuzz
		}
	}
	if o.Mode == Model {
		t.Mode, t.Scope = Diff, &finding.Scope{}
	}
	err = t.buildParts(ctx, o, progress)
	if err != nil {
		space.Close()
		return nil, err
	}
	return t, nil
}

func (t *Lockstep) buildParts(ctx context.Context, o *Options, progress func(string)) error {
	m := t.assembly
	release, err := m.begin(ctx, o, progress)
	if err != nil {
		return err
	}
	defer release()
	all, err := t.describe(o)
	if err != nil {
		return err
	}
	m.functions = all
	if err := m.group(ctx, all, o, progress); err != nil {
		return err
	}
	if all, err = m.addDerivedGenerator(ctx, all, o, progress); err != nil {
		return err
	}
	m.functions = all
	if err := t.agree(all, o); err != nil {
		return err
	}
	if t.Shape, err = input.ParseShape(m.spec.Shape); err != nil {
		return err
	}
	if err := t.drawTapes(o); err != nil {
		return err
	}
	for _, p := range m.parts {
		built, err := p.plan.Build(ctx)
		if err != nil {
			return err
		}
		if p.binary, err = m.space.Own(built); err != nil {
			return err
		}
	}
	if m.file, err = m.write(m.spec, func(p *part) string { return p.binary }); err != nil {
		return err
	}
	progress("starting the programs")
	w, err := execute.StartContext(ctx, t.Spec(o))
	if err != nil {
		return err
	}
	defer w.Close()
	t.hello = w.Hello
	t.Plan.Notes = append(t.Plan.Notes, w.Hello.Notes...)
	if len(m.parts) > 0 {
		t.Plan.Notes = append(t.Plan.Notes, execute.LimitNotes(false)...)
		var plans []*gobuild.Plan
		for _, p := range m.parts {
			plans = append(plans, p.plan)
		}
		t.confine(o, m.dir, m.confinements(), plans...)
	}
	if !t.Versions {
		t.Plan.NoteVersions()
	}
	t.describeRuns()
	for _, p := range m.programs {
		if s, ok := p.(program.Scoped); ok && t.Scope != nil {
			t.Scope.Add(s.Covers())
		}
	}
	if t.Scope != nil && t.Scope.Models == 0 { // a model that is code: a run finds the calls that it covers
		t.Scope.Models, t.Scope.Extracted = 1, 1
	}
	return t.readTables()
}

// describe lists the programs, in the order of the target, and the functions that are no programs.
func (t *Lockstep) describe(o *Options) ([]*function, error) {
	m := t.assembly
	if o.Config == nil {
		var funcs []funcname.Func
		for _, text := range o.Functions {
			f, err := funcname.Parse(text)
			if err != nil {
				return nil, err
			}
			funcs = append(funcs, f)
		}
		names := funcname.Shortest(funcs)
		t.Name = gobuild.TargetName(names)
		var all []*function
		for i, text := range o.Functions {
			all = append(all, &function{program: i, name: names[i], written: text, dir: o.Dir, instrument: o.Instrument})
			w := &gofunc.Worker{Name: names[i], Limits: limits.Limits{Timeout: o.Timeout, Memory: o.Memory}}
			m.add(lockstep.Program{Name: w.Name, Kind: gofunc.Kind.Name, Limits: w.Limits}, w, (&gofunc.Function{}).Traits())
		}
		t.Names = names
		return m.addGenerator(o, limits.Limits{Timeout: o.Timeout, Memory: o.Memory}, all), nil
	}
	return t.describeConfig(o)
}

// add adds a program to the target.
func (m *assembly) add(p lockstep.Program, prepared program.Prepared, traits program.Traits) {
	m.spec.Programs = append(m.spec.Programs, p)
	m.programs, m.traits = append(m.programs, prepared), append(m.traits, traits)
}

// agree finds the shape that the programs share, and merges the facts about them.
func (t *Lockstep) agree(all []*function, o *Options) error {
	m := t.assembly
	plans := t.merge(all)
	merged := t.Plan
	m.spec.Shape, m.spec.Values, m.spec.MaxFlat = input.Shape{input.Bytes}.String(), true, MaxFlat(input.Shape{input.Bytes}, o.MaxBytes)
	if len(plans) == 0 {
		return nil
	}
	a, err := gobuild.Agree(plans, m.spec.Text, o.Mode == Regress)
	if err != nil {
		return err
	}
	m.spec.Values, t.arguments = a.Values, plans[0].Parameters()
	m.spec.Shape, m.spec.MaxFlat = plans[0].Shape.String(), MaxFlat(plans[0].Shape, o.MaxBytes)
	merged.Notes = append(merged.Notes, a.Notes...)
	merged.CompareValues = a.Values
	if o.Config != nil && !plans[0].Shape.Raw() {
		if file := o.Config; file.Repair != nil {
			return file.Fail(file.Repair.At, "repair works on one text, and the programs take %s", plans[0].Shape)
		}
		p := merged.Programs[slices.IndexFunc(m.traits, func(t program.Traits) bool { return t.Typed })]
		if slices.ContainsFunc(m.traits, func(t program.Traits) bool { return !t.Typed }) {
			return exit.Usage("%s takes %s: a Go function that is compared with programs of other kinds takes one []byte or string; wrap it in a function of your own", p.Function, plans[0].Shape)
		}
	}
	if !m.spec.Text {
		m.env = []string{ignoreVariable + strings.Join(a.Ignored, ",")}
		if o.Mode == Regress {
			m.env = append(m.env, outsideVariable+strings.Join(modules(plans), " "))
		}
	}
	return nil
}

// modules returns the paths of the programs' modules.
func modules(plans []*gobuild.Plan) (paths []string) {
	for _, plan := range plans {
		for _, p := range plan.Programs {
			if !slices.Contains(paths, p.Module) {
				paths = append(paths, p.Module)
			}
		}
	}
	return paths
}

// merge combines the plans of the parts into that of the target, and returns the plans that hold
// programs.
func (t *Lockstep) merge(all []*function) (plans []*gobuild.Plan) {
	m := t.assembly
	merged := &gobuild.Plan{Target: t.Name, Programs: make([]gobuild.Program, len(m.spec.Programs))}
	t.Plan = merged
	seen := map[string]bool{}
	for _, p := range m.parts {
		if p.functions[0].program < 0 {
			continue
		}
		plans = append(plans, p.plan)
		merged.ReadsClock = merged.ReadsClock || p.plan.ReadsClock
		merged.GoVersion = p.plan.GoVersion
		merged.Notes = gobuild.MergeNotes(merged.Notes, p.plan.Notes)
		merged.Own = finding.Once(slices.Concat(merged.Own, p.plan.Own))
		merged.Dependencies = finding.Once(slices.Concat(merged.Dependencies, p.plan.Dependencies))
		merged.Libraries = finding.Once(slices.Concat(merged.Libraries, p.plan.Libraries))
		for _, s := range p.plan.Seeds {
			if key := "seed " + string(s.Flat); !seen[key] {
				seen[key] = true
				merged.Seeds = append(merged.Seeds, s)
			}
		}
		for _, word := range p.plan.Dictionary {
			if key := "word " + string(word); !seen[key] {
				seen[key] = true
				merged.Dictionary = append(merged.Dictionary, word)
			}
		}
	}
	merged.Dictionary = append(merged.Dictionary, m.scriptWords()...)
	for i, p := range m.spec.Programs {
		merged.ReadsClock = m.clock == "" && (merged.ReadsClock || p.Kind != gofunc.Kind.Name)
		merged.Programs[i] = gobuild.Program{Name: p.Name, Function: m.programs[i].Shown(), Kind: p.Kind}
		if m.from != nil && len(m.from.Built) > 0 { // the place of a build differs between builds, and a campaign continues with the same program
			merged.Programs[i].Function, merged.Programs[i].Version = m.from.Regress.Binary, m.from.Built[i].Version
		}
	}
	for _, f := range all {
		if f.program >= 0 {
			p := m.parts[f.part].plan.Programs[f.index]
			p.Name = f.name
			if p.Version == "" {
				p.Version = f.label
			}
			if f.toolchain != "" {
				p.Toolchain = f.toolchain
			}
			merged.Programs[f.program] = p
		}
	}
	return plans
}

// scriptWords mines words from the sources of programs that are scripts.
func (m *assembly) scriptWords() [][]byte {
	var sources [][]string
	for _, p := range m.programs {
		if s, ok := p.(program.Scripted); ok {
			if files := mining.Scripts(s.Script()); len(files) > 0 {
				sources = append(sources, files)
			}
		}
	}
	return mining.ScriptWords(sources)
}

// ignoreVariable names the fields that workers do not compare.
const ignoreVariable = "PARALLAX_IGNORE="

// write writes a Spec for the lockstep process with the binaries of one build, and returns its
// path.
func (m *assembly) write(spec lockstep.Spec, binary func(*part) string) (string, error) {
	env := append(m.set(), m.env...)
	if m.clock != "" {
		env = append(env, golang.ClockVariable+"="+m.clock)
	}
	spec.Programs = slices.Clone(spec.Programs)
	var err error
	encode := func(settings any) (data []byte) {
		if err == nil {
			data, err = json.Marshal(settings)
		}
		return data
	}
	for i, p := range m.programs {
		spec.Programs[i].Settings = encode(p)
	}
	for _, f := range m.functions {
		w := gofunc.Worker{Name: f.name, Build: f.part, Program: f.index, Binary: binary(m.parts[f.part]), Dir: m.dir, Env: env, Confined: m.confinement(f)}
		if test := m.parts[f.part].test; test != nil {
			w.Args, w.Dir, w.Mode = test.args(), test.run, Fuzz
		}
		if f.program >= 0 {
			w.Limits = spec.Programs[f.program].Limits
			spec.Programs[f.program].Settings = encode(w)
		}
		for _, x := range f.wanted {
			x.Settings = encode(w)
		}
	}
	path := m.ownFile("json")
	if err == nil {
		err = spec.Write(path)
	}
	if err != nil {
		return "", exit.Infra("writing the specification of the lockstep process: %w", err)
	}
	return path, nil
}

// confinement returns the confinement of a function.
func (m *assembly) confinement(f *function) execute.Confinement {
	if f.confined != nil {
		return *f.confined
	}
	return m.confined
}

// confinements returns the confinement of each program that is a Go function. Programs of other
// kinds have sandboxes.
func (m *assembly) confinements() []execute.Confinement {
	list := make([]execute.Confinement, len(m.programs))
	for _, f := range m.functions {
		if f.program >= 0 {
			list[f.program] = m.confinement(f)
		}
	}
	return list
}

// ownFile returns an unused path for a file of this process.
func (m *assembly) ownFile(ending string) string {
	m.files++
	path := filepath.Join(m.dir, fmt.Sprintf("lockstep-%s-%d.%s", m.space.Token(), m.files, ending))
	m.space.RemoveOnClose(path)
	return path
}
