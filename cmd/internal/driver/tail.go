package driver

import (
	"os"
	"sync"
	"time"
)

// kept is how much of standard error is kept: its last bytes.
const kept = 64 << 10

// tail reads a driver's standard error until it ends, however much comes, so that writing to it never blocks the driver.
type tail struct {
	file *os.File
	done chan struct{}
	mu   sync.Mutex
	ring [kept]byte
	all  int // bytes that came
}

func newTail(file *os.File) *tail { return &tail{file: file, done: make(chan struct{})} }

func (t *tail) drain() {
	defer close(t.done)
	buf := make([]byte, 16<<10)
	for {
		n, err := t.file.Read(buf)
		t.mu.Lock()
		for part := buf[:n]; len(part) > 0; {
			m := copy(t.ring[t.all%kept:], part)
			part, t.all = part[m:], t.all+m
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// end closes the file once it has been read to the end. The driver and all that it started are gone, so that the end comes
// at once; if a process outside holds the pipe, it does not.
func (t *tail) end() {
	t.file.SetReadDeadline(time.Now().Add(grace))
	<-t.done
	t.file.Close()
}

// text is the last of what came, from the beginning of a line if anything was left out.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all <= kept {
		return string(t.ring[:t.all])
	}
	at := t.all % kept
	all := string(t.ring[at:]) + string(t.ring[:at])
	for i := range all[:len(all)/2] {
		if all[i] == '\n' {
			return "...\n" + all[i+1:]
		}
	}
	return "..." + all
}
