package quota

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Kill kills all processes of the group except the calling one, until none remains. Meanwhile the
// kernel creates no new ones.
func (g *Group) Kill() {
	if g == nil {
		return
	}
	g.forbidTasks()
	defer g.allowTasks()
	g.empty()
}

// empty kills until no process remains, for a limited time: some cannot be killed now, and others
// are still ending.
func (g *Group) empty() {
	for range 2000 {
		pids := g.processes()
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			// unix.Kill could deadlock: another thread answers the kernel's questions about this
			// thread's calls, and needs to run.
			unix.Syscall(unix.SYS_KILL, uintptr(pid), uintptr(unix.SIGKILL), 0)
		}
		time.Sleep(200 * time.Microsecond)
	}
}

func (g *Group) forbidTasks() { g.setMaxTasks("0") }

func (g *Group) allowTasks() {
	most := "max"
	if g.limits.Tasks > 0 {
		most = strconv.Itoa(g.limits.Tasks)
	}
	g.setMaxTasks(most)
}

// setMaxTasks sets the limit of tasks.
func (g *Group) setMaxTasks(tasks string) {
	for i := range g.parts {
		if p := &g.parts[i]; p.pidsMax != nil {
			_, _ = unix.Pwrite(int(p.pidsMax.Fd()), []byte(tasks), 0)
		}
	}
}

// processes returns the processes in the group except this one. Those of another namespace have no
// number.
func (g *Group) processes() (pids []int) {
	if len(g.parts) == 0 {
		return nil
	}
	self, p := os.Getpid(), &g.parts[0]
	for _, group := range p.subgroups(".") {
		found := numbers(p.read(group + "/cgroup.procs"))
		if len(found) == 0 {
			continue
		}
		var threads []int
		if !p.v2 {
			threads = numbers(p.read(group + "/tasks"))
		}
		for _, pid := range found {
			// With cgroup v1, a campaign that starts a program has one thread in its group, which
			// is never its first thread.
			if pid > 0 && pid != self && (p.v2 || slices.Contains(threads, pid) || firstEnded(pid)) {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// firstEnded reports whether the first thread of a process has ended; such a thread is in no group
// of cgroup v1.
func firstEnded(pid int) bool {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	// "pid (name) state ...", where the name may contain any byte.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	return len(fields) > 0 && (fields[0][0] == 'Z' || fields[0][0] == 'X')
}

// numbers parses a text with one number per line.
func numbers(text []byte) (all []int) {
	for _, f := range bytes.Fields(text) {
		if n, err := strconv.Atoi(string(f)); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// subgroups returns a path and the paths of all groups in it, which programs may have created.
// Parents come first.
func (p *part) subgroups(path string) []string {
	all := []string{path}
	// A folder has a link from each folder in it, and two others.
	var s unix.Stat_t
	if unix.Fstatat(int(p.dir.Fd()), path, &s, 0) != nil || s.Nlink <= 2 {
		return all
	}
	dir, err := openAt(p.dir, path, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return all
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(-1)
	for _, entry := range entries {
		if entry.IsDir() {
			all = append(all, p.subgroups(path+"/"+entry.Name())...)
		}
	}
	return all
}

// Close removes the group if it is empty. Killed processes leave it with a short delay, so Close
// waits for them. The next campaign's sweep removes the rest.
func (g *Group) Close() {
	if g == nil {
		return
	}
	for i := range g.parts {
		p := &g.parts[i]
		p.remove()
		for _, f := range p.files() {
			f.Close()
		}
	}
	g.parts = nil
}

// remove removes the group and the groups in it, innermost first.
func (p *part) remove() {
	groups := p.subgroups(".")
	for i := len(groups) - 1; i >= 0; i-- {
		at, name := p.dir, groups[i]
		if i == 0 {
			at, name = p.parent, p.name
		}
		for wait := 50 * time.Microsecond; ; wait *= 2 {
			err := unix.Unlinkat(int(at.Fd()), name, unix.AT_REMOVEDIR)
			if !errors.Is(err, unix.EBUSY) || wait > 100*time.Millisecond {
				break
			}
			time.Sleep(wait)
		}
	}
}

// sweep kills the processes in groups that killed processes left behind, and removes these groups.
// No process has such a group open.
func sweep(h hierarchy) {
	entries, _ := os.ReadDir(h.path)
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), prefix) || strings.Contains(string(own), "/"+entry.Name()) {
			continue
		}
		dir, err := os.Open(filepath.Join(h.path, entry.Name()))
		if err != nil {
			continue
		}
		parent, err := os.Open(h.path)
		if err != nil {
			dir.Close()
			continue
		}
		g := Group{parts: []part{{hierarchy: h, name: entry.Name(), dir: dir, parent: parent}}}
		if unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
			dir.Close()
			parent.Close()
			continue
		}
		g.parts[0].pidsMax, _ = openAt(dir, "pids.max", unix.O_WRONLY)
		g.forbidTasks()
		g.empty()
		g.Close()
	}
}
