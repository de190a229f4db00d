package doctor

import (
	"os"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/terminal"
)

// Report checks this machine, and prints what came of it.
func Report() error {
	checks := Run(System())
	if err := Print(os.Stdout, checks, terminal.OutWidth()); err != nil {
		return exit.Infra("writing: %w", err)
	}
	if Code(checks) != exit.OK {
		return exit.Infra("something that parallax needs is missing: see above")
	}
	return nil
}
