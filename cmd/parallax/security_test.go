package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestSecurity checks that the table of SECURITY.md has the existing commands, and each that asks
// for --trust.
func TestSecurity(t *testing.T) {
	data, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "| command | executes |")
	table, _, _ = strings.Cut(table, "\n\n")
	root := newRoot()
	named := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*) \|`).FindAllStringSubmatch(table, -1) {
		for _, m := range regexp.MustCompile("`([a-z ]+)[^`]*`").FindAllStringSubmatch(row[1], -1) {
			words := strings.Fields(m[1])
			c, rest, err := root.Find(words)
			if err != nil || c == root || len(rest) > 0 {
				t.Errorf("there is no command %q", m[1])
			}
			if err == nil {
				named[c.CommandPath()] = true
			}
		}
	}
	everyCommand(func(_ []string, c *cobra.Command) {
		if c.Flags().Lookup("trust") != nil && !named[c.CommandPath()] {
			t.Errorf("%s has --trust, and is not in the table", c.CommandPath())
		}
	})
	if len(named) < 10 {
		t.Errorf("only %v", named)
	}
}
