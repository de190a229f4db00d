package confine

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// ipc lists the System V objects that outlive processes, with the call that controls them and its
// commands: shmctl(2), msgctl(2) and semctl(2).
var ipc = []struct {
	call       uintptr
	info, stat uintptr
	used       int  // index of the number of objects in the answer to info, in words of four bytes
	semaphores bool // the call's fourth argument is the buffer
}{
	{call: unix.SYS_SHMCTL, info: 14, stat: 13, used: 0},
	{call: unix.SYS_MSGCTL, info: 12, stat: 11, used: 0},
	{call: unix.SYS_SEMCTL, info: 19, stat: 18, used: 7, semaphores: true},
}

// removeIPC removes the objects that programs have left in the sandbox's IPC namespace. Without
// any, it costs three system calls.
func removeIPC() {
	const remove = 0 // IPC_RMID
	for _, kind := range ipc {
		var answer [64]int32
		control := func(id, command uintptr) (uintptr, bool) {
			if kind.semaphores {
				n, _, errno := unix.Syscall6(kind.call, id, 0, command, uintptr(unsafe.Pointer(&answer)), 0, 0)
				return n, errno == 0
			}
			n, _, errno := unix.Syscall(kind.call, id, command, uintptr(unsafe.Pointer(&answer)))
			return n, errno == 0
		}
		last, ok := control(0, kind.info)
		if !ok || answer[kind.used] == 0 {
			continue
		}
		for i := uintptr(0); i <= last; i++ {
			if id, ok := control(i, kind.stat); ok {
				control(id, remove)
			}
		}
	}
}
