package ui

import (
	"io"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// terminal describes the writer.
type terminal struct {
	is         bool // it is a terminal
	dumb       bool // it cannot move the cursor, or the user asked for plain text
	foreground bool // this process may read from it; a background job would be stopped
	width      func() int
}

func terminalOf(w io.Writer, getenv func(string) string) terminal {
	t := terminal{width: func() int { return 0 }}
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(f.Fd()) {
		return t
	}
	t.is = true
	t.dumb = getenv("TERM") == "dumb" || getenv("TERM") == ""
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	t.foreground = err == nil && group == unix.Getpgrp()
	t.width = func() int {
		width, _, err := term.GetSize(f.Fd())
		if err != nil {
			return 0
		}
		return width
	}
	return t
}
