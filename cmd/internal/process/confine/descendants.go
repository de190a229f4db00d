package confine

import (
	"bytes"
	"encoding/binary"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Intervals of the checks. They are short while usage changes, because a program can fill some MiB
// or start some processes in a millisecond. They grow when it does not, because a check costs up to
// 300 µs with the caches it spoils, and drivers run for hours. They are longest with a control
// group, where a check only reads the kernel's refusals. A check comes before the program could
// fill its remaining memory at fillSpeed.
const (
	minInterval      = 2 * time.Millisecond
	maxInterval      = 32 * time.Millisecond
	maxGroupInterval = 128 * time.Millisecond
	fillSpeed        = 8 << 20 // bytes per millisecond: the speed at which a processor clears pages
)

// usage is the resource usage of the sandbox's descendants at one moment.
type usage struct {
	processes int
	memory    int64 // resident bytes
}

// checkLimits checks the limits, and kills the program if it exceeds one.
func (k *sandboxInit) checkLimits() {
	r := &k.run
	if k.spec.Memory > 0 || k.spec.Processes > 0 {
		now, most := k.tree.usage(), maxInterval
		if used, ok := k.group.Memory(); ok {
			now.memory, most = used, maxGroupInterval // counts shared memory once
		}
		k.recordRefusals()
		r.forked = r.forked || k.spec.Processes > 0 && now.processes > k.spec.Processes
		r.oom = r.oom || k.spec.Memory > 0 && now.memory > k.spec.Memory
		if r.forked || r.oom {
			k.kill()
		}
		if change := now.memory - r.lastUsage.memory; now.processes == r.lastUsage.processes && max(change, -change) < k.spec.Memory/64 {
			r.interval = min(2*r.interval, most)
			if k.spec.Memory > 0 {
				r.interval = max(minInterval, min(r.interval, time.Duration((k.spec.Memory-now.memory)/fillSpeed)*time.Millisecond))
			}
		} else {
			r.interval = minInterval
		}
		r.lastUsage = now
	} else {
		r.interval = 100 * time.Millisecond // each check also reaps orphans
	}
	r.nextCheck = time.Now().Add(r.interval)
}

// recordRefusals records the kernel's refusals since the program's start.
func (k *sandboxInit) recordRefusals() {
	r, now := &k.run, k.group.Count()
	r.forked = r.forked || now.Tasks > r.refusedBefore.Tasks
	r.oom = r.oom || now.Killed > r.refusedBefore.Killed
}

// kill kills the program and its descendants.
func (k *sandboxInit) kill() {
	leader := k.run.pid
	if k.run.groupKilled {
		leader = 0
	}
	k.tree.kill(leader)
	if !k.spec.PID {
		// also processes outside of the process group; the group cannot fork meanwhile
		k.group.Kill()
	}
}

// descendants finds the descendants of the sandbox.
type descendants struct {
	namespace bool // the sandbox is the first process of its namespace: all others are descendants
	proc      int  // /proc
	page      int64

	names, content []byte // buffers
}

func newDescendants(all bool) (descendants, error) {
	proc, err := unix.Open("/proc", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return descendants{}, &os.PathError{Op: "open", Path: "/proc", Err: err}
	}
	return descendants{namespace: all, proc: proc, page: int64(os.Getpagesize()), names: make([]byte, 32<<10), content: make([]byte, 4<<10)}, nil
}

// kill kills all descendants. pid is the program itself, the leader of its process group, or 0 if
// it was waited for.
func (k *descendants) kill(pid int) {
	if k.namespace {
		unix.Kill(-1, unix.SIGKILL) // at one moment, so that no process can fork in between
		return
	}
	// First the process group, at one moment; then processes outside of it, until no new one
	// appears. The caller repeats the call until all are gone, which catches the rest.
	if pid != 0 {
		unix.Kill(-pid, unix.SIGKILL)
	}
	killed := map[int]bool{}
	for found := true; found; {
		found = false
		for _, pid := range k.list() {
			if !killed[pid] {
				killed[pid], found = true, true
				unix.Kill(pid, unix.SIGKILL)
			}
		}
	}
}

// usage adds up the usage of all descendants.
func (k *descendants) usage() (u usage) {
	for _, pid := range k.list() {
		// "size resident shared ...", in pages. A process that has ended has none.
		fields := bytes.Fields(k.read(strconv.Itoa(pid) + "/statm"))
		if len(fields) < 2 {
			continue
		}
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		u.processes++
		u.memory += pages * k.page
	}
	return u
}

// list returns the process numbers of all descendants.
func (k *descendants) list() []int {
	if k.namespace {
		var pids []int
		for _, pid := range k.numbers("") {
			if pid != 1 {
				pids = append(pids, pid)
			}
		}
		return pids
	}
	if below, ok := k.childLists(); ok {
		return below
	}
	return k.byParent()
}

// childLists follows the kernel's lists of children from this process down. Some kernels do not
// have them.
func (k *descendants) childLists() ([]int, bool) {
	todo, own := []int{os.Getpid()}, true
	var found []int
	for len(todo) > 0 {
		at := strconv.Itoa(todo[0])
		todo = todo[1:]
		for _, thread := range k.numbers(at + "/task") {
			children := k.read(at + "/task/" + strconv.Itoa(thread) + "/children")
			if children == nil && own {
				return nil, false
			}
			for _, field := range bytes.Fields(children) {
				if pid, err := strconv.Atoi(string(field)); err == nil {
					found = append(found, pid)
					todo = append(todo, pid)
				}
			}
		}
		own = false
	}
	return found, true
}

// byParent finds the same processes by the parent of every process of the machine.
func (k *descendants) byParent() []int {
	children := map[int][]int{}
	for _, pid := range k.numbers("") {
		stat := k.read(strconv.Itoa(pid) + "/stat")
		// "pid (name) state parent ...", where the name may contain any byte.
		if i := bytes.LastIndexByte(stat, ')'); i >= 0 {
			if fields := bytes.Fields(stat[i+1:]); len(fields) > 1 {
				parent, _ := strconv.Atoi(string(fields[1]))
				children[parent] = append(children[parent], pid)
			}
		}
	}
	found := children[os.Getpid()]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}

// numbers returns the numeric entries of a folder of /proc.
func (k *descendants) numbers(path string) []int {
	fd := k.proc
	if path == "" {
		unix.Seek(fd, 0, 0)
	} else {
		var err error
		if fd, err = unix.Openat(k.proc, path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
			return nil
		}
		defer unix.Close(fd)
	}
	var all []int
	for {
		n, err := unix.Getdents(fd, k.names)
		if err != nil || n <= 0 {
			return all
		}
		// struct linux_dirent64: inode 8, offset 8, length 2, type 1, name.
		for entries := k.names[:n]; len(entries) > 19; {
			length := int(binary.NativeEndian.Uint16(entries[16:]))
			name, _, _ := bytes.Cut(entries[19:length], []byte{0})
			if name[0] >= '0' && name[0] <= '9' {
				if number, err := strconv.Atoi(string(name)); err == nil {
					all = append(all, number)
				}
			}
			entries = entries[length:]
		}
	}
}

// read returns the content of a file of /proc, valid until the next call, or nil if it cannot be
// read.
func (k *descendants) read(path string) []byte {
	fd, err := unix.Openat(k.proc, path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	content := k.content[:0]
	for {
		n, err := unix.Read(fd, content[len(content):cap(content)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil
		}
		content = content[:len(content)+n]
		if n == 0 {
			return content
		}
		if len(content) == cap(content) {
			k.content = append(content, make([]byte, cap(content))...)
			content = k.content[:len(content)]
		}
	}
}
