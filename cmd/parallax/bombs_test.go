package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/quota/quotatest"
)

// bombFiles are five programs, each of which makes processes without end for one input of its own, and sends SIGTERM to all above it.
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
	"command.pl": `local $/;
my $data = <STDIN>;
if ($data eq 'command') {
	kill 'TERM', getppid;
	fork while 1;
}
print $data;
`,
	"driver.pl": `$| = 1;
print "parallax-driver 1\n";
while (read(STDIN, my $head, 4) == 4) {
	read(STDIN, my $data, unpack('V', $head)) if unpack('V', $head);
	if ($data eq 'driver') {
		kill 'TERM', getppid;
		fork while 1;
	}
	print pack('VaV/a*', 5 + length $data, 'A', $data);
}
`,
	"harness.c": `#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size == 7 && memcmp(data, "harness", 7) == 0) {
		kill(getppid(), SIGTERM);
		for (;;) fork();
	}
	return 0;
}
`,
	"bombs/bombs.go": `// Package bombs makes processes without end.
package bombs

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

func Function(data []byte) ([]byte, error) {
	if string(data) == "function" {
		if err := syscall.Kill(os.Getppid(), syscall.SIGTERM); err != nil {
			os.Stderr.WriteString("refused: " + err.Error() + "\n")
		}
		for range 8 {
			exec.Command("perl", "-e", "fork while 1").Start()
		}
		time.Sleep(200 * time.Millisecond)
		os.Exit(3)
	}
	return data, nil
}
`,
	"seeds/0": "fine", "seeds/1": "command", "seeds/2": "driver", "seeds/3": "harness", "seeds/4": "function",
}

// A program of any kind that makes processes and threads without end, while the machine is busy with the other tests, is a finding and nothing
// else: the kernel holds it. All of it runs inside an outer limit of the kernel, which would hold it too, so that a limit that does not hold is a failed test.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	p := newTool(t)
	dir := t.TempDir()
	for name, text := range bombFiles {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := p.command(t, "cc", "-O1", "harness.c", "-o", "harness")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := p.command(t, "diff", "parallax.toml", "--fuzztime", "12x", "--parallel", "1", "--seeds", "seeds", "--json", "--ui", "line", "--out", "out", "--no-cmplog", "--no-triage")
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	outer := quotatest.Hold(t, cmd)
	err := cmd.Run()
	var summary struct {
		Inputs     int
		Discrepant int `json:"discrepant_inputs"`
	}
	if bad := json.Unmarshal(stdout.Bytes(), &summary); bad != nil || cmd.ProcessState.ExitCode() != 0 || summary.Inputs != 12 {
		t.Fatalf("%v, %v, %d inputs\n%s\n%s", err, bad, summary.Inputs, stdout.Bytes(), stderr.Bytes())
	}
	if summary.Discrepant == 0 {
		t.Errorf("no bomb was seen\n%s", stdout.Bytes())
	}
	t.Logf("peak %d", outer.Peak(t))
	if peak := outer.Peak(t); peak >= quotatest.Tasks {
		t.Errorf("%d tasks at once: nothing but the outer limit held them", peak)
	}
}

// Where the kernel cannot be made to hold programs, they are refused with exit code 4, unless the user says otherwise. The place without any
// way is a user namespace with one user who is nobody outside, in which no others can be made.
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
