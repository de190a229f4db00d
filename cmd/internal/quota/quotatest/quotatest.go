// Package quotatest is an outer limit of the kernel for tests that run what could bring a machine down: a limit of parallax that does not
// hold is a failed test then. It does not use package quota, which is under test.
package quotatest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What a command may have inside. Those who have ended count until somebody takes note of it, which is the machine's first process for what
// a worker leaves behind, and that may take its time.
const (
	Tasks  = 5000
	Memory = 4 << 30
)

// Outer is a limit of the kernel that holds a command and all that it starts, set without package quota.
type Outer struct {
	pids, memory string // control groups; "" where the command sets RLIMIT_NPROC itself
}

// Hold makes the limit, and has cmd start inside. A test that cannot have it fails: nothing may run without. Who is not root has to limit the
// command itself, by RLIMIT_NPROC.
func Hold(t *testing.T, cmd *exec.Cmd) (o Outer) {
	t.Helper()
	if os.Geteuid() != 0 {
		return o
	}
	limit := func(controller string, files map[string]string) string {
		own, err := os.ReadFile("/proc/self/cgroup")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(own)) {
			f := strings.SplitN(strings.TrimSpace(line), ":", 3)
			path := ""
			switch {
			case f[1] == controller:
				path = "/sys/fs/cgroup/" + controller + f[2]
			case f[1] == "" && len(files) > 0:
				path = filepath.Dir("/sys/fs/cgroup" + f[2] + "/")
			}
			if path == "" {
				continue
			}
			for ; strings.HasPrefix(path, "/sys/fs/cgroup"); path = filepath.Dir(path) {
				group := fmt.Sprintf("%s/outer-%d-%d", path, os.Getpid(), time.Now().UnixNano())
				if os.Mkdir(group, 0o755) != nil {
					continue
				}
				ok := true
				for name, value := range files {
					if info, err := os.Stat(group + "/" + name); err == nil && !info.IsDir() {
						ok = ok && os.WriteFile(group+"/"+name, []byte(value), 0) == nil
					} else if name == "pids.max" || name == "memory.max" && f[1] == "" {
						ok = false
					}
				}
				if ok {
					t.Cleanup(func() {
						for deadline := time.Now().Add(time.Minute); os.Remove(group) != nil; time.Sleep(2 * time.Millisecond) {
							if time.Now().After(deadline) {
								t.Error("the outer limit still holds processes a minute later: " + group)
								return
							}
						}
					})
					return group
				}
				os.Remove(group)
			}
		}
		t.Fatalf("the outer limit of this test needs a control group with the controller %s: run it as root where control groups can be "+
			"made, or as an ordinary user", controller)
		return ""
	}
	o.pids = limit("pids", map[string]string{"pids.max": strconv.Itoa(Tasks)})
	o.memory = limit("memory", map[string]string{"memory.limit_in_bytes": strconv.Itoa(Memory), "memory.max": strconv.Itoa(Memory)})
	// A shell enters the groups before it becomes the command.
	cmd.Args = append([]string{"sh", "-c", `echo $$ > "$0/cgroup.procs" && echo $$ > "$1/cgroup.procs" && shift && exec "$@"`, o.pids, o.memory, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	return o
}

// Peak is how many tasks there ever were, as far as the kernel says it; else 0.
func (o Outer) Peak(t *testing.T) int {
	if o.pids == "" {
		return 0
	}
	text, err := os.ReadFile(o.pids + "/pids.peak")
	if err != nil {
		t.Log("this kernel keeps no peak of a control group: ", err)
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
