package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/campaign/calls"
	"parallax/cmd/internal/change/nativebuild"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/regress"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/flow/reach"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// nativeProject is a reader of records in C. The versions of it are made by replacing parts.
var nativeProject = map[string]string{
	"Makefile": "fuzz: fuzz_record\n.PHONY: fuzz\nfuzz_record: fuzz.o record.o other.o\n\t$(CC) -o $@ $^\n%.o: %.c record.h\n\t$(CC) -g -O1 -c $< -o $@\n",
	"parallax.toml": `version = 1
[input]
seeds = "seeds"
[regress]
build = ["make", "-j2", "fuzz"]
binary = "fuzz_record"
`,
	"seeds/1": "R\x02ab", "seeds/2": "R\x04a=b;", "seeds/3": "Sx", "seeds/4": "Syz", ".gitignore": "*.o\nfuzz_record*\n.parallax\n",
	"record.h": "#include <stddef.h>\nint record(const unsigned char *s, size_t n, int *value);\nint other(const unsigned char *s, size_t n, int *value);\n",
	"record.c": `#include <stdlib.h>
#include <string.h>
#include "record.h"

static int sum(const char *text, int n) {
  int all = 0;
  for (int i = 0; i < n; i++) all += text[i];
  return all;
}

/* R, the length of a text, the text. */
int record(const unsigned char *s, size_t n, int *value) {
  if (n < 2 || s[0] != 'R') return 1;
  if (s[1] != n - 2) return 2;
  char *text = malloc(n - 2 + 1);
  memcpy(text, s + 2, n - 2);
  text[n - 2] = 0;
  *value = sum(text, s[1]);
  free(text);
  return 0;
}
`,
	"other.c": `#include "record.h"

/* S and something. */
int other(const unsigned char *s, size_t n, int *value) {
  if (n < 2) return 3;
  if (s[1] == 'x') *value = 1;
  else if (s[1] == 'y') *value = 2;
  else return 4;
  return 0;
}
`,
	"fuzz.c": `#include <parallax.h>
#include "record.h"
static int (*volatile readers[])(const unsigned char *, size_t, int *) = {record, other};
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int value = 0;
  int r = readers[size && data[0] == 'S'](data, size, &value);
  if (!r) parallax_output(&value, sizeof value);
  return r;
}
`,
}

// gitProject makes a repository with two versions: the second by replacing parts of its files.
func gitProject(t *testing.T, parts ...string) (dir string) {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir = filepath.Join(moduletest.Dir(t), "records")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	r := strings.NewReplacer()
	for i := range 2 {
		for name, text := range nativeProject {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(r.Replace(text)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 {
			git("init", "-q", "-b", "main")
		}
		git("add", "-A")
		git("commit", "-q", "-m", fmt.Sprint("version ", i+1))
		r = strings.NewReplacer(parts...)
	}
	return dir
}

// TestNativeVersions tests regress on a change of a C project, from the repository to the findings.
// Both versions are built in a box, and the block table shows the change. The old version runs
// where the change may show, and the difference is found.
func TestNativeVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a campaign")
	}
	t.Setenv(toyVariable, "1") // the test's executable is the tool
	t.Setenv("XDG_CACHE_HOME", moduletest.Cache())
	// A text may be longer than it says, what is summed up too; and one ends with a semicolon.
	dir := gitProject(t, "if (s[1] != n - 2) return 2;", "if (s[1] < n - 2) return 2;", "*value = sum(text, s[1]);", "*value = sum(text, s[1]) + (n > 3 && s[n - 1] == ';');")
	file, err := config.Load(filepath.Join(dir, "parallax.toml"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	view := ui.New(os.Stderr, ui.None, nil)
	defer view.Close()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	versions, err := revision.Resolve(ctx, revision.Request{Dir: file.Dir, Base: "HEAD~1", Parallax: tool, Progress: view.Step})
	if err != nil {
		t.Fatal(err)
	}
	defer versions.Close()
	request := nativebuild.NewRequest(file, &versions.Head, &versions.Base, tool, view.Step, os.LookupEnv)
	request.Env = append(request.Env, toyVariable+"=1")
	p, err := nativebuild.Build(ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()

	run := func(out string, built ...config.Built) (*finding.Summary, *subject.Lockstep) {
		t.Helper()
		f := fuzzing.Options{Campaign: campaign.Options{Options: subject.Options{Mode: subject.Regress, Config: file.Versions(built...)}}}
		c := &cobra.Command{}
		register(c, &f)
		if err := c.Flags().Parse([]string{"--fuzztime=20000x", "--parallel=1", "--seed=1", "--out=" + out}); err != nil {
			t.Fatal(err)
		}
		if err := f.Complete(); err != nil {
			t.Fatal(err)
		}
		if len(built) == 1 {
			f.Campaign.Guidance = regress.Alone(f.Campaign.Guidance)
		}
		f.Campaign.Dir = dir
		any, err := subject.Build(ctx, &f.Campaign.Options, tool, view.Step)
		if err != nil {
			t.Fatal(err)
		}
		l := any.(*subject.Lockstep)
		t.Cleanup(l.Close)
		var changed []int // functions
		l.Space.Functions(func(_ *flow.Table, fn flow.Func, first int) {
			if fn.Name == "record" {
				changed = append(changed, first)
			}
		})
		if calls := l.Space.Calls(); len(changed) != len(built) || len(calls.Sites(changed[0])) > 0 {
			t.Fatalf("functions %v are called in %v", changed, calls.Sites(changed[0]))
		}
		if err := calls.See(ctx, l, &f.Campaign.Options, nil); err != nil {
			t.Fatal(err)
		}
		for _, fn := range changed {
			if len(l.Space.Calls().Sites(fn)) == 0 {
				t.Errorf("nobody was seen to call function %d", fn)
			}
		}
		found, blocks, err := p.Changes(ctx, l.Space)
		if err != nil || len(found.Points) == 0 || found.Points[0].Function != "record" {
			t.Fatalf("the change points are %+v, %v", found, err)
		}
		f.Campaign.Impact = reach.Analyze(reach.Request{Space: l.Space, Program: 0, Points: blocks})
		other := false
		l.Space.Functions(func(_ *flow.Table, fn flow.Func, first int) {
			other = other || fn.Name == "other" && slices.Contains(f.Campaign.Impact.Impacted, uint32(first+1))
		})
		if other || len(f.Campaign.Impact.Impacted) == 0 {
			t.Errorf("the change impacts %v, and what it has nothing to do with: %v", f.Campaign.Impact.Impacted, other)
		}
		var where []uint32 // where none of these runs, both versions do the same
		for _, b := range slices.Concat(blocks...) {
			where = append(where, uint32(b))
		}
		if err := l.Follow(where, f.Campaign.Impact.Impacted); err != nil {
			t.Fatal(err)
		}
		summary, err := campaign.Run(ctx, nil, l, f.Campaign, view, time.Now)
		if err != nil || summary == nil {
			t.Fatal(err)
		}
		return summary, l
	}
	out := filepath.Join(t.TempDir(), "out")
	summary, l := run(out, p.Built()...)
	if l.Folder() != "records.regress" || l.Purpose() != subject.Regress || summary.Mode != subject.Regress {
		t.Errorf("the campaign is called %s, for %s, %s", l.Folder(), l.Purpose(), summary.Mode)
	}
	files, err := filepath.Glob(filepath.Join(out, "findings", "*", "*", "outputs.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var outputs struct {
			Programs []struct{ Name, Outcome string }
		}
		if err := json.Unmarshal(data, &outputs); err != nil || len(outputs.Programs) != 2 || outputs.Programs[0].Name != "new" || outputs.Programs[1].Name != "old" {
			t.Fatalf("%v: %s", err, data)
		}
		found[outputs.Programs[0].Outcome+" "+outputs.Programs[1].Outcome] = filepath.Base(filepath.Dir(filepath.Dir(name)))
	}
	for _, want := range []string{"accepted accepted", "crashed rejected"} {
		if found[want] == "" {
			t.Errorf("no finding where new and old are %s; there are %v", want, found)
		}
	}
	if summary.Executions >= 2*summary.Inputs {
		t.Errorf("the old version ran on all inputs: %d executions of %d inputs", summary.Executions, summary.Inputs)
	}

	// The commands that work on campaigns find what was built again.
	replay := exec.Command(tool, "replay", "--campaign", out, found["accepted accepted"])
	replay.Dir = dir
	if said, err := replay.CombinedOutput(); replay.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "the programs disagree (value)") {
		t.Errorf("replay: %v\n%s", err, said)
	}
	// The same campaign goes on with another new version.
	write := func(name string, parts ...string) {
		t.Helper()
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.NewReplacer(parts...).Replace(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("record.c", "if (s[1] < n - 2) return 2;", "if (s[1] != n - 2) return 2; /* again */")
	q, err := nativebuild.Build(ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if q.Old.Binary != p.Old.Binary || q.New.Binary == p.New.Binary {
		t.Errorf("the versions are now built in %s and %s", q.New.Binary, q.Old.Binary)
	}
	first := p
	p = q
	if summary, _ = run(out, p.Built()...); summary.Open() > 0 {
		t.Errorf("the second run says %+v", summary)
	}
	p = first
	// Without an old version the new one is fuzzed alone.
	if summary, _ = run(filepath.Join(t.TempDir(), "alone"), p.Built()[0]); len(summary.Programs) != 1 || summary.Open() == 0 {
		t.Errorf("the new version alone: %+v", summary)
	}
}
