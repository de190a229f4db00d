package campaign

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/campaign/state"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/triage"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Past is a campaign on disk, finished, killed or running.
type Past struct {
	folder  *state.Folder
	cfg     state.Config
	shape   input.Shape
	options Options
	target  *Target // nil until Build
	buckets []*bucket
}

// Item is something to replay: a bucket's smallest input, or a file.
type Item struct {
	bucket *bucket
	name   string
	flat   []byte
}

// Open opens the campaigns in a folder: the one that out names, or all in .parallax of the current folder.
func Open(out string) ([]*Past, error) {
	dirs := []string{out}
	if out == "" {
		dirs = nil
		entries, _ := os.ReadDir(".parallax")
		for _, e := range entries {
			dir := filepath.Join(".parallax", e.Name())
			if _, err := os.Stat(filepath.Join(dir, "campaign.json")); err == nil {
				dirs = append(dirs, dir)
			}
		}
		if len(dirs) == 0 {
			return nil, exit.Usage("no campaign in .parallax here: run `parallax diff` first, or name a campaign's folder with --out")
		}
	}
	var pasts []*Past
	for _, dir := range dirs {
		p, err := open(dir)
		if err != nil {
			return nil, err
		}
		pasts = append(pasts, p)
	}
	return pasts, nil
}

func open(dir string) (*Past, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	folder, err := state.OpenExisting(atomicfile.OS, abs)
	if err != nil {
		return nil, err
	}
	p := &Past{folder: folder, cfg: folder.Config()}
	if p.shape, err = input.ParseShape(p.cfg.Identity.Shape); err != nil {
		return nil, exit.Usage("%s: %w", dir, err)
	}
	layers, err := judge.ParseLayers(p.cfg.Identity.Compare)
	if err != nil {
		return nil, exit.Usage("%s: %w", dir, err)
	}
	p.options = Options{
		Functions: splitWords(p.cfg.Options["functions"]), Dir: p.cfg.Dir, Out: abs, Layers: layers,
		MaxBytes: p.cfg.Limits.MaxBytes, Memory: p.cfg.Limits.MemoryBytes,
		Timeout: time.Duration(p.cfg.Limits.TimeoutMS) * time.Millisecond, Guidance: p.cfg.Guidance,
	}
	if list := p.cfg.Options["instrument"]; list != "" {
		p.options.Instrument = strings.Split(list, ",")
	}
	buckets, _, err := folder.ReadFindings()
	if err != nil {
		return nil, err
	}
	for _, b := range buckets {
		if loaded, _ := loadBucket(folder, b); loaded != nil {
			p.buckets = append(p.buckets, loaded)
		}
	}
	return p, nil
}

// Find returns the bucket whose id begins with prefix, and its campaign.
func Find(out, prefix string) (*Past, string, error) {
	pasts, err := Open(out)
	if err != nil {
		return nil, "", err
	}
	var found *Past
	var ids []string
	for _, p := range pasts {
		for _, b := range p.buckets {
			if b.ID == prefix {
				return p, b.ID, nil
			}
			if strings.HasPrefix(b.ID, prefix) && prefix != "" {
				found = p
				ids = append(ids, b.ID)
			}
		}
	}
	switch len(ids) {
	case 0:
		return nil, "", exit.Usage("no finding %q: `parallax show` lists them", prefix)
	case 1:
		return found, ids[0], nil
	}
	return nil, "", exit.Usage("%q is ambiguous: %s", prefix, strings.Join(ids, ", "))
}

// Select resolves the arguments of a command that works on findings of one campaign: ids, files, or nothing for all.
func Select(out string, args []string) (*Past, []Item, error) {
	var p *Past
	var items []Item
	var files []string
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			files = append(files, arg)
			continue
		}
		q, id, err := Find(out, arg)
		if err != nil {
			return nil, nil, err
		}
		if p != nil && q.folder.Dir() != p.folder.Dir() {
			return nil, nil, exit.Usage("%s and %s belong to different campaigns: one at a time", args[0], arg)
		}
		p = q
		b := q.bucket(id)
		items = append(items, Item{bucket: b, name: id, flat: b.best.Minimized})
	}
	if p == nil {
		pasts, err := Open(out)
		if err != nil {
			return nil, nil, err
		}
		if len(pasts) > 1 {
			var names []string
			for _, q := range pasts {
				names = append(names, q.Shown())
			}
			return nil, nil, exit.Usage("several campaigns here: choose one with --out\n  %s", strings.Join(names, "\n  "))
		}
		p = pasts[0]
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, exit.Usage("%w", err)
		}
		flat, err := p.shape.Import(data)
		if err != nil {
			return nil, nil, exit.Usage("%s is no input of %s: %w", file, p.shape, err)
		}
		items = append(items, Item{name: file, flat: flat})
	}
	if len(args) == 0 {
		for _, b := range p.buckets {
			items = append(items, Item{bucket: b, name: b.ID, flat: b.best.Minimized})
		}
	}
	return p, items, nil
}

func (p *Past) bucket(id string) *bucket {
	for _, b := range p.buckets {
		if b.ID == id {
			return b
		}
	}
	return nil
}

// Shown is the campaign's folder as the user would type it.
func (p *Past) Shown() string {
	dir, err := os.Getwd()
	if err != nil {
		return p.folder.Dir()
	}
	return relative(dir, p.folder.Dir())
}

// Shown is the folder of a campaign with these options, as the user would type it.
func Shown(o *Options, t *Target) string {
	if o.Out == "" {
		return filepath.Join(".parallax", t.Plan.Target)
	}
	return relative(o.Dir, o.Out)
}

// QuoteArg quotes a word for a shell where it needs it.
func QuoteArg(s string) string { return quoteArg(s) }

// Summary is the campaign's last summary, with the findings as they are on disk now.
func (p *Past) Summary() (*report.Summary, error) {
	data, err := p.folder.ReadSummary()
	if err != nil {
		return nil, err
	}
	s := &report.Summary{Version: report.Version, Mode: p.cfg.Identity.Mode, Target: p.cfg.Target}
	for _, prog := range p.cfg.Identity.Programs {
		s.Programs = append(s.Programs, prog.Name)
	}
	if data != nil {
		if s, err = report.ParseSummary(data); err != nil {
			return nil, exit.Usage("%s: %w", p.Shown(), err)
		}
	}
	accepted, err := accept.Load(atomicfile.OS, AcceptedFile(p.options.Dir))
	if err != nil {
		return nil, err
	}
	f := &findings{folder: p.folder, accepted: accepted, buckets: map[string]*bucket{}}
	for _, b := range p.buckets {
		f.buckets[b.ID] = b
	}
	s.Findings = report.Findings{Total: f.total(), Buckets: f.rows()}
	s.Accepted = 0
	for _, b := range s.Findings.Buckets {
		if b.Accepted {
			s.Accepted++
		}
	}
	return s, nil
}

// Show prints the report of a bucket's smallest finding.
func (p *Past) Show(w io.Writer, id string) error {
	b := p.bucket(id)
	data, err := p.folder.ReadFinding(id, b.bestHash, reportFile)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return exit.Infra("writing: %w", err)
	}
	return nil
}

// Build resolves and builds the target again, and checks that it is still the one that the campaign ran on.
func (p *Past) Build(ctx context.Context, tool string, progress func(string)) error {
	if len(p.options.Functions) == 0 {
		return exit.Usage("%s does not say which functions it ran on: it cannot be built again", p.Shown())
	}
	o := p.options
	t, err := BuildTarget(ctx, &o, tool, progress)
	if err != nil {
		return err
	}
	if !slices.Equal(t.Names, names(p.cfg.Identity.Programs)) || t.Shape.String() != p.shape.String() {
		return exit.Usage("%s was made with %v of %s, and the functions are now %v of %s: run `parallax diff` into another folder",
			p.Shown(), names(p.cfg.Identity.Programs), p.shape, t.Names, t.Shape)
	}
	p.target = t
	return nil
}

func names(programs []state.Program) []string {
	var out []string
	for _, p := range programs {
		out = append(out, p.Name)
	}
	return out
}

// spec is a worker's for inputs of any length: files may be longer than what the campaign made.
func (p *Past) judge(items []Item) *triage.Judge {
	spec := p.target.Spec(&p.options)
	for _, it := range items {
		spec.MaxFlat = max(spec.MaxFlat, len(it.flat))
		if it.bucket != nil {
			spec.MaxFlat = max(spec.MaxFlat, len(it.bucket.best.Input))
		}
	}
	return NewJudge(p.target, spec, p.options)
}

// Replay executes items in fresh processes and tells what each program does. It reports whether any still shows a
// disagreement or a crash.
func (p *Past) Replay(w io.Writer, items []Item) (shows bool, err error) {
	if len(items) == 0 {
		fmt.Fprintln(w, "no findings to replay")
		return false, nil
	}
	s := p.judge(items).Session()
	defer s.Close()
	var b bytes.Buffer
	for i, it := range items {
		s.Fresh()
		flags := uint64(wire.WantDetail)
		if it.bucket != nil && it.bucket.Kind != triage.Discrepancy {
			flags |= wire.Settle
		}
		results, err := s.Run(it.flat, flags)
		if err != nil {
			return shows, exit.Infra("replaying %s: %w", it.name, err)
		}
		_, failed := triage.Failed(results)
		disagree := judge.DisagreeLayer(p.options.Layers, triage.Observations(results))
		shows = shows || failed || disagree != 0
		b.Reset()
		if i > 0 {
			b.WriteString("\n")
		}
		verdict := "the programs agree"
		switch {
		case failed:
			verdict = "a program fails"
		case disagree != 0:
			verdict = "the programs disagree (" + disagree.String() + ")"
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", report.Escape(it.name), report.QuoteInput(p.shape, it.flat, 120), verdict)
		width := 0
		for _, name := range p.target.Names {
			width = max(width, len(name))
		}
		for k, r := range results {
			prog := report.Program{Detail: Detail(r), Message: r.Panic}
			fmt.Fprintf(&b, "  %-*s  %-8s  %s\n", width, p.target.Names[k], prog.Outcome, report.Cut(report.Escape(prog.Result()), 160))
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			return shows, exit.Infra("writing: %w", err)
		}
	}
	return shows, nil
}

// Minimize looks for smaller inputs and writes them to the findings' folders.
func (p *Past) Minimize(w io.Writer, items []Item, budget int) error {
	folder, err := state.Reopen(atomicfile.OS, p.folder.Dir())
	if err != nil {
		return err
	}
	defer folder.Close()
	f := &findings{folder: folder, target: p.target, buckets: map[string]*bucket{}}
	j := p.judge(items)
	for _, it := range items {
		if it.bucket == nil {
			return exit.Usage("%s is a file: minimize works on findings", it.name)
		}
		best := it.bucket.best
		found, err := j.Minimize(best.Minimized, best.Kind, best.Layer, budget)
		if err != nil {
			return exit.Infra("minimising %s: %w", it.name, err)
		}
		switch {
		case found == nil:
			fmt.Fprintf(w, "%s does not show any more: replay it, or remove it\n", it.name)
			continue
		case !smaller(found.Minimized, best.Minimized):
			fmt.Fprintf(w, "%s stays at %d bytes after %d runs: %s\n", it.name, len(best.Minimized), found.Runs, report.QuoteInput(p.shape, best.Minimized, 120))
			continue
		}
		before := len(best.Minimized)
		rep := f.report(it.bucket.ID, found, triage.Candidate{Parent: best.Parent, Operators: best.Operators})
		rep.Input, rep.Parent, rep.Operators, rep.Count = best.Input, best.Parent, best.Operators, it.bucket.Count
		files, err := f.files(rep)
		if err != nil {
			return err
		}
		if err := folder.UpdateFinding(it.bucket.ID, it.bucket.bestHash, files); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s from %d to %d bytes after %d runs: %s\n", it.name, before, len(found.Minimized), found.Runs, report.QuoteInput(p.shape, found.Minimized, 120))
	}
	return nil
}

// Accept lists findings as intended.
func (p *Past) Accept(w io.Writer, items []Item, reason string) error {
	path := AcceptedFile(p.options.Dir)
	for _, it := range items {
		if it.bucket == nil {
			return exit.Usage("%s is a file: accept works on findings", it.name)
		}
		b := it.bucket
		added, err := accept.Add(atomicfile.OS, path, accept.Entry{
			Bucket: b.ID, Programs: names(p.cfg.Identity.Programs), Outcomes: b.Outcomes, Reason: reason,
			Input: p.shape.Encode(b.best.Minimized), Location: b.Location,
		})
		if err != nil {
			return err
		}
		dir, _ := os.Getwd()
		if !added {
			fmt.Fprintf(w, "%s is in %s already\n", b.ID, relative(dir, path))
			continue
		}
		fmt.Fprintf(w, "%s accepted in %s\n", b.ID, relative(dir, path))
	}
	return nil
}
