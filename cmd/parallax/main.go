// Command parallax finds where implementations of the same thing disagree, and runs fuzz tests that
// exist. See the README for what it does and docs/ for how.
//
// Each command has a file here that turns flags into options, and calls the package of command that
// runs it.
package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/command/help"
	"parallax/cmd/internal/command/role"
	"parallax/cmd/internal/command/terminal"
)

func main() {
	// The go command runs parallax in place of the compiler for each instrumented package, and as the
	// guard of builds. Both start often, so they are recognized before anything else is set up. So is
	// the sandbox of other programs. A campaign has several, and each reports problems to the process
	// that started it.
	if name, args, ok := compiler(); ok {
		if len(args) == 1 && asksHelp(args[0]) {
			os.Exit(run([]string{name, args[0]}))
		}
		os.Exit(clang.Main(name, args))
	}
	if len(os.Args) > 2 {
		if play := role.Find(os.Args[1]); play != nil {
			os.Exit(play(os.Args[2:]))
		}
	}
	collectLess()
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	root := newRoot()
	help.Set(root, help.Brief(args))
	root.SetArgs(help.Accustomed(root, args))
	err := root.Execute()
	if errors.Is(err, exit.ErrFound) {
		return exit.Found
	}
	if err != nil {
		terminal.Say("%v", err)
	}
	return exit.Code(err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "parallax",
		Short: "Find inputs on which implementations of the same thing disagree, and run FuzzXxx",
		Long: `parallax runs two or more implementations of the same thing side by side on the same inputs. It searches for behavior that only
some of them show, and reports inputs on which they disagree. It also runs the FuzzXxx of go test, unchanged.

  parallax diff encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5 --fuzztime 30s
  parallax fuzz ./... --fuzztime 1m

C and C++ libraries are compiled with parallax cc and parallax c++, and use harnesses for libFuzzer unchanged:

  parallax cc -g -O1 harness.c libexample.a -o harness
  parallax fuzz ./harness --fuzztime 1m`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(help.Explain)
	root.SetHelpCommand(helpCommand())
	root.AddCommand(diffCommand(), initCommand(), fuzzCommand(), regressCommand(), modelCommand(), showCommand(), replayCommand(), minimizeCommand(), acceptCommand(), noteCommand(), reportCommand(), exportCommand(), bisectCommand(), benchCommand(), corpusCommand(), genCommand(), ccCommand(), cxxCommand(), serveCommand(), cleanCommand(), doctorCommand(), manCommand(), versionCommand())
	show := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return help.Unknown(c, args[0])
		}
		if *show {
			printVersion()
			return nil
		}
		return c.Help()
	}
	root.PersistentFlags().Var(terminal.ColorValue{}, "color", "color the text: auto, always or never")
	choices(root, "color", false, "auto", "always", "never")
	root.Args = cobra.ArbitraryArgs
	strict(root)
	help.Group(root)
	return root
}
