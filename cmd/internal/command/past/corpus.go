package past

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/ui"
)

// Corpora says which corpora a command lists or changes, and how.
type Corpora struct {
	Folder string // the campaign's folder; empty means those in .parallax
	JSON   bool
	Dry    bool   // nothing is changed
	Trust  bool   // the user trusts the owner of the campaign's folder
	Size   string // limit of prune
	Inputs int    // limit of prune; 0 means none
}

// ListCorpus prints the inputs of corpora.
func ListCorpus(o Corpora) error {
	lists := []*archive.Inputs{}
	err := o.each(func(p *archive.Campaign) error {
		list, problems, err := p.List()
		if err != nil {
			return err
		}
		for _, text := range problems {
			terminal.Say("%s", text)
		}
		lists = append(lists, list)
		return nil
	})
	if err != nil {
		return err
	}
	if o.JSON {
		return printJSON(archive.Lists{Version: 1, Corpora: lists})
	}
	for i, list := range lists {
		if i > 0 {
			fmt.Println()
		}
		fmt.Printf("%s: %s, %s in %s\n\n", escape.Text(list.Target), units.Count(len(list.Inputs), "input", "inputs"), escape.Size(int(list.Bytes)), escape.Text(list.Folder))
		for _, in := range list.Inputs {
			from := in.From
			if in.Parent != "" {
				from = "mutated from " + in.Parent
			}
			line := fmt.Sprintf("  %s  %8s  %s", in.Hash, escape.Size(in.Bytes), in.Quoted)
			for _, note := range []string{from, strings.Join(in.New, ", ")} {
				if note != "" {
					line += "  " + escape.Text(note)
				}
			}
			if _, err := fmt.Println(line); err != nil {
				return exit.Infra("writing: %w", err)
			}
		}
	}
	return nil
}

// MinimizeCorpus removes inputs that others replace.
func MinimizeCorpus(o Corpora) error {
	return o.change(func(p *archive.Campaign) (c *archive.Change, err error) {
		err = onTarget(p, o.Trust, func(ctx context.Context) error {
			view := ui.New(os.Stderr, ui.Line, func() {})
			defer view.Close()
			c, err = p.Distill(ctx, o.Dry, view.Step)
			return err
		})
		if errors.Is(err, context.Canceled) { // nothing was removed
			err = nil
		}
		return c, err
	})
}

// MergeCorpora adds the inputs of campaigns and folders to a corpus.
func MergeCorpora(o Corpora, places []string) error {
	pasts, _, err := archive.Open(o.Folder)
	if err != nil {
		return err
	}
	if len(pasts) > 1 {
		return exit.Usage("there are %d campaigns: name the one that takes the inputs, with --campaign", len(pasts))
	}
	return o.change(func(p *archive.Campaign) (*archive.Change, error) { return p.Merge(places, o.Dry) })
}

// PruneCorpus removes inputs until corpora are within a limit.
func PruneCorpus(o Corpora) error {
	limit := archive.Limit{Inputs: o.Inputs}
	if o.Size != "" {
		var err error
		if limit.Bytes, err = buildcache.ParseSize(o.Size); err != nil || limit.Bytes <= 0 {
			return exit.Usage("--corpus-size %q: give a size with its unit, such as 64MiB", o.Size)
		}
	}
	if limit == (archive.Limit{}) || limit.Inputs < 0 {
		return exit.Usage("prune needs a limit: --corpus-size 64MiB or --corpus-inputs 10000")
	}
	return o.change(func(p *archive.Campaign) (*archive.Change, error) { return p.Prune(limit, o.Dry) })
}

// each does work for each campaign. It says which are left out.
func (o *Corpora) each(work func(*archive.Campaign) error) error {
	pasts, problems, err := archive.Open(o.Folder)
	if err != nil {
		return err
	}
	for _, text := range problems {
		terminal.Say("left out: %v", text)
	}
	for _, p := range pasts {
		if err := work(p); err != nil {
			return err
		}
	}
	return nil
}

// change changes corpora, and prints what has changed. A campaign that cannot be built again does
// not keep the others from it.
func (o *Corpora) change(work func(*archive.Campaign) (*archive.Change, error)) error {
	changes := []*archive.Change{}
	var failed []error
	err := o.each(func(p *archive.Campaign) error {
		c, err := work(p)
		switch {
		case err != nil:
			failed = append(failed, err)
		case c != nil:
			changes = append(changes, c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if o.JSON && (len(changes) > 0 || len(failed) == 0) {
		err = printJSON(archive.Changes{Version: 1, Changes: changes})
	} else {
		for _, c := range changes {
			if err = printChange(c); err != nil {
				break
			}
		}
	}
	if err == nil && len(failed) > 0 {
		err = &exit.Error{Code: exit.Code(failed[0]), Err: errors.Join(failed...)}
	}
	return err
}

// printChange prints what has changed of a corpus.
func printChange(c *archive.Change) error {
	for _, text := range c.Problems {
		terminal.Say("%s", text)
	}
	would := map[bool]string{true: " (--dry-run: nothing is changed)"}[c.Dry]
	covered := ""
	if c.Features > 0 {
		covered = fmt.Sprintf(", which cover the same %s", units.Count(c.Features, "feature", "features"))
	}
	_, err := fmt.Printf("%s: %s of %s, now %s of %s%s%s\n", escape.Text(c.Target),
		units.Count(c.Before, "input", "inputs"), escape.Size(int(c.Bytes)), units.Thousands(uint64(c.Inputs)), escape.Size(int(c.Left)), covered, would)
	return exit.Doing("writing", err)
}

// printJSON prints a document.
func printJSON(doc any) error {
	data, err := finding.JSON(doc)
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	return exit.Doing("writing", err)
}
