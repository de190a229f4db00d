// Package quotatest sets an outer limit for tests that could bring a machine down: a limit of
// parallax that fails then only fails the test. It does not use package quota, which is under test.
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

// Limits of a command. Ended processes count until they are waited for. The machine's first process
// waits for those that a worker leaves behind, which may take a while.
const (
	Tasks  = 8000
	Memory = 4 << 30
)

// Outer is a limit of the kernel on a command and its descendants, set without package quota.
type Outer struct {
	pids, memory string // control groups; empty if the command sets RLIMIT_NPROC itself
}

// Hold creates the limit, and makes cmd start inside. A test that cannot have it fails: nothing may
// run without. Users other than root must limit the command themselves, by RLIMIT_NPROC.
func Hold(t *testing.T, cmd *exec.Cmd) (o Outer) {
	t.Helper()
	if os.Geteuid() != 0 {
		return o
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{} // by controller: this process's group
	for line := range strings.Lines(string(own)) {
		if f := strings.SplitN(strings.TrimSpace(line), ":", 3); len(f) == 3 {
			of[f[1]] = f[2]
		}
	}
	tasks, memory := strconv.Itoa(Tasks), strconv.Itoa(Memory)
	if at, ok := of["pids"]; ok {
		o.pids = limited(t, "/sys/fs/cgroup/pids", at, [][2]string{{"pids.max", tasks}})
		o.memory = limited(t, "/sys/fs/cgroup/memory", of["memory"], [][2]string{{"memory.limit_in_bytes", memory}})
	} else {
		// One group for both. Only a group without processes can have groups inside, so the command
		// is in an inner one.
		o.pids = limited(t, "/sys/fs/cgroup", of[""], [][2]string{{"pids.max", tasks}, {"memory.max", memory}, {"cgroup.subtree_control", "+pids +memory"}})
		o.memory = o.pids + "/leaf"
		if err := os.Mkdir(o.memory, 0o755); err != nil {
			t.Fatal(err)
		}
		emptied(t, o.memory)
	}
	enter := []string{o.pids, o.memory}
	if o.memory == o.pids+"/leaf" {
		enter[0] = o.memory
	}
	// A shell enters the groups before it becomes the command.
	cmd.Args = append([]string{"sh", "-c", `echo $$ > "$0/cgroup.procs" && echo $$ > "$1/cgroup.procs" && shift && exec "$@"`, enter[0], enter[1], cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	return o
}

// limited creates a group in a hierarchy, below this process's own or a parent, and writes its
// files.
func limited(t *testing.T, root, own string, files [][2]string) string {
	t.Helper()
	for path := filepath.Join(root, own); strings.HasPrefix(path, root); path = filepath.Dir(path) {
		group := fmt.Sprintf("%s/outer-%d-%d", path, os.Getpid(), time.Now().UnixNano())
		if os.Mkdir(group, 0o755) != nil {
			continue
		}
		var err error
		for _, f := range files {
			if err == nil {
				_, err = os.Stat(group + "/" + f[0])
			}
			if err == nil {
				err = os.WriteFile(group+"/"+f[0], []byte(f[1]), 0)
			}
		}
		if err == nil {
			emptied(t, group)
			return group
		}
		os.Remove(group)
	}
	t.Fatalf("the outer limit of this test needs a control group with %s: run it as root where control groups can be made, or as an "+
		"ordinary user", files[0][0])
	return ""
}

// emptied removes a group after the test, with the groups that killed processes left in it.
func emptied(t *testing.T, group string) {
	t.Cleanup(func() {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
			inner, _ := filepath.Glob(group + "/parallax-*/*")
			outer, _ := filepath.Glob(group + "/parallax-*")
			for _, left := range append(inner, outer...) {
				os.Remove(left)
			}
			if os.Remove(group) == nil {
				return
			}
			if time.Now().After(deadline) {
				t.Error("the outer limit still holds processes a minute later: " + group)
				return
			}
		}
	})
}

// Peak returns the maximum number of tasks so far. It returns 0 if the kernel does not record it.
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
