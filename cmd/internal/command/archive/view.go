package archive

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/page"
)

// Follower reads the folder of a campaign again and again, as the live page does. It reads what
// changed since the last time.
type Follower struct {
	dir   string
	cache findings.Cache
	stamp string
	last  *View
}

// Follow returns a follower of the campaign in a folder.
func Follow(dir string) *Follower { return &Follower{dir: dir} }

// View is a campaign at one moment. Several goroutines may use it.
type View struct {
	*Campaign
	Page    *page.Campaign // without findings
	Running bool
	Waiting int // candidates that wait for triage

	mu    sync.Mutex // guards the fields below, which read files on demand
	known *findings.Buckets

	lines   *page.Coverage // nil until it is asked for
	noLines string         // the reason why there are none
}

// Read returns the campaign as it is now. It returns the view of the last call if nothing changed.
func (f *Follower) Read(now time.Time) (*View, error) {
	p, err := openFolder(f.dir)
	if err != nil {
		f.stamp = "" // it may come back unchanged
		return nil, err
	}
	stamps, err := findings.Stamps(p.folder)
	if err != nil {
		return nil, err
	}
	running := p.folder.Running(now)
	stamp := p.folder.Stamp() + fileStamp(p.Options.AcceptedFile())
	if f.last != nil && stamp == f.stamp && !f.cache.Changed(stamps) {
		if f.last.Running == running {
			return f.last, nil
		}
		f.last = f.last.at(running)
		return f.last, nil
	}
	p.buckets, p.problems, p.damaged, err = f.cache.Read(p.folder, stamps)
	if err != nil {
		return nil, err
	}
	p.keepAccepted()
	v := &View{Campaign: p, Running: running, Waiting: p.folder.Waiting()}
	if v.known, err = p.findings(); err != nil {
		return nil, err
	}
	s, err := p.totals()
	if err != nil {
		return nil, err
	}
	p.count(s, v.known)
	if v.Page, err = p.outline(s, v.known); err != nil {
		return nil, err
	}
	f.last, f.stamp = v, stamp
	return v, nil
}

// at returns the same view of a campaign that began or ended.
func (v *View) at(running bool) *View {
	return &View{Campaign: v.Campaign, Page: v.Page, Waiting: v.Waiting, known: v.known, Running: running}
}

func fileStamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return info.ModTime().String()
}

// Workers returns the number of workers of the last invocation.
func (v *View) Workers() int { return v.Config.Parallel }

// Finding returns a finding for the page.
func (v *View) Finding(row *finding.Row) (f page.Shown, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bucket(row.ID) == nil {
		return f, exit.Usage("no finding %q in %s", row.ID, v.Shown())
	}
	if f, err = v.pageFinding(v.known, *row); err != nil {
		return f, err
	}
	text, err := v.report(v.known, row.ID, ShowOptions{Now: time.Now(), Alone: true})
	f.Issue = string(text)
	f.Ancestors = v.ancestors(f.Record)
	return f, err
}

// Record returns the record of a finding, as show --json prints it.
func (v *View) Record(id string) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	b := v.bucket(id)
	if b == nil {
		return nil, exit.Usage("no finding %q in %s", id, v.Shown())
	}
	own := *b
	return v.record(v.known, &own, nil)
}

// Note appends an entry to the history of a finding.
func (v *View) Note(ctx context.Context, id string, e history.Entry) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, err := v.Campaign.Note(ctx, id, e)
	return err
}

// Accept marks a finding as known, as the command accept does. The user must have trusted the
// folder before.
func (v *View) Accept(ctx context.Context, id, reason, author string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	b := v.bucket(id)
	if b == nil {
		return exit.Usage("no finding %q in %s", id, v.Shown())
	}
	as := history.Entry{Via: "page", State: history.Accepted, Reason: reason, Author: author}
	if err := as.Check(); err != nil {
		return err
	}
	if err := v.Trusted(); err != nil {
		return err
	}
	variants, err := variantsOf(v.folder.Dir(), v.Campaign, b)
	if err != nil {
		return err
	}
	return v.accept(ctx, io.Discard, func(string) {}, b, variants, as)
}

// Folders returns the folders of campaigns that a user means by folders: campaigns, folders of
// campaigns, and folders with a folder .parallax. Without any, it means .parallax here.
func Folders(dirs []string) (list []string, err error) {
	if len(dirs) == 0 {
		return campaigns(state.Home), nil
	}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		switch {
		case err != nil:
			return nil, exit.Usage("%s: there is no such folder: name the folder of a campaign, or one that holds campaigns", dir)
		case !info.IsDir():
			return nil, exit.Usage("%s is a file: name the folder of a campaign, or one that holds campaigns", dir)
		}
		if _, err := os.Stat(filepath.Join(dir, "campaign.json")); err == nil {
			list = append(list, dir)
			continue
		}
		list = append(append(list, campaigns(dir)...), campaigns(filepath.Join(dir, state.Home))...)
	}
	return list, nil
}

// FirstLine returns the first line of an error, for the page.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimSuffix(line, ":")
}
