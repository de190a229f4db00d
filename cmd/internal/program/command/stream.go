package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// stream is what a program writes to a standard stream.
type stream struct {
	keep  int // how many bytes are kept, half of the first and half of the last; -1 is all of them
	limit int // how many it may write; 0 is as many as it likes

	from    *os.File
	head    []byte
	tail    []byte // the last, when keep is not enough for all
	lost    bool   // something between head and tail was dropped
	flooded bool
}

// open makes the pipe and returns the program's end of it.
func (s *stream) open() (*os.File, error) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("pipe2", err)
	}
	// Only this end: the program's must block, as programs expect.
	if err := unix.SetNonblock(ends[0], true); err != nil {
		unix.Close(ends[0])
		unix.Close(ends[1])
		return nil, os.NewSyscallError("fcntl", err)
	}
	s.from = os.NewFile(uintptr(ends[0]), "stream")
	return os.NewFile(uintptr(ends[1]), "stream"), nil
}

func (s *stream) close() {
	if s.from != nil {
		s.from.Close()
	}
}

// read reads all there is, and calls kill when it is too much.
func (s *stream) read(kill func()) {
	defer s.from.Close()
	buffer := make([]byte, 32<<10)
	total := 0
	for {
		n, err := s.from.Read(buffer)
		data := buffer[:n]
		if s.limit > 0 && total+n > s.limit {
			data = data[:max(s.limit-total, 0)]
			if !s.flooded {
				s.flooded = true
				kill()
			}
		}
		total += n
		s.add(data)
		if err != nil {
			return
		}
	}
}

func (s *stream) add(data []byte) {
	if s.keep < 0 {
		s.head = append(s.head, data...)
		return
	}
	half := s.keep / 2
	n := min(half-len(s.head), len(data))
	s.head, data = append(s.head, data[:n]...), data[n:]
	s.tail = append(s.tail, data...)
	if len(s.tail) > 4*half {
		s.trim(half)
	}
}

// trim keeps the last n bytes of the tail.
func (s *stream) trim(n int) {
	if drop := len(s.tail) - n; drop > 0 {
		s.lost = true
		s.tail = s.tail[:copy(s.tail, s.tail[drop:])]
	}
}

// text is what was kept. What was dropped is marked by a line of dots.
func (s *stream) text() []byte {
	if s.keep >= 0 {
		s.trim(s.keep / 2)
	}
	all := s.head
	if s.lost {
		all = append(all[:len(all):len(all)], "\n...\n"...)
	}
	return append(all[:len(all):len(all)], s.tail...)
}
