package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/page"
	"parallax/cmd/internal/show/text"
)

// Page returns the campaign with a summary for the HTML report, without coverage by line.
func (p *Campaign) Page(s *finding.Summary) (*page.Campaign, error) {
	if p.inside {
		s = s.Below(p.folder.Dir())
	}
	known, err := p.findings()
	if err != nil {
		return nil, err
	}
	c, err := p.outline(s, known)
	if err != nil {
		return nil, err
	}
	for _, row := range s.Findings.Buckets {
		f, err := p.pageFinding(known, row)
		if err != nil {
			return nil, err
		}
		c.Findings = append(c.Findings, f)
	}
	return c, nil
}

// outline returns the page of the campaign without its findings.
func (p *Campaign) outline(s *finding.Summary, known *findings.Buckets) (*page.Campaign, error) {
	c := &page.Campaign{Summary: s, Folder: p.Shown(), Dir: p.Options.Dir, Settings: p.settings()}
	c.Built, c.Trees = known.Built(), known.Trees()
	for _, prog := range p.Config.Identity.Programs {
		c.Programs = append(c.Programs, page.Program{Name: prog.Name, Function: prog.Function, Module: prog.Module, Version: prog.Version})
	}
	c.Scope, c.ScopeUnit = p.scope()
	lines, problems, err := p.folder.ReadStats()
	if err != nil {
		return nil, err
	}
	s.Notes = append(s.Notes, problems...)
	for _, line := range lines {
		var s sample.Sample
		if json.Unmarshal(line, &s) == nil {
			c.Samples = append(c.Samples, s)
		}
	}
	return c, nil
}

func (p *Campaign) pageFinding(known *findings.Buckets, row finding.Row) (page.Shown, error) {
	b := known.Open(p.bucket(row.ID))
	record := *b.Best
	record.Replay = p.replay(b)
	f := page.Shown{Entry: finding.Entry{Row: row, Record: &record}, History: b.History}
	f.Page.Folder = filepath.Join(p.Shown(), "findings", b.ID, b.BestHash)
	for _, file := range []struct {
		name string
		to   *string
	}{{reproducer.TestFile, &f.Page.Reproducer}, {reproducer.ScriptFile, &f.Page.Script}, {"go.mod", &f.Page.GoMod}} {
		data, err := p.folder.ReadFinding(b.ID, b.BestHash, file.name)
		if err != nil {
			return f, err
		}
		*file.to = string(data)
	}
	return f, nil
}

// settings describes how the campaign ran.
func (p *Campaign) settings() []page.Setting {
	var list []page.Setting
	put := func(name, value string) {
		if value != "" {
			list = append(list, page.Setting{Name: name, Value: value})
		}
	}
	c := &p.Config
	put("compared", strings.Join(c.Identity.Compare, ", "))
	put("guidance", strings.Join(c.Guidance, ", "))
	put("schedule", c.Schedule)
	if c.Mutators != "full" {
		put("mutators", c.Mutators)
	}
	if c.Parallel > 0 {
		put("workers", fmt.Sprint(c.Parallel))
	}
	var seeds []string
	for _, s := range c.Seeds {
		seeds = append(seeds, fmt.Sprint(s))
	}
	put("seeds of the random numbers", strings.Join(seeds, ", "))
	put("inputs", c.Identity.Shape)
	if c.Limits.MaxBytes > 0 {
		put("largest argument", units.Bytes(int64(c.Limits.MaxBytes)))
	}
	put("time limit of an input", p.Options.Timeout.String())
	put("began with", strings.Join(c.SeedPaths, ", "))
	put("dictionary", c.Dictionary)
	put("grammar", c.Options["grammar"])
	put("generator", cmp.Or(c.Options["generator"], c.Options["drawn_by"]))
	put("without", c.Options["without"])
	put("repair", c.Options["repair"])
	put("confirmed with", text.ConfirmedHow(c.Options["confirm"]))
	put("Go", c.Go)
	return list
}
