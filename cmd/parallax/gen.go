package main

import (
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/gencheck"
	"parallax/cmd/internal/command/help"
)

func genCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "gen",
		Short:   "Work with generators",
		Long:    "gen has commands for generators of structured inputs, which tests draw from with gen.Check and gen.Fuzz (parallax help generators).",
		Example: "  parallax gen check ./...\n  parallax gen check ./calc --fuzz 'FuzzEval|TestEval'\n  parallax gen check ./calc --json > report.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return help.Unknown(c, args[0])
			}
			return c.Help()
		},
	}
	c.AddCommand(genCheckCommand())
	return c
}

func genCheckCommand() *cobra.Command {
	var f gencheck.Written
	o := &f.Options
	c := &cobra.Command{
		Use:   "check [PACKAGE...]",
		Short: "List the draws of generators, structural or value, and find mistakes in them",
		Long: `check examines what the properties of gen.Check and gen.Fuzz draw from: every TestXxx and FuzzXxx of the packages that calls one.

It lists each site at which choices are drawn: its label, by which combinator, whether the choices are structural or values, and
the evidence. One choice of an input is changed, and the property is run on the tape again. If other choices are drawn then, or
deeper or less deep ones, the choice is structural. 59 reruns of a site in which nothing changes mean that less than 5 % of
changes matter, at 95 %.

A value on which later draws depend is a mistake, and so is structure that never mattered. So are two draws of a function with
one label, and a draw that no input reaches though others of its function are drawn. A generator must be deterministic. It must
not panic, hang, take too much memory, draw nothing, or draw without bound. Each mistake has advice.

A property is run as it is. Its own failures do not count. parallax help gen-check has the
keys of --json. Exit code 1 means that there are mistakes.`,
		Example: "  parallax gen check ./...\n  parallax gen check ./calc --fuzz 'FuzzEval|TestEval'\n  parallax gen check ./calc --json > report.json",
		RunE: func(_ *cobra.Command, args []string) error {
			o.Packages = args
			return gencheck.Check(f)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.Fuzz, "fuzz", "", "examine only TestXxx and FuzzXxx whose name matches the regular expression")
	fs.IntVar(&o.Inputs, "checks", 100, "inputs of each property")
	fs.IntVar(&o.Reruns, "reruns", 59, "reruns of each site, each with one choice changed")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the random numbers")
	fs.DurationVar(&o.Timeout, "timeout", 2*time.Second, "time limit of a run of a property")
	fs.StringVar(&f.Memory, "memory", "2GiB", "memory limit of a test")
	fs.StringVar(&o.Tags, "tags", "", "build tags of packages")
	noLimits(c)
	uiFlag(c, &f.UI)
	jsonFlag(c, &f.JSON)
	mustComplete(c, "fuzz", cobra.NoFileCompletions)
	return c
}
