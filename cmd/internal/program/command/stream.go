package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// stream reads a standard stream of a program.
type stream struct {
	keep  int // maximum bytes kept, half from the start and half from the end; -1 means all
	limit int // maximum bytes that the program may write; 0 means no limit

	from    *os.File
	head    []byte
	tail    []byte // the end, once keep is exceeded
	lost    bool   // bytes between head and tail were dropped
	flooded bool
}

// open creates the pipe and returns the program's end of it.
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

// read reads to the end, and calls kill once the limit is exceeded.
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

// text returns the bytes kept. A line of dots marks dropped bytes.
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
