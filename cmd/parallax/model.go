package main

import (
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/model"
)

func modelCommand() *cobra.Command {
	f := model.Options{Options: fuzzing.New(fuzzing.ModeModel)}
	c := &cobra.Command{
		Use:   "model {--engine NAME==VERSION [--functions F,...] | CONFIG.toml}",
		Short: "Check models of functions against their originals, within the models' scope",
		Long: `model takes the models of functions that a symbolic-execution engine has. It finds the part of each function that the
model is meant for (its scope), and fuzzes the original there. It reports calls within the scope on which the model and the
original differ:

  parallax model --engine angr==9.2.213 --functions strchr,strncpy,atoi
  parallax model --engine angr==9.2.213

The engine is installed into parallax's cache, each version in an environment of its own. Without --functions, all models that
the engine lists and that parallax can call are checked. Differences outside of the scope are counted by kind, and are no
findings: models are partial on purpose. --explain lists the paths of each original: in scope or not, and why.

A finding is filed when two solvers, this machine's C library and the engine's own run of the call confirm it. parallax help
model.md has more.

The engine crosshair has models of the methods and operators of Python's str, int and bytes, which are compared with CPython:

  parallax model --engine crosshair==0.0.112 --functions str.title,int.__pow__

A configuration has models of other kinds: in SMT-LIB, C, Go, JavaScript, and formulas for PHP's functions (parallax help
model.md).

Exit code 1 means that there are findings; --fail-on worse counts models that became worse since --base, too.`,
		Example: "  parallax model --engine angr==9.2.213 --functions strchr,atoi\n  parallax model --engine crosshair==0.0.112 --functions str.title\n  parallax model parallax.toml",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return model.Run(f, args) },
	}
	register(c, &f.Options)
	fs := c.Flags()
	for _, name := range []string{"fuzz", "go-cache", "dict", "grammar", "grammar-operands", "repair", "max-bytes", "timeout", "memory", "instrument", "tags",
		"no-cmplog", "without", "published", "compare", "pool-size", "ordered-traces", "mutators"} {
		if fs.Lookup(name) != nil {
			fs.MarkHidden(name)
		}
	}
	for name, value := range map[string]string{"fuzztime": "20000x", "parallel": "1"} {
		fl := fs.Lookup(name)
		fl.DefValue = value
		fl.Value.Set(value)
	}
	fs.StringVar(&f.Engine, "engine", "", "the engine and its version, such as angr==9.2.213: "+model.Engines())
	fs.StringVar(&f.Base, "base", "", "the old version: of the engine, such as angr==9.2.68, to say which models became better or worse since then")
	fs.StringSliceVar(&f.Functions, "functions", nil, "functions whose models are checked, or names of models of a configuration (default all)")
	fs.StringArrayVar(&f.Declared, "prototype", nil, "the C declaration of a function that the engine has no prototype of, such as 'int f(char *, int)'; may be repeated")
	fs.StringVar(&f.CompareBy, "compare-results", "", "how results are compared: exact, sign, truth, offset, none (default by the function in C); for Python's methods exact, or set for lists in any order")
	fs.IntVar(&f.Elements, "elements", model.DefaultElements, "elements of each buffer, without the zero at the end of a string")
	fs.IntVar(&f.Samples, "samples", model.DefaultSamples, "calls by which the scope of a function is found (600 where a solver has to be asked about each)")
	fs.Float64Var(&f.Threshold, "threshold", model.DefaultThreshold, "share of calls on which a path has to agree to be in scope")
	fs.StringVar(&f.ScopeFile, "scope", "", "a file of what the engine's models are meant for, by its documents: [[scope]] with function, holds and source (parallax help model.md)")
	fs.IntVar(&f.Proofs, "proofs", model.DefaultProofs, "questions for a solver about the paths of each original, to prove more than the samples show; 0 is none")
	fs.DurationVar(&f.ExtractTime, "extract-timeout", time.Minute, "time limit for the extraction of one model")
	fs.StringVar(&f.Confirm, "confirm", "symbolic", "how the engine confirms findings: symbolic, its answer to symbols that are held to the call's values; concrete, its answer to the values")
	choices(c, "confirm", false, "concrete", "symbolic")
	fs.StringVar(&f.FailOn, "fail-on", "findings", "what makes the command fail: findings, or worse for models that became worse or were lost since --base, too")
	choices(c, "fail-on", false, "findings", "worse")
	fs.BoolVar(&f.Explain, "explain", false, "list the paths of each original: in scope or not, and why")
	mustComplete(c, "engine", cobra.NoFileCompletions)
	mustComplete(c, "functions", cobra.NoFileCompletions)
	mustComplete(c, "prototype", cobra.NoFileCompletions)
	return c
}
