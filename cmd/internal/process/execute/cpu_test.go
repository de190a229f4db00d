package execute

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// busy starts a shell that runs the script, prints a line, and waits for the call of end, which
// returns its total CPU time.
func busy(t *testing.T, script string) (pid int, end func() time.Duration) {
	t.Helper()
	return scripted(t, script+"; echo ready; read x")
}

// scripted starts a shell with a script that prints a line when it is ready and then reads a line.
func scripted(t *testing.T, script string) (pid int, end func() time.Duration) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the shell said %q: %v", line, err)
	}
	return cmd.Process.Pid, func() time.Duration {
		in.Close()
		cmd.Wait()
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
}

const work = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"

// TestCPUTime compares with the kernel's figure after a process has ended.
func TestCPUTime(t *testing.T) {
	if cpuTime(os.Getpid()) == 0 {
		t.Fatal("this process has used nothing")
	}
	pid, end := busy(t, work)
	if !slices.Contains(children(os.Getpid()), pid) {
		t.Errorf("%d is not among the children %v", pid, children(os.Getpid()))
	}
	before := cpuTime(pid)
	after := end()
	if before <= 0 || before > after+tick || after-before > after/2+2*tick {
		t.Errorf("it had used %v, and %v in all", before, after)
	}
	if cpuTime(pid) != 0 || reapedTime(pid) != 0 || children(pid) != nil {
		t.Error("a process that is gone uses something")
	}
}

// TestReapedTime checks that descendants that have ended count with the process that waited for
// them.
func TestReapedTime(t *testing.T) {
	pid, end := busy(t, "("+work+")")
	below, own := reapedTime(pid), cpuTime(pid)
	if below < tick || below < own {
		t.Errorf("its child used %v, and itself %v", below, own)
	}
	if all := end(); below > all+tick {
		t.Errorf("its child used %v, of %v in all", below, all)
	}
}

// TestFamily checks that a descendant two levels below counts, too, such as a program in a sandbox.
func TestFamily(t *testing.T) {
	pid, end := scripted(t, "sh -c 'sh -c \""+strings.ReplaceAll(work, "$", `\$`)+"; echo ready; read x\"; :'; :")
	all := family(pid)
	if len(all) != 3 || all[0] != pid {
		t.Fatalf("the family of %d is %v", pid, all)
	}
	own, below := cpuTime(pid), cpuTime(all[2])
	if total := end(); below < own || below > total+tick || below < total/2 {
		t.Errorf("the last of %v had used %v, the first %v, of %v in all", all, below, own, total)
	}
}
