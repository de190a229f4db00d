package archive

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/change/git"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/text"
)

// Note appends an entry to the log of a finding, and returns the finding's state. It changes
// nothing that the folder names, so the folder of a stranger needs no consent.
func (p *Campaign) Note(ctx context.Context, id string, e history.Entry) (history.State, error) {
	b := p.bucket(id)
	switch {
	case b == nil:
		return "", exit.Usage("no finding %q in %s: `parallax show` lists the findings", id, p.Shown())
	case e.Empty():
		return "", exit.Usage("a note is empty: give a text, --owner, --link or --state")
	case e.State == history.Accepted:
		return "", exit.Usage("a note accepts nothing: parallax accept %s --reason \"...\" does", id)
	case e.State != "" && e.State != history.Fixed && b.Extra[findings.GoneKey] != "":
		return "", exit.Usage("%s did not show when its input was run again, so it is fixed until a run shows it", id)
	}
	if err := e.Check(); err != nil {
		return "", err
	}
	if e.State == history.Fixed && e.Revision == "" {
		e.Revision = p.revision(ctx)
	}
	if err := p.enter(b, e); err != nil {
		return "", err
	}
	accepted, err := p.accepted()
	if err != nil {
		return "", err
	}
	return b.History.State(findings.WhollyAccepted(accepted, &b.Bucket), b.Extra[findings.GoneKey] != ""), nil
}

// enter appends an entry to the log of a bucket, with the time and the user.
func (p *Campaign) enter(b *findings.Group, e history.Entry) error {
	e.Time = cmp.Or(e.Time, time.Now().UTC().Truncate(time.Second).Format(time.RFC3339))
	e.Author = cmp.Or(e.Author, Author())
	if err := p.folder.AppendHistory(b.ID, e.Encode()); err != nil {
		return err
	}
	b.History = append(b.History, e)
	return nil
}

// Author returns the name of the user for logs.
func Author() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return strings.ToValidUTF8(u.Username, "")
	}
	return strings.ToValidUTF8(os.Getenv("USER"), "")
}

// revision describes the code that the campaign tests now.
func (p *Campaign) revision(ctx context.Context) string {
	programs := slices.Clone(p.Config.Identity.Programs)
	if p.facts != nil {
		for i := range programs { // Build checks that there are as many
			programs[i].Version = p.facts.Plan.Programs[i].Version
		}
	}
	return state.Revision(git.Revision(ctx, p.Home()), programs)
}

// advance records the result of a replay in the log of a finding: it no longer shows, or shows
// again. The state of a flaky finding stays. It returns the words for the user, or "" if the state
// stays.
func (p *Campaign) advance(ctx context.Context, b *findings.Group, shows bool) string {
	e, changed := b.History.Shown(shows)
	if !changed || b.Extra[findings.FlakyKey] != "" {
		return ""
	}
	e.Via, e.Revision = "replay", p.revision(ctx)
	if err := p.enter(b, e); err != nil {
		return "its state could not be recorded: " + escape.Text(err.Error())
	}
	return escape.Text(text.Became(&e))
}

// NoteOptions say what parallax note records.
type NoteOptions struct {
	Text        string
	Owner, Link *string // nil changes nothing
	State       string
}

// Note records a comment, an owner, a link or a state of a finding, and prints the finding's state.
func Note(ctx context.Context, w io.Writer, out, id string, o NoteOptions) error {
	p, id, err := Find(out, id)
	if err != nil {
		return err
	}
	for _, text := range p.Renamed {
		fmt.Fprintln(os.Stderr, escape.Text(text))
	}
	e := history.Entry{Via: "note", Comment: strings.TrimSpace(o.Text), Owner: o.Owner, Link: o.Link, State: history.State(o.State)}
	now, err := p.Note(ctx, id, e)
	if err != nil {
		return err
	}
	return write(w, fmt.Appendf(nil, "%s is %s: noted in %s\n", id, now, escape.Text(finding.Relative(workingDir(), p.folder.HistoryPath(id)))))
}

// workingDir returns the current folder, or "" if it is unknown.
func workingDir() string {
	dir, _ := os.Getwd()
	return dir
}
