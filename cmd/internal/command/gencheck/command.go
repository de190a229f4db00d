package gencheck

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/charmbracelet/x/term"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/show/ui"
)

// Written are the options of gen check, as the user wrote them.
type Written struct {
	Fuzz, Memory, UI string
	JSON             bool
	Options          Options
}

// Check runs gen check.
func Check(f Written) error {
	o := &f.Options
	var err error
	if f.Fuzz != "" {
		if o.Match, err = regexp.Compile(f.Fuzz); err != nil {
			return exit.Usage("--fuzz %q is not a regular expression: %w", f.Fuzz, err)
		}
	}
	if o.Memory, err = campaign.ParseMemory(f.Memory); err != nil {
		return err
	}
	switch {
	case o.Inputs < 1:
		return exit.Usage("--checks %d: there is nothing to examine; one input is the least", o.Inputs)
	case o.Reruns < 0:
		return exit.Usage("--reruns %d: give 0 or more", o.Reruns)
	case o.Timeout < 20*time.Millisecond:
		return exit.Usage("--timeout %v: 20ms is the least", o.Timeout)
	}
	if o.Dir, err = os.Getwd(); err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	if o.Tool, err = os.Executable(); err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, interrupt := terminal.Interruptible()
	view := ui.New(os.Stderr, f.UI, interrupt)
	defer view.Close()
	o.Progress = view.Step
	r, err := Run(ctx, *o)
	view.Close()
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "parallax: interrupted: there is no report")
		return nil
	}
	if err != nil {
		return err
	}
	if f.JSON {
		var data []byte
		if data, err = json.Marshal(r); err == nil {
			_, err = os.Stdout.Write(append(data, '\n'))
		}
	} else {
		err = r.Text(os.Stdout, terminal.OutWidth(), term.IsTerminal(os.Stdout.Fd()))
	}
	if err != nil {
		return exit.Infra("writing: %w", err)
	}
	if len(r.Mistakes) > 0 {
		return exit.ErrFound
	}
	return nil
}
