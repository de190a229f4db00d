// Package archive works on campaigns on disk, finished, killed or running. It finds campaigns and
// their findings, and shows them. It builds the target again to run inputs (replay, minimize,
// vectors, coverage by line). It writes the data that leaves a campaign (export, the HTML report).
// The commands show, replay, minimize, accept, export, report and bisect call it.
//
// Invariants: a running campaign is not disturbed; only Minimize and Accept write to folders;
// unreadable parts are reported and omitted.
package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// Campaign is a campaign on disk.
type Campaign struct {
	folder   *state.Folder
	Config   state.Config
	Shape    input.Shape
	Options  subject.Options
	target   subject.Target // nil until Build
	tool     string         // the parallax executable, set by Build
	facts    *subject.Facts
	buckets  []*findings.Group
	problems []string            // findings that cannot be read
	damaged  map[string][]string // reasons, for buckets without a readable finding
	inside   bool                // output goes into the campaign's folder
	trusted  bool                // the user trusts the folder

	// Renamed reports the findings that were named by the ids which they had before the end of
	// their triage.
	Renamed []string
}

// Open opens the campaign in the folder out, or all in .parallax of the current folder if out is
// empty. It omits unreadable ones of several campaigns, and reports them in problems.
func Open(out string) (pasts []*Campaign, problems []string, err error) {
	if out != "" {
		p, err := open(out)
		if err != nil {
			return nil, nil, err
		}
		return []*Campaign{p}, nil, nil
	}
	var first error
	for _, dir := range campaigns(state.Home) {
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

// campaigns returns the folders in a folder that hold a campaign, by name.
func campaigns(in string) []string {
	var dirs []string
	entries, _ := os.ReadDir(in)
	for _, e := range entries {
		dir := filepath.Join(in, e.Name())
		if _, err := os.Stat(filepath.Join(dir, "campaign.json")); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func open(dir string) (*Campaign, error) {
	p, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	p.buckets, p.problems, p.damaged, err = findings.Read(p.folder)
	if err != nil {
		return nil, err
	}
	p.keepAccepted()
	return p, nil
}

// keepAccepted has the accepted input represent each accepted bucket.
func (p *Campaign) keepAccepted() {
	accepted, err := p.accepted()
	if err != nil { // the code that needs it reports the error
		return
	}
	for _, b := range p.buckets {
		if err := b.Keep(p.folder, accepted); err != nil {
			p.problems = append(p.problems, err.Error())
		}
	}
}

// openFolder opens a campaign without its findings.
func openFolder(dir string) (*Campaign, error) {
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
	if len(p.Config.Identity.Compare) > 0 || p.Config.Identity.Mode == subject.Diff {
		if layers, err = oracle.ParseLayers(p.Config.Identity.Compare); err != nil {
			return nil, exit.Usage("%s: %w", dir, err)
		}
	}
	p.Options = subject.Options{
		Mode: p.Config.Identity.Mode, Functions: subject.SplitWords(p.Config.Options["functions"]), Generator: p.Config.Options["generator"], Sequence: subject.ReadSequence(p.Config.Options["sequence"]), Partial: subject.ReadPartial(p.Config.Options["partial"]), Tags: p.Config.Options["tags"], Accepted: p.Config.Options["accepted"], Dir: p.Config.Dir, Out: abs,
		Policy: policy.Policy{Layers: layers, MaxBytes: p.Config.Limits.MaxBytes, Guidance: p.Config.Guidance, Grammar: p.Config.Options["grammar"]}, Memory: p.Config.Limits.MemoryBytes,
		Timeout: time.Duration(p.Config.Limits.TimeoutMS) * time.Millisecond,
	}
	if list := p.Config.Options["instrument"]; list != "" {
		p.Options.Instrument = strings.Split(list, ",")
	}
	if list := p.Config.Options["allow"]; list != "" {
		p.Options.Allow = strings.Split(list, ",")
	}
	p.Options.NoInstrument = p.Config.Options["no_instrument"] != ""
	return p, nil
}

func (p *Campaign) bucket(id string) *findings.Group {
	for _, b := range p.buckets {
		if b.ID == id {
			return b
		}
	}
	return nil
}

// Dir returns the campaign's folder.
func (p *Campaign) Dir() string { return p.folder.Dir() }

// Written returns the time of the last write to the campaign's folder.
func (p *Campaign) Written() time.Time { return p.folder.Written() }

// Shown returns the campaign's folder as the user would type it.
func (p *Campaign) Shown() string {
	if p.inside {
		return "."
	}
	dir, err := os.Getwd()
	if err != nil {
		return p.folder.Dir()
	}
	return finding.Relative(dir, p.folder.Dir())
}

// Inside declares that output goes into the campaign's folder and moves with it. Then paths are
// relative to the folder, unless the current folder holds it.
func (p *Campaign) Inside() { p.inside = filepath.IsAbs(p.Shown()) }

// replay returns the command that runs a finding again.
func (p *Campaign) replay(b *findings.Group) string { return p.command("replay", b) }

func (p *Campaign) command(name string, b *findings.Group) string {
	return findings.Command(name, p.Shown(), b.ID)
}

// Shown returns the folder of a campaign with these options, as the user would type it.
func Shown(o *subject.Options, t subject.Target) string {
	if o.Out == "" {
		return filepath.Join(state.Home, t.About().Folder())
	}
	return finding.Relative(o.Dir, o.Out)
}

// Home returns the folder from which the target is built.
func (p *Campaign) Home() string {
	if dir := p.Config.Options["package_dir"]; dir != "" {
		return dir
	}
	return p.Options.Dir
}

// Summary returns the campaign's last summary, with the current findings on disk. Its notes report
// unreadable parts.
func (p *Campaign) Summary() (*finding.Summary, error) {
	s, err := p.totals()
	if err != nil {
		return nil, err
	}
	f, err := p.findings()
	if err != nil {
		return nil, err
	}
	p.count(s, f)
	return s, nil
}

// totals returns the campaign's last summary. Its notes report unreadable parts.
func (p *Campaign) totals() (*finding.Summary, error) {
	data, err := p.folder.ReadSummary()
	if err != nil {
		return nil, err
	}
	empty := &finding.Summary{
		Version: finding.Version, Mode: p.Config.Identity.Mode, Target: p.Config.Target,
		Programs: p.Config.Identity.Names(), Guidance: p.Config.Guidance,
	}
	s := empty
	if data != nil {
		if s, err = finding.ParseSummary(data); err != nil {
			s = empty
			s.Notes = append(s.Notes, fmt.Sprintf("totals are missing, because %s cannot be read: %v", filepath.Join(p.Shown(), "summary.json"), err))
		}
	}
	for _, text := range p.problems {
		if !slices.Contains(s.Notes, text) {
			s.Notes = append(s.Notes, text)
		}
	}
	return s, nil
}

// count puts the findings on disk into a summary.
func (p *Campaign) count(s *finding.Summary, f *findings.Buckets) {
	s.Findings = finding.Findings{Total: f.Total(), Buckets: f.Rows(), Unjudged: p.folder.CountPending()}
	s.Accepted = 0
	for _, b := range s.Findings.Buckets {
		if b.Accepted {
			s.Accepted++
		}
	}
}

// Summaries returns the summaries of campaigns, with the findings that have one cause.
func Summaries(list []*Campaign) (summaries []*finding.Summary, err error) {
	for _, p := range list {
		s, err := p.Summary()
		if err != nil {
			return nil, err
		}
		summaries = append(summaries, s)
	}
	finding.Relate(summaries)
	return summaries, nil
}

// findings returns the campaign's buckets with all that is known about them.
func (p *Campaign) findings() (*findings.Buckets, error) {
	accepted, err := p.accepted()
	if err != nil {
		return nil, err
	}
	f := findings.Known(p.folder, accepted, p.buckets)
	f.Edited = edited()
	return f, nil
}

// edited returns a function that compares the source lines of findings with those on record, once
// for each finding. Several goroutines may call it.
func edited() func(*finding.Finding, finding.Page) bool {
	var known sync.Map
	return func(f *finding.Finding, page finding.Page) bool {
		if is, ok := known.Load(f); ok {
			return is.(bool)
		}
		is := text.Edited(f, page)
		known.Store(f, is)
		return is
	}
}
