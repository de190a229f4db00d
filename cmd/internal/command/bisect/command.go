package bisect

import (
	"fmt"
	"os"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/show/ui"
)

// Bisect answers a query on the terminal, or as JSON.
func Bisect(b *Query, asJSON bool) error {
	var err error
	if b.Tool, err = os.Executable(); err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, interrupt := terminal.Interruptible()
	view := ui.New(os.Stderr, ui.Line, interrupt)
	b.Step, b.Tell = view.Step, view.Message
	r, err := b.Run(ctx)
	view.Close()
	interrupted := ctx.Err() != nil && (r == nil || r.Status == StatusStopped)
	if r != nil && len(r.Tried) > 0 {
		if failed := printReport(r, asJSON); failed != nil {
			return failed
		}
	}
	if interrupted {
		fmt.Fprintln(os.Stderr, "parallax: interrupted")
		return nil
	}
	return err
}

func printReport(r *Report, asJSON bool) error {
	if !asJSON {
		return r.Text(os.Stdout)
	}
	data, err := r.JSON()
	if err != nil {
		return exit.Infra("%w", err)
	}
	_, err = os.Stdout.Write(data)
	return exit.Doing("writing", err)
}
