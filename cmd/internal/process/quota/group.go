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

// Limits are what a group may have. Zero is no limit.
type Limits struct {
	Tasks  int
	Memory int64 // bytes
}

// Group is a control group, in each hierarchy that its machine has for it.
//
// The limits are of the group, and its processes are in another one inside of it: who mounts a hierarchy in namespaces of its own sees no
// more than the group that it is in, and can change no limit but of that.
type Group struct {
	limits Limits
	parts  []part
}

// part is a group in a hierarchy. The descriptors are what another process needs to use it: see Files. A thread that Landlock
// confines can write to a descriptor that is open, and open none: hence most and out.
type part struct {
	hierarchy
	name   string
	dir    *os.File
	in     *os.File // the group inside
	parent *os.File
	most   *os.File // pids.max; nil without the controller
	out    *os.File // the threads of the group above; nil with cgroup v2
}

// files are the descriptors that are open.
func (p *part) files() (all []*os.File) {
	for _, f := range []*os.File{p.dir, p.in, p.parent, p.most, p.out} {
		if f != nil {
			all = append(all, f)
		}
	}
	return all
}

// prefix begins the names of all groups, and inside is the name of the group in each.
const (
	prefix = "parallax-"
	inside = "in"
)

// Open makes a group. The machine's way must be one of groups.
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

// makePart makes an empty group. It is locked for as long as somebody has it open, so that nobody takes it for one that was left behind.
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
		// Somebody who sweeps was quicker than the lock.
		if err != nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EWOULDBLOCK) {
			os.Remove(path)
			break
		}
	}
	parent.Close()
	return nil, err
}

func (p *part) makeInside() error {
	if p.memory && !p.v2 {
		p.optional("memory.use_hierarchy", "1") // before Linux 5.11 a limit was not of the groups inside, unless this was so
	}
	err := unix.Mkdirat(int(p.dir.Fd()), inside, 0o755)
	if err == nil {
		p.in, err = openAt(p.dir, inside, unix.O_RDONLY|unix.O_DIRECTORY)
	}
	if err == nil && p.pids {
		p.most, err = openAt(p.dir, "pids.max", unix.O_WRONLY)
	}
	if err == nil && !p.v2 {
		p.out, err = openAt(p.parent, "tasks", unix.O_WRONLY)
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

// limit sets what the group may have. Swap would be memory without a limit, so there is none where that can be said.
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
		p.optional("memory.swap.max", "0")
		return p.write("memory.max", most)
	}
	if err := p.write("memory.limit_in_bytes", most); err != nil {
		return err
	}
	p.optional("memory.memsw.limit_in_bytes", most)
	return nil
}

func (p *part) optional(file, text string) { _ = p.write(file, text) }

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

// Join brings the calling thread into the group, and so what it starts from now on. It is for OnThread. It does nothing with cgroup v2,
// whose groups hold whole processes: see Attributes.
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

// Out takes the calling thread back to where the group was made.
func (g *Group) Out() {
	if g == nil {
		return
	}
	for i := range g.parts {
		if p := &g.parts[i]; !p.v2 {
			_, _ = unix.Write(int(p.out.Fd()), []byte("0"))
		}
	}
}

// Attributes has the kernel make a process in the group, with cgroup v2. A nil group does nothing, here and in all that follow.
func (g *Group) Attributes(a *syscall.SysProcAttr) {
	if g == nil {
		return
	}
	for i := range g.parts {
		if p := &g.parts[i]; p.v2 {
			a.UseCgroupFD, a.CgroupFD = true, int(p.in.Fd())
		}
	}
}

// Count is what has been refused to a group since it was made.
type Count struct {
	Tasks  uint64 // times that the kernel refused to make a task
	Killed uint64 // tasks that it killed for their memory
}

// Count counts.
func (g *Group) Count() (c Count) {
	if g == nil {
		return c
	}
	for i := range g.parts {
		p := &g.parts[i]
		if p.pids && p.full(g.limits.Tasks) {
			c.Tasks = value(p.read(p.local("pids.events")), "max")
		}
		switch {
		case p.memory && p.v2:
			c.Killed = value(p.read("memory.events"), "oom_kill")
		case p.memory:
			c.Killed = value(p.read(p.local("memory.oom_control")), "oom_kill")
		}
	}
	return c
}

// local is the file that counts what was refused to the processes: v1 counts where they are, and v2 in all groups above too.
func (p *part) local(file string) string {
	if p.v2 {
		return file
	}
	return inside + "/" + file
}

// Memory is what the processes of the group have in use, without files, and whether that is known.
func (g *Group) Memory() (bytes int64, ok bool) {
	if g == nil {
		return 0, false
	}
	for i := range g.parts {
		p := &g.parts[i]
		if !p.memory {
			continue
		}
		stat, name := p.read(p.local("memory.stat")), "anon"
		if !p.v2 {
			name = "rss" // what groups inside have is added to total_rss late
		}
		return int64(value(stat, name)), len(stat) > 0
	}
	return 0, false
}

// full reports whether the group ever had all its tasks. In v1 its events are also those of groups above it that were full.
func (p *part) full(tasks int) bool {
	peak, err := strconv.Atoi(string(bytes.TrimSpace(p.read("pids.peak"))))
	return err != nil || peak >= tasks
}

// value is the number behind a name, in lines of names and numbers.
func value(text []byte, name string) uint64 {
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) == 2 && string(f[0]) == name {
			n, _ := strconv.ParseUint(string(f[1]), 10, 64)
			return n
		}
	}
	return 0
}

// try makes a group as one is made later, with a thread in it where threads can be, and removes it.
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
		g.Out()
		g.Close()
		done <- err
	})
	return <-done
}

// OnThread runs f on an operating system thread that nothing else ever runs on, and that ends with f. It is not the process's first
// thread, which stands for the process where the kernel looks for one to kill. Threads that the runtime makes meanwhile do not descend from
// it: it has another thread make them when the caller's is locked. OnThread returns at once.
func OnThread(f func()) {
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() != unix.Getpid() {
			f() // the thread ends with the goroutine, since it stays locked
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

// Files are the descriptors that another process needs to use the group, for Inherit. The group holds them open.
func (g *Group) Files() (files []*os.File) {
	if g == nil {
		return nil
	}
	for i := range g.parts {
		files = append(files, g.parts[i].files()...)
	}
	return files
}

// Shared is the rest of what another process needs.
type Shared struct {
	Limits Limits
	Parts  []SharedPart
}

// SharedPart is a group in a hierarchy.
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

// Inherit makes a group of what its maker has shared, and of its Files, which are descriptors from first on here.
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
		p.dir, p.in, p.parent = next(p.name), next(p.name+"/"+inside), next("the group above "+p.name)
		if p.pids {
			p.most = next(p.name + "/pids.max")
		}
		if !p.v2 {
			p.out = next("the threads of the group above " + p.name)
		}
		g.parts = append(g.parts, p)
	}
	return g
}

// Leave takes the calling thread out of the group and removes the group, when this process is the last. A confined thread
// (KeepWithin) cannot remove it: call Out, and Close from another thread.
func (g *Group) Leave() {
	g.Out()
	g.Close()
}
