package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/conduct"
	"parallax/cmd/internal/config"
	"parallax/cmd/internal/confine"
	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/harness"
	"parallax/cmd/internal/instrument/golang"
	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/input"
)

// A mixed target has programs that cannot share a process: versions of one module, toolchains, commands, drivers, services. A
// conductor runs them in lockstep (package conduct). Its Go functions are built in parts, each a worker of its own.

// mix is what a mixed target has beside other targets.
type mix struct {
	space *buildSpace
	tool  string
	clock string // what Go functions take for the time, in seconds since 1970; empty: the machine's
	spec  conduct.Spec
	parts []*part
	from  *config.File // nil: functions named on the command line
	file  string       // of the conductor's Spec, for the programs as they are fuzzed
	dir   string       // where such files and the working folders are
	files int          // written so far
}

// part is Go functions that share a binary.
type part struct {
	members []*function
	plan    *harness.Plan
	dir     string // of its build products
	binary  string
}

// function is a Go function of a mixed target: a program, or what repairs or normalises.
type function struct {
	program     int // its number in the target, -1 for none
	name        string
	written     string // as `parallax diff` takes it, with its version
	dir         string
	toolchain   string
	instrument  []string
	text        bool            // its values are wanted as texts
	wanted      []*conduct.Go   // of who repairs or normalises: the places that want to know where it is
	at          config.Position // where the configuration names it
	part, index int             // where it ended up
}

// buildMixed builds a target of functions that cannot share a binary, or of a configuration.
func buildMixed(ctx context.Context, o *Options, tool string, progress func(string)) (*Target, error) {
	space, err := openBuildSpace(append([]string{"mixed", o.Dir, o.configPath(), fmt.Sprint(o.Instrument), fmt.Sprint(feature.NeedsOrder(o.Guidance))}, o.Functions...)...)
	if err != nil {
		return nil, err
	}
	t := &Target{Mode: Diff, mix: &mix{space: space, tool: tool, clock: o.clock()}, built: &build{space: space}}
	t.built.mix = t.mix
	err = t.buildParts(ctx, o, progress)
	if err != nil {
		space.close()
		return nil, err
	}
	return t, nil
}

func (t *Target) buildParts(ctx context.Context, o *Options, progress func(string)) error {
	m := t.mix
	release, err := m.space.exclusive()
	if err != nil {
		return err
	}
	defer release()
	m.dir = filepath.Join(m.space.dir, "run", fmt.Sprintf("%016x", digest(o.Out)))
	if err := os.MkdirAll(m.dir, 0o755); err != nil {
		return exit.Infra("creating the working folder of the programs: %w", err)
	}
	t.dir = m.dir
	all, err := t.describe(o)
	if err != nil {
		return err
	}
	if err := m.group(ctx, all, o, progress); err != nil {
		return err
	}
	if err := t.agree(all, o); err != nil {
		return err
	}
	for _, p := range m.parts {
		built, err := p.plan.Build(ctx)
		if err != nil {
			return err
		}
		if p.binary, err = m.space.own(built); err != nil {
			return err
		}
	}
	m.wire(all, o)
	t.Shape, err = input.ParseShape(m.spec.Shape)
	if err != nil {
		return err
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
	return t.readMixedTables()
}

// describe lists the programs, in the order of the target, and the functions that are no programs.
func (t *Target) describe(o *Options) ([]*function, error) {
	m := t.mix
	if o.Config == nil {
		var funcs []harness.Func
		for _, text := range o.Functions {
			f, err := harness.Parse(text)
			if err != nil {
				return nil, err
			}
			funcs = append(funcs, f)
		}
		names := harness.Names(funcs)
		t.Name = harness.TargetName(names)
		var all []*function
		for i, text := range o.Functions {
			all = append(all, &function{program: i, name: names[i], written: text, dir: o.Dir, instrument: o.Instrument})
			m.spec.Programs = append(m.spec.Programs, conduct.Program{
				Name: names[i], Go: &conduct.Go{}, Limits: program.Limits{Timeout: o.Timeout, Memory: o.Memory},
			})
		}
		t.Names = names
		return all, nil
	}
	return t.describeConfig(o)
}

// group decides which functions share a binary, and resolves them. Those of one folder and toolchain do, unless they ask for
// different versions of one module.
func (m *mix) group(ctx context.Context, all []*function, o *Options, progress func(string)) error {
	var groups [][]*function
next:
	for _, f := range all {
		for i, g := range groups {
			if g[0].fits(g, f) {
				groups[i] = append(g, f)
				continue next
			}
		}
		groups = append(groups, []*function{f})
	}
	for len(groups) > 0 {
		g := groups[0]
		groups = groups[1:]
		plan, dir, err := m.resolve(ctx, g, o, progress)
		var versions *harness.VersionsError
		if err != nil && len(g) > 1 && (errors.As(err, &versions) || exit.Code(err) == exit.UsageCode) {
			// They do not go together. Each alone tells whether anything is wrong with it.
			for k := len(g) - 1; k >= 0; k-- {
				groups = append([][]*function{{g[k]}}, groups...)
			}
			continue
		}
		if err != nil {
			return g[0].blame(o, err)
		}
		for i, f := range g {
			f.part, f.index = len(m.parts), i
			if f.program < 0 {
				if err := plan.Transforms(i); err != nil {
					return f.blame(o, exit.Usage("%w", err))
				}
			}
		}
		m.parts = append(m.parts, &part{members: g, plan: plan, dir: dir})
	}
	return nil
}

// blame gives an error the place in the configuration that names the function.
func (f *function) blame(o *Options, err error) error {
	if o.Config == nil || f.at.Line == 0 || exit.Code(err) != exit.UsageCode {
		return err
	}
	return o.Config.Fail(f.at, "%w", err)
}

// fits reports whether f can share the binary of a group that begins with first.
func (first *function) fits(group []*function, f *function) bool {
	if f.dir != first.dir || f.toolchain != first.toolchain || f.text != first.text || f.program < 0 || first.program < 0 {
		return false
	}
	if f.name != "" && !slices.Equal(f.instrument, first.instrument) {
		return false
	}
	path, version := pathOf(f.written)
	for _, g := range group {
		other, v := pathOf(g.written)
		if g.written == f.written || v != version && rootOf(other) == rootOf(path) && (v != "" || version != "") {
			return false
		}
	}
	return true
}

// pathOf takes a function's version off.
func pathOf(function string) (path, version string) {
	path, version, _ = strings.Cut(function, "@")
	return path, version
}

// rootOf is about the module that a path belongs to: its first three elements, or two where hosts have no users.
func rootOf(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) > 3 {
		parts = parts[:3]
	}
	last := len(parts) - 1
	if i := strings.IndexByte(parts[last], '.'); i > 0 && last > 0 && parts[0] != "gopkg.in" {
		parts[last] = parts[last][:i] // of github.com/a/b.Func
	}
	return strings.Join(parts, "/")
}

func (m *mix) resolve(ctx context.Context, g []*function, o *Options, progress func(string)) (plan *harness.Plan, dir string, err error) {
	f := g[0]
	var functions []string
	for _, k := range g {
		functions = append(functions, k.written)
	}
	dir = filepath.Join(m.space.dir, fmt.Sprintf("part-%016x", digest(append([]string{f.dir, f.toolchain, fmt.Sprint(f.text, m.clock != "", f.instrument)}, functions...)...)))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, "", exit.Infra("creating the folder for build products: %w", err)
	}
	plan, err = harness.Resolve(ctx, harness.Request{
		Dir: f.dir, Functions: functions, Out: dir, Parallax: m.tool, Instrument: f.instrument, Toolchain: f.toolchain,
		Marshal: f.text, Clock: o.clock() != "", Order: feature.NeedsOrder(o.Guidance), Progress: progress,
	})
	return plan, dir, err
}

// agree decides what the programs have in common, and puts together what is known of them.
func (t *Target) agree(all []*function, o *Options) error {
	m := t.mix
	merged := &harness.Plan{Target: t.Name, Programs: make([]harness.Program, len(m.spec.Programs))}
	t.Plan = merged
	var plans []*harness.Plan
	seen := map[string]bool{}
	for _, p := range m.parts {
		if p.members[0].program < 0 {
			continue
		}
		plans = append(plans, p.plan)
		merged.GoVersion = p.plan.GoVersion
		for _, n := range p.plan.Notes {
			merged.Notes = appendOnce(merged.Notes, n)
		}
		for _, own := range p.plan.Own {
			if !slices.Contains(merged.Own, own) {
				merged.Own = append(merged.Own, own)
			}
		}
		for _, list := range []struct{ from, to *[][]byte }{{&p.plan.Seeds, &merged.Seeds}, {&p.plan.Dictionary, &merged.Dictionary}} {
			for _, b := range *list.from {
				if key := fmt.Sprintf("%p", list.to) + string(b); !seen[key] {
					seen[key] = true
					*list.to = append(*list.to, b)
				}
			}
		}
	}
	for i, p := range m.spec.Programs {
		merged.Programs[i] = harness.Program{Name: p.Name, Function: p.Shown(), Kind: p.Kind()}
	}
	for _, f := range all {
		if f.program >= 0 {
			p := m.parts[f.part].plan.Programs[f.index]
			p.Name = f.name
			if f.toolchain != "" {
				p.Toolchain = f.toolchain
			}
			merged.Programs[f.program] = p
		}
	}
	m.spec.Shape, m.spec.Values, m.spec.MaxFlat = input.Shape{input.Bytes}.String(), true, MaxFlat(input.Shape{input.Bytes}, o.MaxBytes)
	if len(plans) == 0 {
		return nil
	}
	a, err := harness.Agree(plans, m.spec.Text)
	if err != nil {
		return err
	}
	m.spec.Values = a.Values
	m.spec.Shape, m.spec.MaxFlat = plans[0].Shape.String(), MaxFlat(plans[0].Shape, o.MaxBytes)
	merged.Notes = append(merged.Notes, a.Notes...)
	merged.CompareValues = a.Values
	if o.Config != nil && !plans[0].Shape.Raw() {
		if file := o.Config; file.Repair != nil {
			return file.Fail(file.Repair.At, "repair makes one text of another, and the programs take %s", plans[0].Shape)
		}
		p := merged.Programs[slices.IndexFunc(m.spec.Programs, func(p conduct.Program) bool { return p.Go != nil })]
		if slices.ContainsFunc(m.spec.Programs, func(p conduct.Program) bool { return p.Go == nil }) {
			return exit.Usage("%s takes %s: beside programs of other kinds a Go function takes one []byte or string; wrap it in a function of your own", p.Function, plans[0].Shape)
		}
	}
	if !m.spec.Text {
		for i := range m.parts {
			m.spec.Builds = append(m.spec.Builds[:i], conduct.Build{Env: []string{"PARALLAX_IGNORE=" + strings.Join(a.Ignored, ",")}})
		}
	}
	return nil
}

// wire tells the conductor which program is where.
func (m *mix) wire(all []*function, o *Options) {
	for len(m.spec.Builds) < len(m.parts) {
		m.spec.Builds = append(m.spec.Builds, conduct.Build{})
	}
	for _, f := range all {
		if f.program >= 0 {
			*m.spec.Programs[f.program].Go = conduct.Go{Build: f.part, Program: f.index}
		}
	}
	m.wireExternals(all)
}

// write writes a Spec for the conductor, with the binaries of one kind of build.
func (m *mix) write(spec conduct.Spec, binary func(*part) string) (string, error) {
	spec.Builds = slices.Clone(spec.Builds)
	for i, p := range m.parts {
		spec.Builds[i].Binary, spec.Builds[i].Dir = binary(p), m.dir
		spec.Builds[i].Env = append(m.set(), spec.Builds[i].Env...)
		if m.clock != "" {
			spec.Builds[i].Env = append(slices.Clone(spec.Builds[i].Env), golang.ClockVariable+"="+m.clock)
		}
	}
	m.files++
	m.sweep()
	path := filepath.Join(m.dir, fmt.Sprintf("conduct-%d-%d.json", os.Getpid(), m.files))
	if err := spec.Write(path); err != nil {
		return "", exit.Infra("writing what the conductor needs to know: %w", err)
	}
	m.space.kept = append(m.space.kept, path)
	return path, nil
}

// conductorMemory is what a conductor may use itself: the engine's corpus and sets. Its programs have limits of their own.
const conductorMemory = 4 << 30

// conductor says how a conductor is started.
func (m *mix) conductor(o *Options, shape input.Shape, file string) execute.Spec {
	return execute.Spec{
		Binary: m.tool, Args: []string{"conduct", file}, Dir: m.dir, MaxFlat: MaxFlat(shape, o.MaxBytes),
		Timeout: o.Timeout, Memory: conductorMemory, Starts: true, Patience: m.patience(),
	}
}

// ordered builds the workers that record the order of blocks, and returns how their conductor is started.
func (t *Target) ordered(ctx context.Context, spec execute.Spec) (execute.Spec, error) {
	if t.mix == nil {
		binary, err := t.built.buildOrdered(ctx)
		spec.Binary = binary
		return spec, err
	}
	b, m := t.built, t.mix
	if err := b.take(ctx); err != nil {
		return spec, err
	}
	defer b.give()
	if b.ordered == "" && b.unfit == nil {
		b.ordered, b.unfit = m.buildOrdered(ctx)
		if ctx.Err() != nil {
			b.ordered, b.unfit = "", nil
			return spec, ctx.Err()
		}
	}
	spec.Args = []string{"conduct", b.ordered}
	return spec, b.unfit
}

func (m *mix) buildOrdered(ctx context.Context) (string, error) {
	release, err := m.space.exclusive()
	if err != nil {
		return "", err
	}
	defer release()
	binaries := map[*part]string{}
	for _, p := range m.parts {
		if binaries[p] = p.binary; p.members[0].program < 0 {
			continue
		}
		built, err := p.plan.BuildOrdered(ctx)
		if err == nil {
			binaries[p], err = m.space.own(built)
		}
		if err != nil {
			return "", err
		}
	}
	return m.write(m.spec, func(p *part) string { return binaries[p] })
}

// confined are the options of the boxes that programs run in.
func (m *mix) confined(l program.Limits) confine.Options {
	return confine.Options{Tool: m.tool, Limits: l, Dir: m.dir}
}

// clock is the time that the configuration pins, in seconds since 1970; empty without one.
func (o *Options) clock() string {
	if o.Config == nil || o.Config.Environment.Clock.IsZero() {
		return ""
	}
	return strconv.FormatInt(o.Config.Environment.Clock.Unix(), 10)
}

// configPath is the configuration's file, empty without one.
func (o *Options) configPath() string {
	if o.Config == nil {
		return ""
	}
	return o.Config.Path
}

// blind are the programs of which it is not known what they execute.
func (t *Target) blind() []bool {
	if t.mix == nil {
		return nil
	}
	blind := make([]bool, len(t.Names))
	for p := range blind {
		blind[p] = t.mix.spec.Programs[p].Go == nil
	}
	return blind
}

// slowBudgets divides the budgets of judging where an input takes a process or a request, some ten milliseconds instead of one.
const slowBudgets = 4

func (t *Target) slow() int {
	if t.mix != nil {
		for _, p := range t.mix.spec.Programs {
			if p.Command != nil || p.Service != nil {
				return slowBudgets
			}
		}
	}
	return 1
}

// functions is how many programs are Go functions.
func (m *mix) functions() int {
	n := 0
	for _, p := range m.spec.Programs {
		if p.Go != nil {
			n++
		}
	}
	return n
}

// askFor has fuzzing conductors ask what comparisons compare, once the operand builds are there.
func (t *Target) askFor(spec *execute.Spec) error {
	m := t.mix
	with := m.spec
	with.Builds = slices.Clone(with.Builds)
	for i, p := range m.parts {
		if p.members[0].program >= 0 {
			with.Builds[i].Operands = p.operandsPath()
			os.Remove(with.Builds[i].Operands) // of a process that had this one's number
		}
	}
	file, err := m.write(with, func(p *part) string { return p.binary })
	if err == nil {
		spec.Args = []string{"conduct", file}
	}
	return err
}

func (p *part) operandsPath() string { return ownName(filepath.Join(p.dir, harness.OperandsFile)) }

// buildOperands builds the workers that record operands, of all parts that hold programs.
func (m *mix) buildOperands(ctx context.Context) error {
	for _, p := range m.parts {
		if p.members[0].program < 0 {
			continue
		}
		built, err := p.plan.BuildOperands(ctx)
		if err == nil {
			_, err = m.space.own(built)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cheap are the programs that have a process for each input, or none that ends.
func (t *Target) cheap() []bool {
	if t.mix == nil {
		return nil
	}
	cheap := make([]bool, len(t.Names))
	for i, p := range t.mix.spec.Programs {
		cheap[i] = p.Command != nil || p.Service != nil && len(p.Service.Start) == 0
	}
	return cheap
}

// sweep removes what processes have left that were killed.
func (m *mix) sweep() {
	old, _ := filepath.Glob(filepath.Join(m.dir, "conduct-*.json"))
	for _, path := range old {
		var pid, n int
		if _, err := fmt.Sscanf(filepath.Base(path), "conduct-%d-%d.json", &pid, &n); err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			os.Remove(path)
		}
	}
}

// patience is what a conductor may take until its programs have started: a driver has ten times the time of an input for its
// greeting, and twenty seconds at least.
func (m *mix) patience() time.Duration {
	longest := time.Minute
	for _, p := range m.spec.Programs {
		longest = max(longest, 11*p.Limits.Timeout)
	}
	return longest + time.Minute
}
