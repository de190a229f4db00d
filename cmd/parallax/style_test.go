package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parallax/cmd/internal/base/styletest"
)

// TestHelpStyle checks the help of all commands and flags by docs/dev/style.md.
func TestHelpStyle(t *testing.T) {
	everyCommand(func(path []string, c *cobra.Command) {
		name := "parallax " + strings.Join(path, " ")
		for _, text := range []string{c.Short, c.Long} {
			for _, p := range styletest.Help(text) {
				t.Errorf("%s: %s", name, p)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			for _, p := range styletest.Help(f.Usage) {
				t.Errorf("%s --%s: %s", name, f.Name, p)
			}
		})
	})
}
