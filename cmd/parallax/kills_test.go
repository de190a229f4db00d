package main_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestKilledWhileBuilding checks that parallax leaves no compiler behind if it is killed while it
// builds. The next run builds.
func TestKilledWhileBuilding(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	t.Parallel()
	base := newTool(t)
	cache := filepath.Join(moduletest.Dir(t), "cache") // empty each time, and at one path, so that the library is compiled once
	funcs := []string{"./puzzles/agree.A", "./puzzles/agree.B"}
	flags := []string{"--fuzztime", "100x", "--no-cmplog"} // one build
	for _, moment := range []struct {
		name string
		cold bool // with an empty build cache: there is something to compile
	}{{"compile", true}, {"link", false}, {"waits", false}} {
		t.Run(moment.name, func(t *testing.T) {
			if err := os.RemoveAll(cache); err != nil {
				t.Fatal(err)
			}
			tool := base.marked(t)
			tool.env = append(tool.env, "XDG_CACHE_HOME="+cache)
			warm := slices.Clone(tool.env)
			if moment.cold {
				tool.env = append(tool.env, "GOCACHE="+t.TempDir())
			}
			if moment.name == "waits" {
				tool.env = append(tool.env, "PATH="+waitsToBuild(t)+string(filepath.ListSeparator)+os.Getenv("PATH"))
			}
			out := filepath.Join(t.TempDir(), "out")
			c := tool.start(t, out, funcs, flags...)
			tool.await(t, moment.name)
			kill(t, c.pid)
			c.wait(t)
			tool.nothingLeft(t)
			if _, err := os.Stat(out); err == nil && moment.name == "waits" {
				t.Error("the campaign's folder is there before the programs are built")
			}
			tool.env = warm
			tool.diffIn(t, out, funcs, flags...).exits(t, 0)
		})
	}
}

// waitsToBuild is a folder with a go command that never builds: it becomes a process that is called
// waits.
func waitsToBuild(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("#!/bin/sh\ncase $1 in build) exec %q 3600 ;; esac\nexec %q \"$@\"\n", filepath.Join(dir, "waits"), real)
	if err := errors.Join(os.Symlink(sleep, filepath.Join(dir, "waits")), os.WriteFile(filepath.Join(dir, "go"), []byte(text), 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// await waits until a process of this name runs: a program, or an argument of parallax.
func (u *tool) await(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) { // to look takes as long
		for _, p := range u.processes() {
			if len(p.command) > 1 && (filepath.Base(p.command[0]) == name || p.command[1] == name) {
				return
			}
		}
	}
	t.Fatalf("no process %s", name)
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// TestKilledCampaign checks that a campaign takes its workers along whenever it is killed. It has
// lost nothing that it had announced: inputs of the corpus, findings, counts.
func TestKilledCampaign(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t).marked(t)
	out := filepath.Join(t.TempDir(), "out")
	funcs := []string{"./puzzles/faults.Slow", "./puzzles/faults.Picky"}
	var told []string // buckets
	for _, moment := range []struct{ name, text string }{
		{"workers start", "starting workers"},
		{"the first finding", "discrepancy "},
		{"a status line", "fuzz: "},
		{"counts are saved", ""},
	} {
		before := lastStats(t, out)
		c := tool.start(t, out, funcs, "--parallel", "2")
		if moment.text != "" {
			c.await(t, moment.text, "")
		} else {
			for lastStats(t, out).Inputs == before.Inputs {
				time.Sleep(time.Millisecond)
			}
		}
		kill(t, c.pid)
		c.wait(t)
		tool.nothingLeft(t)
		for _, line := range c.seen {
			if id, ok := strings.CutPrefix(line, "discrepancy "); ok {
				told = append(told, strings.Fields(id)[0])
			}
		}
		for _, id := range told {
			if _, err := os.Stat(filepath.Join(out, "findings", id, "bucket.json")); err != nil {
				t.Errorf("killed when %s: a finding that was told of: %v", moment.name, err)
			}
		}
	}
	if len(told) == 0 {
		t.Error("no finding was told of")
	}
	stats, kept := lastStats(t, out), inputs(t, out)
	if stats.Inputs == 0 || len(kept) == 0 {
		t.Fatalf("nothing to lose: %+v, %d inputs", stats, len(kept))
	}
	const more = 200
	r := tool.diffIn(t, out, funcs, "--fuzztime", fmt.Sprint(more, "x"), "--parallel", "2")
	r.exits(t, 1)
	r.readable(t)
	s := r.summary(t)
	if s.Inputs < stats.Inputs+more || s.Executions < stats.Executions+more || s.Corpus.Size < len(kept) || len(s.Notes) > 0 {
		t.Errorf("%d inputs, %d executions, corpus %d, notes %q after %+v and a corpus of %d", s.Inputs, s.Executions, s.Corpus.Size, s.Notes, stats, len(kept))
	}
	for _, id := range told {
		if !slices.ContainsFunc(s.Findings.Buckets, func(b finding.Row) bool { return b.ID == id }) {
			t.Errorf("finding %s is lost", id)
		}
	}
	now := inputs(t, out)
	for _, hash := range kept {
		if !slices.Contains(now, hash) {
			t.Errorf("input %s is lost", hash)
		}
	}
}

// counts are the numbers that a line of stats.jsonl announces.
type counts struct {
	Inputs     uint64 `json:"inputs"`
	Executions uint64 `json:"executions"`
}

// lastStats reads the last line of stats.jsonl that was written whole.
func lastStats(t *testing.T, out string) (last counts) {
	t.Helper()
	f, err := os.Open(filepath.Join(out, "stats.jsonl"))
	if os.IsNotExist(err) {
		return last
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var c counts
		if json.Unmarshal(s.Bytes(), &c) == nil {
			last = c
		}
	}
	return last
}

// inputs lists the hashes in the corpus.
func inputs(t *testing.T, out string) (hashes []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(out, "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); len(name) == 16 {
			hashes = append(hashes, name)
		}
	}
	return hashes
}

// TestBrokenCorpus checks that files in the corpus that are no inputs of it are reported and moved
// aside, and are never fatal.
func TestBrokenCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	out := filepath.Join(t.TempDir(), "out")
	funcs := []string{"./puzzles/arguments.A", "./puzzles/arguments.B"}
	flags := []string{"--fuzztime", "2000x", "--parallel", "1"}
	tool.diffIn(t, out, funcs, flags...).exits(t, 1)
	hashes := inputs(t, out)
	path := func(name string) string { return filepath.Join(out, "corpus", name) }
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	half := func(name string) {
		t.Helper()
		data, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(data[:len(data)/2]))
	}
	half(hashes[0])
	write(hashes[1], "")
	write(hashes[2], "\xff\x00garbage")
	half(hashes[3] + ".json")
	write("0123456789abcdef", "go test fuzz v1\nint(1)\nstring(\"x\")\nbool(true)\n")
	foreign := "go test fuzz v1\n[]byte(\"an input of another shape\")\n"
	write(corpus.Hash([]byte(foreign)), foreign)
	write("notes.txt", "not an input")
	r := tool.diffIn(t, out, funcs, flags...)
	r.exits(t, 1)
	r.readable(t)
	notes := strings.Join(r.summary(t).Notes, "\n")
	aside := []string{hashes[0], hashes[1], hashes[2], "0123456789abcdef", corpus.Hash([]byte(foreign)), "notes.txt"}
	for _, name := range aside {
		if !strings.Contains(notes, name) {
			t.Errorf("%s is not told of:\n%s", name, notes)
		}
		if _, err := os.Stat(path(filepath.Join(".broken", name))); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path(name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	if _, err := os.Stat(path(hashes[3])); err != nil {
		t.Errorf("an input without its origin: %v", err)
	}
	r = tool.diffIn(t, out, funcs, flags...)
	r.exits(t, 1)
	for _, note := range r.summary(t).Notes {
		if !strings.Contains(note, hashes[3]+".json") {
			t.Errorf("told again: %s", note)
		}
	}
}

// TestFolderTaken checks that a folder belongs to one campaign, and to one process at a time.
func TestFolderTaken(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t).marked(t)
	out := filepath.Join(t.TempDir(), "out")
	funcs := []string{"./puzzles/faults.Slow", "./puzzles/faults.Harmless"}
	c := tool.start(t, out, funcs)
	c.await(t, "fuzz: ", "")
	r := tool.diffIn(t, out, funcs, "--fuzztime", "10x")
	r.exits(t, 2)
	r.readable(t)
	if want := fmt.Sprintf("is running (process %d)", c.pid); !strings.Contains(string(r.stderr), want) || len(r.stdout) > 0 {
		t.Errorf("%q is missing in\n%s\n%s", want, r.stderr, r.stdout)
	}
	if err := syscall.Kill(c.pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	first := c.wait(t)
	first.exits(t, 0)
	first.readable(t)
	if s := first.summary(t); s.Stopped != "interrupted" || len(s.Notes) > 0 {
		t.Errorf("stopped by %q, notes %q", s.Stopped, s.Notes)
	}
	tool.nothingLeft(t)

	before := tree(t, out)
	r = tool.diffIn(t, out, []string{"./puzzles/faults.Harmless", "./puzzles/faults.Slow"}, "--fuzztime", "10x")
	r.exits(t, 2)
	r.readable(t)
	if !strings.Contains(string(r.stderr), "holds another campaign") || len(r.stdout) > 0 {
		t.Errorf("%s\n%s", r.stderr, r.stdout)
	}
	if after := tree(t, out); !slices.Equal(before, after) {
		t.Errorf("the folder was touched:\n%q\n%q", before, after)
	}
}

// tree describes all files below a folder.
func tree(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = corpus.Hash(data)
		}
		files = append(files, fmt.Sprint(path, " ", info.Mode(), " ", info.ModTime().UnixNano(), " ", text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestReadOnlyFolder checks that parallax reports a folder that it cannot write, for a new campaign
// and for one that continues.
func TestReadOnlyFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	dir := t.TempDir()
	funcs := []string{"./puzzles/agree.A", "./puzzles/agree.B"}
	old, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	tool.diffIn(t, old, funcs, "--fuzztime", "1000x").exits(t, 0)
	before := tree(t, old)
	for _, out := range []string{old, fresh} {
		s := tool.script(t, out, funcs, "mount --bind "+dir+" "+dir+" && mount -o remount,ro,bind "+dir+" || exit 77\ncampaign 1")
		r := s.result(t, 1)
		r.exits(t, 4)
		r.readable(t)
		if !strings.Contains(string(r.stderr), "read-only") || len(r.stdout) > 0 {
			t.Errorf("%s\n%s", r.stderr, r.stdout)
		}
	}
	if after := tree(t, old); !slices.Equal(before, after) {
		t.Errorf("the folder was touched:\n%q\n%q", before, after)
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Error("the new folder is there")
	}
}

// TestFullDisk checks that a full disk ends the campaign with one message. When there is space
// again, the same command continues, and no data on the disk is lost.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	disk := t.TempDir()
	copies := t.TempDir()
	funcs := []string{"./puzzles/escape.A", "./puzzles/escape.B"}
	s := tool.script(t, filepath.Join(disk, "out"), funcs, fmt.Sprintf(`
mount -t tmpfs -o size=16m tmpfs %[1]s || exit 77
head -c 16000000 /dev/zero >%[1]s/ballast || exit 77
campaign 1
cp -R %[1]s/out %[2]s/full
rm %[1]s/ballast
campaign 2
cp -R %[1]s/out %[2]s/more`, disk, copies))
	first := s.result(t, 1)
	if first.code != 4 && first.code != 1 {
		t.Fatalf("exit code %d\n%s", first.code, first.stderr)
	}
	if n := strings.Count(string(first.stderr), "disk full"); n != 1 {
		t.Errorf("%d messages of a full disk\n%s", n, first.stderr)
	}
	if s := first.summary(t); s.Stopped != "error" {
		t.Errorf("stopped by %q", s.Stopped)
	}
	second := s.result(t, 2)
	second.exits(t, 1)
	second.readable(t)
	now := inputs(t, filepath.Join(copies, "more"))
	kept := inputs(t, filepath.Join(copies, "full"))
	for _, hash := range kept {
		if !slices.Contains(now, hash) {
			t.Errorf("input %s is lost", hash)
		}
	}
	sum := second.summary(t)
	if sum.Corpus.Size != len(now) || len(now) <= len(kept) || len(sum.Notes) > 0 || len(sum.Findings.Buckets) == 0 {
		t.Errorf("a corpus of %d, then %d (%d by the summary), notes %q, %d buckets", len(kept), len(now), sum.Corpus.Size, sum.Notes, len(sum.Findings.Buckets))
	}
	if stats := lastStats(t, filepath.Join(copies, "full")); sum.Inputs < stats.Inputs+diskInputs {
		t.Errorf("%d inputs after %d", sum.Inputs, stats.Inputs)
	}
}

const diskInputs = 20_000

// script is a shell script that ran in a mount name space of its own.
type script struct{ dir string }

// script runs text in a mount name space of its own. The text calls `campaign N` to run a campaign
// in the folder out, and exits with 77 when it may not mount.
func (u *tool) script(t *testing.T, out string, funcs []string, text string) *script {
	t.Helper()
	s := &script{t.TempDir()}
	var quoted []string
	for _, a := range diffArgs(out, funcs, "--fuzztime", fmt.Sprint(diskInputs, "x"), "--parallel", "1") {
		quoted = append(quoted, "'"+a+"'")
	}
	text = fmt.Sprintf("mount --make-rprivate / || exit 77\ncampaign() { '%s' %s >%[3]s/$1.out 2>%[3]s/$1.err; echo $? >%[3]s/$1.code; }\n%[4]s\n",
		u.path, strings.Join(quoted, " "), s.dir, text)
	// Root needs no user name space, and others may be refused one.
	for _, attr := range []*syscall.SysProcAttr{
		{Cloneflags: syscall.CLONE_NEWNS},
		{
			Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		},
	} {
		cmd := exec.Command("sh", "-c", text)
		cmd.Dir, cmd.Env, cmd.SysProcAttr = u.root, u.env, attr
		output, err := cmd.CombinedOutput()
		if err == nil {
			return s
		}
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() != 77 {
			t.Fatalf("%v\n%s", err, output)
		}
		t.Logf("no mount by clone flags %#x: %v %s", attr.Cloneflags, err, output)
	}
	t.Skip("nothing can be mounted here; package state tests the same without a mount")
	return nil
}

// result reads what the n-th campaign of the script left.
func (s *script) result(t *testing.T, n int) *result {
	t.Helper()
	r := &result{}
	read := func(end string) []byte {
		data, err := os.ReadFile(filepath.Join(s.dir, fmt.Sprint(n, end)))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	r.stdout, r.stderr = read(".out"), read(".err")
	if _, err := fmt.Sscan(string(read(".code")), &r.code); err != nil {
		t.Fatal(err)
	}
	return r
}
