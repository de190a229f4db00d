package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/doctor"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check what parallax needs on this machine, and say how to get what is missing",
		Example: "  parallax doctor\n  parallax doctor > doctor.txt",
		Args:    atMost(0, ""),
		RunE:    func(*cobra.Command, []string) error { return doctor.Report() },
	}
}
