package archive

import (
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/show/page"
	"parallax/internal/diversity"
)

// executed returns the blocks that the campaign has executed, as its folder has them: no program is
// built or run. The counts are unique traces. It returns nil and the reason if the folder does not
// know the places of the blocks.
func (p *Campaign) executed() (c *page.Coverage, reason string) {
	names := p.Config.Identity.Names()
	data, err := p.folder.ReadBlocks()
	switch {
	case err != nil:
		return nil, FirstLine(err)
	case data == nil:
		return nil, "The folder does not have the places of the blocks: the next run of the campaign writes them."
	}
	o, err := flow.DecodeOutline(data, len(names))
	if err != nil {
		return nil, "blocks.bin cannot be read: " + err.Error() + ". The next run of the campaign writes it again."
	}
	snap, _, err := p.folder.Load()
	if err != nil {
		return nil, FirstLine(err)
	}
	if snap.BuildID != o.Build {
		return nil, "The programs have changed since the last run, which measures the coverage again."
	}
	seen, traces := make([][]byte, len(names)), make([][]uint64, len(names))
	for i, name := range names {
		if len(snap.Seen[name]) == o.Space.Len() {
			seen[i] = snap.Seen[name]
		}
		if len(names) == 1 {
			name = "" // the record of all programs
		}
		if r, err := diversity.Decode(snap.Branches[name], o.Space.Len()); err == nil {
			traces[i] = r.Counts(nil, false)
		}
	}
	c = &page.Coverage{}
	for _, f := range files(o.Space, len(names), func(p, id int, _ bool) (h page.Hit) {
		if seen[p] != nil {
			h.Ever = seen[p][id] != 0
		}
		if id < len(traces[p]) {
			h.Traces = int(traces[p][id])
		}
		return h
	}) {
		if f.Path == "" {
			continue // features, which are no places
		}
		if !filepath.IsAbs(f.Path) {
			f.Path = filepath.Join(p.Options.Dir, f.Path)
		}
		f.Own = o.Own[f.Folder]
		c.Files = append(c.Files, f)
	}
	if len(c.Files) == 0 {
		return nil, "The blocks of these programs are not known."
	}
	return c, ""
}

// Executed returns the coverage by line, or the reason why it is not known.
func (v *View) Executed() (*page.Coverage, string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.lines == nil && v.noLines == "" {
		v.lines, v.noLines = v.executed()
	}
	return v.lines, v.noLines
}

// Input returns an input of the corpus, and the inputs from which it was made.
func (v *View) Input(hash string) (*page.Origin, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	o := v.origin(hash)
	if o == nil {
		return nil, exit.Usage("The corpus of %s has no input %q.", v.Shown(), hash)
	}
	return o, nil
}
