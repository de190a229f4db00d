package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/command/terminal"
)

func cleanCommand() *cobra.Command {
	var f cleanFlags
	c := &cobra.Command{
		Use:   "clean",
		Short: "Remove what parallax keeps in the user's cache",
		Long: `clean removes builds, copies of versions, environments of engines and all else that parallax keeps in the user's cache, below
XDG_CACHE_HOME or ~/.cache. All of it is made again when a command needs it. Files that a running process uses stay. Campaigns,
which lie in .parallax or where --out says, are no part of the cache.

Without flags it removes all. --older and --size say what is removed; with both, what either of them says.

Each run keeps the cache below PARALLAX_CACHE_LIMIT, which is 10GiB unless you set it to another size or to off. It also removes
files that were not used for 30 days.`,
		Example: "  parallax clean --dry-run\n  parallax clean --older 168h\n  parallax clean --size 5GiB --dry-run",
		Args:    atMost(0, ""),
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	c.Flags().DurationVar(&f.older, "older", 0, "remove only files that were not used for so long, such as 168h")
	c.Flags().StringVar(&f.to, "size", "", "remove what was used longest ago, until the rest takes no more than this, such as 5GiB")
	c.Flags().BoolVarP(&f.request.Dry, "dry-run", "n", false, "only say what would be removed")
	jsonFlag(c, &f.json)
	return c
}

type cleanFlags struct {
	older   time.Duration
	to      string
	json    bool
	request buildcache.Request
}

func (f *cleanFlags) run(c *cobra.Command) error {
	if c.Flags().Changed("older") && f.older <= 0 {
		return exit.Usage("--older %v: choose a time such as 168h", f.older)
	}
	f.request.Older = f.older
	if c.Flags().Changed("size") {
		var err error
		if f.request.To, err = buildcache.ParseSize(f.to); err != nil {
			return exit.Usage("--size %q: give a size with its unit, such as 5GiB", f.to)
		}
		f.request.Bounded = true
	}
	ctx, _ := terminal.Interruptible()
	done, err := buildcache.Clean(ctx, f.request, func(text string) { fmt.Fprintln(os.Stderr, escape.Text(text)) })
	if err != nil {
		return unlessStopped(ctx, err)
	}
	if err := f.tell(done); err != nil {
		return exit.Infra("writing: %w", err)
	}
	if n := len(done.Problems); n > 0 {
		return exit.Infra("not all could be removed:\n%s", strings.Join(done.Problems[:min(n, shownProblems)], "\n"))
	}
	return nil
}

// shownProblems is how many reasons clean gives; --json has all.
const shownProblems = 8

// unlessStopped drops the error of a command that the user ended before it did anything.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "parallax: interrupted: nothing was removed")
	return nil
}

func (f *cleanFlags) tell(done *buildcache.Cleaned) error {
	if f.json {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(done)
	}
	removed, freed := "removed", "freed"
	if f.request.Dry {
		removed, freed = "would remove", "would free"
	}
	var b strings.Builder
	for _, p := range done.Parts {
		fmt.Fprintf(&b, "%-12s %s %s, %s; left %s", p.Name, removed, units.Thousands(uint64(p.Removed)), units.Bytes(p.Freed), units.Bytes(p.Left))
		if p.InUse > 0 {
			fmt.Fprintf(&b, ", in use %d", p.InUse)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s %s in %s; %s left\n", freed, units.Bytes(done.Freed), escape.Text(done.Dir), units.Bytes(done.Left))
	_, err := os.Stdout.WriteString(b.String())
	return err
}
