package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/fuzzing"
)

func fuzzCommand() *cobra.Command {
	f := fuzzing.New(fuzzing.ModeFuzz)
	c := &cobra.Command{
		Use:   "fuzz {[PACKAGE...] | HARNESS...}",
		Short: "Fuzz existing FuzzXxx, or C and C++ harnesses, unchanged",
		Long: `fuzz runs every func FuzzXxx(f *testing.F) of the packages, as go test -fuzz does, but faster and without its limits.
It runs several targets and packages, goes on after the first failure, and groups failures by cause.

  parallax fuzz ./... --fuzztime 1m
  parallax fuzz ./parse --fuzz FuzzHeader --fuzztime 1000000x --parallel 1 --seed 1

Seeds come from f.Add and testdata/fuzz. Each target has its own campaign (.parallax/<target>), which the same command resumes.
parallax export writes findings to testdata/fuzz, where go test runs them.

parallax cc or parallax c++ links a C or C++ harness (LLVMFuzzerTestOneInput). With its path, fuzz reports crashes, errors that
sanitizers detect, leaks, and inputs that take too much time or memory (parallax help c):

  parallax fuzz ./fuzz_parse --seeds corpus --dict xml.dict

Exit code 1 means that there are findings.`,
		Example: "  parallax fuzz ./... --fuzztime 1m\n  parallax fuzz ./parse --fuzz FuzzHeader --fuzztime 100000x\n  parallax fuzz ./harness --seeds corpus --dict xml.dict --fuzztime 1m",
		RunE:    func(_ *cobra.Command, args []string) error { return fuzzing.Fuzz(&f, args) },
	}
	register(c, &f)
	return c
}
