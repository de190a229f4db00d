package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// otherUsage are flags whose text differs between commands, with the reason. Their types do not
// differ.
var otherUsage = map[string]string{
	"dir":      "a hub has a folder, and init writes into one",
	"fuzz":     "gen check examines TestXxx too",
	"memory":   "gen check limits the process of a test, the others a worker",
	"parallel": "bench runs trials, each with one worker",
	"timeout":  "gen check runs properties, and no programs",
}

// TestFlagsMeanOneThing checks that a flag has one meaning in all commands. It has one type and one
// shorthand. Its text begins with the same words, up to the part that depends on the command. Times
// are durations, except for --fuzztime, which also accepts a number of inputs.
func TestFlagsMeanOneThing(t *testing.T) {
	type flag struct{ form, text, command string }
	known := map[string]flag{}
	differ := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			head := f.Usage
			if i := strings.IndexAny(head, ":;(,"); i >= 0 {
				head = head[:i]
			}
			now := flag{fmt.Sprintf("%s, shorthand %q, alone %q", f.Value.Type(), f.Shorthand, f.NoOptDefVal), strings.TrimSpace(head), c.CommandPath()}
			first, ok := known[f.Name]
			if !ok {
				known[f.Name] = now
				first = now
			}
			if now.form != first.form {
				t.Errorf("--%s is %s of %s, and %s of %s", f.Name, now.form, now.command, first.form, first.command)
			}
			if now.text != first.text {
				differ[f.Name] = true
				if otherUsage[f.Name] == "" {
					t.Errorf("--%s is %q of %s, and %q of %s", f.Name, now.text, now.command, first.text, first.command)
				}
			}
			if (strings.HasSuffix(f.Name, "time") || strings.HasSuffix(f.Name, "timeout")) && f.Name != "fuzztime" && f.Value.Type() != "duration" {
				t.Errorf("%s --%s is a %s", now.command, f.Name, f.Value.Type())
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	for name := range otherUsage {
		if !differ[name] {
			t.Errorf("--%s has one text: it is no exception", name)
		}
	}
	if len(known) < 80 {
		t.Errorf("%d flags", len(known))
	}
}
