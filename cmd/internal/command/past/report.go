package past

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/formats"
	"parallax/cmd/internal/show/page"
	"parallax/cmd/internal/show/ui"
	"parallax/internal/atomicfile"
)

// reportFile is the page's name in the folder of a campaign, or of several.
const reportFile = "report.html"

// Reported says which campaigns are written as a page, or in formats for continuous integration,
// and where to.
type Reported struct {
	Folder     string
	To         string
	NoCoverage bool
	Trust      bool
	Inputs     int
	Formats    fuzzing.Formats
	Version    string // of parallax
}

// DefaultInputs is how many inputs of a corpus are executed for the coverage.
const DefaultInputs = archive.LineInputs

// Report writes campaigns as a page, or in formats for continuous integration.
func Report(f Reported) error { return f.run() }

func (f *Reported) run() error {
	if f.Inputs < 1 {
		return exit.Usage("--inputs %d: give a number of inputs, 1 or more, or --no-coverage", f.Inputs)
	}
	dir, err := os.Getwd()
	if err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	if err := f.Formats.Check(dir); err != nil {
		return err
	}
	pasts, problems, err := archive.Open(f.Folder)
	if err != nil {
		return err
	}
	for _, text := range problems {
		terminal.Say("left out: %v", text)
	}
	if f.Formats.Any() && f.To == "" {
		return f.deliver(dir, pasts)
	}
	to, err := f.file(pasts)
	if err != nil {
		return err
	}
	if err := f.deliver(dir, pasts); err != nil {
		return err
	}
	if f.To == "" && len(pasts) == 1 {
		pasts[0].Inside()
	}
	doc := &page.Document{Made: time.Now(), Tool: f.Version, Problems: problems}
	summaries, err := archive.Summaries(pasts)
	if err != nil {
		return err
	}
	for i, p := range pasts {
		c, err := p.Page(summaries[i])
		if err != nil {
			return err
		}
		doc.Campaigns = append(doc.Campaigns, c)
	}
	if err := f.cover(pasts, doc); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := page.Write(&b, doc); err != nil {
		return exit.Infra("writing the page: %w", err)
	}
	if err := atomicfile.Write(atomicfile.OS, to, b.Bytes()); err != nil {
		return exit.Infra("%w", err)
	}
	_, err = fmt.Println(to)
	return err
}

// deliver writes the campaigns in the formats for continuous integration that are asked for, and
// prints the names of the files.
func (f *Reported) deliver(dir string, pasts []*archive.Campaign) error {
	if !f.Formats.Any() {
		return nil
	}
	r := &formats.Report{Command: "report", Tool: f.Version}
	summaries, err := archive.Summaries(pasts)
	if err != nil {
		return err
	}
	for i, p := range pasts {
		t, err := p.Formatted(summaries[i])
		if err != nil {
			return err
		}
		r.Targets = append(r.Targets, t)
	}
	written, err := f.Formats.Write(r)
	for _, path := range written {
		fmt.Println(finding.Relative(dir, path))
	}
	return err
}

// file is where the page goes. It is checked before anything is built.
func (f *Reported) file(pasts []*archive.Campaign) (string, error) {
	to := f.To
	switch {
	case to != "":
	case len(pasts) == 1:
		to = filepath.Join(pasts[0].Shown(), reportFile)
	default:
		to = filepath.Join(state.Home, reportFile)
	}
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		return "", exit.Usage("--to %s is a folder: name a file, such as %s", to, filepath.Join(to, reportFile))
	}
	if _, err := os.Stat(filepath.Dir(to)); errors.Is(err, os.ErrNotExist) {
		return "", exit.Usage("--to %s: there is no folder %s", to, filepath.Dir(to))
	}
	return to, nil
}

// cover measures coverage by line, as far as it can be. ^C ends the measuring; the page is written
// with what there is.
func (f *Reported) cover(pasts []*archive.Campaign, doc *page.Document) error {
	if f.NoCoverage {
		for _, c := range doc.Campaigns {
			c.NoCoverage = "Coverage by line was not measured (--no-coverage)."
		}
		return nil
	}
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, interrupt := terminal.Interruptible()
	view := ui.New(os.Stderr, ui.Line, interrupt)
	defer view.Close()
	for i, p := range pasts {
		c := doc.Campaigns[i]
		if ctx.Err() == nil {
			c.Coverage, err = f.lines(ctx, p, c, tool, view)
		}
		switch {
		case c.Coverage != nil:
		case ctx.Err() != nil:
			c.NoCoverage = "Coverage by line is missing: the run was interrupted before it was measured."
		case err != nil:
			line, _, _ := strings.Cut(err.Error(), "\n")
			c.NoCoverage = "Coverage by line is missing, because the programs can no longer be run: " + strings.TrimSuffix(line, ":")
			view.Message(fmt.Sprintf("%s: no coverage: %v", p.Config.Target, err))
		}
	}
	return nil
}

func (f *Reported) lines(ctx context.Context, p *archive.Campaign, c *page.Campaign, tool string, view ui.UI) (*page.Coverage, error) {
	if f.Trust {
		p.Trust()
	}
	notes, err := p.Build(ctx, tool, view.Step)
	if err != nil {
		return nil, err
	}
	c.Summary.Notes = append(c.Summary.Notes, notes...)
	return p.Lines(ctx, f.Inputs, view.Step)
}
