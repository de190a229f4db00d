package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Build resolves and builds the target again, and checks that it is the target of the campaign.
// notes report differences that do not matter for running inputs.
func (p *Campaign) Build(ctx context.Context, tool string, progress func(string)) (notes []string, err error) {
	if err := p.Trusted(); err != nil {
		return nil, err
	}
	if _, err := p.fuzz(); err != nil {
		return nil, err
	}
	if path := p.Config.Options["config"]; path != "" && p.Options.Config == nil {
		if p.Options.Config, err = config.Load(path); err != nil {
			return nil, err
		}
		if p.Options.Config, err = p.Options.Config.Restore(p.Config.Options); err != nil {
			return nil, err
		}
	}
	if path := p.Config.Options["harness"]; path != "" && p.Options.Config == nil {
		p.Options.Config = config.Harness(path, p.Options.Dir, p.Options.Timeout, p.Options.Memory)
		p.Options.Config.Name = p.Config.Target
		p.Options.Config.Programs[0].Name = p.Config.Identity.Programs[0].Name
	}
	if paths := p.Config.Options["harnesses"]; paths != "" && p.Options.Config == nil {
		p.Options.Config = config.Harnesses(subject.SplitPaths(paths), p.Options.Dir, p.Options.Timeout, p.Options.Memory)
	}
	if programs := subject.StoredFunctions(p.Config.Options); programs != nil && p.Options.Config == nil {
		for _, f := range programs {
			if _, err := os.Stat(f.Dir); err != nil && f.Version == "" {
				return nil, exit.Usage("%s ran on %s in %s, which is gone", p.Shown(), f.Function.Function, f.Dir)
			}
		}
		p.Options.Config = config.Functions(p.Config.Target, p.Options.Dir, programs, p.Options.Timeout, p.Options.Memory)
	}
	if len(p.Options.Functions) == 0 && p.Config.Options["fuzz"] == "" && p.Options.Config == nil {
		return nil, exit.Usage("%s does not record its functions: it cannot be built again", p.Shown())
	}
	o := p.Options
	if _, err := os.Stat(o.Dir); err != nil {
		return nil, exit.Usage("%s was started in %s, which is gone: its functions cannot be found again", p.Shown(), o.Dir)
	}
	if filepath.Dir(o.Out) == filepath.Join(o.Dir, state.Home) && strings.TrimSuffix(filepath.Base(o.Out), "."+subject.Regress) == p.Config.Target {
		o.Out = "" // as in the campaign's own command, whose build is reused
	}
	o.Repair = p.Config.Options["repair"] // minimizing needs it
	if _, err := accept.Load(p.Options.AcceptedFile()); err != nil {
		return nil, err // before the build
	}
	t, err := p.rebuild(ctx, &o, tool, progress)
	if err != nil && o.Repair != "" && ctx.Err() == nil {
		why := err
		o.Repair = ""
		if t, err = p.rebuild(ctx, &o, tool, progress); err == nil {
			notes = append(notes, "inputs are not repaired: "+why.Error())
		}
	}
	if err != nil {
		return nil, err
	}
	facts := t.About()
	was := p.Config.Identity.Programs
	if !slices.Equal(facts.Names, p.Config.Identity.Names()) || facts.Shape.String() != p.Shape.String() {
		return nil, exit.Usage("%s was made with %s of %s, and the programs are now %s of %s: run `parallax diff` with another --out folder",
			p.Shown(), strings.Join(p.Config.Identity.Names(), " and "), p.Shape, strings.Join(facts.Names, " and "), facts.Shape)
	}
	for i, prog := range facts.Plan.Programs {
		if prog.Version != was[i].Version {
			notes = append(notes, fmt.Sprintf("%s is now %s; the campaign ran on %s", prog.Name, finding.OrLocal(prog.Version), finding.OrLocal(was[i].Version)))
		}
	}
	if d := p.Config.Identity.MeaningDifference(state.Identity{Meaning: o.Meaning()}); d != "" {
		notes = append(notes, "the configuration differs from the campaign's: "+d)
	}
	p.target, p.facts, p.tool = t, facts, tool
	p.Options.Layers = facts.Layers(p.Options.Layers)
	return notes, nil
}

// rebuild builds the campaign's functions or FuzzXxx.
func (p *Campaign) rebuild(ctx context.Context, o *subject.Options, tool string, progress func(string)) (subject.Target, error) {
	fuzz := p.Config.Options["fuzz"]
	if fuzz == "" {
		return subject.Build(ctx, o, tool, progress)
	}
	if r, ok := subject.StoredPair(p.Config.Options); ok {
		for _, v := range []subject.Version{r.New, r.Old} {
			if _, err := os.Stat(v.Dir); err != nil && v.Dir != "" {
				return nil, exit.Usage("%s ran on %s in %s, which is gone", p.Shown(), fuzz, v.Dir)
			}
		}
		pair, err := subject.BuildPair(ctx, r, o, tool, progress)
		if err != nil {
			return nil, err
		}
		return pair, nil
	}
	if _, err := os.Stat(p.Config.Options["package_dir"]); err != nil {
		return nil, exit.Usage("%s ran on %s in %s, which is gone", p.Shown(), fuzz, p.Config.Options["package_dir"])
	}
	o.Dir, o.Packages, o.Match = p.Config.Options["package_dir"], []string{"."}, regexp.MustCompile("^"+regexp.QuoteMeta(fuzz)+"$")
	tests, err := subject.ListFuzz(ctx, o, tool, progress)
	if err != nil {
		return nil, err
	}
	if len(tests.Tests) == 0 {
		return nil, exit.Usage("%s ran on %s in %s, which has no such test any more", p.Shown(), fuzz, p.Config.Options["package_dir"])
	}
	return tests.Build(ctx, tests.Tests[0], o, progress)
}

// triager returns a triager for inputs of any length: files may be longer than the campaign's
// inputs.
func (p *Campaign) triager(items []Item) *triage.Triager {
	spec := p.target.Spec(&p.Options)
	for _, it := range items {
		spec.MaxFlat = max(spec.MaxFlat, len(it.Flat))
		if it.Bucket != nil {
			spec.MaxFlat = max(spec.MaxFlat, len(it.Bucket.Best.Input))
		}
	}
	j := triage.New(p.target, spec, p.Options.Layers)
	j.Speak(p.Options.Grammar, p.Options.MaxBytes)
	return j
}

// Replay executes items in fresh processes and prints the result of each program. It reports
// whether an item still shows a disagreement or a crash that is not accepted. Accepted ones count
// if the user named them. A variant that came after its finding was accepted is an item of its own.
// Replay stops early when ctx ends.
func (p *Campaign) Replay(ctx context.Context, w io.Writer, items []Item) (shows bool, err error) {
	if len(items) == 0 {
		return false, write(w, []byte("no findings to replay\n"))
	}
	accepted, err := p.accepted()
	if err != nil {
		return false, err
	}
	f, err := p.findings()
	if err != nil {
		return false, err
	}
	for i, it := range slices.Clone(items) {
		if it.variant != "" {
			as, err := p.named(f, it.Bucket.ID, it.variant)
			if err != nil {
				return false, err
			}
			items[i].Bucket, items[i].Name, items[i].Flat = as, it.variant, as.Best.Minimized
		}
		if it.listed {
			if later := f.Open(it.Bucket); later != it.Bucket {
				items = append(items, Item{Bucket: later, Name: it.Name, Flat: later.Best.Minimized, listed: true})
			}
		}
	}
	s := p.triager(items).Replayer()
	defer s.Close()
	width, gone, showing := 0, 0, 0
	for _, name := range p.facts.Names {
		width = max(width, len(name))
	}
	var b bytes.Buffer
	for i, it := range items {
		if ctx.Err() != nil {
			return shows, nil
		}
		var verdict string
		var bad, own bool
		var results []wire.RunResult
		for range 2 { // a finding that shows in some runs is not fixed
			if results, err = p.rerun(s, it); err != nil {
				return shows, err
			}
			if verdict, bad, own = p.verdict(it, results); bad || it.Bucket == nil {
				break
			}
		}
		if it.Bucket != nil && !own && it.variant == "" {
			as, did, err := p.rerunOthers(s, f, it)
			if err != nil {
				return shows, err
			}
			if as != nil {
				verdict, bad, own = p.verdict(*as, did)
				verdict += fmt.Sprintf("; %s no longer shows it", finding.QuoteDrawn(p.Shape, it.Flat, triage.Drawn(results), 60))
				it, results = *as, did
			}
		}
		if it.Bucket != nil && own {
			if ok, later := it.Bucket.AcceptedBy(accepted); ok {
				verdict += ", " + text.Accepted(later)
				if !later || findings.WhollyAccepted(accepted, &it.Bucket.Bucket) {
					bad = !it.listed
				}
			}
		}
		if shows = shows || bad; bad || own {
			showing++
		}
		if it.Bucket != nil && (own || !bad && it.variant == "") {
			if !own {
				gone++
			}
			if became := p.advance(ctx, it.Bucket, own); became != "" {
				verdict += ", " + became
			}
		}
		b.Reset()
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", escape.Text(it.Name), finding.QuoteDrawn(p.Shape, it.Flat, triage.Drawn(results), 120), verdict)
		did := p.findingOf(results)
		for k := range results {
			prog := &did.Programs[k]
			fmt.Fprintf(&b, "  %-*s  %-8s  %s\n", width, prog.Name, finding.Outcome(triage.Kind(&results[k]), prog.Outcome), did.Excerpt(prog, 160))
		}
		if err := write(w, b.Bytes()); err != nil {
			return shows, err
		}
	}
	end := map[bool]string{true: fmt.Sprintf("\n%d of %d inputs show a finding\n", showing, len(items))}[len(items) > 1]
	if gone > 0 {
		end += "\n" + units.Count(gone, "finding", "findings") + " can no longer be reproduced. A fixed finding makes no run fail, unless it shows again\n"
	}
	return shows, write(w, []byte(end))
}

// findingOf returns a finding with the results of programs and the first layer in which they
// disagree.
func (p *Campaign) findingOf(results []wire.RunResult) *finding.Finding {
	f := &finding.Finding{}
	for _, of := range triage.Aspects(p.Options.Layers, results) {
		if of.Layer != 0 && f.Layer == "" {
			f.Layer = of.Layer.String()
		}
	}
	for k, r := range results {
		f.Programs = append(f.Programs, finding.Program{
			Name: p.facts.Names[k], Detail: triage.Detail(r), Message: r.Panic, InGenerator: triage.InGenerator(&r),
		})
	}
	return f
}

// verdict describes the results. bad reports a disagreement or a crash, own whether it is the
// replayed finding.
func (p *Campaign) verdict(it Item, results []wire.RunResult) (text string, bad, own bool) {
	var said []string
	for _, of := range triage.Aspects(p.Options.Layers, results) {
		said = append(said, p.shown(of, results))
	}
	if len(said) > 0 {
		text = strings.Join(said, ", ")
		if b := it.Bucket; b != nil {
			if _, own = triage.Recorded(p.Options.Layers, b.Kind, b.Best.Layer, b.Best.Failing(), results); !own {
				text += ", which is not the finding on record"
			}
		}
		return text, true, own
	}
	text = "the programs agree"
	if len(results) == 1 {
		text = p.facts.Names[0] + " passes"
	}
	switch {
	case it.variant != "":
		text += ", this variant can no longer be reproduced"
	case it.Bucket != nil:
		text += ", the finding can no longer be reproduced"
	}
	return text, false, false
}

// rerun executes an item in fresh processes.
func (p *Campaign) rerun(s *triage.Replayer, it Item) ([]wire.RunResult, error) {
	s.Fresh()
	flags := uint64(wire.WantDetail)
	if it.Bucket != nil && !triage.Disagrees(it.Bucket.Kind) {
		flags |= wire.Settle
	}
	results, err := s.Run(it.Flat, flags)
	if err != nil {
		return nil, exit.Infra("replaying %s: %w", it.Name, err)
	}
	return results, nil
}

// rerunOthers executes the further inputs of a bucket, until one shows the finding. It returns that
// one as an item with its results, or nil.
func (p *Campaign) rerunOthers(s *triage.Replayer, f *findings.Buckets, it Item) (*Item, []wire.RunResult, error) {
	for as, err := range f.Inputs(it.Bucket) {
		if err != nil {
			return nil, nil, exit.Infra("%w", err)
		}
		it.Bucket, it.Flat = as, as.Best.Minimized
		results, err := p.rerun(s, it)
		if err != nil {
			return nil, nil, err
		}
		if _, _, own := p.verdict(it, results); own {
			return &it, results, nil
		}
	}
	return nil, nil, nil
}

// shown describes an aspect of results.
func (p *Campaign) shown(of triage.Aspect, results []wire.RunResult) string {
	switch of.Layer {
	case 0:
		r := &results[of.Failing-1]
		how := fails[oracle.Outcome(r.Outcome)]
		if r.Failure {
			how = "fails"
		}
		return of.Name(p.facts.Names) + " " + how
	case oracle.CostLayer:
		return "the programs disagree (" + of.Layer.String() + ": " + costsText(results) + ")"
	}
	if slices.ContainsFunc(results, func(r wire.RunResult) bool { return oracle.Outcome(r.Outcome) >= oracle.Crashed }) {
		return "the others disagree (" + of.Layer.String() + ")"
	}
	return "the programs disagree (" + of.Layer.String() + ")"
}

// costsText describes the costs of the versions.
func costsText(results []wire.RunResult) string {
	var programs []finding.Program
	for i := range results {
		programs = append(programs, finding.Program{Blocks: results[i].Length, Allocated: results[i].Allocated})
	}
	return text.Costs(programs)
}

var fails = map[oracle.Outcome]string{
	oracle.Crashed: "crashes", oracle.Timeout: "does not end in time", oracle.OOM: "needs too much memory",
}
