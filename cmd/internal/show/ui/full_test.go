//go:build linux

package ui

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"

	"parallax/cmd/internal/finding/sample"
)

// console is the other end of a terminal, as an emulator sees it.
type console struct {
	t       *testing.T
	master  *os.File
	slave   *os.File
	mu      sync.Mutex
	arrived *sync.Cond
	out     bytes.Buffer
	done    chan struct{}
}

func newConsole(t *testing.T) *console {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	c := &console{t: t, master: master, slave: slave, done: make(chan struct{})}
	c.arrived = sync.NewCond(&c.mu)
	c.resize(80, 24)
	go func() {
		defer close(c.done)
		buf := make([]byte, 4096)
		for {
			n, err := c.master.Read(buf)
			c.mu.Lock()
			c.out.Write(buf[:n])
			c.arrived.Broadcast()
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return c
}

func (c *console) resize(width, height uint16) {
	if err := unix.IoctlSetWinsize(int(c.slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height}); err != nil {
		c.t.Fatal(err)
	}
}

func (c *console) settings() unix.Termios {
	s, err := unix.IoctlGetTermios(int(c.slave.Fd()), unix.TCGETS)
	if err != nil {
		c.t.Fatal(err)
	}
	return *s
}

// wait returns when the terminal has received the text.
func (c *console) wait(text string) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !strings.Contains(c.out.String(), text) {
		c.arrived.Wait()
	}
}

func (c *console) end() string {
	c.slave.Close()
	<-c.done
	c.master.Close()
	return c.out.String()
}

func openFull(c *console, interrupt func(), env ...string) *fullUI {
	f := newFull(c.slave, terminal{is: true, width: func() int { return 80 }}, interrupt, time.Now)
	f.options = append(f.options, tea.WithInput(c.slave), tea.WithEnvironment(append([]string{"TERM=xterm-256color"}, env...)))
	return f
}

const enter, leave = "\x1b[?1049h", "\x1b[?1049l"

func TestFullScreen(t *testing.T) {
	c := newConsole(t)
	before := c.settings()
	interrupted := make(chan struct{})
	f := openFull(c, func() { interrupted <- struct{}{} })
	f.Message("before the screen")
	f.Step("building")
	c.wait("building")
	f.Update(typical())
	c.wait("executions/s")
	f.Message("found \x1b]0;evil\a")
	c.wait(`found \x1b]0;evil\x07`)
	io.WriteString(c.master, "q")
	<-interrupted
	c.wait("stopping cleanly")
	io.WriteString(c.master, "\x03")
	<-interrupted
	c.wait("stopping at once")
	f.Close()
	f.Close()
	f.Message("late")
	if after := c.settings(); after != before {
		t.Errorf("the terminal is left as %+v, was %+v", after, before)
	}
	out := c.end()
	if strings.Count(out, enter) != 1 || strings.Count(out, leave) != 1 {
		t.Errorf("the screen was not entered and left once: %q", out)
	}
	head, tail := out[:strings.Index(out, enter)], out[strings.Index(out, leave):]
	if !strings.Contains(head, "before the screen") || !strings.Contains(tail, "found \\x1b]0;evil\\x07\r\n") {
		t.Errorf("messages are lost: %q ... %q", head, tail)
	}
	if strings.Contains(out, "\x1b]0;evil") {
		t.Error("a message has reached the terminal unescaped")
	}
	if !regexp.MustCompile(`\x1b\[[0-9;]*3[0-9]`).MatchString(out) {
		t.Error("no colors")
	}
}

func TestNoColor(t *testing.T) {
	c := newConsole(t)
	f := openFull(c, nil, "NO_COLOR=1")
	f.Update(typical())
	c.wait("executions/s")
	f.Close()
	if out := c.end(); regexp.MustCompile(`\x1b\[([0-9;]*;)?[349][0-7]m`).MatchString(out) {
		t.Errorf("colors: %q", out)
	}
}

// TestFullFallsBack checks that the line mode replaces a screen that cannot be opened, without
// losing messages.
func TestFullFallsBack(t *testing.T) {
	c := newConsole(t)
	f := openFull(c, nil)
	f.options = append(f.options, tea.WithInput(unreadable{}))
	f.Step("building")
	c.wait("line by line")
	f.Message("found")
	f.Update(typical())
	f.Close()
	out := c.end()
	for _, want := range []string{"found\r\n", "fuzz: 12s"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
}

type unreadable struct{}

func (unreadable) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestCloseUnopened(t *testing.T) {
	var b bytes.Buffer
	f := newFull(&b, terminal{width: func() int { return 0 }}, nil, time.Now)
	f.Message("only this")
	f.Close()
	f.Step("late")
	f.Update(sample.Status{})
	if b.String() != "only this\n" {
		t.Errorf("%q", b.String())
	}
}

func TestTerminalOf(t *testing.T) {
	c := newConsole(t)
	env := func(string) string { return "xterm" }
	if got := terminalOf(c.slave, env); !got.is || got.dumb || got.foreground || got.width() != 80 {
		t.Errorf("%+v", got) // in the foreground, without a terminal of its own
	}
	if got := terminalOf(c.slave, func(string) string { return "dumb" }); !got.dumb {
		t.Error("dumb")
	}
	if got := terminalOf(&bytes.Buffer{}, env); got.is {
		t.Error("a buffer is no terminal")
	}
	c.end()
}
