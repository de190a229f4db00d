package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/fuzztest"
	"parallax/cmd/internal/plan"
	"parallax/cmd/internal/revision"
	"parallax/cmd/internal/synthesis"
	"parallax/cmd/internal/target"
	"parallax/cmd/internal/ui"
	"parallax/internal/impact"
)

// Functions that are fuzzed without a FuzzXxx: both versions of one are called with the same arguments.

// mostFunctions is how many are fuzzed that nobody has named: each is built in both versions.
const mostFunctions = 12

// trees are the folders in which the versions are compared and built: of published modules copies that can be built with their tests, or
// those of the user's module that requires them. module is the module that was changed, where it is not that of the folders.
func (f *regressFlags) trees(ctx context.Context, versions *revision.Pair, q revision.Request) (trees *revision.Pair, module string, err error) {
	switch {
	case q.Modules[0] == "":
		return versions, "", nil
	case f.harness != "":
		trees, err = versions.Dependents(ctx, revision.Dependent{Dir: absolute(f.options.Dir, f.harness), Parallax: q.Parallax, Progress: q.Progress})
		return trees, versions.Head.Module, err
	}
	trees, err = versions.Standalone(ctx, q)
	return trees, "", err
}

// functions adds the functions that are fuzzed to a plan: the one that the user names, or those that reach what no FuzzXxx does.
func (f *regressFlags) functions(ctx context.Context, p *plan.Plan, trees *revision.Pair, tool string, view ui.UI) error {
	if f.function == "" && (!f.synthesise || len(p.Unreached()) == 0) {
		return nil
	}
	known, err := synthesis.Open(ctx, synthesis.Request{New: trees.Head, Old: trees.Base, Tags: f.options.Tags, Parallax: tool, Progress: view.Step})
	if err != nil {
		return err
	}
	f.synthesis = known
	if f.function != "" {
		fn, err := known.Find(f.function)
		if err != nil {
			return err
		}
		reaches := p.Reaches(fn.Full())
		if len(reaches) == 0 {
			p.Unseen = true
			p.Notes = append(p.Notes, fmt.Sprintf("By the calls that can be seen, %s does not reach the change. It is fuzzed since --func names it.", fn.Path))
		}
		f.chosen(p, []*synthesis.Function{fn}, true)
		return nil
	}
	var list []*synthesis.Function
	for _, fn := range known.Functions() {
		if slices.ContainsFunc(p.Reaches(fn.Full()), func(i int) bool { return !p.Points[i].Reached }) {
			list = append(list, fn)
		}
	}
	// Those that take a text first, then those that reach most.
	slices.SortStableFunc(list, func(a, b *synthesis.Function) int {
		if a.Text != b.Text {
			return map[bool]int{true: -1, false: 1}[a.Text]
		}
		return len(p.Reaches(b.Full())) - len(p.Reaches(a.Full()))
	})
	if n := len(list) - mostFunctions; n > 0 {
		var names []string
		for _, fn := range list[mostFunctions:] {
			names = append(names, fn.Path)
		}
		p.Notes = append(p.Notes, fmt.Sprintf("not fuzzed, though they reach the change (name one with --func): %s", strings.Join(names, ", ")))
		list = list[:mostFunctions]
	}
	if len(list) > 0 {
		f.chosen(p, list, false)
	}
	return nil
}

// chosen enters functions into the plan.
func (f *regressFlags) chosen(p *plan.Plan, list []*synthesis.Function, instead bool) {
	var add []plan.Function
	f.picked = map[string]*synthesis.Function{}
	for _, fn := range list {
		reaches := p.Reaches(fn.Full())
		if instead && len(reaches) == 0 { // the user has named it
			for i := range p.Points {
				reaches = append(reaches, i)
			}
		}
		c := f.synthesis.Configuration(fn, f.options.Dir, f.options.Timeout, f.options.Memory)
		add = append(add, plan.Function{Full: fn.Full(), Name: c.Name, Reaches: reaches})
		f.picked[fn.Full()] = fn
		for _, n := range fn.Notes {
			if !slices.Contains(p.Notes, n) {
				p.Notes = append(p.Notes, n)
			}
		}
	}
	p.Add(add, instead, f.options.Budget.Inputs)
}

// both builds a function of both versions.
func (f *regressFlags) both(ctx context.Context, p *plan.Plan, h *plan.Harness, o *campaign.Options, tool string, view ui.UI) (target.Target, error) {
	o.Config = f.synthesis.Configuration(f.picked[h.Full()], o.Dir, o.Timeout, o.Memory)
	if o.Packages = nil; f.noBase {
		o.Config.Programs = o.Config.Programs[:1]
	}
	any, err := target.Build(ctx, &o.Options, tool, view.Step)
	if err != nil {
		return nil, err
	}
	t := any.(*target.Lockstep) // a configuration is run in lockstep
	if err := f.know(p, h, t, o); err != nil {
		return nil, err
	}
	return t, nil
}

// leave notes the functions that were chosen for the user and on which nothing can be found, if there were others.
func (f *regressFlags) leave(runs []testRun, p *plan.Plan) (notes []string) {
	fuzzed := slices.ContainsFunc(runs, func(r testRun) bool { return r.summary != nil && r.err == nil })
	for i := range runs {
		r := &runs[i]
		if code := exit.Code(r.err); r.err != nil && fuzzed && f.function == "" && p.Harnesses[i].Function && (code == exit.BaselineCode || code == exit.UsageCode) {
			notes = append(notes, fmt.Sprintf("left out: %s: %s", r.name, strings.TrimSpace(r.err.Error())))
			r.err, r.summary, r.skipped = nil, nil, true
		}
	}
	return notes
}

// know tells a campaign what the change reaches of its target.
func (f *regressFlags) know(p *plan.Plan, h *plan.Harness, t *target.Lockstep, o *campaign.Options) error {
	if len(t.Names) < 2 {
		o.Guidance = alone(o.Guidance)
	}
	o.Impact = p.Impact(t.Space, h)
	if err := follow(t, p, o.Impact); err != nil {
		t.Close()
		return err
	}
	return nil
}

// follow has the old version run only on inputs on which the new one executes a change point: on all others both do the same. That is less than
// all impacted blocks, among which are the callers up to the harness's beginning, which every input executes. A change with a point
// that has no block is looked for on every input.
func follow(t *target.Lockstep, p *plan.Plan, im *impact.Impact) error {
	var blocks []uint32
	for i := range im.Points {
		if len(p.Points[i].Blocks) == 0 {
			return nil
		}
		blocks = append(blocks, im.Points[i].Blocks...)
	}
	slices.Sort(blocks)
	return t.Follow(slices.Compact(blocks))
}

// offer says which functions could be fuzzed.
func (f *regressFlags) offer(ctx context.Context, p *plan.Plan, trees *revision.Pair, tool string) {
	known, err := synthesis.Open(ctx, synthesis.Request{New: trees.Head, Old: trees.Base, Tags: f.options.Tags, Parallax: tool, Progress: func(string) {}})
	if err != nil {
		return // the offer is an addition
	}
	var lines []string
	for _, pt := range p.Unreached() {
		if fn, err := known.Declared(pt.Package, pt.Function); err == nil {
			line := fmt.Sprintf("  %s%s", fn.Path, strings.TrimPrefix(fn.Parameters, " "))
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(os.Stderr, "\nWithout a FuzzXxx these can be fuzzed, both versions with the same arguments: add --synthesise, or write a FuzzXxx that calls them.\n%s\n",
		strings.Join(lines[:min(mostFunctions, len(lines))], "\n"))
}

// checkFunctions refuses flags that do not go together.
func (f *regressFlags) checkFunctions(modules bool) error {
	switch {
	case f.function != "" && f.harness != "":
		return exit.Usage("--func names a function, and --harness FuzzXxx of your own: leave one of them out")
	case f.harness != "" && !modules:
		return exit.Usage("--harness is for two published versions of a module: of a repository, its own FuzzXxx are run")
	case f.function != "" && f.fuzz != "":
		return exit.Usage("--fuzz chooses among FuzzXxx, and --func names a function: leave one of them out")
	}
	if f.harness != "" {
		if found, err := fuzztest.Any(absolute(f.options.Dir, f.harness)); err != nil || !found {
			return exit.Usage("--harness %s: there is no FuzzXxx in this folder", f.harness)
		}
	}
	return nil
}
