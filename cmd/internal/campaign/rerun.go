package campaign

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

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/config"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/state"
	"parallax/cmd/internal/target"
	"parallax/cmd/internal/triage"
	"parallax/internal/atomicfile"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Build resolves and builds the target again, and checks that it is still the one that the campaign ran on. Notes say
// what differs and does not matter for running inputs again.
func (p *Past) Build(ctx context.Context, tool string, progress func(string)) (notes []string, err error) {
	if path := p.cfg.Options["config"]; path != "" && p.options.Config == nil {
		if p.options.Config, err = config.Load(path); err != nil {
			return nil, err
		}
	}
	if path := p.cfg.Options["harness"]; path != "" && p.options.Config == nil {
		p.options.Config = config.Harness(path, p.options.Dir, p.options.Timeout, p.options.Memory)
		p.options.Config.Name = p.cfg.Target
		p.options.Config.Programs[0].Name = p.cfg.Identity.Programs[0].Name
	}
	if paths := p.cfg.Options["harnesses"]; paths != "" && p.options.Config == nil {
		p.options.Config = config.Harnesses(target.SplitPaths(paths), p.options.Dir, p.options.Timeout, p.options.Memory)
	}
	if len(p.options.Functions) == 0 && p.cfg.Options["fuzz"] == "" && p.options.Config == nil {
		return nil, exit.Usage("%s does not say which functions it ran on: it cannot be built again", p.Shown())
	}
	o := p.options
	if _, err := os.Stat(o.Dir); err != nil {
		return nil, exit.Usage("%s was started in %s, which is gone: its functions cannot be found again", p.Shown(), o.Dir)
	}
	if o.Out == filepath.Join(o.Dir, Folder, p.cfg.Target) {
		o.Out = "" // as the campaign's own command has it, whose build is used again
	}
	o.Repair = p.cfg.Options["repair"] // for smaller inputs
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
	was := p.cfg.Identity.Programs
	if !slices.Equal(facts.Names, names(was)) || facts.Shape.String() != p.shape.String() {
		return nil, exit.Usage("%s was made with %s of %s, and the programs are now %s of %s: run `parallax diff` into another folder",
			p.Shown(), strings.Join(names(was), " and "), p.shape, strings.Join(facts.Names, " and "), facts.Shape)
	}
	for i, prog := range facts.Plan.Programs {
		if prog.Version != was[i].Version {
			notes = append(notes, fmt.Sprintf("%s is %s now; the campaign ran on %s", prog.Name, orLocal(prog.Version), orLocal(was[i].Version)))
		}
	}
	if d := p.cfg.Identity.MeaningDifference(state.Identity{Meaning: o.Meaning()}); d != "" {
		notes = append(notes, "the configuration is not that of the campaign: "+d)
	}
	p.target, p.facts = t, facts
	return notes, nil
}

// rebuild builds the functions, or the FuzzXxx, that the campaign ran on.
func (p *Past) rebuild(ctx context.Context, o *target.Options, tool string, progress func(string)) (target.Target, error) {
	fuzz := p.cfg.Options["fuzz"]
	if fuzz == "" {
		return target.Build(ctx, o, tool, progress)
	}
	if _, err := os.Stat(p.cfg.Options["package_dir"]); err != nil {
		return nil, exit.Usage("%s ran on %s in %s, which is gone", p.Shown(), fuzz, p.cfg.Options["package_dir"])
	}
	o.Dir, o.Packages, o.Match = p.cfg.Options["package_dir"], []string{"."}, regexp.MustCompile("^"+fuzz+"$")
	tests, err := target.ListFuzz(ctx, o, tool, progress)
	if err != nil {
		return nil, err
	}
	return tests.Build(ctx, tests.Tests[0], o, progress)
}

func orLocal(version string) string {
	if version == "" {
		return "local code"
	}
	return version
}

// judge is for inputs of any length: files may be longer than what the campaign made.
func (p *Past) judge(items []Item) *triage.Judge {
	spec := p.target.Spec(&p.options)
	for _, it := range items {
		spec.MaxFlat = max(spec.MaxFlat, len(it.flat))
		if it.bucket != nil {
			spec.MaxFlat = max(spec.MaxFlat, len(it.bucket.Best.Input))
		}
	}
	return triage.New(p.target, spec, p.options.Layers)
}

// Replay executes items in fresh processes and tells what each program does. It reports whether any still shows a
// disagreement or a crash that is not accepted; one that the user names counts in any case. It stops early when ctx ends.
func (p *Past) Replay(ctx context.Context, w io.Writer, items []Item) (shows bool, err error) {
	if len(items) == 0 {
		return false, write(w, []byte("no findings to replay\n"))
	}
	accepted, err := accept.Load(atomicfile.OS, p.options.AcceptedFile())
	if err != nil {
		return false, err
	}
	s := p.judge(items).Session()
	defer s.Close()
	width := 0
	for _, name := range p.facts.Names {
		width = max(width, len(name))
	}
	var b bytes.Buffer
	for i, it := range items {
		if ctx.Err() != nil {
			return shows, nil
		}
		s.Fresh()
		flags := uint64(wire.WantDetail)
		if it.bucket != nil && it.bucket.Kind != triage.Discrepancy {
			flags |= wire.Settle
		}
		results, err := s.Run(it.flat, flags)
		if err != nil {
			return shows, exit.Infra("replaying %s: %w", it.name, err)
		}
		verdict, bad := p.verdict(it, results)
		if it.bucket != nil && bad {
			if _, ok := accepted.Find(it.bucket.ID); ok {
				verdict += ", accepted"
				bad = !it.listed
			}
		}
		shows = shows || bad
		b.Reset()
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", report.Escape(it.name), report.QuoteInput(p.shape, it.flat, 120), verdict)
		for k, r := range results {
			prog := report.Program{Detail: triage.Detail(r), Message: r.Panic}
			fmt.Fprintf(&b, "  %-*s  %-8s  %s\n", width, p.facts.Names[k], report.Outcome(triage.Kind(&r), prog.Outcome), report.Cut(report.Escape(prog.Result()), 160))
		}
		if err := write(w, b.Bytes()); err != nil {
			return shows, err
		}
	}
	return shows, nil
}

// verdict says what results show, and whether it is a disagreement or a crash.
func (p *Past) verdict(it Item, results []wire.RunResult) (text string, bad bool) {
	if i, failed := triage.Failed(results); failed {
		how := fails[judge.Outcome(results[i].Outcome)]
		if results[i].Failure {
			how = "fails"
		}
		return p.facts.Names[i] + " " + how, true
	}
	if layer := triage.Layer(p.options.Layers, results); layer != 0 {
		return "the programs disagree (" + layer.String() + ")", true
	}
	text = "the programs agree"
	if len(results) == 1 {
		text = p.facts.Names[0] + " passes"
	}
	if it.bucket != nil {
		text += ", the finding does not show any more"
	}
	return text, false
}

var fails = map[judge.Outcome]string{
	judge.Crashed: "crashes", judge.Timeout: "does not end in time", judge.OOM: "needs too much memory",
}

// Accept lists findings as intended.
func (p *Past) Accept(w io.Writer, items []Item, reason string) error {
	path := p.options.AcceptedFile()
	dir, _ := os.Getwd()
	for _, it := range items {
		b := it.bucket
		added, err := accept.Add(atomicfile.OS, path, accept.Entry{
			Bucket: b.ID, Programs: names(p.cfg.Identity.Programs), Outcomes: b.Outcomes, Reason: reason,
			Input: p.shape.Encode(b.Best.Minimized), Location: report.ShortPath(b.Location),
		})
		if err != nil {
			return err
		}
		text := "%s accepted in %s\n"
		if !added {
			text = "%s is in %s already\n"
		}
		if _, err := fmt.Fprintf(w, text, b.ID, report.Relative(dir, path)); err != nil {
			return exit.Infra("writing: %w", err)
		}
	}
	return nil
}
