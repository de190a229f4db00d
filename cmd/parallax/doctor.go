package main

import (
	"os"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/doctor"
	"parallax/cmd/internal/command/terminal"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check what parallax needs on this machine, and say how to get what is missing",
		Example: "  parallax doctor\n  parallax doctor > doctor.txt",
		Args:    atMost(0, ""),
		RunE: func(*cobra.Command, []string) error {
			checks := doctor.Run(doctor.System())
			if err := doctor.Print(os.Stdout, checks, terminal.OutWidth()); err != nil {
				return exit.Infra("writing: %w", err)
			}
			if doctor.Code(checks) != exit.OK {
				return exit.Infra("something that parallax needs is missing: see above")
			}
			return nil
		},
	}
}
