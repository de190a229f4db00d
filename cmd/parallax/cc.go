package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/cbuild/clang"
)

// compiler reports whether this process is a compiler. Its first argument says so. For build
// systems that want one word, a link named parallax-cc or parallax-c++ does. The compiler gets
// every argument as it is, and --help too if it is not the only one.
func compiler() (name string, args []string, ok bool) {
	if name, ok := strings.CutPrefix(filepath.Base(os.Args[0]), "parallax-"); ok && (name == "cc" || name == "c++") {
		return name, os.Args[1:], true
	}
	if len(os.Args) > 1 && (os.Args[1] == "cc" || os.Args[1] == "c++") {
		return os.Args[1], os.Args[2:], true
	}
	return "", nil, false
}

func asksHelp(arg string) bool { return arg == "-h" || arg == "--help" }

const compilers = `parallax cc compiles C for fuzzing, and parallax c++ compiles C++: set CC and CXX of any build system to them. They run clang,
which adds counters. A harness that defines LLVMFuzzerTestOneInput is linked unchanged.
All arguments are clang's.

A campaign also needs builds for the operands of comparisons and for sanitizers. They are made when they are needed, or by --make.

For a build system that wants a single word, make a link to parallax with the name parallax-cc or parallax-c++.`

func ccCommand() *cobra.Command {
	return compilerCommand("cc", "c", "Compile and link C for fuzzing: CC=\"parallax cc\"; takes the arguments of clang")
}

func cxxCommand() *cobra.Command {
	return compilerCommand("c++", "cc", "Compile and link C++ for fuzzing: CXX=\"parallax c++\"; takes the arguments of clang++")
}

func compilerCommand(name, source, short string) *cobra.Command {
	return &cobra.Command{
		Use:                name + " [ARGUMENT...]",
		Short:              short,
		Long:               compilers,
		Example:            "  parallax " + name + " -g -O1 harness." + source + " libexample.a -o harness\n  make CC=\"parallax cc\" CXX=\"parallax c++\"\n  parallax " + name + " --make ./harness",
		DisableFlagParsing: true, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && asksHelp(args[0]) {
				return c.Help()
			}
			os.Exit(clang.Main(name, args)) // reached by a path that compiler does not see
			return nil
		},
	}
}
