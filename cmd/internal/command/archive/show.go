package archive

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding/report"
)

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
	b, err := f.WithVariant(p.bucket(id), o.Variant)
	if err != nil {
		return exit.Infra("%w", err)
	}
	if o.Variant == "" {
		b = f.Open(b)
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
		Accepted: row.Accepted, Reason: row.Reason, Accepts: row.Accepts, NewVariant: row.NewVariant, NewVariants: row.NewVariants, Gone: row.Gone, Flaky: row.Wavers,
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
	b, err := f.WithVariant(p.bucket(id), variant)
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
