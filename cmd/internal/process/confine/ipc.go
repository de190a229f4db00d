package confine

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// ipc are the kinds of what programs of System V share, which outlives them: with the call that
// controls them, and what it is asked, shmctl(2), msgctl(2) and semctl(2).
var ipc = []struct {
	call       uintptr
	info, stat uintptr
	used       int  // where the answer to info says how many there are, in words of four bytes
	semaphores bool // whose call has its argument as the fourth
}{
	{call: unix.SYS_SHMCTL, info: 14, stat: 13, used: 0},
	{call: unix.SYS_MSGCTL, info: 12, stat: 11, used: 0},
	{call: unix.SYS_SEMCTL, info: 19, stat: 18, used: 7, semaphores: true},
}

// removeIPC removes what programs have left in the IPC namespace of the sandbox. It costs three
// system calls if there is nothing.
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
