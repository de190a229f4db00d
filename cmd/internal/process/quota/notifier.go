package quota

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The kernel asks this process before some system calls, seccomp_unotify(2). The process numbers in
// question are arguments by value, which no process can change after the question.

// question is struct seccomp_notif, and reply is struct seccomp_notif_resp.
type question struct {
	id           uint64
	pid, flags   uint32
	number       int32
	architecture uint32
	instruction  uint64
	arguments    [6]uint64
}

type reply struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// installNotifier installs the filter for the calling thread. Another thread answers the kernel's
// questions while any process has the filter: it refuses calls that name a thread of one of the
// processes. If this process ends first, all such calls fail.
//
// The kernel asks while any process holds the filter's descriptor. A process that was just started
// holds the descriptors of this one until it executes another program. If this process were killed
// meanwhile, the new one would ask itself and wait forever. So the answering thread has a
// descriptor table of its own, and no process is started before it holds the only copy.
func (f filter) installNotifier(pids []int) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socketpair", err)
	}
	defer unix.Close(pair[1])
	said := make(chan error)
	OnThread(func() { answerThread(pair[0], pids, said) })
	err = <-said
	unix.Close(pair[0]) // the thread has its own
	if err != nil {
		return err
	}
	if err = f.sendListener(pair[1]); err == nil {
		return <-said
	}
	unix.Shutdown(pair[1], unix.SHUT_RDWR)
	<-said
	return err
}

// sendListener installs the filter and sends its descriptor away.
func (f filter) sendListener(socket int) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := f.install(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	if err != nil { // Linux before 5.19 lacks the second flag
		if fd, err = f.install(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER); err != nil {
			return err
		}
	}
	defer unix.Close(fd)
	return os.NewSyscallError("sendmsg", unix.Sendmsg(socket, []byte{0}, unix.UnixRights(fd), nil, 0))
}

// answerThread is the body of the answering thread. It sends to said once its own descriptor table
// is clean, and again once it has the filter's descriptor.
func answerThread(socket int, pids []int, said chan<- error) {
	err := ownTable(append(slices.Clone(pollers()), socket))
	said <- err
	if err != nil {
		return
	}
	fd, err := receiveDescriptor(socket)
	unix.Close(socket)
	said <- err
	if err == nil {
		answerAll(fd, pids)
	}
}

// ownTable gives the calling thread a descriptor table of its own, with standard input, output and
// error and the descriptors in keep. The thread must come from OnThread.
func ownTable(keep []int) error {
	if err := unix.Unshare(unix.CLONE_FILES); err != nil {
		return os.NewSyscallError("unshare", err)
	}
	slices.Sort(keep)
	next := 3
	for _, fd := range append(keep, math.MaxUint32) {
		if next < fd {
			if err := unix.CloseRange(uint(next), uint(fd-1), 0); err != nil {
				return os.NewSyscallError("close_range", err)
			}
		}
		next = fd + 1
	}
	return nil
}

// pollers returns the runtime's descriptors for polling. Any thread may wake the poller through
// them, and the process ends if it cannot.
var pollers = sync.OnceValue(func() (fds []int) {
	time.AfterFunc(time.Hour, func() {}).Stop() // creates them
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		switch name, _ := os.Readlink("/proc/self/fd/" + e.Name()); name {
		case "anon_inode:[eventpoll]", "anon_inode:[eventfd]":
			fds = append(fds, fd)
		}
	}
	return fds
})

// receiveDescriptor returns the descriptor sent through a socket.
func receiveDescriptor(socket int) (fd int, err error) {
	rights := make([]byte, unix.CmsgSpace(4))
	var n int
	for {
		if _, n, _, _, err = unix.Recvmsg(socket, make([]byte, 1), rights, unix.MSG_CMSG_CLOEXEC); err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return 0, os.NewSyscallError("recvmsg", err)
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) == 0 {
		return 0, errors.New("no descriptor of a filter")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return 0, err
	}
	return fds[0], nil
}

func answerAll(fd int, pids []int) {
	defer unix.Close(fd)
	for {
		wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		_, err := unix.Poll(wait, -1)
		if err == unix.EINTR {
			continue
		}
		if err != nil || wait[0].Revents&unix.POLLIN == 0 { // no process has the filter any more
			return
		}
		var q question
		if !control(fd, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&q)) {
			continue // the calling process has ended
		}
		r := reply{id: q.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		if namesThread(&q, pids) || !Scoped() && namesStranger(&q, pids) {
			r.errno, r.flags = -int32(unix.EPERM), 0
		}
		control(fd, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r))
	}
}

// control calls ioctl. It repeats calls that the runtime's signals interrupt, because a process
// waits for the answer.
func control(fd int, request uintptr, argument unsafe.Pointer) bool {
	for {
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(argument)); errno != unix.EINTR {
			return errno == 0
		}
	}
}

// process returns the number of the process, thread or, if negative, group that a call names.
func (q *question) process() int32 {
	argument := 0
	for _, s := range systems[runtime.GOARCH] {
		if s.audit == q.architecture && uint32(q.number) == s.ptrace {
			argument = 1
		}
	}
	return int32(q.arguments[argument])
}

// namesThread reports whether a call names a thread of one of the processes.
func namesThread(q *question, pids []int) bool {
	thread := q.process()
	if thread <= 0 {
		return false
	}
	for _, pid := range pids {
		if unix.Access(fmt.Sprintf("/proc/%d/task/%d", pid, thread), unix.F_OK) == nil {
			return true
		}
	}
	return false
}

// namesStranger reports whether a call names a process outside of the caller's family. A family
// descends from one child of one of the processes. An orphan of an ended family belongs with its
// own threads only.
func namesStranger(q *question, pids []int) bool {
	named, caller := int(q.process()), int(q.pid)
	if named == 0 || named > 0 && unix.Access(fmt.Sprintf("/proc/%d/task/%d", named, caller), unix.F_OK) == nil {
		return false // its own group or threads
	}
	family := ancestor(caller, pids)
	if named > 0 {
		return family == 0 || ancestor(named, pids) != family
	}
	for _, pid := range allProcesses() {
		if _, group := parentOf(pid); group == -named && (family == 0 || ancestor(pid, pids) != family) {
			return true
		}
	}
	return false
}

// allProcesses returns the numbers of all processes. It avoids package os, which shares opened
// descriptors with other threads, while this thread has its own table.
func allProcesses() (pids []int) {
	fd, err := unix.Open("/proc", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	buffer := make([]byte, 32<<10)
	for {
		n, err := unix.ReadDirent(fd, buffer)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return pids
		}
		_, _, names := unix.ParseDirent(buffer[:n], -1, nil)
		for _, name := range names {
			if pid, err := strconv.Atoi(name); err == nil {
				pids = append(pids, pid)
			}
		}
	}
}

// ancestor returns the child of one of pids that is or has as descendant the given process or
// thread. It returns 0 if there is none.
func ancestor(pid int, pids []int) int {
	for pid > 1 {
		parent, _ := parentOf(pid)
		if slices.Contains(pids, parent) {
			return pid
		}
		pid = parent
	}
	return 0
}

// parentOf returns the parent and the group of a process, or 0 if it has ended.
func parentOf(pid int) (parent, group int) {
	fd, err := unix.Open(fmt.Sprintf("/proc/%d/stat", pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0
	}
	defer unix.Close(fd)
	buffer := make([]byte, 1024)
	n, err := unix.Read(fd, buffer)
	if err != nil {
		return 0, 0
	}
	stat := buffer[:n]
	// After the name in parentheses, proc_pid_stat(5): the state, the parent, the group.
	if f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(f) > 2 {
		parent, _ = strconv.Atoi(string(f[1]))
		group, _ = strconv.Atoi(string(f[2]))
	}
	return parent, group
}
