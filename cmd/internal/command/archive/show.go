package archive

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/subject"
)

// ShowOptions configures the view of a finding.
type ShowOptions struct {
	Terminal bool // plain text for a terminal; otherwise Markdown
	text.TextOptions
	Now time.Time
	// Variant is the name by which the user chose the finding. If it is the id of a variant, the
	// finding of that variant is shown.
	Variant string
	Alone   bool // campaigns next to it are not searched for findings with the same cause
}

// Show prints the report of a bucket's smallest finding, with the current facts about the bucket.
func (p *Campaign) Show(w io.Writer, id string, o ShowOptions) error {
	f, err := p.findings()
	if err != nil {
		return err
	}
	text, err := p.report(f, id, o)
	if err != nil {
		return err
	}
	return write(w, text)
}

// named returns a bucket with the finding of a variant as Best. Without the id of a variant, it is
// the finding that lists show.
func (p *Campaign) named(f *findings.Buckets, id, variant string) (*findings.Group, error) {
	b := p.bucket(id)
	if variant == id || !b.IsVariant(variant) {
		return f.Open(b), nil
	}
	as, err := f.WithVariant(b, variant)
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	return as, nil
}

// report returns the report that Show prints. f holds the campaign's buckets.
func (p *Campaign) report(f *findings.Buckets, id string, o ShowOptions) ([]byte, error) {
	b, err := p.named(f, id, o.Variant)
	if err != nil {
		return nil, err
	}
	f.Link(b)
	page := f.Page(b)
	page.Folder = filepath.Dir(p.folder.FindingPath(b.ID, b.BestHash, findings.ReportFile))
	if dir, err := os.Getwd(); err == nil {
		page.Folder, page.Here = finding.Relative(dir, page.Folder), dir
	}
	page.Replay = p.replay(b)
	if !o.Alone {
		page.Sharers = p.sharers(b.ID)
	}
	if p.Minimizable() == nil {
		page.Minimize = p.command("minimize", b)
	}
	row := f.Row(b)
	page.Life = &finding.Life{
		Count: b.Count, FirstSeen: b.FirstSeen, First: findings.ParseStamp(b.FirstTime), Last: findings.ParseStamp(b.LastTime), Now: o.Now,
		Acceptance: row.Acceptance, Gone: row.Gone, Flaky: row.Wavers,
		State: history.State(row.State), Owner: row.Owner, Link: row.Link, History: b.History,
	}
	if o.Terminal {
		return text.Terminal(b.Best, page, o.TextOptions), nil
	}
	return text.Markdown(b.Best, page), nil
}

// ShowJSON prints the recorded outputs of a bucket's smallest finding, or of a variant, the similar
// buckets, and the other findings with its cause.
func (p *Campaign) ShowJSON(w io.Writer, id, variant string) error {
	f, err := p.findings()
	if err != nil {
		return err
	}
	b, err := p.named(f, id, variant)
	if err != nil {
		return err
	}
	data, err := p.record(f, b, p.sharers(b.ID))
	if err != nil {
		return err
	}
	return write(w, data)
}

// record returns the record of a bucket's smallest finding with the current facts about the bucket.
func (p *Campaign) record(f *findings.Buckets, b *findings.Group, sharers []finding.Sharer) ([]byte, error) {
	f.Link(b)
	best := *b.Best
	best.Replay = p.replay(b)
	row := f.Row(b)
	return best.JSONWith(finding.Beside{
		Similar: row.Similar, SameCause: sharers, State: row.State, Owner: row.Owner, Link: row.Link, History: b.History, Older: row.Older,
	})
}

// sharers returns the other findings with the cause of a bucket, in this campaign and in those next
// to it. Campaigns that cannot be read are left out.
func (p *Campaign) sharers(id string) (list []finding.Sharer) {
	if p.Config.Identity.Mode != subject.Regress {
		return nil
	}
	own, err := p.Summary()
	if err != nil {
		return nil
	}
	all := []*finding.Summary{own}
	for _, dir := range campaigns(filepath.Dir(p.folder.Dir())) {
		other, err := open(dir)
		if err != nil || other.folder.Dir() == p.folder.Dir() || other.Config.Identity.Mode != subject.Regress {
			continue
		}
		if s, err := other.Summary(); err == nil {
			all = append(all, s)
		}
	}
	finding.Relate(all)
	return finding.SharersOf(all, own, id)
}

func write(w io.Writer, data []byte) error {
	_, err := w.Write(data)
	return exit.Doing("writing", err)
}
