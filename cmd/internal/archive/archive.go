// Package archive works on campaigns on disk, finished, killed or running: it finds them and their findings, shows these, builds the
// target again to run inputs (replay, minimize, vectors, coverage by line), and writes what leaves a campaign (export, the data of
// the HTML report). The commands show, replay, minimize, accept, export and report are its callers, and bisect.
//
// Invariants: a campaign that runs meanwhile is not disturbed; only Minimize and Accept write, what they say they write; what cannot
// be read is told and left out.
package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/findings"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/shell"
	"parallax/cmd/internal/state"
	"parallax/cmd/internal/target"
	"parallax/internal/atomicfile"
	"parallax/internal/corpus"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// Campaign is a campaign on disk.
type Campaign struct {
	folder   *state.Folder
	Config   state.Config
	Shape    input.Shape
	Options  target.Options
	target   target.Target // nil until Build
	tool     string        // the parallax executable, from then on
	facts    *target.Facts
	buckets  []*findings.Bucket
	problems []string            // findings that cannot be read
	damaged  map[string][]string // why, of buckets of which no finding can be read
	inside   bool                // what is written of it goes into its folder
	trusted  bool                // the user has said so
}

// Item is something to replay: a bucket's smallest input, or a file.
type Item struct {
	Bucket *findings.Bucket
	Name   string
	Flat   []byte
	listed bool // not named by the user, but one of all
}

// Open opens the campaigns in a folder: the one that out names, or all in .parallax of the current folder. One of
// several that cannot be read is told in problems and left out.
func Open(out string) (pasts []*Campaign, problems []string, err error) {
	if out != "" {
		p, err := open(out)
		if err != nil {
			return nil, nil, err
		}
		return []*Campaign{p}, nil, nil
	}
	var first error
	for _, dir := range campaigns() {
		p, err := open(dir)
		if err != nil {
			problems = append(problems, err.Error())
			first = errors.Join(first, err)
			continue
		}
		pasts = append(pasts, p)
	}
	switch {
	case len(pasts) > 0:
		return pasts, problems, nil
	case first != nil:
		return nil, nil, first
	}
	return nil, nil, exit.Usage("no campaign in %s of the current folder: run `parallax diff` or `parallax fuzz` first, or name a campaign's folder with --campaign", state.Home)
}

// campaigns are the folders in .parallax that hold one, by name.
func campaigns() []string {
	var dirs []string
	entries, _ := os.ReadDir(state.Home)
	for _, e := range entries {
		dir := filepath.Join(state.Home, e.Name())
		if _, err := os.Stat(filepath.Join(dir, "campaign.json")); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func open(dir string) (*Campaign, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	folder, err := state.OpenExisting(atomicfile.OS, abs)
	if err != nil {
		return nil, err
	}
	p := &Campaign{folder: folder, Config: folder.Config()}
	if p.Shape, err = input.ParseShape(p.Config.Identity.Shape); err != nil {
		return nil, exit.Usage("%s: %w", dir, err)
	}
	layers := oracle.VerdictLayer
	if len(p.Config.Identity.Compare) > 0 || p.Config.Identity.Mode == target.Diff {
		if layers, err = oracle.ParseLayers(p.Config.Identity.Compare); err != nil {
			return nil, exit.Usage("%s: %w", dir, err)
		}
	}
	p.Options = target.Options{
		Mode: p.Config.Identity.Mode, Functions: target.SplitWords(p.Config.Options["functions"]), Generator: p.Config.Options["generator"], Sequence: target.ReadSequence(p.Config.Options["sequence"]), Partial: target.ReadPartial(p.Config.Options["partial"]), Tags: p.Config.Options["tags"], Accepted: p.Config.Options["accepted"], Dir: p.Config.Dir, Out: abs,
		Policy: policy.Policy{Layers: layers, MaxBytes: p.Config.Limits.MaxBytes, Guidance: p.Config.Guidance, Grammar: p.Config.Options["grammar"]}, Memory: p.Config.Limits.MemoryBytes,
		Timeout: time.Duration(p.Config.Limits.TimeoutMS) * time.Millisecond,
	}
	if list := p.Config.Options["instrument"]; list != "" {
		p.Options.Instrument = strings.Split(list, ",")
	}
	if list := p.Config.Options["allow"]; list != "" {
		p.Options.Allow = strings.Split(list, ",")
	}
	p.Options.Uncounted = p.Config.Options["uncounted"] != ""
	p.buckets, p.problems, p.damaged, err = findings.Read(folder)
	if err != nil {
		return nil, err
	}
	if accepted, err := p.accepted(); err == nil { // else who needs it says so
		for _, b := range p.buckets {
			if err := b.Keep(folder, accepted); err != nil {
				p.problems = append(p.problems, err.Error())
			}
		}
	}
	return p, nil
}

// Find returns the bucket that has an id, one of whose variants has it, or whose id begins with it, and its campaign.
func Find(out, prefix string) (*Campaign, string, error) { return find(out, prefix, false) }

// Holders are the folders of the campaigns that have the one finding which args name, if it is in several; else out alone.
func Holders(out string, args []string) []string {
	if out == "" && len(args) == 1 {
		if pasts, _, err := Open(out); err == nil {
			if found := matches(pasts, args[0]); len(found) > 1 && same(found) {
				var dirs []string
				for _, m := range found {
					dirs = append(dirs, m.past.Shown())
				}
				return dirs
			}
		}
	}
	return []string{out}
}

// match is a bucket that an id may mean.
type match struct {
	past *Campaign
	id   string
}

// same reports whether all are of one id.
func same(found []match) bool {
	return !slices.ContainsFunc(found, func(m match) bool { return m.id != found[0].id })
}

// matches are the buckets that have an id; if there is none, those one of whose variants has it, and if there is none, those whose ids begin with it.
func matches(pasts []*Campaign, prefix string) []match {
	var exact, variants, begin []match
	for _, p := range pasts {
		for _, b := range p.buckets {
			switch {
			case b.ID == prefix:
				exact = append(exact, match{p, b.ID})
			case b.IsVariant(prefix):
				variants = append(variants, match{p, b.ID})
			case prefix != "" && strings.HasPrefix(b.ID, prefix):
				begin = append(begin, match{p, b.ID})
			}
		}
	}
	for _, found := range [][]match{exact, variants, begin} {
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// find is Find. With any, it takes the first of several campaigns that have the bucket, if what is accepted of one is accepted of all.
func find(out, prefix string, any bool) (*Campaign, string, error) {
	pasts, _, err := Open(out)
	if err != nil {
		return nil, "", err
	}
	found := matches(pasts, prefix)
	switch {
	case len(found) == 0:
		for _, p := range pasts {
			for _, id := range slices.Sorted(maps.Keys(p.damaged)) {
				if prefix != "" && strings.HasPrefix(id, prefix) {
					return nil, "", exit.Usage("finding %s is damaged: %s", id, strings.Join(p.damaged[id], "; "))
				}
			}
		}
		return nil, "", exit.Usage("no finding %q in %s: `parallax show` lists the findings", prefix, shownAll(pasts))
	case len(found) == 1:
		return found[0].past, found[0].id, nil
	}
	one := same(found)
	if any && one && !slices.ContainsFunc(found, func(m match) bool { return !m.past.sharesEntries(found[0].past) }) {
		return found[0].past, found[0].id, nil
	}
	var list []string
	for _, m := range found {
		line := m.id
		if len(pasts) > 1 {
			line += "  in " + m.past.Shown()
		}
		list = append(list, line)
	}
	if one {
		return nil, "", exit.Usage("%q is a finding of several campaigns: choose one with --campaign\n  %s", prefix, strings.Join(list, "\n  "))
	}
	if !strings.HasPrefix(found[0].id, prefix) {
		return nil, "", exit.Usage("several findings have the variant %q:\n  %s", prefix, strings.Join(list, "\n  "))
	}
	return nil, "", exit.Usage("several findings begin with %q:\n  %s", prefix, strings.Join(list, "\n  "))
}

func shownAll(pasts []*Campaign) string {
	if len(pasts) == 1 {
		return pasts[0].Shown()
	}
	return state.Home
}

// Select resolves the arguments of a command that works on findings of one campaign: ids, files, or nothing for all.
func Select(out string, args []string) (*Campaign, []Item, error) {
	var p *Campaign
	var items []Item
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			items = append(items, Item{Name: arg})
			continue
		}
		q, id, err := Find(out, arg)
		if err != nil {
			if strings.ContainsAny(arg, "/.") {
				if _, err := corpus.ReadFile(arg); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return nil, nil, exit.Usage("%w", err)
				}
				return nil, nil, exit.Usage("%s: there is no such file", arg)
			}
			return nil, nil, err
		}
		if p != nil && q.folder.Dir() != p.folder.Dir() {
			return nil, nil, exit.Usage("%s and %s belong to different campaigns: name findings of one campaign", items[0].Name, id)
		}
		if p != nil {
			q = p // each Find reads the folder again
		}
		p = q
		b := q.bucket(id)
		if slices.ContainsFunc(items, func(it Item) bool { return it.Bucket == b }) {
			continue // named twice
		}
		items = append(items, Item{Bucket: b, Name: id, Flat: b.Best.Minimized})
	}
	if p == nil {
		var err error
		if p, err = single(out); err != nil {
			return nil, nil, err
		}
	}
	for i := range items {
		it := &items[i]
		if it.Bucket != nil {
			continue
		}
		data, err := corpus.ReadFile(it.Name)
		if err != nil {
			return nil, nil, exit.Usage("%w", err)
		}
		if it.Flat, err = p.Shape.Import(data); err != nil {
			return nil, nil, exit.Usage("%s is not an input of %s, which takes %s: %w", it.Name, p.Config.Target, p.Shape, err)
		}
	}
	if len(args) == 0 {
		items = p.All()
	}
	return p, items, nil
}

// All are the campaign's findings.
func (p *Campaign) All() []Item {
	var items []Item
	for _, b := range p.buckets {
		items = append(items, Item{Bucket: b, Name: b.ID, Flat: b.Best.Minimized, listed: true})
	}
	return items
}

// single is the campaign that is meant when none is named.
func single(out string) (*Campaign, error) {
	pasts, _, err := Open(out)
	if err != nil {
		return nil, err
	}
	if len(pasts) > 1 {
		var names []string
		for _, p := range pasts {
			names = append(names, shell.Word(p.Shown()))
		}
		return nil, exit.Usage("there are several campaigns: choose one with --campaign\n  %s", strings.Join(names, "\n  "))
	}
	return pasts[0], nil
}

// OnlyFindings refuses files, for commands that change what stands in a finding's folder.
func OnlyFindings(command string, items []Item) error {
	for _, it := range items {
		if it.Bucket == nil {
			return exit.Usage("%s is a file: %s takes the ids of findings (`parallax show` lists them)", it.Name, command)
		}
	}
	return nil
}

// IDs are the ids of the findings that a command line may name, each with its input behind a tab, as shells' completions
// want them.
func IDs(out string) []string {
	pasts, _, err := Open(out)
	if err != nil {
		return nil
	}
	var ids []string
	for _, p := range pasts {
		for _, b := range p.buckets {
			ids = append(ids, b.ID+"\t"+b.Kind+" on "+b.Best.Quote(40))
		}
	}
	return ids
}

func (p *Campaign) bucket(id string) *findings.Bucket {
	for _, b := range p.buckets {
		if b.ID == id {
			return b
		}
	}
	return nil
}

// Dir is the campaign's folder.
func (p *Campaign) Dir() string { return p.folder.Dir() }

// Written is when the campaign last wrote into its folder.
func (p *Campaign) Written() time.Time { return p.folder.Written() }

// Shown is the campaign's folder as the user would type it.
func (p *Campaign) Shown() string {
	if p.inside {
		return "."
	}
	dir, err := os.Getwd()
	if err != nil {
		return p.folder.Dir()
	}
	return report.Relative(dir, p.folder.Dir())
}

// Inside says that what is written of the campaign goes into its folder and is moved with it: places there are named from the folder on,
// unless the current folder holds it.
func (p *Campaign) Inside() { p.inside = filepath.IsAbs(p.Shown()) }

// replay is the command that runs a finding again from here.
func (p *Campaign) replay(b *findings.Bucket) string { return p.command("replay", b) }

func (p *Campaign) command(name string, b *findings.Bucket) string {
	return findings.Command(name, p.Shown(), b.ID)
}

// Shown is the folder of a campaign with these options, as the user would type it.
func Shown(o *target.Options, t target.Target) string {
	if o.Out == "" {
		return filepath.Join(state.Home, t.About().Folder())
	}
	return report.Relative(o.Dir, o.Out)
}

// Home is the folder that the target is built from.
func (p *Campaign) Home() string {
	if dir := p.Config.Options["package_dir"]; dir != "" {
		return dir
	}
	return p.Options.Dir
}

// Summary is the campaign's last summary, with the findings as they are on disk now. What cannot be read of it is told
// in its notes.
func (p *Campaign) Summary() (*report.Summary, error) {
	data, err := p.folder.ReadSummary()
	if err != nil {
		return nil, err
	}
	empty := &report.Summary{
		Version: report.Version, Mode: p.Config.Identity.Mode, Target: p.Config.Target,
		Programs: p.Config.Identity.Names(), Guidance: p.Config.Guidance,
	}
	s := empty
	if data != nil {
		if s, err = report.ParseSummary(data); err != nil {
			s = empty
			s.Notes = append(s.Notes, fmt.Sprintf("totals are missing, because %s cannot be read: %v", filepath.Join(p.Shown(), "summary.json"), err))
		}
	}
	for _, text := range p.problems {
		if !slices.Contains(s.Notes, text) {
			s.Notes = append(s.Notes, text)
		}
	}
	f, err := p.findings()
	if err != nil {
		return nil, err
	}
	s.Findings = report.Findings{Total: f.Total(), Buckets: f.Rows()}
	s.Accepted = 0
	for _, b := range s.Findings.Buckets {
		if b.Accepted {
			s.Accepted++
		}
	}
	return s, nil
}

// findings are the campaign's buckets with what there is to know of them.
func (p *Campaign) findings() (*findings.Buckets, error) {
	accepted, err := p.accepted()
	if err != nil {
		return nil, err
	}
	return findings.Known(p.folder, accepted, p.buckets), nil
}

// ShowOptions say how a finding is shown.
type ShowOptions struct {
	Terminal bool // for people at a terminal; else Markdown
	report.TextOptions
	Now time.Time
	// Variant is the id of one of the bucket's variants, to show its finding in place of the smallest.
	Variant string
}

// Show prints the report of a bucket's smallest finding, with what is known of the bucket by now.
func (p *Campaign) Show(w io.Writer, id string, o ShowOptions) error {
	f, err := p.findings()
	if err != nil {
		return err
	}
	b, err := f.As(p.bucket(id), o.Variant)
	if err != nil {
		return exit.Infra("%w", err)
	}
	f.Link(b)
	page := f.Page(b)
	page.Folder = filepath.Dir(p.folder.FindingPath(b.ID, b.BestHash, findings.ReportFile))
	if dir, err := os.Getwd(); err == nil {
		page.Folder, page.Here = report.Relative(dir, page.Folder), dir
	}
	page.Replay = p.replay(b)
	if p.Minimizable() == nil {
		page.Minimize = p.command("minimize", b)
	}
	row := f.Row(b)
	page.Life = &report.Life{
		Count: b.Count, FirstSeen: b.FirstSeen, First: findings.ParseStamp(b.FirstTime), Last: findings.ParseStamp(b.LastTime), Now: o.Now,
		Accepted: row.Accepted, Reason: row.Reason, NewVariants: row.NewVariants, Gone: row.Gone, Flaky: row.Wavers,
	}
	if o.Terminal {
		return write(w, b.Best.Text(page, o.TextOptions))
	}
	return write(w, b.Best.Markdown(page))
}

// ShowJSON prints the recorded outputs of a bucket's smallest finding, or of one of its variants, and the buckets that are similar.
func (p *Campaign) ShowJSON(w io.Writer, id, variant string) error {
	f, err := p.findings()
	if err != nil {
		return err
	}
	b, err := f.As(p.bucket(id), variant)
	if err != nil {
		return exit.Infra("%w", err)
	}
	f.Link(b)
	best := *b.Best
	best.Replay = p.replay(b)
	data, err := best.JSONWith(f.SimilarTo(b))
	if err != nil {
		return err
	}
	return write(w, data)
}

func write(w io.Writer, data []byte) error {
	if _, err := w.Write(data); err != nil {
		return exit.Infra("writing: %w", err)
	}
	return nil
}
