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

// Kill kills all processes of the group but the calling one, until there is none. While it does, the kernel makes no new ones.
func (g *Group) Kill() {
	if g == nil {
		return
	}
	g.shut()
	defer g.reopen()
	g.empty()
}

// empty kills until there is nobody, for a moment at most: some cannot be killed just now, and others are being killed.
func (g *Group) empty() {
	for range 2000 {
		pids := g.processes()
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			// Not unix.Kill: the thread may be one whose calls another thread is asked about, and must not keep that from running.
			unix.Syscall(unix.SYS_KILL, uintptr(pid), uintptr(unix.SIGKILL), 0)
		}
		time.Sleep(200 * time.Microsecond)
	}
}

func (g *Group) shut() { g.most("0") }

func (g *Group) reopen() {
	most := "max"
	if g.limits.Tasks > 0 {
		most = strconv.Itoa(g.limits.Tasks)
	}
	g.most(most)
}

// most sets how many tasks the group may have.
func (g *Group) most(tasks string) {
	for i := range g.parts {
		if p := &g.parts[i]; p.most != nil {
			_, _ = unix.Pwrite(int(p.most.Fd()), []byte(tasks), 0)
		}
	}
}

// processes returns the processes in the group, without this one. Those of another namespace have no number.
func (g *Group) processes() (pids []int) {
	if len(g.parts) == 0 {
		return nil
	}
	self, p := os.Getpid(), &g.parts[0]
	for _, group := range p.below(".") {
		found := numbers(p.read(group + "/cgroup.procs"))
		if len(found) == 0 {
			continue
		}
		var threads []int
		if !p.v2 {
			threads = numbers(p.read(group + "/tasks"))
		}
		for _, pid := range found {
			// With cgroup v1 a campaign that starts a program is in the program's group with one thread, which is never the first of its process.
			if pid > 0 && pid != self && (p.v2 || slices.Contains(threads, pid) || firstEnded(pid)) {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// firstEnded reports whether the first thread of a process has ended; such a thread is in no group of cgroup v1.
func firstEnded(pid int) bool {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	// "pid (name) state ...", where the name may hold anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	return len(fields) > 0 && (fields[0][0] == 'Z' || fields[0][0] == 'X')
}

// numbers are the numbers in a text of one in each line.
func numbers(text []byte) (all []int) {
	for _, f := range bytes.Fields(text) {
		if n, err := strconv.Atoi(string(f)); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// below are a group's path and those of all groups in it, which programs may have made, each after the one that it is in.
func (p *part) below(path string) []string {
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
			all = append(all, p.below(path+"/"+entry.Name())...)
		}
	}
	return all
}

// Close removes the group, if nobody is in it any more. Processes that have been killed leave it a moment later, so it waits for them a
// little; what is left then, the next campaign's sweep removes.
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

// remove removes the group and those in it, the innermost first.
func (p *part) remove() {
	groups := p.below(".")
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

// sweep kills who is in groups that were left behind by processes that were killed, and removes these groups: they are those that nobody
// holds open.
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
		g.parts[0].most, _ = openAt(dir, "pids.max", unix.O_WRONLY)
		g.shut()
		g.empty()
		g.Close()
	}
}
