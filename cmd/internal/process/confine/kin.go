package confine

import (
	"bytes"
	"encoding/binary"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// How often the sandbox looks at what runs: often while it changes, because a program can fill some MiB, or start some processes, in
// a millisecond; less often when it does not, because a look costs up to 300 µs with what it wakes, and drivers run for hours; least often where a
// control group holds the program, so that a look only learns what the kernel has refused. It looks again before a program could fill what is left of
// its memory, at fillSpeed.
const (
	lookMin   = 2 * time.Millisecond
	lookMax   = 32 * time.Millisecond
	lookHeld  = 128 * time.Millisecond
	fillSpeed = 8 << 20 // bytes a millisecond: as quick as a processor clears pages
)

// usage is what runs at a moment.
type usage struct {
	processes int
	memory    int64 // resident bytes
}

// look sees whether what runs is within the limits, and kills it where not.
func (k *keeper) look() {
	r := &k.run
	if k.spec.Memory > 0 || k.spec.Processes > 0 {
		now, most := k.kin.use(), lookMax
		if used, ok := k.group.Memory(); ok {
			now.memory, most = used, lookHeld // what processes share counts once
		}
		k.refused()
		r.forked = r.forked || k.spec.Processes > 0 && now.processes > k.spec.Processes
		r.oom = r.oom || k.spec.Memory > 0 && now.memory > k.spec.Memory
		if r.forked || r.oom {
			k.kill()
		}
		if change := now.memory - r.last.memory; now.processes == r.last.processes && max(change, -change) < k.spec.Memory/64 {
			r.every = min(2*r.every, most)
			if k.spec.Memory > 0 {
				r.every = max(lookMin, min(r.every, time.Duration((k.spec.Memory-now.memory)/fillSpeed)*time.Millisecond))
			}
		} else {
			r.every = lookMin
		}
		r.last = now
	} else {
		r.every = 100 * time.Millisecond // orphans are reaped with each look
	}
	r.look = time.Now().Add(r.every)
}

// refused sees what the kernel has refused to what runs.
func (k *keeper) refused() {
	r, now := &k.run, k.group.Count()
	r.forked = r.forked || now.Tasks > r.before.Tasks
	r.oom = r.oom || now.Killed > r.before.Killed
}

// kill kills the program and all that it started.
func (k *keeper) kill() {
	leader := k.run.pid
	if k.run.parted {
		leader = 0
	}
	k.kin.kill(leader)
	if !k.spec.PID {
		k.group.Kill() // also who has left it, with nobody to fork away
	}
}

// kin are the processes that the sandbox started, and theirs.
type kin struct {
	all  bool // the sandbox is the first process of its namespace: everybody else in it is kin
	proc int  // /proc
	page int64

	names, content []byte // buffers
}

func newKin(all bool) (kin, error) {
	proc, err := unix.Open("/proc", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return kin{}, &os.PathError{Op: "open", Path: "/proc", Err: err}
	}
	return kin{all: all, proc: proc, page: int64(os.Getpagesize()), names: make([]byte, 32<<10), content: make([]byte, 4<<10)}, nil
}

// kill kills all kin. pid is the program itself, the leader of its process group; 0 if it was waited for.
func (k *kin) kill(pid int) {
	if k.all {
		unix.Kill(-1, unix.SIGKILL) // at one moment, so that nobody forks away from it
		return
	}
	// First who is in the group, at one moment; then who has left it, until nobody is found who was not there before. Who was
	// missed is found when the caller comes again, which it does until there is nobody.
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

// use sums up what kin use.
func (k *kin) use() (u usage) {
	for _, pid := range k.list() {
		// "size resident shared ...", in pages. Who has ended in between has none.
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

// list is who runs now.
func (k *kin) list() []int {
	if k.all {
		var pids []int
		for _, pid := range k.numbers("") {
			if pid != 1 {
				pids = append(pids, pid)
			}
		}
		return pids
	}
	if below, ok := k.below(); ok {
		return below
	}
	return k.parents()
}

// below follows the kernel's lists of children down from this process. Not every kernel has them.
func (k *kin) below() ([]int, bool) {
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

// parents finds the same by asking every process of the machine for its parent.
func (k *kin) parents() []int {
	children := map[int][]int{}
	for _, pid := range k.numbers("") {
		stat := k.read(strconv.Itoa(pid) + "/stat")
		// "pid (name) state parent ...", where the name may hold anything.
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

// numbers are the numbers among the entries of a folder of /proc.
func (k *kin) numbers(path string) []int {
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

// read is the content of a file of /proc, valid until the next; nil if there is none to be had.
func (k *kin) read(path string) []byte {
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
