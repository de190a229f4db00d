package regress

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/change/synthesis"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/internal/impact"
)

// Functions that are fuzzed without a FuzzXxx: both versions of one are called with the same
// arguments.

// trees returns the folders in which the versions are built. Published modules get copies that
// build with their tests, or with the user's module that requires them; module is the changed one
// then.
func (f *comparison) trees(ctx context.Context, versions *revision.Pair, q revision.Request) (trees *revision.Pair, module string, err error) {
	switch {
	case q.Modules[0] == "":
		return versions, "", nil
	case f.Harness != "":
		trees, err = versions.Dependents(ctx, revision.Dependent{Dir: fuzzing.Absolute(f.Campaign.Dir, f.Harness), Parallax: q.Parallax, Progress: q.Progress})
		return trees, versions.Head.Module, err
	}
	trees, err = versions.Standalone(ctx, q)
	return trees, "", err
}

// find finds the function that --func names, and returns its package.
func (f *comparison) find(ctx context.Context, trees *revision.Pair, tool string, view ui.UI) (string, error) {
	if lacksFolder(trees) {
		return "", exit.Usage("--func names a function that both versions have, and %s has no folder %s", trees.Base.Short, filepath.Base(trees.Base.Home))
	}
	err := f.open(ctx, trees, tool, view.Step)
	if err == nil {
		f.named, err = f.synthesis.Find(f.Function)
	}
	if err != nil {
		return "", err
	}
	return f.named.Package, nil
}

// lacksFolder reports whether the old version has no folder in which the user works.
func lacksFolder(trees *revision.Pair) bool {
	_, err := os.Stat(trees.Base.Home)
	return errors.Is(err, fs.ErrNotExist)
}

// open lists the functions of both versions, once.
func (f *comparison) open(ctx context.Context, trees *revision.Pair, tool string, step func(string)) (err error) {
	if f.synthesis == nil {
		f.synthesis, err = synthesis.Open(ctx, synthesis.Request{New: trees.Head, Old: trees.Base, Tags: f.Campaign.Tags, Parallax: tool, Progress: step})
	}
	return err
}

// functions adds the functions that are fuzzed to a plan: the one that the user names, or those
// that reach what no FuzzXxx does.
func (f *comparison) functions(ctx context.Context, p *plan.Plan, trees *revision.Pair, tool string, view ui.UI) error {
	if fn := f.named; fn != nil {
		if len(p.Reaches(fn.Full())) == 0 {
			p.Unseen = true
			p.Notes = append(p.Notes, fmt.Sprintf("By the calls that can be seen, %s does not reach the change. It is fuzzed since --func names it.", fn.Path))
		}
		f.chosen(p, []*synthesis.Function{fn}, true)
		return nil
	}
	if f.Harness != "" || f.Fuzz != "" { // the user has chosen what is to be fuzzed
		return nil
	}
	wanted := p.Wanted()
	if f.NoSynthesis && len(wanted) == 0 {
		p.Notes = append(p.Notes, "--no-synthesis has no effect: FuzzXxx reach all change points")
	}
	if f.NoSynthesis || len(wanted) == 0 || lacksFolder(trees) {
		return nil
	}
	if err := f.open(ctx, trees, tool, view.Step); ctx.Err() != nil || err != nil && len(p.Harnesses) == 0 && trees.Head.Module != "" {
		return err
	} else if err != nil { // there are FuzzXxx, or the user has not asked
		p.Notes = append(p.Notes, fmt.Sprintf("no functions are fuzzed: %v", err))
		return nil
	}
	list, rest, outside := f.fitting(p)
	if len(list) > 0 {
		f.chosen(p, list, false)
	}
	f.noteUnfit(p)
	var names []string
	for _, fn := range rest {
		names = append(names, fn.Path)
	}
	if len(names) > 0 {
		p.Notes = append(p.Notes, "not fuzzed, though they reach the change (name one with --func): "+units.Some(names, someNames))
	}
	p.Notes = append(p.Notes, outside...)
	return nil
}

// fitting returns the functions to fuzz for change points that no FuzzXxx executes, and others that
// reach them. If the kernel does not confine functions, fitting leaves out harmful ones, with a
// note.
func (f *comparison) fitting(p *plan.Plan) (list, rest []*synthesis.Function, notes []string) {
	wanted := p.Wanted()
	reaches := map[*synthesis.Function][]int{}
	harmful := map[string][]string{}
	confined := f.Campaign.Confines(f.Campaign.Dir)
	candidates := slices.DeleteFunc(f.synthesis.Functions(), func(fn *synthesis.Function) bool {
		reaches[fn] = p.Reaches(fn.Full())
		if f.picked[fn.Full()] != nil || !slices.ContainsFunc(reaches[fn], func(at int) bool { return slices.Contains(wanted, at) }) {
			return true
		}
		if confined {
			return false
		}
		harm := p.Outside(fn.Full())
		if harm != "" {
			harmful[harm] = append(harmful[harm], fn.Path)
		}
		return harm != ""
	})
	for _, harm := range slices.Sorted(maps.Keys(harmful)) {
		notes = append(notes, fmt.Sprintf("not fuzzed, since the kernel does not confine it and it may %s (--func names one that may be given any argument): %s", harm, units.Some(harmful[harm], someNames)))
	}
	for _, fn := range candidates {
		fn.Files = fn.NamesFile() && p.Opens(fn.Full())
	}
	list, rest = synthesis.Choose(candidates, wanted, func(fn *synthesis.Function) []int { return reaches[fn] })
	return list, rest, notes
}

// someNames is the number of names that a line lists.
const someNames = 12

// chosen enters functions into the plan.
func (f *comparison) chosen(p *plan.Plan, list []*synthesis.Function, instead bool) {
	var add []plan.Function
	if f.picked == nil { // else others were chosen before a FuzzXxx was left out
		f.picked = map[string]*synthesis.Function{}
	}
	for _, fn := range list {
		reaches := p.Reaches(fn.Full())
		if instead && len(reaches) == 0 { // the user has named it
			for i := range p.Points {
				reaches = append(reaches, i)
			}
		}
		c := f.synthesis.Configuration(fn, f.Campaign.Dir, f.Campaign.Timeout, f.Campaign.Memory)
		add = append(add, plan.Function{Full: fn.Full(), Name: c.Name, Reaches: reaches})
		f.picked[fn.Full()] = fn
		for _, n := range fn.Notes {
			if !slices.Contains(p.Notes, n) {
				p.Notes = append(p.Notes, n)
			}
		}
	}
	p.Add(add, instead, f.Campaign.Budget.Inputs)
}

// both builds a function of both versions.
func (s *session) both(h *plan.Harness, o *campaign.Options) (subject.Target, error) {
	o.Config = s.synthesis.Configuration(s.picked[h.Full()], o.Dir, o.Timeout, o.Memory)
	if o.Packages = nil; s.NoBase {
		o.Config.Programs = o.Config.Programs[:1]
	}
	name, misfit := o.Config.Name, ""
	if o.Generator != "" { // another campaign, whose inputs are tapes
		o.Config.Name += subject.Drawn
	}
	any, err := subject.Build(s.ctx, &o.Options, s.tool, s.view.Step)
	if o.Generator != "" && exit.Code(err) == exit.UsageCode && len(s.plan.Harnesses) > 1 {
		misfit = fmt.Sprintf("%s is fuzzed without the generator %s: %v", name, o.Generator, err)
		o.Config.Name, o.Generator = name, ""
		any, err = subject.Build(s.ctx, &o.Options, s.tool, s.view.Step)
	}
	if err != nil {
		return nil, err
	}
	t := any.(*subject.Lockstep) // a configuration is run in lockstep
	if misfit != "" {
		t.Plan.Notes = append(t.Plan.Notes, misfit)
	}
	s.spoken(t, o)
	if err := s.know(s.plan, h, t, o); err != nil {
		return nil, err
	}
	return t, nil
}

// ready builds the FuzzXxx before anything is fuzzed. Functions that reach as much replace a
// FuzzXxx if only its pass, skip and fail can be compared. Then the old version runs another
// FuzzXxx, or the results of all calls differ between runs. ready leaves out a published FuzzXxx
// that does not build with both.
func (s *session) ready(runs []fuzzing.Run, published bool) ([]fuzzing.Run, error) {
	f, p := s.comparison, s.plan
	bad, apart := map[string]bool{}, map[string]string{} // apart: why
	var weak []plan.Harness
	for i := range runs {
		r, h := &runs[i], &p.Harnesses[i]
		if h.Function {
			continue
		}
		t, err := r.Build(&r.Options)
		if s.ctx.Err() != nil {
			return runs, nil
		}
		r.Target, r.Err = t, err
		if r.Err != nil {
			bad[r.Name] = published && exit.Code(r.Err) != exit.InfraCode
			continue
		}
		pair := r.Target.About().Pair
		switch {
		case published && pair.OwnHarness:
			apart[r.Name] = "the old version runs a FuzzXxx of its own there"
		case len(pair.Calls) == 0 && len(pair.LeftOut) > 0:
			apart[r.Name] = "the results of its calls " + pair.Unrepeated()
		default:
			continue
		}
		weak = append(weak, *h)
	}
	missed, dropped, err := s.missed(runs)
	if s.ctx.Err() != nil || err != nil {
		return runs, err
	}
	names, all, notes := without(runs, func(r *fuzzing.Run) bool { return bad[r.Name] })
	if len(names)+len(weak)+missed+dropped == 0 {
		return runs, nil
	}
	if len(names)+len(weak) > 0 {
		p.Omit(slices.AppendSeq(names, maps.Keys(apart)), f.Campaign.Budget.Inputs)
	}
	f.NoSynthesis = false // only they replace what is left out
	before := len(p.Harnesses)
	if err := f.functions(s.ctx, p, s.versions, s.tool, s.view); err != nil {
		return runs, err
	}
	instead := map[string][]string{}
	for _, h := range weak {
		if slices.ContainsFunc(h.Reaches, func(i int) bool { return !p.Points[i].Reached }) {
			p.Return(h, f.Campaign.Budget.Inputs)
		} else {
			instead[apart[h.Name]] = append(instead[apart[h.Name]], h.Name)
		}
	}
	if len(p.Harnesses) == 0 {
		return runs, s.exhausted("no FuzzXxx goes with both versions, and no exported function that can be called in both reaches the change", notes, all)
	}
	for _, why := range slices.Sorted(maps.Keys(instead)) {
		notes = append(notes, "left out: "+units.Some(instead[why], someNames)+": "+why+", so that only pass, skip and fail could be compared")
	}
	added := len(p.Harnesses) > before
	if missed > 0 && added {
		s.say(s.view, fmt.Sprintf("No seed executes %d of the %s. Exported functions that reach them are fuzzed as well.", missed, units.Plural(len(p.Points), "change point")))
	}
	if dropped > 0 && added {
		s.say(s.view, fmt.Sprintf("FuzzXxx drop the results of %d of the %s. Exported functions that reach them are fuzzed as well.", dropped, units.Plural(len(p.Points), "change point")))
	}
	if len(notes) > 0 {
		s.say(s.view, strings.Join(notes, "\n")+"\nExported functions that reach what no other FuzzXxx does take their place.")
		p.Notes = append(p.Notes, notes...)
	}
	if len(notes) > 0 || added {
		s.say(s.view, p.Budget(f.whole(), f.share))
	}
	return s.carryOver(runs), nil
}

// carryOver returns the harnesses of a plan, with the targets of those that are built.
func (s *session) carryOver(built []fuzzing.Run) []fuzzing.Run {
	runs := s.pairs()
	for i := range built {
		before := &built[i]
		at := slices.IndexFunc(runs, func(r fuzzing.Run) bool { return r.Name == before.Name })
		switch {
		case at >= 0 && !s.plan.Harnesses[at].Function:
			r := &runs[at]
			r.Target, r.Err, r.Options.Impact, r.Options.Guidance = before.Target, before.Err, before.Options.Impact, before.Options.Guidance
			r.Options.Grammar, r.Options.Dropped = before.Options.Grammar, before.Options.Dropped
		case before.Target != nil:
			before.Target.Close()
		}
	}
	return runs
}

// leave leaves out the functions that were chosen for the user and on which nothing can be found.
// If nothing else is left, that is an error.
func (s *session) leave(runs []fuzzing.Run) (notes []string, err error) {
	if s.Function != "" {
		return nil, nil
	}
	chosen := map[string]bool{}
	for i := range s.plan.Harnesses {
		h := &s.plan.Harnesses[i]
		chosen[h.Name] = h.Function
	}
	bad := func(r *fuzzing.Run) bool {
		code := exit.Code(r.Err)
		return chosen[r.Name] && (code == exit.BaselineCode || code == exit.UsageCode || code == exit.BuildCode)
	}
	names, all, notes := without(runs, bad)
	if len(names) > 0 && len(names) == len(runs) {
		return nil, s.exhausted("nothing can be found on the functions that reach the change and can be called in both versions", notes, all)
	}
	for i := range runs {
		if r := &runs[i]; slices.Contains(names, r.Name) {
			r.Err, r.Summary, r.Skipped = nil, nil, true
		}
	}
	return notes, nil
}

// without names the runs without a result, and says why, each reason once.
func without(runs []fuzzing.Run, bad func(*fuzzing.Run) bool) (names []string, all []error, notes []string) {
	var reasons []string
	by := map[string][]string{}
	for i := range runs {
		r := &runs[i]
		if r.Err == nil || !bad(r) {
			continue
		}
		why := "both versions fail on every seed"
		if r.Summary == nil || exit.Code(r.Err) != exit.BaselineCode { // it was not fuzzed
			why = strings.TrimPrefix(head(r.Err), r.Name+": ")
		}
		if by[why] == nil {
			reasons = append(reasons, why)
			all = append(all, r.Err)
		}
		names, by[why] = append(names, r.Name), append(by[why], r.Name)
	}
	for _, why := range reasons {
		notes = append(notes, fmt.Sprintf("left out: %s: %s", units.Some(by[why], someNames), why))
	}
	return names, all, notes
}

// head is the beginning of an error: of what a compiler says, the first.
func head(err error) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return first + " " + line
		}
	}
	return first
}

// know gives a campaign what the change reaches of its target.
func (f *comparison) know(p *plan.Plan, h *plan.Harness, t *subject.Lockstep, o *campaign.Options) error {
	if len(t.Names) < 2 {
		o.Guidance = Alone(o.Guidance)
	}
	o.Impact = p.Impact(t.Space, h, f.direction)
	t.Space.Know(p.Edits(t.Space))
	if err := follow(t, p, o.Impact); err != nil {
		t.Close()
		return err
	}
	return nil
}

// follow has the old version run mainly on inputs on which the new one executes a change point
// (lockstep.After). Impacted blocks would select too many inputs: all execute the callers. If a
// point has no block, the old version runs on every input.
func follow(t *subject.Lockstep, p *plan.Plan, im *impact.Impact) error {
	blocks := []uint32{}
	for i := range im.Points {
		if len(p.Points[i].Blocks) == 0 {
			return t.Follow(nil, im.Impacted)
		}
		blocks = append(blocks, im.Points[i].Blocks...)
	}
	slices.Sort(blocks)
	return t.Follow(slices.Compact(blocks), im.Impacted)
}

// checkFunctions refuses flags that do not go together.
func (f *comparison) checkFunctions(modules bool) error {
	switch {
	case f.Function != "" && f.Harness != "":
		return exit.Usage("--func names a function, and --harness FuzzXxx of your own: leave one of them out")
	case f.Harness != "" && !modules:
		return exit.Usage("--harness is for two published versions of a module: of a repository, its own FuzzXxx are run")
	case f.Function != "" && f.Fuzz != "":
		return exit.Usage("--fuzz chooses among FuzzXxx, and --func names a function: leave one of them out")
	}
	if f.Harness != "" {
		if found, err := fuzztest.Any(fuzzing.Absolute(f.Campaign.Dir, f.Harness)); err != nil || !found {
			return exit.Usage("--harness %s: there is no FuzzXxx in this folder", f.Harness)
		}
	}
	return nil
}
