package doorstest

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// code makes a system call of a 32-bit program: socket(AF_UNIX, SOCK_STREAM, 0), 359, by int $0x80.
var code = []byte{
	0x53,                         // push %rbx
	0xb8, 0x67, 0x01, 0x00, 0x00, // mov $359, %eax
	0xbb, 0x01, 0x00, 0x00, 0x00, // mov $1, %ebx
	0xb9, 0x01, 0x00, 0x00, 0x00, // mov $1, %ecx
	0x31, 0xd2, // xor %edx, %edx
	0xcd, 0x80, // int $0x80
	0x5b, // pop %rbx
	0xc3, // ret
}

// socket32 creates a Unix socket by the system call of 32-bit programs.
func socket32() error {
	page, err := unix.Mmap(-1, 0, unix.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	copy(page, code)
	entry := &page[0]
	f := &entry // a closure begins with its code's address
	result := int32((*(*func() uintptr)(unsafe.Pointer(&f)))())
	if result < 0 {
		return unix.Errno(-result)
	}
	return unix.Close(int(result))
}
