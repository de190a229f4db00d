package program

import (
	"os"
	"sync"
	"time"
)

// Kept is the number of bytes of standard error that are kept, from the end.
const Kept = 64 << 10

// Tail reads a program's standard error to its end, so that writes never block the program.
type Tail struct {
	file *os.File
	done chan struct{}
	mu   sync.Mutex
	ring [Kept]byte
	all  int // number of bytes read
}

// NewTail returns a Tail of a file that supports read deadlines. Drain reads it.
func NewTail(file *os.File) *Tail { return &Tail{file: file, done: make(chan struct{})} }

// Drain reads to the end. It runs in a goroutine of its own.
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

// End closes the file at its end. The program and its descendants have ended, so the end comes at
// once, unless a process outside holds the pipe.
func (t *Tail) End() {
	t.file.SetReadDeadline(time.Now().Add(lingering))
	<-t.done
	t.file.Close()
}

// Text returns the kept bytes. If earlier ones were dropped, it starts at the beginning of a line.
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
