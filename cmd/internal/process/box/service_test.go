package box

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestService checks that a service sees only the shared folder and the machine's programs. It has
// no capability, no other file of the machine, and no file of the worker. It is restarted when it
// ends.
func TestService(t *testing.T) {
	dir, beside := t.TempDir(), t.TempDir()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := Try(t.Context(), tool, dir, nil); err != nil {
		t.Skipf("this machine permits no box: %v", err)
	}
	const script = `#!/bin/sh
{
pwd
for f in /root /home /var /etc/shadow "$0.text" "$1" /service/../service; do test -e "$f" && echo "$f"; done
(echo x > /new) 2>/dev/null || echo read-only
(echo x > /usr/new) 2>/dev/null || echo read-only
sed -n 's/^Cap...:.//p' /proc/self/status | sort -u
test -e /proc/self/fd/3 || echo no file of the worker
grep -c : /proc/net/dev
} > saying 2>&1
mv saying said
echo x >> starts
`
	program := filepath.Join(beside, "program")
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	// The worker waits for the second start. The third may be under way by then; its output must
	// stay whole.
	cmd := exec.Command("/bin/sh", "-c", `cd service; until test -e starts && test "$(wc -l < starts)" -gt 1; do sleep 0.01; done; cat said; ls log said starts`)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, os.Stderr
	mine, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	defer theirs.Close()
	cmd.ExtraFiles = []*os.File{theirs}
	Wrap(cmd, tool, []string{program, dir})
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	want := "/service\n/service/../service\nread-only\nread-only\n0000000000000000\nno file of the worker\n1\nlog\nsaid\nstarts\n"
	if said.String() != want {
		t.Errorf("the service says\n%s\nwant\n%s", said.String(), want)
	}
}

// TestServiceFails checks that a service that cannot start returns the reason.
func TestServiceFails(t *testing.T) {
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Try(t.Context(), tool, dir, nil); err != nil {
		t.Skipf("this machine permits no box: %v", err)
	}
	for service, want := range map[string]string{
		"no-such-service": `the service no-such-service does not start: exec: "no-such-service": executable file not found`,
		"/no/such":        "no such file",
	} {
		if err := Try(t.Context(), tool, dir, []string{service}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", service, err, want)
		}
	}
	if err := Try(t.Context(), tool, dir, []string{"true", "--any"}); err != nil {
		t.Errorf("a service that ends: %v", err)
	}
}
