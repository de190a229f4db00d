package confine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/process/quota/quotatest"
)

// leaving is a program that tries to leave its control group and to lift its limits. It prints its
// group before and afterwards.
const leaving = `exec 2> /dev/null
cat /proc/self/cgroup
echo --
write() { [ -e "$1/cgroup.procs" ] || return; for f in tasks cgroup.procs; do echo 0 > "$1/$f"; echo $$ > "$1/$f"; done; echo max > "$1/pids.max"; echo 9999 > "$1/pids.max"; }
all() { for d in /sys/fs/cgroup /sys/fs/cgroup/* $(grep -E ' - cgroup2? ' /proc/self/mountinfo | cut -d' ' -f5); do write $d; done; }
all
for p in 1 $PPID /proc/[0-9]*; do for d in /proc/${p##*/}/fd/* /proc/${p##*/}/root/sys/fs/cgroup/*; do write $d; done; done
for d in /sys/fs/cgroup/* /sys/fs/cgroup; do umount $d; umount -l $d; done
all
mkdir cg cg2
mount -t cgroup -o pids none cg && write cg
mount -t cgroup2 none cg2 && write cg2
export PWD; inner='for d in cg cg2; do test -e $d/cgroup.procs || continue; for g in $d $d/..; do for f in pids.max memory.limit_in_bytes memory.max; do echo max > $g/$f; echo 9999 > $g/$f; done; done; done'
unshare -m sh -c 'umount -l /sys/fs/cgroup/pids; umount -l /sys/fs/cgroup; echo 0 > /sys/fs/cgroup/pids/tasks'
for how in "unshare -UrmC" "unshare -UmC" "unshare -mC"; do
	$how sh -c 'mount -t cgroup -o pids none cg; mount -t cgroup2 none cg2; '"$inner"
	$how sh -c 'umount -l /sys/fs/cgroup/pids; echo 0 > /sys/fs/cgroup/pids/tasks'
done
nsenter -t 1 -m -C sh -c 'echo 0 > /sys/fs/cgroup/pids/tasks'
nsenter -t $PPID -m -C sh -c 'echo 0 > /sys/fs/cgroup/pids/tasks'
cat /proc/self/cgroup
echo --
ls /sys/fs/cgroup/pids /sys/fs/cgroup/unified
`

// leaveReport is the output of leaver.
type leaveReport struct {
	Said, Notes []string
	Limit       string
}

func leaver(args []string) int {
	b, err := Open(context.Background(), Options{Tool: tool(), Dir: args[0], Plain: args[1] == "plain", Limits: limits.Limits{Processes: 20, Memory: 1 << 30}})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer b.Close()
	out, err := os.Create(filepath.Join(args[0], "said"))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	script := leaving
	if args[1] == "plain" {
		// it would succeed, even with other groups
		script = "cat /proc/self/cgroup; echo --; echo --"
	}
	c := shell(script)
	c.Stdout = out
	p, err := b.Start(c)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	limit := time.AfterFunc(time.Minute, p.Kill)
	s := p.Wait()
	limit.Stop()
	said, _ := os.ReadFile(out.Name())
	os.Remove(out.Name())
	r := leaveReport{Said: strings.Split(string(said), "--\n"), Notes: b.Notes()}
	for line := range strings.Lines(r.Said[0]) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) == 3 && strings.Contains(f[2], "/parallax-") {
			for _, at := range []string{"/sys/fs/cgroup/" + f[1], "/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
				if text, err := os.ReadFile(filepath.Join(at, filepath.Dir(f[2]), "pids.max")); err == nil {
					r.Limit = strings.TrimSpace(string(text))
				}
			}
		}
	}
	if s.Err != nil || s.Exit < 0 {
		fmt.Printf("%+v\n", s)
		return 1
	}
	json.NewEncoder(os.Stdout).Encode(r)
	return 0
}

// TestControlGroupEscape checks that with a mount namespace, a program of root does not see control
// groups, and cannot change that. Elsewhere a note reports it.
func TestControlGroupEscape(t *testing.T) {
	if !quota.Find().Way.Groups() {
		t.Log("no control groups here: nothing to leave")
		return
	}
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		way := "namespaces"
		if plain {
			way = "plain"
		}
		cmd := exec.Command(tool(), t.TempDir(), way)
		if os.Geteuid() == 0 {
			// Changes happen in a mount namespace of this test, and not on the machine.
			cmd = exec.Command("unshare", append([]string{"--mount", "--propagation", "private"}, cmd.Args...)...)
		}
		cmd.Env = append(os.Environ(), programVariable+"=leaver")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		quotatest.Hold(t, cmd)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		var r leaveReport
		if err := json.Unmarshal(out.Bytes(), &r); err != nil || len(r.Said) != 3 {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		note := strings.Contains(strings.Join(r.Notes, "\n"), "can leave its limits")
		if note != plain {
			t.Errorf("notes: %q", r.Notes)
		}
		if plain {
			return
		}
		if !strings.Contains(r.Said[0], "/parallax-") || r.Said[1] != r.Said[0] {
			t.Errorf("it was in\n%sand is in\n%s", r.Said[0], r.Said[1])
		}
		if r.Limit != strconv.Itoa(quota.Tasks(20)) {
			t.Errorf("the limit is %q now", r.Limit)
		}
		if strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(r.Said[2], "/sys/fs/cgroup/pids:", ""), "/sys/fs/cgroup/unified:", "")) != "" {
			t.Errorf("it sees\n%s", r.Said[2])
		}
	})
}
