package faults

import "syscall"

// A worker shares these files with parallax: its memory, and the socket for orders and answers.
const (
	sharedMemory = 3
	sharedSocket = 4
)

// Answers writes what looks like an answer to the socket of its worker.
func Answers(data []byte) error {
	if Boom(data) {
		syscall.Write(sharedSocket, append([]byte{7, 0, 0, 0, 18, 3, 5}, "hello"...))
	}
	return Harmless(data)
}

// Floods writes a length that cannot be, and nothing behind it.
func Floods(data []byte) error {
	if Boom(data) {
		syscall.Write(sharedSocket, []byte{0xff, 0xff, 0xff, 0x0f, 9, 9, 9, 9, 9, 9})
	}
	return Harmless(data)
}

// Shuts shuts the socket.
func Shuts(data []byte) error {
	if Boom(data) {
		syscall.Shutdown(sharedSocket, syscall.SHUT_RDWR)
	}
	return Harmless(data)
}

// Truncates tries to take the shared memory away.
func Truncates(data []byte) error {
	if Boom(data) {
		syscall.Ftruncate(sharedMemory, 0)
	}
	return Harmless(data)
}
