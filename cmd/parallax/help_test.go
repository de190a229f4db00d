package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpOf returns the help of a command at a level.
func helpOf(t *testing.T, short bool, args ...string) string {
	t.Helper()
	root := newRoot()
	setHelp(root, short)
	c, _, err := root.Find(args)
	if err != nil {
		t.Fatal(err)
	}
	c.InitDefaultHelpFlag()
	var b bytes.Buffer
	c.SetOut(&b)
	if err := c.Help(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func everyCommand(visit func(path []string, c *cobra.Command)) {
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		visit(path, c)
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub, append(slices.Clone(path), sub.Name()))
			}
		}
	}
	walk(newRoot(), nil)
}

// The short help fits a screen. The commands that fuzz show three examples.
func TestShortHelp(t *testing.T) {
	everyCommand(func(path []string, c *cobra.Command) {
		text := helpOf(t, true, path...)
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("parallax %s -h has %d lines, at most 40 are wanted", strings.Join(path, " "), n)
		}
		if c.GroupID == "find" && strings.Count(text, "\n  parallax "+c.Name()) < 4 {
			t.Errorf("parallax %s -h lacks three examples:\n%s", c.Name(), text)
		}
		for line := range strings.Lines(text) {
			if len(line) > 110 {
				t.Errorf("parallax %s -h: long line %q", strings.Join(path, " "), line)
			}
		}
	})
}

// The long help prints every flag once. Flags of commands with many are in groups.
func TestLongHelp(t *testing.T) {
	everyCommand(func(path []string, c *cobra.Command) {
		text := helpOf(t, false, path...)
		many := 0
		c.Flags().VisitAll(func(f *pflag.Flag) { many++ })
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if n := strings.Count(text, "--"+f.Name+" ") + strings.Count(text, "--"+f.Name+"\n"); !f.Hidden && n == 0 {
				t.Errorf("parallax %s --help lacks --%s", strings.Join(path, " "), f.Name)
			}
		})
		if many > 25 {
			for _, title := range []string{"Budget:\n", "Inputs:\n", "Comparison:\n", "Limits:\n", "Output and CI:\n", "Search:\n"} {
				if !strings.Contains(text, title) {
					t.Errorf("parallax %s --help lacks the group %s", strings.Join(path, " "), title)
				}
			}
		}
	})
}

// Flags of go test are accepted with one dash. Flags of other tools are answered, and names that are not near are not suggested.
func TestHabits(t *testing.T) {
	root := newRoot()
	for _, test := range []struct{ args, want string }{
		{"fuzz . -fuzz FuzzX -fuzztime 10s", "fuzz . --fuzz FuzzX --fuzztime 10s"},
		{"fuzz . -fuzz=FuzzX -parallel=4 -t 10s", "fuzz . --fuzz=FuzzX --parallel=4 -t 10s"},
		{"fuzz . -o out -i seeds -x a.dict -p4", "fuzz . -o out -i seeds -x a.dict -p4"},
		{"diff a.A b.B -- -fuzz", "diff a.A b.B -- -fuzz"},
		{"cc -fuzz x.c", "cc -fuzz x.c"},
		{"-fuzz", "-fuzz"},
	} {
		if got := strings.Join(accustomed(root, strings.Fields(test.args)), " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.args, got, test.want)
		}
	}
	for args, want := range map[string]string{
		"fuzz . -run X":    "--fuzz REGEXP",
		"fuzz . -race":     "GOFLAGS=-race",
		"fuzz . -m 200":    "--memory 2GiB",
		"fuzz . -M main":   "--parallel N",
		"fuzz . --max_len": "--max-bytes N",
		"fuzz . --fuztime": "did you mean --fuzztime?",
		"fuzz . --q":       "unknown flag: --q\nSee",
		"fuzz . --xyz":     "unknown flag: --xyz\nSee",
	} {
		root := newRoot()
		root.SetArgs(accustomed(root, strings.Fields(args)))
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// Each topic has a page in the binary, and near names are suggested.
func TestTopics(t *testing.T) {
	for _, name := range topicNames() {
		if page, ok := topic(name); !ok || !strings.HasPrefix(page, "# ") {
			t.Errorf("topic %s: %t", name, ok)
		}
	}
	if err := unknownTopic(newRoot(), "exit-code"); !strings.Contains(err.Error(), `did you mean "exit-codes"?`) {
		t.Error(err)
	}
}
