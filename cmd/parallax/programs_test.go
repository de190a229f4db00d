package main_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// faultyDriver does what its argument says on inputs with an exclamation mark, and accepts all
// others with themselves. It starts often: with warnings and POSIX loaded, that would take four
// times as long.
const faultyDriver = `use strict;
my $how = shift;
binmode STDIN;
binmode STDOUT;
$| = 1;
sub answer { print pack('VaV/a*', 5 + length $_[1], @_) }
my %faults = (
    none    => sub { answer('A', $_[0]) },
    reject  => sub { answer('R', 'no marks') },
    crash   => sub { answer('C', 'out of order') },
    short   => sub { print pack('V', 3) . 'A' . pack('v', 0) },
    long    => sub { print pack('V', 9) . 'A' . pack('V', 1000) . 'text' },
    verdict => sub { answer('Q', 'what is this') },
    prints  => sub { print "debugging\n"; answer('A', $_[0]) },
    twice   => sub { answer('A', $_[0]); answer('A', $_[0]) },
    half    => sub { print pack('V', 100) . 'A' . pack('V', 95); exit 0 },
    closes  => sub { close STDOUT; sleep 3600 },
    late    => sub { sleep 3; answer('A', $_[0]) },
    hang    => sub { sleep 3600 },
    spin    => sub { 1 while 1 },
    deaf    => sub { $SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT); sleep 3600 },
    noise   => sub { print STDERR "noise of the driver\n" x 100_000; answer('A', $_[0]) },
    flood   => sub { answer('A', 'x' x 300_000) },
    abort   => sub { print STDERR "the roof is on fire\n"; kill ABRT => $$; sleep 3600 },
    exit0   => sub { exit 0 },
    exit3   => sub { exit 3 },
    hog     => sub { my @all; push @all, 'x' x 10_000_000 for 1 .. 60; sleep 3600 },
    forks   => sub { for (1 .. 100) { my $pid = fork; if (defined $pid && !$pid) { sleep 3600; exit } } sleep 3600 },
    leaves  => sub { if (!fork) { setpgrp; sleep 3600 } answer('A', $_[0]) },
);
print "parallax-driver 1\n";
while (read(STDIN, my $header, 4) == 4) {
    my $input = '';
    my $n = unpack('V', $header);
    read(STDIN, $input, $n) if $n;
    ($input =~ /!/ ? $faults{$how} : $faults{none})->($input);
}
`

// faultyCommand is the same as a command, and starts for each input.
const faultyCommand = `use strict;
my $how = shift;
binmode STDIN;
binmode STDOUT;
local $/;
my $input = <STDIN>;
my %faults = (
    none  => sub { print $input },
    hang  => sub { sleep 3600 },
    noise => sub { print STDERR "noise of the command\n" x 100_000; print $input },
    flood => sub { print 'x' x 300_000 },
    abort => sub { print STDERR "the roof is on fire\n"; kill ABRT => $$; sleep 3600 },
    segv  => sub { kill SEGV => $$; sleep 3600 },
    exit3 => sub { print STDERR "unlisted\n"; exit 3 },
    hog   => sub { my @all; push @all, 'x' x 10_000_000 for 1 .. 60; sleep 3600 },
    forks => sub { for (1 .. 100) { my $pid = fork; if (defined $pid && !$pid) { sleep 3600; exit } } sleep 3600 },
    leaves => sub { if (!fork) { setpgrp; close STDOUT; close STDERR; sleep 3600 } print $input },
    litter => sub { open my $f, '>', "left$_" for 1 .. 20; print $input },
    large => sub { open my $f, '>', 'large' or exit 9; print $f 'x' x 3_000_000 or die "cannot write: $!\n"; close $f or die "cannot write: $!\n"; print $input },
);
($input =~ /!/ ? $faults{$how} : $faults{none})->($input);
`

// harmOutside is the harm that a program does, and the result that the user sees.
type harmOutside struct {
	how    string
	keys   string // of the program
	budget int    // default 100, of commands 40
	code   int    // of the command; a finding is 1
	kind   string // of the one bucket; empty: none
	result string // part of the program's result in it, or of standard error
}

var limitsOfTests = "memory = \"100MiB\"\nprocesses = 20\noutput = \"100KiB\"\nfile_size = \"1MiB\"\n"

var driverHarm = []harmOutside{
	{how: "none"},
	{how: "reject", code: 1, kind: "discrepancy", result: "no marks"},
	{how: "crash", code: 1, kind: "crash", result: "out of order"},
	{how: "short", code: 2, result: "program faulty: the driver breaks the protocol"},
	{how: "long", code: 2, result: "program faulty: the driver breaks the protocol"},
	{how: "verdict", code: 2, result: "program faulty: the driver breaks the protocol"},
	{how: "prints", code: 2, result: "debugging"},
	{how: "twice", code: 2, result: "it wrote more answers than it had requests"},
	{how: "half", code: 1, kind: "crash", result: "exit status 0"},
	{how: "closes", code: 2, result: "it closed its standard output and went on running"},
	{how: "late", keys: "timeout = \"300ms\"\n", budget: 40, code: 1, kind: "timeout", result: "no answer within 300ms"},
	{how: "spin", keys: "timeout = \"300ms\"\n", budget: 40, code: 1, kind: "timeout", result: "no answer within 300ms"},
	{how: "deaf", keys: "timeout = \"300ms\"\n", budget: 40, code: 1, kind: "timeout", result: "no answer within 300ms"},
	{how: "noise"},
	{how: "flood", code: 1, kind: "crash", result: "output flood"},
	{how: "abort", code: 1, kind: "crash", result: "signal: aborted"},
	{how: "exit0", code: 1, kind: "crash", result: "exit status 0"},
	{how: "exit3", code: 1, kind: "crash", result: "exit status 3"},
	{how: "hog", keys: "timeout = \"1m\"\n", budget: 40, code: 1, kind: "oom", result: "more than 100 MiB"},
	{how: "forks", keys: "timeout = \"1m\"\nmemory = \"1GiB\"\n", budget: 40, code: 1, kind: "crash", result: "more than 20 processes"},
}

var commandHarm = []harmOutside{
	{how: "none"},
	{how: "hang", keys: "timeout = \"300ms\"\n", budget: 50, code: 1, kind: "timeout", result: "300ms"},
	{how: "noise"},
	{how: "flood", code: 1, kind: "crash", result: "output flood"},
	{how: "abort", code: 1, kind: "crash", result: "signal: aborted"},
	{how: "segv", code: 1, kind: "crash", result: "signal: segmentation fault"},
	{how: "exit3", code: 1, kind: "discrepancy", result: "unlisted"},
	{how: "exit3", keys: "exit = { rejected = [1] }\n", code: 1, kind: "crash", result: "exit status 3"},
	{how: "hog", keys: "timeout = \"1m\"\n", code: 1, kind: "oom", result: "more than 100 MiB"},
	{how: "forks", keys: "timeout = \"1m\"\nmemory = \"1GiB\"\n", code: 1, kind: "crash", result: "more than 20 processes"},
	{how: "leaves"},
	{how: "litter"},
	{how: "large", code: 1, kind: "crash", result: "file size limit exceeded"},
}

// TestOutsideFaults checks that the campaign continues whatever a driver or a command does. It
// reports the fault once, and leaves nothing behind.
func TestOutsideFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	for _, h := range driverHarm {
		t.Run("driver "+h.how, func(t *testing.T) {
			t.Parallel()
			h.run(t, tool, fmt.Sprintf("kind = \"persistent\"\ncommand = [\"perl\", \"driver.pl\", \"%s\"]\n", h.how))
		})
	}
	for i, h := range commandHarm {
		h.budget = cmp.Or(h.budget, 40) // each input starts processes
		t.Run(fmt.Sprint("command ", h.how, i), func(t *testing.T) {
			t.Parallel()
			h.run(t, tool, fmt.Sprintf("kind = \"command\"\ncommand = [\"perl\", \"command.pl\", \"%s\"]\n", h.how))
		})
	}
}

// run fuzzes a program with these keys next to one that does nothing wrong.
func (h *harmOutside) run(t *testing.T, tool *tool, keys string) {
	p := tool.programs(t, map[string]string{
		"driver.pl": faultyDriver, "command.pl": faultyCommand,
		"seeds/1": "a", "seeds/2": "bb", "seeds/3": "c!", "seeds/4": "d 1",
		"parallax.toml": fmt.Sprintf(`version = 1
[input]
seeds = "seeds"
[limits]
%s
[[program]]
name = "plain"
kind = "persistent"
command = ["perl", "driver.pl", "none"]
[[program]]
name = "faulty"
%s%s`, limitsOfTests, keys, h.keys),
	})
	budget := h.budget
	if budget == 0 {
		budget = 100
	}
	r := p.diff(t, "--fuzztime", fmt.Sprint(budget, "x"))
	r.exits(t, h.code)
	p.clean(t)
	if h.code == 2 {
		if text := string(r.stderr); !strings.Contains(text, h.result) || strings.Count(text, "parallax: ") != 1 {
			t.Errorf("standard error lacks %q\n%s", h.result, text)
		}
		return
	}
	r.readable(t)
	s := r.summary(t)
	if s.Stopped != "budget" || s.Inputs != uint64(inputsOf(budget)) || s.Flaky > 0 && h.kind != "timeout" { // a machine that is busy makes others late, too
		t.Errorf("stopped by %s after %d inputs, %d flaky", s.Stopped, s.Inputs, s.Flaky)
	}
	if h.kind == "" {
		if n := len(s.Findings.Buckets); n > 0 {
			t.Errorf("%d findings\n%s", n, r.stderr)
		}
		return
	}
	if len(s.Findings.Buckets) != 1 {
		t.Fatalf("%d buckets\n%s", len(s.Findings.Buckets), r.stderr)
	}
	b := s.Findings.Buckets[0]
	if b.Kind != h.kind || b.Outcomes["plain"] != "accepted" || !strings.Contains(b.Results["faulty"], h.result) {
		t.Errorf("a %s with outcomes %v and results %q, want a %s with %q", b.Kind, b.Outcomes, b.Results, h.kind, h.result)
	}
	input, err := os.ReadFile(r.resolve(b.Minimized))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(input), "!") || (b.Kind == "crash" || b.Kind == "discrepancy") && string(input) != "!" {
		t.Errorf("minimized to %q", input)
	}
}

// programs is a configuration in a folder of its own, and a tool whose processes and files can be
// recognized.
type programs struct {
	*tool
	dir  string // of the configuration
	temp string // TMPDIR
}

// programs writes files and prepares a tool that is used in their folder.
func (u *tool) programs(t *testing.T, files map[string]string) *programs {
	t.Helper()
	p := &programs{tool: u.marked(t), dir: moduletest.Dir(t), temp: moduletest.Dir(t)}
	for name, text := range files {
		write(t, filepath.Join(p.dir, name), text)
	}
	p.tool.root = p.dir
	p.tool.env = append(p.tool.env, "TMPDIR="+p.temp, "XDG_CACHE_HOME="+filepath.Join(p.dir, ".cache"))
	shared := filepath.Join(u.cache, "parallax", "library") // or each such folder would have the library compiled again
	own := filepath.Join(p.dir, ".cache", "parallax")
	if err := errors.Join(os.MkdirAll(shared, 0o755), os.MkdirAll(own, 0o755), os.Symlink(shared, filepath.Join(own, "library"))); err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// diff runs the configuration with one worker and a seed.
func (p *programs) diff(t *testing.T, flags ...string) *result {
	t.Helper()
	return p.tool.diffIn(t, filepath.Join(p.dir, "out"), []string{"parallax.toml"}, append([]string{"--parallel", "1", "--seed", "1"}, flags...)...)
}

// clean fails the test if a process, a temporary file or a mount is left.
func (p *programs) clean(t *testing.T) {
	t.Helper()
	p.nothingLeft(t)
	p.noFiles(t, "it ended", false)
}

// noFiles fails the test if a temporary file or a mount is left by a parallax that has ended, or
// was killed.
func (p *programs) noFiles(t *testing.T, when string, killed bool) {
	t.Helper()
	left := map[string]bool{}
	for _, dir := range []string{p.temp, filepath.Join(p.dir, ".cache")} {
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			rest, ok := strings.CutPrefix(path, dir+"/")
			switch {
			case !ok || err != nil:
			case strings.HasPrefix(rest, "go-build"): // of a go command that was ended
				return filepath.SkipDir
			case strings.HasPrefix(filepath.Base(rest), "lockstep-") && killed: // in the cache: the next campaign removes it
			case dir == p.temp || strings.Contains(rest, "/run/") && strings.Count(rest, "/") > 4:
				left[path] = true
			}
			return nil
		})
	}
	for path := range left {
		t.Errorf("when %s: %s is left", when, path)
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(mounts), "\n") {
		if strings.Contains(line, p.dir) || strings.Contains(line, p.temp) {
			t.Errorf("when %s: still mounted: %s", when, line)
		}
	}
}

// slowly is a driver that takes its time, so that a campaign can be killed in the middle. It
// disagrees with others on some inputs, for four reasons. Each is a finding, so these campaigns
// spend their time on triage.
const slowly = `
use strict;
use warnings;
binmode STDIN;
binmode STDOUT;
$| = 1;
my $how = shift;
if (!fork) { sleep 3600 }    # what a driver starts goes with it
print "parallax-driver 1\n";
while (read(STDIN, my $header, 4) == 4) {
    my $input = '';
    my $n = unpack('V', $header);
    read(STDIN, $input, $n) if $n;
    select(undef, undef, undef, 0.01);
    my @answer = $how eq 'strict' && $input =~ /([!-\/])/ ? ('R', 'mark ' . (ord($1) >> 2)) : ('A', $input);
    print pack('VaV/a*', 5 + length $answer[1], @answer);
}
`

const slowPrograms = `version = 1
[input]
seeds = "seeds"
[[program]]
name = "lenient"
kind = "persistent"
command = ["perl", "slowly.pl", "lenient"]
[[program]]
name = "strict"
kind = "persistent"
command = ["perl", "slowly.pl", "strict"]
[[program]]
name = "cat"
kind = "command"
command = ["cat"]
[[program]]
name = "go"
kind = "go"
function = "./p.Parse"
`

// starter is a Go function that starts a process and leaves it behind.
const starter = `package p

import "os/exec"

type tilde struct{}

func (tilde) Error() string { return "a tilde" }

var started bool

func Parse(data []byte) ([]byte, error) {
	if !started {
		started = true
		exec.Command("sleep", "3600").Start()
	}
	for _, b := range data {
		if b == '~' {
			return nil, tilde{}
		}
	}
	return data, nil
}
`

func slowFiles() map[string]string {
	return map[string]string{
		"go.mod": "module example.com/slow\n\ngo 1.22\n", "p/p.go": starter, "slowly.pl": slowly, "parallax.toml": slowPrograms,
		"seeds/1": "abc", "seeds/2": "a b", "seeds/3": "x1",
	}
}

// TestKilledPrograms checks that parallax takes all programs along whenever it is killed, and
// leaves no file or mount behind. The next run continues with all that was announced.
func TestKilledPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	newTool(t).programs(t, slowFiles()).survive(t)
}

// survive kills a campaign at six moments.
func (p *programs) survive(t *testing.T) {
	t.Helper()
	out := filepath.Join(p.dir, "out")
	var told []string // buckets
	// The data that is compared at the end is saved every other second, and at the end of a run. So
	// one run is not killed.
	first := p.start(t, out, []string{"parallax.toml"}, "--parallel", "2", "--seed", "1", "--fuzztime", "20x", "--no-triage")
	first.wait(t)
	for _, moment := range []struct{ name, text, without string }{
		{"the programs start", "starting the programs", ""},
		{"they are probed", "probing the programs", ""},
		{"workers start", "starting workers", ""},
		{"fuzzing", "fuzz: ", " 0 inputs"},
		{"the first finding", "discrepancy ", ""},
		{"triage", "candidate", ""},
	} {
		flags := []string{"--parallel", "2", "--seed", "1"}
		if moment.name == "triage" { // there is only that left to do
			flags = append(flags, "--fuzztime", "400x")
		}
		c := p.start(t, out, []string{"parallax.toml"}, flags...)
		c.await(t, moment.text, moment.without)
		kill(t, c.pid)
		c.wait(t)
		p.nothingLeft(t)
		p.noFiles(t, moment.name, true)
		for _, line := range c.seen {
			if _, id, ok := strings.Cut(line, "discrepancy "); ok && strings.HasPrefix(strings.TrimSpace(line), "discrepancy") {
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
	data, err := os.ReadFile(filepath.Join(out, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	before, err := finding.ParseSummary(data)
	if err != nil {
		t.Fatal(err)
	}
	kept := inputs(t, out)
	if before.Inputs == 0 || len(kept) == 0 {
		t.Fatalf("nothing to lose: %d inputs, %d kept", before.Inputs, len(kept))
	}
	const more = 100
	r := p.diff(t, "--fuzztime", fmt.Sprint(more, "x"), "--triage-time", "2s") // all announced candidates were triaged
	r.exits(t, 1)
	r.readable(t)
	p.clean(t)
	s := r.summary(t)
	if s.Inputs < before.Inputs+more || s.Corpus.Size < len(kept) {
		t.Errorf("%d inputs and a corpus of %d after %d and %d", s.Inputs, s.Corpus.Size, before.Inputs, len(kept))
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

// TestInterruptedPrograms checks that ^C ends a campaign in order, in any phase.
func TestInterruptedPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	p := newTool(t).programs(t, slowFiles())
	out := filepath.Join(p.dir, "out")
	for _, moment := range []struct{ text, without string }{{"probing the programs", ""}, {"fuzz: ", " 0 inputs"}} {
		c := p.start(t, out, []string{"parallax.toml"}, "--parallel", "2")
		c.await(t, moment.text, moment.without)
		if err := syscall.Kill(c.pid, syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		r := c.wait(t)
		if r.code > 1 || strings.Contains(string(r.stderr), "parallax: ") && !strings.Contains(string(r.stderr), "interrupted") {
			t.Errorf("exit code %d\n%s", r.code, r.stderr)
		}
		p.clean(t)
	}
}

// TestKilledLockstep checks that a lockstep process that was killed from outside is replaced. No
// program is blamed.
func TestKilledLockstep(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	files := slowFiles()
	files["parallax.toml"] = strings.ReplaceAll(files["parallax.toml"], `"strict"]`, `"lenient"]`)
	files["p/p.go"] = strings.ReplaceAll(files["p/p.go"], "'~'", "'\\xff'")
	p := newTool(t).programs(t, files)
	c := p.start(t, filepath.Join(p.dir, "out"), []string{"parallax.toml"}, "--parallel", "1", "--fuzztime", "600x", "--compare", "value")
	c.await(t, "fuzz: ", " 0 inputs")
	for _, q := range p.processes() {
		if len(q.command) > 1 && q.command[1] == "lockstep" {
			kill(t, q.pid)
		}
	}
	r := c.wait(t)
	r.exits(t, 0)
	for _, q := range p.processes() { // the process that knew the function's children has ended
		kill(t, q.pid)
	}
	s := r.summary(t)
	if s.Inputs != 600 || s.Restarts == 0 || s.Flaky > 0 {
		t.Errorf("%d inputs, %d restarts, %d flaky", s.Inputs, s.Restarts, s.Flaky)
	}
}

// TestProgramsRepeat checks that a campaign of drivers, commands and Go functions repeats, with one
// worker, a seed and a budget of inputs. Findings, corpus and tuples are equal.
func TestProgramsRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	files := slowFiles()
	files["slowly.pl"] = strings.Replace(files["slowly.pl"], "0.01", "0", 1)
	p := newTool(t).programs(t, files)
	out := filepath.Join(p.dir, "out") // which reports name
	var trees [2][]string
	for i := range trees {
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
		p.diff(t, "--seed", "7", "--fuzztime", "150x").exits(t, 1)
		for _, path := range []string{"corpus", "findings", "tuples.log"} {
			err := filepath.WalkDir(filepath.Join(out, path), func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				text := ""
				if !strings.HasSuffix(path, "bucket.json") { // which holds times
					data, err := os.ReadFile(path)
					if err != nil {
						return err
					}
					text = corpus.Hash(data)
				}
				trees[i] = append(trees[i], strings.TrimPrefix(path, out)+" "+text)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(trees[0]) < 10 || !slices.Equal(trees[0], trees[1]) {
		for i := range max(len(trees[0]), len(trees[1])) {
			if i >= len(trees[0]) || i >= len(trees[1]) || trees[0][i] != trees[1][i] {
				t.Fatalf("the campaigns differ from %q and %q on", trees[0][i:min(i+3, len(trees[0]))], trees[1][i:min(i+3, len(trees[1]))])
			}
		}
		t.Fatalf("%d files", len(trees[0]))
	}
}

// service is an HTTP server that answers with the input in lower case, or as an input with an
// exclamation mark wants.
func service(t *testing.T, how string) (url string) {
	t.Helper()
	var connections atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		marked := bytes.Contains(body, []byte("!"))
		switch {
		case how == "flaky" && connections.Add(1)%3 == 0:
			panic(http.ErrAbortHandler) // the connection is dropped
		case how == "slow" && marked:
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Second):
			}
		case how == "fails" && marked:
			w.WriteHeader(http.StatusInternalServerError)
		case how == "refuses" && marked:
			http.Error(w, "no marks", http.StatusBadRequest)
			return
		case how == "flood" && marked:
			w.Write(make([]byte, 300_000))
			return
		}
		w.Write(body)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// TestServices runs services that are slow, fail or drop connections. Faults of an input are found,
// and faults of the connection are not.
func TestServices(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	for _, h := range []harmOutside{
		{how: "fine"},
		{how: "flaky"},
		{how: "slow", keys: "timeout = \"300ms\"\n", budget: 40, code: 1, kind: "timeout", result: "300ms"},
		{how: "fails", code: 1, kind: "crash", result: "500"},
		{how: "refuses", code: 1, kind: "discrepancy", result: "no marks"},
		{how: "flood", code: 1, kind: "crash", result: "output flood"},
	} {
		t.Run(h.how, func(t *testing.T) {
			t.Parallel()
			h.run(t, tool, fmt.Sprintf("kind = \"http\"\nurl = \"%s/\"\nretries = 5\n", service(t, h.how)))
		})
	}
}

// TestFullPrivateFolder checks that a program that fills its private folder harms no other program,
// and not its own next inputs.
func TestFullPrivateFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	p := newTool(t).programs(t, map[string]string{
		"seeds/1": "abc", "seeds/2": "a b!",
		"parallax.toml": `version = 1
[input]
seeds = "seeds"
[[program]]
name = "stdin"
kind = "command"
command = ["cat"]
[[program]]
name = "file"
kind = "command"
command = ["cat", "{input}"]
[[program]]
name = "fills"
kind = "command"
command = ["sh", "-c", "tee input; if grep -q ! input; then head -c 300000000 /dev/zero >fill; fi 2>/dev/null; true"]
file_size = 0
timeout = "30s" # for 300 MB on a busy machine
`})
	r := p.diff(t, "--fuzztime", "30x")
	r.exits(t, 0)
	r.readable(t)
	p.clean(t)
}
