package main

import (
	"bytes"
	"regexp"
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

// fewest is the number of examples that a command has at least.
func fewest(name string) int {
	if name == "man" || name == "doctor" {
		return 2
	}
	return 3
}

// listed counts the lines that describe a flag, behind what the command does.
func listed(text string, f *pflag.Flag) int {
	_, text, _ = strings.Cut(text, "Usage:\n")
	return len(regexp.MustCompile(`(?m)^ +(-\w, )?--`+f.Name+`( |$)`).FindAllString(text, -1))
}

// The short help fits a screen, and shows examples and each flag once.
func TestShortHelp(t *testing.T) {
	everyCommand(func(path []string, c *cobra.Command) {
		text := helpOf(t, true, path...)
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("parallax %s -h has %d lines, at most 40 are wanted", strings.Join(path, " "), n)
		}
		if n := len(strings.Split(c.Example, "\n")); len(path) > 0 && !slices.Contains([]string{"help", "version", "completion"}, path[0]) && n < fewest(path[0]) {
			t.Errorf("parallax %s -h has %d examples, and %d are wanted:\n%s", strings.Join(path, " "), n, fewest(path[0]), text)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if n := listed(text, f); n > 1 {
				t.Errorf("parallax %s -h lists --%s %d times", strings.Join(path, " "), f.Name, n)
			}
		})
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
			if n := listed(text, f); !f.Hidden && !c.DisableFlagParsing && n != 1 {
				t.Errorf("parallax %s --help lists --%s %d times", strings.Join(path, " "), f.Name, n)
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

// The flags of the daily commands are in the short help.
func TestEveryday(t *testing.T) {
	for path, flags := range map[string]string{
		"show":   "campaign flaky all json",
		"init":   "driver ci",
		"bisect": "module git campaign",
		"clean":  "older size",
		"replay": "campaign",
	} {
		text := helpOf(t, true, path)
		for _, name := range strings.Fields(flags) {
			if listed(text, &pflag.Flag{Name: name}) != 1 {
				t.Errorf("parallax %s -h lacks --%s:\n%s", path, name, text)
			}
		}
	}
	for _, name := range []string{"cc", "c++"} {
		if text := helpOf(t, true, name); !strings.Contains(text, "parallax "+name+" -g -O1") {
			t.Errorf("parallax %s -h is not ours:\n%s", name, text)
		}
	}
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
		"fuzz . -run X":      "--fuzz REGEXP",
		"fuzz . -race":       "GOFLAGS=-race",
		"fuzz . -m 200":      "--memory 2GiB",
		"fuzz . -M main":     "--parallel N",
		"fuzz . --max_len":   "--max-bytes N",
		"fuzz . --fuztime":   "did you mean --fuzztime?",
		"fuzz . -cover":      "parallax report",
		"fuzz . -short":      "--fuzztime 10s",
		"fuzz . -j4":         "--parallel N",
		"fuzz . --output d":  "--out DIR",
		"fuzz . --max-len 9": "--max-bytes N",
		"show --out d":       "--campaign names the folder that is read\nSee parallax show --help",
		"replay -o d":        "--campaign names the folder that is read\nSee parallax replay --help",
		"report --out d":     "--to names what is written",
		"run":                "parallax fuzz",
		"test ./...":         "parallax fuzz",
		"ls":                 "parallax show",
		"list":               "parallax show",
		"rm":                 "unknown command \"rm\"\nSee",
		"x":                  "unknown command \"x\"\nSee",
		"regresion":          "did you mean \"regress\"?",
		"min":                "did you mean \"minimize\"?",
		"fuzzing":            "did you mean \"fuzz\"?",
		"gen chek":           "did you mean \"check\"?",
		"fuzz . --q":         "unknown flag: --q\nSee",
		"fuzz . --xyz":       "unknown flag: --xyz\nSee",
	} {
		root := newRoot()
		root.SetArgs(accustomed(root, strings.Fields(args)))
		err := root.Execute()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		} else if strings.Contains(err.Error(), "unknown shorthand") {
			t.Errorf("%s: the answer does not come first: %v", args, err)
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
