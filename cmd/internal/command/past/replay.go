package past

import (
	"context"
	"fmt"
	"os"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
)

// Replay executes findings, or files, again: all findings if there are no names.
func Replay(o Choice, names []string) error {
	if len(names) == 0 {
		return replayAll(o.Folder, o.Trust)
	}
	return each(o.Folder, names, func(out string) error {
		p, items, err := archive.Select(out, names)
		if err != nil {
			return err
		}
		sayRenamed(p)
		return replayOne(p, o.Trust, items)
	})
}

func replayOne(p *archive.Campaign, trust bool, items []archive.Item) error {
	return onTarget(p, trust, func(ctx context.Context) error {
		shows, err := p.Replay(ctx, os.Stdout, items)
		if err == nil && shows {
			err = exit.ErrFound
		}
		return err
	})
}

// replayAll replays all findings of all campaigns, or of the one that out names.
func replayAll(out string, trust bool) error {
	pasts, problems, err := archive.Open(out)
	if err != nil {
		return err
	}
	for _, p := range problems {
		terminal.Say("note: %v", p)
	}
	var worst error
	replayed := 0
	for _, p := range pasts {
		items := p.All()
		if len(items) == 0 {
			continue
		}
		if replayed++; replayed > 1 {
			fmt.Println()
		}
		if len(pasts) > 1 {
			fmt.Printf("%s:\n\n", p.Shown())
		}
		worst = worse(worst, replayOne(p, trust, items))
	}
	if replayed == 0 {
		fmt.Println("no findings to replay")
	}
	return worst
}

// Accept marks findings as known and intended.
func Accept(ctx context.Context, o Choice, names []string, reason string) error {
	say := func(text string) { fmt.Fprintln(os.Stderr, escape.Text(text)) }
	return archive.Accept(ctx, os.Stdout, say, o.Folder, names, strings.TrimSpace(reason), o.Trust)
}

// Minimize looks for smaller inputs of findings, for a budget as --fuzztime takes it.
func Minimize(o Choice, names []string, fuzzTime string) error {
	budget, err := campaign.ParseBudget(fuzzTime)
	if err != nil {
		return err
	}
	effort := archive.Effort{Inputs: int(budget.Inputs), Time: budget.Time}
	return each(o.Folder, names, func(out string) error {
		p, items, err := archive.Select(out, names)
		if err != nil {
			return err
		}
		sayRenamed(p)
		if err := archive.OnlyFindings("minimize", items); err != nil {
			return err
		}
		if err := p.Minimizable(); err != nil {
			return err
		}
		return onTarget(p, o.Trust, func(ctx context.Context) error { return p.Minimize(ctx, os.Stdout, items, effort) })
	})
}
