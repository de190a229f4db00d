package quota

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What the kernel asks before it lets a system call pass, seccomp_unotify(2). The numbers of processes that it asks about are arguments by
// value, which nobody can change after the question.

// question is struct seccomp_notif, and reply struct seccomp_notif_resp.
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

// ask installs the filter for the calling thread, and answers the kernel's questions from another one for as long as a process has the
// filter: a call that means a thread of one of the processes is refused. Where this process ends first, all such calls fail.
func (f filter) ask(pids []int) error {
	fd, err := f.install(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	if err != nil { // that flag is of Linux 5.19
		if fd, err = f.install(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER); err != nil {
			return err
		}
	}
	go answerAll(fd, pids)
	return nil
}

func answerAll(fd int, pids []int) {
	defer unix.Close(fd)
	for {
		wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		_, err := unix.Poll(wait, -1)
		if err == unix.EINTR {
			continue
		}
		if err != nil || wait[0].Revents&unix.POLLIN == 0 { // nobody has the filter any more
			return
		}
		var q question
		if !control(fd, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&q)) {
			continue // whoever asked is gone
		}
		r := reply{id: q.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		if meansThread(&q, pids) {
			r.errno, r.flags = -int32(unix.EPERM), 0
		}
		control(fd, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r))
	}
}

// control makes an ioctl. The runtime's own signals interrupt it, and whoever asked waits for an answer.
func control(fd int, request uintptr, argument unsafe.Pointer) bool {
	for {
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(argument)); errno != unix.EINTR {
			return errno == 0
		}
	}
}

// meansThread reports whether a call names a thread of one of the processes.
func meansThread(q *question, pids []int) bool {
	argument := 0
	for _, s := range systems[runtime.GOARCH] {
		if s.audit == q.architecture && uint32(q.number) == s.ptrace {
			argument = 1
		}
	}
	thread := int32(q.arguments[argument])
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
