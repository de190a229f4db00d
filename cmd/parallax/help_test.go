package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"parallax/cmd/internal/command/help"
	"parallax/cmd/internal/command/terminal"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpOf returns the help of a command at a level.
func helpOf(t *testing.T, short bool, args ...string) string {
	t.Helper()
	root := newRoot()
	help.Set(root, short)
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

// TestShortHelp checks that the short help fits a screen, and shows examples and each flag once.
func TestShortHelp(t *testing.T) {
	everyCommand(func(path []string, c *cobra.Command) {
		text := helpOf(t, true, path...)
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("parallax %s -h has %d lines, at most 40 are wanted", strings.Join(path, " "), n)
		}
		everyday := 0
		c.Flags().VisitAll(func(f *pflag.Flag) { everyday += listed(text, f) })
		if everyday > 11 { // ten and --help
			t.Errorf("parallax %s -h lists %d flags, at most 10 and --help are wanted", strings.Join(path, " "), everyday)
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

// TestGroups checks that each visible command is in a group of the root's help.
func TestGroups(t *testing.T) {
	root := newRoot()
	for _, c := range root.Commands() {
		if !c.Hidden && c.GroupID == "" && !slices.Contains([]string{"help", "completion"}, c.Name()) {
			t.Errorf("parallax %s is in no group", c.Name())
		}
	}
}

// TestLongHelp checks that the long help prints every flag once. Flags of commands with many are in
// groups.
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

// TestDailyFlags checks that the flags of the daily commands are in the short help.
func TestDailyFlags(t *testing.T) {
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

// TestHabits checks that flags of go test are accepted with one dash. Flags of other tools are
// answered, and only near names are suggested.
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
		if got := strings.Join(help.Accustomed(root, strings.Fields(test.args)), " "); got != test.want {
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
		root.SetArgs(help.Accustomed(root, strings.Fields(args)))
		err := root.Execute()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		} else if strings.Contains(err.Error(), "unknown shorthand") {
			t.Errorf("%s: the answer does not come first: %v", args, err)
		}
	}
}

// TestTopics checks that each topic has a page in the binary, and that near names are suggested.
func TestTopics(t *testing.T) {
	root := newRoot()
	names := help.PageNames(root)
	for _, name := range append(help.TopicNames(), "model.md", "generators", "c", "driver-protocol") {
		if page, ok := help.Topic(name); !ok || !strings.HasPrefix(page, "# ") || !slices.Contains(names, name) {
			t.Errorf("topic %s: %t", name, ok)
		}
	}
	if _, ok := help.Topic("ARCHITECTURE"); ok {
		t.Error("a page for contributors is a topic")
	}
	if err := help.UnknownTopic(root, "exit-code"); !strings.Contains(err.Error(), `did you mean "exit-codes"?`) {
		t.Error(err)
	}
}

// wide returns the lines of a text that are wider than some columns. It leaves out single words,
// and code and commands, which are indented.
func wide(text string, width int) (list []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if utf8.RuneCountInString(line) > width && !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "  parallax ") && strings.Contains(strings.TrimSpace(line), " ") {
			list = append(list, line)
		}
	}
	return list
}

// TestHelpFits checks that help and pages fit a terminal of 80 columns. Pages link to pages of
// help, and not to a folder docs.
func TestHelpFits(t *testing.T) {
	root := newRoot()
	texts := map[string]string{}
	for _, name := range help.PageNames(root) {
		page, _ := help.Topic(name)
		texts["help "+name] = help.PageText(page, 80, root)
	}
	everyCommand(func(path []string, c *cobra.Command) {
		var b strings.Builder
		c.InitDefaultHelpFlag()
		help.Long(&b, c, 80)
		help.Short(&b, c, 80)
		texts[strings.Join(path, " ")+" --help"] = b.String()
	})
	for name, text := range texts {
		for _, line := range wide(text, 80) {
			t.Errorf("parallax %s: %d columns: %s", name, utf8.RuneCountInString(line), line)
		}
		for _, mark := range []string{"](http", "](diff.md", "](guidance.md", "../schema", "docs/", "|---"} {
			for line := range strings.Lines(text) {
				if strings.Contains(line, mark) && !strings.HasPrefix(line, "    ") && !(mark == "docs/" && strings.HasPrefix(name, "help ")) {
					t.Errorf("parallax %s has %s: %s", name, mark, line)
				}
			}
		}
		checkReferences(t, name, text, root)
	}
}

// checkReferences looks for pages that a text says help prints.
func checkReferences(t *testing.T, name, text string, root *cobra.Command) {
	for _, m := range regexp.MustCompile(`parallax\s+help\s+([a-z][a-z0-9-]*(?:\.md)?)`).FindAllStringSubmatch(text, -1) {
		command := slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == m[1] })
		if !slices.Contains(help.PageNames(root), m[1]) && m[1] != "pages" && (!command || m[1] == "model" || m[1] == "regress") {
			t.Errorf("%s: there is no page %s", name, m[1])
		}
	}
}

// TestTextsNamePages checks that no text of the tool names a file of docs, which an installed
// binary does not have.
func TestTextsNamePages(t *testing.T) {
	root := newRoot()
	file := regexp.MustCompile(`docs/(?:[a-z]+/)*[a-z0-9-]+\.md`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if name := file.FindString(text.Value); name != "" {
					t.Errorf("%s names %s", path, name)
				}
				checkReferences(t, path, text.Value, root)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPageText checks that tables are columns where they fit, and else a paragraph for each row.
// Links name the command that prints the page.
func TestPageText(t *testing.T) {
	page := "# Title\n\nSee [findings](../guides/findings.md#x), [model.md](model.md), [that](#that),\n[rules](../dev/guidance.md) and [here](../../schema/summary.json).\n\n| a | b |\n|---|---|\n| `x\\|y` | z |\n\n" +
		"| name | default | meaning |\n|---|---|---|\n| `n` | 1 | " + strings.Repeat("word ", 15) + "|\n\n- one two three four five six seven eight nine ten eleven twelve\n  thirteen\n\n    parallax diff a b\n"
	want := `Title

See findings (parallax help findings), parallax help
model.md, that, rules and parallax help json summary.

  a      b
  ` + "`x|y`" + `  z

  ` + "`n`" + `
      default: 1
      meaning: word word word word word word word word
      word word word word word word word

- one two three four five six seven eight nine ten
  eleven twelve thirteen

    parallax diff a b
`
	if got := help.PageText(page, 54, newRoot()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFolded checks that errors fit the terminal. Commands in them stay in a line.
func TestFolded(t *testing.T) {
	text := "parallax: " + strings.Repeat("word ", 30) + "\n  parallax diff " + strings.Repeat("a.A ", 30)
	got := terminal.Folded(text, 60)
	if list := wide(got, 60); len(list) > 0 || !strings.HasSuffix(got, "\n  parallax diff "+strings.Repeat("a.A ", 30)) {
		t.Errorf("%q in\n%s", list, got)
	}
}

// TestManPage checks that a man page has the flags in the groups of help, and no date.
func TestManPage(t *testing.T) {
	root := newRoot()
	everyCommand(func(path []string, c *cobra.Command) {
		page := help.ManPage(c, version())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			name := `\fB\-\-` + strings.ReplaceAll(f.Name, "-", `\-`) + `\fR`
			if n := strings.Count(page, name); !f.Hidden && !c.DisableFlagParsing && n == 0 {
				t.Errorf("the page of parallax %s lacks --%s", strings.Join(path, " "), f.Name)
			}
		})
	})
	c, _, err := root.Find([]string{"fuzz"})
	if err != nil {
		t.Fatal(err)
	}
	page := help.ManPage(c, version())
	for _, want := range []string{".TH \"PARALLAX-FUZZ\" 1 \"\" ", ".parallax/<target>", "\n.SS Budget\n.TP\n\\fB\\-t\\fR, \\fB\\-\\-fuzztime\\fR \\fIstring\\fR\n", "\n.SH EXAMPLES\n.nf\n  parallax fuzz ./... \\-\\-fuzztime 1m\n", "\nparallax(1)\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}
