// Package past has what commands do with campaigns in folders: show, report, replay, minimize,
// accept and export. cmd/parallax calls it; command/archive reads the folders.
package past

import (
	"context"
	"errors"
	"fmt"
	"os"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/show/ui"
)

// A Choice is a campaign's folder, "" for those in .parallax, and whether the user trusts it.
type Choice struct {
	Folder string
	Trust  bool
}

// IDs lists the ids of the findings in a folder, or of those in .parallax.
func IDs(folder string) []string { return archive.IDs(folder) }

// onTarget builds the target of a past campaign and runs work on it. ^C ends both, which is no
// error.
func onTarget(p *archive.Campaign, trust bool, work func(ctx context.Context) error) error {
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	if trust {
		p.Trust()
	}
	ctx, interrupt := terminal.Interruptible()
	view := ui.New(os.Stderr, ui.Line, interrupt)
	notes, err := p.Build(ctx, tool, view.Step)
	view.Close()
	if err == nil {
		for _, n := range notes {
			terminal.Say("note: %v", n)
		}
		err = work(ctx)
	}
	if ctx.Err() != nil && exit.Code(err) != exit.Found {
		fmt.Fprintln(os.Stderr, "parallax: interrupted")
		return nil
	}
	return err
}

// each does work for each campaign that has the finding which args name, and returns the worst
// error.
func each(out string, args []string, work func(out string) error) error {
	holders := archive.Holders(out, args)
	var worst error
	for i, dir := range holders {
		if len(holders) > 1 {
			fmt.Printf("%s%s:\n\n", map[bool]string{true: "\n"}[i > 0], dir)
		}
		worst = worse(worst, work(dir))
	}
	return worst
}

// sayRenamed says which findings the user has named by former ids.
func sayRenamed(p *archive.Campaign) {
	for _, text := range p.Renamed {
		terminal.Say("%s", text)
	}
}

// worse is the error of two that counts: that there are findings counts least.
func worse(a, b error) error {
	if b != nil && (a == nil || errors.Is(a, exit.ErrFound)) {
		return b
	}
	return a
}

// Noted says which campaign has the finding, and the entry of its history.
type Noted struct {
	Folder string
	Note   archive.NoteOptions
}

// Note records an entry in the history of a finding.
func Note(ctx context.Context, o Noted, id string) error {
	return archive.Note(ctx, os.Stdout, o.Folder, id, o.Note)
}
