package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/process/quota/quotatest"
)

// bombFiles are five programs. Four of them each make processes without end for one input of their
// own, and threads for another, and send SIGTERM to all above them. Where the kernel makes none,
// they rest a little before they try again, but for the processes of the harness.
var bombFiles = map[string]string{
	"parallax.toml": `version = 1
[limits]
timeout = "2s"
[[program]]
name = "calm"
kind = "command"
command = ["cat"]
[[program]]
name = "command"
kind = "command"
command = ["perl", "command.pl"]
[[program]]
name = "driver"
kind = "persistent"
command = ["perl", "driver.pl"]
[[program]]
name = "harness"
kind = "c"
binary = "./harness"
[[program]]
name = "function"
kind = "go"
function = "./bombs.Function"
`,
	"go.mod": "module example.com/bombs\n\ngo 1.24\n",
	"command.pl": `use threads;
no warnings;
local $/;
my $data = <STDIN>;
sub rest { select undef, undef, undef, 0.002 }
sub threads { threads->create(\&threads) || rest while 1 }
kill 'TERM', getppid if $data =~ /^command/;
fork // rest while $data eq 'command-processes';
threads if $data eq 'command-threads';
print $data;
`,
	"driver.pl": `use threads;
no warnings;
$| = 1;
print "parallax-driver 1\n";
sub rest { select undef, undef, undef, 0.002 }
sub threads { threads->create(\&threads) || rest while 1 }
while (read(STDIN, my $head, 4) == 4) {
	my $data = '';
	read(STDIN, $data, unpack('V', $head)) if unpack('V', $head);
	kill 'TERM', getppid if $data =~ /^driver/;
	fork // rest while $data eq 'driver-processes';
	threads if $data eq 'driver-threads';
	print pack('VaV/a*', 5 + length $data, 'A', $data);
}
`,
	"harness.c": `#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int parallax_output(const void *data, size_t size);
static int is(const uint8_t *data, size_t size, const char *what) {
	return size == strlen(what) && memcmp(data, what, size) == 0;
}
static void *threads(void *p) {
	pthread_t t;
	for (;;) if (pthread_create(&t, NULL, threads, p)) usleep(2000);
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (is(data, size, "harness-processes")) {
		kill(getppid(), SIGTERM);
		for (;;) fork();
	}
	if (is(data, size, "harness-threads")) {
		kill(getppid(), SIGTERM);
		threads(NULL);
	}
	return 0;
}
`,
	"bombs/bombs.go": `// Package bombs makes processes and threads without end.
package bombs

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

func Function(data []byte) ([]byte, error) {
	switch string(data) {
	case "function-processes":
		syscall.Kill(os.Getppid(), syscall.SIGTERM)
		for range 8 {
			exec.Command("perl", "-e", "fork // select undef, undef, undef, 0.002 while 1").Start()
		}
		time.Sleep(200 * time.Millisecond)
		os.Exit(3)
	case "function-threads":
		syscall.Kill(os.Getppid(), syscall.SIGTERM)
		for {
			go func() {
				runtime.LockOSThread()
				syscall.Select(0, nil, nil, nil, nil)
			}()
			time.Sleep(10 * time.Microsecond)
		}
	}
	return data, nil
}
`,
}

// The kernel permits so many processes to a sandbox here and to the worker of a Go function
// (docs/reference/configuration.md). toolTasks bounds the tasks of parallax: supervisor, lockstep
// process, four sandboxes, the go command while it builds, and three programs that do nothing. 75
// were seen.
const (
	sandboxProcesses = 64
	workerProcesses  = 512
	toolTasks        = 150
)

// TestBombs checks that the kernel stops programs of any kind that make processes or threads
// without end, on a busy machine. Each such program is a finding and does no other harm. An outer
// limit of the kernel also contains the test, so a limit that fails is a failed test.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	p := newTool(t)
	dir := t.TempDir()
	kinds := []string{"command", "driver", "harness", "function"}
	var seeds []string
	bombFiles["seeds/0"] = "fine"
	for _, kind := range kinds {
		for _, what := range []string{"processes", "threads"} {
			seeds = append(seeds, kind+"-"+what)
			bombFiles["seeds/"+kind+"-"+what] = kind + "-" + what
		}
	}
	for name, text := range bombFiles {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := p.command(t, "cc", "-O1", "-pthread", "harness.c", "-o", "harness")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	held := func(most, code int, args ...string) string {
		cmd := p.command(t, args...)
		cmd.Dir = dir
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		outer := quotatest.Hold(t, cmd)
		cmd.Run()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
			t.Fatalf("%v: %v\n%s\n%s", args, cmd.ProcessState, stdout.Bytes(), stderr.Bytes())
		}
		peak := outer.Peak(t)
		t.Logf("%v: peak %d, at most %d", args, peak, most)
		if peak > most {
			t.Errorf("%v: %d tasks at once, at most %d are permitted", args, peak, most)
		}
		return stdout.String()
	}
	var summary struct {
		Inputs   int
		Findings struct{ Unjudged int }
	}
	// A killed process counts until its parent waits for it. For processes that a worker leaves
	// behind, that is the machine's first process, and it may be slow. So each run of the function's
	// two bombs may count to the end. The number of runs depends on the inputs that are in doubt: each
	// bomb alone, among others, and with those before it. The outer limit is above ten runs. A bomb
	// without limits reaches it within seconds.
	text := held(quotatest.Tasks-1, 0, "diff", "parallax.toml", "--fuzztime", "12x", "--parallel", "1", "--seeds", "seeds", "--json", "--ui", "line", "--out", "out", "--no-cmplog", "--no-triage")
	if err := json.Unmarshal([]byte(text), &summary); err != nil || summary.Inputs != 12 || summary.Findings.Unjudged < len(seeds) {
		t.Errorf("%v\n%s", err, text)
	}
	// Each in a fresh process: its own program crashes, or takes too long on a busy machine. The
	// others accept. Those of the sandboxes are in one command, since nothing of one is left when the
	// next begins.
	inSandboxes := len(seeds) - 2
	for _, some := range [][]string{seeds[:inSandboxes], seeds[inSandboxes : inSandboxes+1], seeds[inSandboxes+1:]} {
		most := quota.Tasks(sandboxProcesses) + toolTasks
		args := []string{"replay", "--campaign", "out"}
		for _, seed := range some {
			args = append(args, "seeds/"+seed)
			guilty, what, _ := strings.Cut(seed, "-")
			if guilty == "function" {
				most = quota.Tasks(workerProcesses) + toolTasks
				if what == "processes" {
					most += quota.Tasks(workerProcesses) // twice, as above
				}
			}
		}
		// On a busy machine, a program next to the bomb may time out. That proves nothing, so the bomb is
		// replayed again.
		for attempt := 1; ; attempt++ {
			said := strings.Split(held(most, 1, args...), "\n\n")
			said = slices.DeleteFunc(said, func(s string) bool { return strings.HasSuffix(s, "inputs show a finding\n") })
			if len(said) != len(some) {
				t.Fatalf("%d inputs are replayed, not %d\n%q", len(said), len(some), said)
			}
			wrong, late := wrongResults(some, said, kinds)
			if late && attempt < 4 {
				continue
			}
			for _, w := range wrong {
				t.Error(w)
			}
			break
		}
	}
}

// wrongResults returns the errors in the replay of some bombs. Programs that are no bombs must
// accept, and a bomb must crash or time out. Late reports that the only errors are timeouts.
func wrongResults(some, said, kinds []string) (wrong []string, late bool) {
	late = true
	for i, seed := range some {
		guilty, _, _ := strings.Cut(seed, "-")
		for _, program := range append([]string{"calm"}, kinds...) {
			want := program + " accepted"
			if program == guilty {
				want = program + " crashed"
			}
			found, slow := false, false
			for line := range strings.Lines(said[i]) {
				f := strings.Fields(line)
				if len(f) < 2 {
					continue
				}
				slow = slow || f[0]+" "+f[1] == program+" timeout"
				found = found || f[0]+" "+f[1] == want
			}
			if program == guilty {
				found = found || slow
			}
			if !found || !strings.Contains(said[i], seed) {
				wrong = append(wrong, seed+": not "+want+"\n"+said[i])
				late = late && slow
			}
		}
	}
	return wrong, late && len(wrong) > 0
}

// TestUnheld checks that a note names the limits that Go functions do not have, also for targets of
// a configuration. PARALLAX_NO_LIMITS=0 has no effect.
func TestUnheld(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	p := newTool(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module example.com/calm\n\ngo 1.24\n",
		"calm.go":       "package calm\n\nfunc A(data []byte) ([]byte, error) { return data, nil }\n\nfunc B(data []byte) ([]byte, error) { return data, nil }\n",
		"parallax.toml": "version = 1\n[[program]]\nkind = \"go\"\nfunction = \".A\"\n[[program]]\nkind = \"go\"\nfunction = \".B\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const note = "does not limit the processes that Go functions start"
	for env, want := range map[string]bool{"PARALLAX_NO_LIMITS=1": true, "PARALLAX_NO_LIMITS=0": false} {
		cmd := p.command(t, "diff", "parallax.toml", "--fuzztime", "5x", "--ui", "none", "--json", "--out", t.TempDir()+"/out")
		cmd.Dir, cmd.Env = dir, append(cmd.Environ(), env)
		out, err := cmd.CombinedOutput()
		if said := strings.Contains(strings.Join(strings.Fields(string(out)), " "), note); err != nil || said != want {
			t.Errorf("%s: %v\n%s", env, err, out)
		}
	}
}

// TestNoWayToLimit checks that parallax refuses programs with exit code 4 where the kernel cannot
// limit them, unless the user permits it. The test runs in a user namespace with a single user, in
// which no further namespaces can be made.
func TestNoWayToLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	p := newTool(t)
	dir, err := os.MkdirTemp("", "parallax-limits-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	data, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatal(err)
	}
	const file = "version = 1\n[[program]]\nname = \"a\"\nkind = \"command\"\ncommand = [\"cat\"]\n[[program]]\nname = \"b\"\nkind = \"command\"\ncommand = [\"cat\", \"-\"]\n"
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "tool"), data, 0o755), os.WriteFile(filepath.Join(dir, "parallax.toml"), []byte(file), 0o644), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	const script = `echo 0 > /proc/sys/user/max_user_namespaces && ./tool diff parallax.toml --fuzztime 20x --ui none "$@"`
	for _, test := range []struct {
		flags []string
		env   string
		code  int
		want  string
	}{
		{nil, "", 4, "cannot be made to limit the processes of a program"},
		{[]string{"--no-limits"}, "", 0, "can bring this machine down"},
		{nil, "PARALLAX_NO_LIMITS=1", 0, "can bring this machine down"},
	} {
		args := append([]string{"unshare", "-r", "sh", "-c", script, "sh"}, test.flags...)
		if os.Geteuid() == 0 {
			args = append([]string{"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"}, args...)
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+dir, "TMPDIR="+dir, test.env)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(string(out)), " ") // notes are wrapped
		if cmd.ProcessState.ExitCode() != test.code || !strings.Contains(text, test.want) {
			t.Errorf("%q %s: %v\n%s", test.flags, test.env, cmd.ProcessState, out)
		}
	}
}
