package program

import (
	"os"
	"sync"
	"time"
)

// Kept is how much of standard error is kept: its last bytes.
const Kept = 64 << 10

// Tail reads a program's standard error until it ends, however much comes, so that writing to it never blocks the program.
type Tail struct {
	file *os.File
	done chan struct{}
	mu   sync.Mutex
	ring [Kept]byte
	all  int // bytes that came
}

// NewTail reads from the file, whose reads can have deadlines, once Drain runs.
func NewTail(file *os.File) *Tail { return &Tail{file: file, done: make(chan struct{})} }

// Drain reads until the end. It is a goroutine of its own.
func (t *Tail) Drain() {
	defer close(t.done)
	buf := make([]byte, 16<<10)
	for {
		n, err := t.file.Read(buf)
		t.mu.Lock()
		for part := buf[:n]; len(part) > 0; {
			m := copy(t.ring[t.all%Kept:], part)
			part, t.all = part[m:], t.all+m
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// lingering is how long a process outside of the sandbox may hold the other end.
const lingering = 2 * time.Second

// End closes the file once it has been read to the end. The program and all that it started are gone, so that the end comes
// at once; if a process outside holds the pipe, it does not.
func (t *Tail) End() {
	t.file.SetReadDeadline(time.Now().Add(lingering))
	<-t.done
	t.file.Close()
}

// Text is the last of what came, from the beginning of a line if anything was left out.
func (t *Tail) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all <= Kept {
		return string(t.ring[:t.all])
	}
	at := t.all % Kept
	all := string(t.ring[at:]) + string(t.ring[:at])
	for i := range all[:len(all)/2] {
		if all[i] == '\n' {
			return "...\n" + all[i+1:]
		}
	}
	return "..." + all
}
