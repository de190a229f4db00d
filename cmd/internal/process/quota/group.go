package quota

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Limits are the limits of a group. Zero means no limit.
type Limits struct {
	Tasks  int
	Memory int64 // bytes
}

// Group is a control group, in each hierarchy where the machine permits one.
//
// The limits are on the group, and its processes are in another group inside. A process that mounts
// a hierarchy in its own namespaces sees only its own group, and can change only that one's limits.
type Group struct {
	limits Limits
	parts  []part
}

// part is a group in one hierarchy. Its descriptors let another process use it: see Files. A thread
// confined by Landlock can write to open descriptors but open none, hence most and out.
type part struct {
	hierarchy
	name        string
	dir         *os.File
	inner       *os.File // the group inside
	parent      *os.File
	pidsMax     *os.File // pids.max; nil without the controller
	parentTasks *os.File // the threads of the parent group; nil with cgroup v2
}

// files returns the open descriptors.
func (p *part) files() (all []*os.File) {
	for _, f := range []*os.File{p.dir, p.inner, p.parent, p.pidsMax, p.parentTasks} {
		if f != nil {
			all = append(all, f)
		}
	}
	return all
}

// prefix begins the names of all groups, and inside names the group in each.
const (
	prefix = "parallax-"
	inside = "in"
)

// Open creates a group. The machine's way must be one of groups.
func (m *Machine) Open(l Limits) (*Group, error) { return open(m.parents, l) }

func open(parents []hierarchy, l Limits) (*Group, error) {
	g := &Group{limits: l}
	for _, h := range parents {
		p, err := makePart(h)
		if err == nil {
			g.parts = append(g.parts, *p)
			err = p.limit(l)
		}
		if err != nil {
			g.Close()
			return nil, fmt.Errorf("making a control group: %w", err)
		}
	}
	return g, nil
}

// makePart creates an empty group. It stays locked while any process has it open, so that no sweep
// removes it.
func makePart(h hierarchy) (*part, error) {
	parent, err := os.Open(h.path)
	if err != nil {
		return nil, err
	}
	for {
		var random [8]byte
		rand.Read(random[:])
		p := &part{hierarchy: h, name: prefix + hex.EncodeToString(random[:]), parent: parent}
		path := filepath.Join(h.path, p.name)
		if err = os.Mkdir(path, 0o755); err != nil {
			break
		}
		if p.dir, err = os.Open(path); err == nil {
			if err = unix.Flock(int(p.dir.Fd()), unix.LOCK_SH|unix.LOCK_NB); err == nil && p.exists() {
				if err = p.makeInside(); err == nil {
					return p, nil
				}
			}
			p.parent = nil // the next try uses it
			for _, f := range p.files() {
				f.Close()
			}
		}
		// A sweep was faster than the lock.
		if err != nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EWOULDBLOCK) {
			os.Remove(path)
			break
		}
	}
	parent.Close()
	return nil, err
}

func (p *part) makeInside() error {
	if p.memory && !p.v2 { // before Linux 5.11 limits did not include the groups inside otherwise
		p.tryWrite("memory.use_hierarchy", "1") // before Linux 5.11 a limit was not of the groups inside, unless this was so
	}
	err := unix.Mkdirat(int(p.dir.Fd()), inside, 0o755)
	if err == nil {
		p.inner, err = openAt(p.dir, inside, unix.O_RDONLY|unix.O_DIRECTORY)
	}
	if err == nil && p.pids {
		p.pidsMax, err = openAt(p.dir, "pids.max", unix.O_WRONLY)
	}
	if err == nil && !p.v2 {
		p.parentTasks, err = openAt(p.parent, "tasks", unix.O_WRONLY)
	}
	return err
}

// openAt opens a file or a folder in a folder.
func openAt(dir *os.File, name string, flags int) (*os.File, error) {
	fd, err := unix.Openat(int(dir.Fd()), name, flags|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

func (p *part) exists() bool {
	var s unix.Stat_t
	return unix.Fstatat(int(p.parent.Fd()), p.name, &s, 0) == nil
}

// limit sets the limits. Swap would be unlimited memory, so it is disabled where possible.
func (p *part) limit(l Limits) error {
	if p.pids && l.Tasks > 0 {
		if err := p.write("pids.max", strconv.Itoa(l.Tasks)); err != nil {
			return err
		}
	}
	if !p.memory || l.Memory <= 0 {
		return nil
	}
	most := strconv.FormatInt(l.Memory, 10)
	if p.v2 {
		p.tryWrite("memory.swap.max", "0")
		return p.write("memory.max", most)
	}
	if err := p.write("memory.limit_in_bytes", most); err != nil {
		return err
	}
	p.tryWrite("memory.memsw.limit_in_bytes", most)
	return nil
}

func (p *part) tryWrite(file, text string) { _ = p.write(file, text) }

func (p *part) write(file, text string) error {
	fd, err := unix.Openat(int(p.dir.Fd()), file, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		_, err = unix.Write(fd, []byte(text))
		unix.Close(fd)
	}
	if err != nil {
		return &os.PathError{Op: "write", Path: filepath.Join(p.path, p.name, file), Err: err}
	}
	return nil
}

func (p *part) read(file string) []byte {
	fd, err := unix.Openat(int(p.dir.Fd()), file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	buffer := make([]byte, 4<<10)
	var all []byte
	for {
		n, err := unix.Read(fd, buffer)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return all
		}
		all = append(all, buffer[:n]...)
	}
}

// Join moves the calling thread, and processes it starts later, into the group. The thread must
// come from OnThread. Join does nothing with cgroup v2, whose groups hold whole processes: see
// Attributes.
func (g *Group) Join() error {
	if g == nil {
		return nil
	}
	for i := range g.parts {
		if p := &g.parts[i]; !p.v2 {
			if err := p.write(inside+"/tasks", "0"); err != nil {
				return fmt.Errorf("entering a control group: %w", err)
			}
		}
	}
	return nil
}

// Exit moves the calling thread back to the group's parent.
func (g *Group) Exit() {
	if g == nil {
		return
	}
	for i := range g.parts {
		if p := &g.parts[i]; !p.v2 {
			_, _ = unix.Write(int(p.parentTasks.Fd()), []byte("0"))
		}
	}
}

// Attributes makes the kernel create a process in the group, with cgroup v2. A nil group does
// nothing in this and all methods below.
func (g *Group) Attributes(a *syscall.SysProcAttr) {
	if g == nil {
		return
	}
	for i := range g.parts {
		if p := &g.parts[i]; p.v2 {
			a.UseCgroupFD, a.CgroupFD = true, int(p.inner.Fd())
		}
	}
}

// Count holds the refusals of the kernel to a group since its creation.
type Count struct {
	Tasks  uint64 // tasks that the kernel refused
	Killed uint64 // tasks that the kernel killed for their memory
}

// Count reads the refusals.
func (g *Group) Count() (c Count) {
	if g == nil {
		return c
	}
	for i := range g.parts {
		p := &g.parts[i]
		if p.pids && p.reachedLimit(g.limits.Tasks) {
			c.Tasks = value(p.read(p.eventFile("pids.events")), "max")
		}
		switch {
		case p.memory && p.v2:
			c.Killed = value(p.read("memory.events"), "oom_kill")
		case p.memory:
			c.Killed = value(p.read(p.eventFile("memory.oom_control")), "oom_kill")
		}
	}
	return c
}

// eventFile returns the file that counts refusals to the processes: v1 counts in their group, v2
// also in all groups above.
func (p *part) eventFile(file string) string {
	if p.v2 {
		return file
	}
	return inside + "/" + file
}

// Memory returns the memory of the group's processes without files. ok reports whether it is known.
func (g *Group) Memory() (bytes int64, ok bool) {
	if g == nil {
		return 0, false
	}
	for i := range g.parts {
		p := &g.parts[i]
		if !p.memory {
			continue
		}
		stat, name := p.read(p.eventFile("memory.stat")), "anon"
		if !p.v2 {
			name = "rss" // total_rss includes groups inside with a delay
		}
		return int64(value(stat, name)), len(stat) > 0
	}
	return 0, false
}

// reachedLimit reports whether the group ever reached its limit of tasks. In v1 its events also
// include those of full groups above.
func (p *part) reachedLimit(tasks int) bool {
	peak, err := strconv.Atoi(string(bytes.TrimSpace(p.read("pids.peak"))))
	return err != nil || peak >= tasks
}

// value returns the number after a name, in lines of names and numbers.
func value(text []byte, name string) uint64 {
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) == 2 && string(f[0]) == name {
			n, _ := strconv.ParseUint(string(f[1]), 10, 64)
			return n
		}
	}
	return 0
}

// try creates a group as later code does, with a thread in it where possible, and removes it.
func try(parents []hierarchy) (err error) {
	if len(parents) == 0 {
		return errors.New("it is not mounted")
	}
	g, err := open(parents, Limits{Tasks: 100, Memory: 1 << 30})
	if err != nil {
		return err
	}
	done := make(chan error)
	OnThread(func() {
		err := g.Join()
		g.Exit()
		g.Close()
		done <- err
	})
	return <-done
}

// OnThread runs f on an operating system thread of its own, which ends with f. It is never the
// process's first thread, by which the kernel's OOM killer judges the process. Threads that the
// runtime starts meanwhile do not descend from it: the runtime uses another thread to start them
// when the caller's is locked. OnThread returns at once.
func OnThread(f func()) {
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() != unix.Getpid() {
			f() // the thread stays locked, so it ends with the goroutine
			return
		}
		defer runtime.UnlockOSThread()
		done := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			defer close(done)
			f()
		}()
		<-done
	}()
}

// Files returns the descriptors that another process needs for Inherit. The group keeps them open.
func (g *Group) Files() (files []*os.File) {
	if g == nil {
		return nil
	}
	for i := range g.parts {
		files = append(files, g.parts[i].files()...)
	}
	return files
}

// Shared holds the rest of what another process needs.
type Shared struct {
	Limits Limits
	Parts  []SharedPart
}

// SharedPart describes a group in one hierarchy.
type SharedPart struct {
	Name             string
	V2, Pids, Memory bool
}

// Share describes the group for Inherit.
func (g *Group) Share() *Shared {
	if g == nil {
		return nil
	}
	s := &Shared{Limits: g.limits}
	for i := range g.parts {
		p := &g.parts[i]
		s.Parts = append(s.Parts, SharedPart{Name: p.name, V2: p.v2, Pids: p.pids, Memory: p.memory})
	}
	return s
}

// Inherit opens a group that another process has shared. Its Files are the descriptors from first
// on.
func Inherit(s *Shared, first int) *Group {
	if s == nil {
		return nil
	}
	g := &Group{limits: s.Limits}
	next := func(name string) *os.File {
		first++
		return os.NewFile(uintptr(first-1), name)
	}
	for _, shared := range s.Parts {
		p := part{hierarchy: hierarchy{v2: shared.V2, pids: shared.Pids, memory: shared.Memory}, name: shared.Name}
		p.dir, p.inner, p.parent = next(p.name), next(p.name+"/"+inside), next("the group above "+p.name)
		if p.pids {
			p.pidsMax = next(p.name + "/pids.max")
		}
		if !p.v2 {
			p.parentTasks = next("the threads of the group above " + p.name)
		}
		g.parts = append(g.parts, p)
	}
	return g
}

// Leave moves the calling thread out of the group, and removes the group if this process is the
// last. A confined thread (RestrictWrites) cannot remove it: it calls Exit, and another thread
// calls Close.
func (g *Group) Leave() {
	g.Exit()
	g.Close()
}
