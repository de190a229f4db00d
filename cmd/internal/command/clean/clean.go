// Package clean removes what parallax keeps in the user's cache, and says what it removed.
// cmd/parallax calls it.
package clean

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/command/terminal"
)

// Options say what is removed.
type Options struct {
	Older   time.Duration
	Size    string
	JSON    bool
	Request buildcache.Request     // Dry
	Given   func(flag string) bool // whether the user has given a flag
}

// Run removes what the options say.
func Run(f Options) error {
	if f.Given("older") && f.Older <= 0 {
		return exit.Usage("--older %v: choose a time such as 168h", f.Older)
	}
	f.Request.Older = f.Older
	if f.Given("size") {
		var err error
		if f.Request.To, err = buildcache.ParseSize(f.Size); err != nil {
			return exit.Usage("--size %q: give a size with its unit, such as 5GiB", f.Size)
		}
		f.Request.Bounded = true
	}
	ctx, _ := terminal.Interruptible()
	done, err := buildcache.Clean(ctx, f.Request, func(text string) { fmt.Fprintln(os.Stderr, escape.Text(text)) })
	if err != nil {
		return unlessStopped(ctx, err)
	}
	if err := f.print(done); err != nil {
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

// print lists what was removed.
func (f *Options) print(done *buildcache.Cleaned) error {
	if f.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(done)
	}
	removed, freed := "removed", "freed"
	if f.Request.Dry {
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
