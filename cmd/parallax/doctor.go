package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/doctor"
	"parallax/cmd/internal/exit"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check what parallax needs on this machine, and say how to get what is missing",
		Example: "  parallax doctor\n  parallax doctor > doctor.txt",
		Args:    atMost(0, ""),
		RunE: func(*cobra.Command, []string) error {
			checks := doctor.Run(doctor.System())
			if err := doctor.Print(os.Stdout, checks, stdoutWidth()); err != nil {
				return exit.Infra("writing: %w", err)
			}
			if doctor.Code(checks) != exit.OK {
				return exit.Infra("something that parallax needs is missing: see above")
			}
			return nil
		},
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  atMost(0, ""),
		Run: func(*cobra.Command, []string) {
			printVersion()
		},
	}
}

func printVersion() {
	fmt.Printf("parallax %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is the module's version, or the revision that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
