package main_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// timeStamps lists all that may differ between two campaigns with one worker, the same seed and the
// same budget of inputs. Each row has the files in which it occurs
// (docs/reference/campaign-folder.md).
var timeStamps = []struct{ files, stamps *regexp.Regexp }{
	{regexp.MustCompile(`^clock\.json$`), regexp.MustCompile(`"(elapsed|cpu)_ms":\d+`)},
	{regexp.MustCompile(`^stats\.jsonl$`), regexp.MustCompile(`"(elapsed|cpu)_seconds":[0-9.e+-]+`)},
	{regexp.MustCompile(`^summary\.json$`), regexp.MustCompile(`"(elapsed_seconds|executions_per_second)": [0-9.e+-]+`)},
	{regexp.MustCompile(`^(summary|findings/[^/]+/bucket)\.json$`), regexp.MustCompile(`"(first|last)_seen_time": "[^"]*"`)},
	{regexp.MustCompile(`^log\.txt$`), regexp.MustCompile(`(?m)^\S+Z `)},
}

// A repeated campaign is run twice. Its files are a project, and its commands are given there.
type repeated struct {
	name   string
	needs  string // an executable
	files  map[string]string
	before [][]string // commands that build programs
	args   []string
	finds  int  // buckets at least
	more   int  // times that the campaign goes on
	apart  bool // no file names the project, so that copies of it have equal campaigns
}

var repeatedCampaigns = []repeated{
	{
		name: "functions", more: 1, args: []string{"diff", "./p.A", "./p.B", "--compare", "verdict,value", "--seeds", "seeds", "--timeout", "30s", "--fuzztime", "20000x"}, finds: 3,
		files: map[string]string{
			"go.mod": "module example.com/repeat\n\ngo 1.22\n", "seeds/1": "a=1,b=2", "seeds/2": "(x)",
			"p/p.go": `package p

import (
	"errors"
	"strings"
)

func A(s string) (string, error) {
	if strings.HasPrefix(s, "(") && !strings.HasSuffix(s, ")") {
		return "", errors.New("not closed")
	}
	if i := strings.Index(s, "=="); i >= 0 {
		return s[i+2:], nil
	}
	if strings.Count(s, ",") > 3 {
		panic("too many")
	}
	return s, nil
}

func B(s string) (string, error) {
	if i := strings.Index(s, "=="); i >= 0 {
		return s[:i], nil
	}
	if strings.Contains(s, "=)") {
		return "", errors.New("no value")
	}
	return s, nil
}
`,
		},
	},
	{
		name: "fuzz", apart: true, args: []string{"fuzz", "./p", "--timeout", "30s", "--fuzztime", "20000x"}, finds: 3,
		files: map[string]string{
			"go.mod": "module example.com/repeat\n\ngo 1.22\n", "p/p.go": "package p\n",
			"p/p_test.go": `package p

import (
	"os"
	"testing"
)

func FuzzText(f *testing.F) {
	f.Add("abc", 1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		switch {
		case len(s) > 2 && s[0] == 'x' && s[1] == 'y':
			t.Errorf("xy with %d", n)
		case len(s) > 3 && s[1] == 'q':
			var m map[string]int
			m[s] = n
		case len(s) > 4 && s[2] == 'w':
			os.Exit(3)
		}
	})
}
`,
		},
	},
	{
		name: "versions", args: []string{"diff", "gopkg.in/yaml.v3.Unmarshal@v3.0.0", "gopkg.in/yaml.v3.Unmarshal@v3.0.1", "--seeds", "seeds", "--timeout", "30s", "--fuzztime", "4000x"}, finds: 1,
		files: map[string]string{"go.mod": "module example.com/repeat\n\ngo 1.22\n", "seeds/1": "a: [1, 2]\n", "seeds/2": "0: [:!00 \xef\n"},
	},
	{
		name: "commands", needs: "perl", args: []string{"diff", "parallax.toml", "--fuzztime", "100x"}, finds: 2,
		files: map[string]string{
			"seeds/1": "abc 1\n", "seeds/2": "aBc\n",
			"parallax.toml": `version = 1
name = "life"
[input]
seeds = "seeds"
[[program]]
name = "strict"
kind = "command"
command = ["sh", "-c", 'IFS= read -r line; case "$line" in *[0-9]*) echo "a digit" >&2; exit 1;; esac; printf "%s" "$line"']
[[program]]
name = "driver"
kind = "persistent"
command = ["perl", "driver.pl"]
`,
			"driver.pl": `use strict;
use warnings;
binmode STDIN;
binmode STDOUT;
$| = 1;
print "parallax-driver 1\n";
while (read(STDIN, my $header, 4) == 4) {
    my $input = '';
    my $n = unpack('V', $header);
    read(STDIN, $input, $n) if $n;
    $input =~ s/\n.*//s;
    $input =~ s/\0//g;
    exit 3 if $input =~ /zz/;
    print pack('VaV/a*', 5 + length $input, 'A', lc $input);
}
`,
		},
	},
	{
		name: "harness", needs: "clang-19", args: []string{"fuzz", "./h", "--seeds", "seeds", "--timeout", "30s", "--fuzztime", "30000x"}, finds: 3,
		before: [][]string{{"cc", "-g", "-O1", "h.c", "-o", "h"}},
		files: map[string]string{
			"seeds/1": "abcdef", "seeds/2": "leak me",
			"h.c": `#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char *volatile kept;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) return 0;
  char *copy = malloc(size);
  memcpy(copy, data, size);
  if (copy[0] == 'k' && copy[1] == '!') abort();
  if (copy[1] == 'z') kept = copy + copy[2] % 64, copy[0] = *kept;
  if (copy[0] == 'l' && copy[3] == 'k') return 0;
  free(copy);
  return 0;
}
`,
		},
	},
}

// TestFoldersRepeat checks that two campaigns with one worker, seed and budget of inputs leave the
// same folder, byte for byte except time stamps. The folder does not contain its place, and works
// elsewhere.
func TestFoldersRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	for _, c := range repeatedCampaigns {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.needs); c.needs != "" && err != nil {
				t.Fatalf("%v: `make tools` in the folder of the repository installs what tests need", err)
			}
			u := newTool(t)
			project := c.make(t, u)
			elsewhere := t.TempDir()
			one, two := filepath.Join(project, "one"), filepath.Join(elsewhere, "deeper", "two")
			for range 1 + c.more {
				c.run(t, u, project, "one")
				c.run(t, u, project, two)
			}
			a, b := folder(t, one), folder(t, two)
			if c.needs != "" && !maps.EqualFunc(a, b, bytes.Equal) {
				// On a busy machine, one of 30,000 runs of a process in C now and then ends in another way,
				// which is not explained. Two of three must agree.
				t.Logf("two campaigns differ: a third one decides")
				three := filepath.Join(elsewhere, "three")
				for range 1 + c.more {
					c.run(t, u, project, three)
				}
				if last := folder(t, three); maps.EqualFunc(a, last, bytes.Equal) {
					b = last
				} else {
					a = last
				}
			}
			compareFolders(t, a, b)
			if n := len(buckets(t, one)); n < c.finds {
				t.Errorf("%d buckets, want %d: too little is compared", n, c.finds)
			}
			for _, dir := range []string{one, two} {
				for name, data := range folder(t, dir) {
					if at := bytes.Index(data, []byte(dir)); at >= 0 {
						t.Errorf("%s names its folder: ...%.200q", name, data[max(0, at-80):])
					}
				}
			}
			moved := filepath.Join(elsewhere, "moved")
			if err := os.Rename(two, moved); err != nil {
				t.Fatal(err)
			}
			c.look(t, u, project, moved)
		})
	}
}

// codeID matches the identity of what programs execute, in a bucket and in the name of a counter of
// seeds. The binary of a test names the folder of its source.
var codeID = regexp.MustCompile(`("code": ?"|seeds/)[0-9a-f]{16}`)

// anywhere removes from files what depends on the project's folder. A binary file ends with a
// checksum of four bytes.
func anywhere(files map[string][]byte) map[string][]byte {
	for name, data := range files {
		if strings.HasSuffix(name, ".bin") {
			data = data[:max(0, len(data)-4)]
		}
		files[name] = codeID.ReplaceAll(data, []byte("$1"))
	}
	return files
}

// TestProjectsMove checks that a project with its campaigns can be moved, and makes the same ones
// there.
func TestProjectsMove(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	for _, c := range repeatedCampaigns[:2] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := newTool(t)
			here, there := c.make(t, u), c.make(t, u)
			c.run(t, u, here, "")
			c.run(t, u, there, "")
			if c.apart {
				compareFolders(t, anywhere(folder(t, filepath.Join(here, ".parallax"))), anywhere(folder(t, filepath.Join(there, ".parallax"))))
			}
			moved := filepath.Join(t.TempDir(), "moved")
			if err := os.Rename(here, moved); err != nil {
				t.Fatal(err)
			}
			home, err := filepath.Glob(filepath.Join(moved, ".parallax", "*", "campaign.json"))
			if err != nil || len(home) != 1 {
				t.Fatalf("%v, %v", home, err)
			}
			c.look(t, u, t.TempDir(), filepath.Dir(home[0]))
		})
	}
}

// make writes the project.
func (c *repeated) make(t *testing.T, u *tool) (dir string) {
	dir = moduletest.Dir(t)
	for name, text := range c.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range c.before {
		u.in(t, dir, 0, args...)
	}
	return dir
}

// run runs the campaign in the project, into a folder unless that is "".
func (c *repeated) run(t *testing.T, u *tool, project, out string) {
	args := append(slices.Clone(c.args), "--parallel", "1", "--seed", "5", "--ui", "none")
	if out != "" {
		args = append(args, "--out", out)
	}
	u.in(t, project, 1, args...)
}

// look works on the campaign in a folder that was moved.
func (c *repeated) look(t *testing.T, u *tool, dir, moved string) {
	ids := buckets(t, moved)
	if len(ids) == 0 {
		t.Fatalf("no findings in %s", moved)
	}
	if said := u.in(t, dir, 0, "show", "--campaign", moved, ids[0]); !strings.Contains(said, "parallax replay --campaign "+moved+" "+ids[0]) {
		t.Errorf("show does not say how the finding is run again:\n%s", said)
	}
	if said := u.in(t, dir, 1, "replay", "--campaign", moved, ids[0]); strings.Contains(said, "can no longer be reproduced") {
		t.Errorf("replay: %s", said)
	}
	u.in(t, dir, 0, "export", "--campaign", moved, "--format", "go", "--to", filepath.Join(t.TempDir(), "exported"))
	u.in(t, dir, 0, "report", "--campaign", moved)
	page, err := os.ReadFile(filepath.Join(moved, "report.html"))
	if err != nil || bytes.Contains(page, []byte("Coverage by line is missing")) {
		t.Errorf("the page lacks the coverage by line: %v", err)
	}
	if at := bytes.Index(page, []byte(moved)); at >= 0 {
		t.Errorf("the page names its folder: ...%.200q", page[max(0, at-80):])
	}
}

// in runs a command in a folder and returns what it printed.
func (u *tool) in(t *testing.T, dir string, code int, args ...string) string {
	t.Helper()
	cmd := u.command(t, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("parallax %q: exit code %d, want %d\n%s\n%s", args, got, code, stderr.Bytes(), stdout.Bytes())
	}
	return stdout.String()
}

// folder reads the files of a campaign's folder, without time stamps.
func folder(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		below := name
		if target, rest, ok := strings.Cut(name, "/"); ok && fileIn(dir, target, "campaign.json") {
			below = rest // dir holds campaigns
		}
		for _, s := range timeStamps {
			if s.files.MatchString(below) {
				data = s.stamps.ReplaceAll(data, []byte("TIME"))
			}
		}
		files[name] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func fileIn(elem ...string) bool {
	_, err := os.Stat(filepath.Join(elem...))
	return err == nil
}

func compareFolders(t *testing.T, a, b map[string][]byte) {
	t.Helper()
	if x, y := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)); !slices.Equal(x, y) {
		x, y = slices.DeleteFunc(x, func(n string) bool { return b[n] != nil }), slices.DeleteFunc(y, func(n string) bool { return a[n] != nil })
		t.Errorf("files of one alone: %q, of the other alone: %q", x, y)
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		x, y := a[name], b[name]
		if y == nil || bytes.Equal(x, y) {
			continue
		}
		at := 0
		for at < min(len(x), len(y)) && x[at] == y[at] {
			at++
		}
		from := max(0, at-100)
		t.Errorf("%s differs at byte %d:\n%.300q\n%.300q", name, at, x[from:], y[from:])
	}
}

// buckets are the ids of the findings in a folder.
func buckets(t *testing.T, dir string) (ids []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "findings", "*", "bucket.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		ids = append(ids, filepath.Base(filepath.Dir(f)))
	}
	return ids
}
