package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/scaffold"
)

func initCommand() *cobra.Command {
	var o scaffold.Options
	c := &cobra.Command{
		Use:   "init [FUNC...]",
		Short: "Write a fuzz test for functions, and put the library into the module",
		Long: `init writes a fuzz test into the package of the current folder. For two functions or more it compares them, by the library:

  parallax init encoding/json.Valid github.com/goccy/go-json.Valid

puts a copy of the library into third_party/parallax, adds two lines to go.mod, and writes a FuzzValid that calls
parallax.Diff, which go test, go test -fuzz and parallax diff run. For one function it writes a plain fuzz test that calls
it, and adds nothing else. Without functions it only puts the library there, or brings the copy up to date.

Functions are named as for parallax diff, and are those that go.mod selects. In a test of their own package functions that
are not exported can be named too, as in .parse. Files that exist are never overwritten.`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(c *cobra.Command, args []string) error { return initialize(&o, args) },
	}
	fs := c.Flags()
	fs.StringVar(&o.Package, "dir", "", "folder of the package that gets the test (default the current one)")
	fs.StringVar(&o.Name, "name", "", "name of the fuzz test (default Fuzz and the function's name)")
	fs.StringVar(&o.Library, "library", "", "folder for the copy of the library (default third_party/parallax in the module)")
	for _, flag := range []string{"dir", "library"} {
		mustComplete(c, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
	return c
}

func initialize(o *scaffold.Options, args []string) error {
	var err error
	o.Functions = args
	if o.Dir, err = os.Getwd(); err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	if o.Parallax, err = os.Executable(); err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, _ := interruptible()
	result, err := scaffold.Init(ctx, *o)
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		}
		return err
	}
	var b strings.Builder
	for _, line := range result.Done {
		b.WriteString(line + "\n")
	}
	for _, note := range result.Notes {
		b.WriteString("note: " + note + "\n")
	}
	if len(result.Next) > 0 {
		b.WriteString("\nnext:\n\t" + strings.Join(result.Next, "\n\t") + "\n")
	}
	if _, err := os.Stdout.WriteString(b.String()); err != nil {
		return exit.Infra("writing: %w", err)
	}
	return nil
}
