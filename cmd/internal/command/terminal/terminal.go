// Package terminal writes to the terminal of a command: its width and colors, lines on standard
// error, and signals. The commands call it.
package terminal

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/term"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
)

// Say prints a line on standard error. Text of others in it cannot control the terminal.
func Say(format string, args ...any) {
	text := "parallax: " + escape.Lines(strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
	if term.IsTerminal(os.Stderr.Fd()) { // files are searched by line
		text = Folded(text, Width())
	}
	fmt.Fprintln(os.Stderr, text)
}

// Folded breaks the lines of a text to a width, but those that are set in: they are commands and
// code to be copied.
func Folded(text string, width int) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			lines = append(lines, line)
		} else {
			lines = append(lines, columns.Fold(line, width)...)
		}
	}
	return strings.Join(lines, "\n")
}

// Interrupts turns signals into a context that ends with the first of them and a channel that is
// closed by the second.
func Interrupts() (ctx context.Context, kill <-chan struct{}, interrupt func()) {
	ctx, cancel := context.WithCancel(context.Background())
	second := make(chan struct{})
	var mu sync.Mutex
	count := 0
	interrupt = func() {
		mu.Lock()
		defer mu.Unlock()
		switch count++; count {
		case 1:
			cancel()
		case 2:
			close(second)
		}
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for range signals {
			interrupt()
		}
	}()
	return ctx, second, interrupt
}

// Interruptible is Interrupts for commands that end soon after the first signal: the second one
// ends them at once. They write files whole or not at all, and the processes that they have started
// end with them.
func Interruptible() (ctx context.Context, interrupt func()) {
	ctx, kill, interrupt := Interrupts()
	go func() {
		<-kill
		os.Exit(exit.InfraCode)
	}()
	return ctx, interrupt
}

// Width returns the width of standard error, or 100 if that is no terminal.
func Width() int {
	if w, _, err := term.GetSize(os.Stderr.Fd()); err == nil && w > 0 {
		return w
	}
	return 100
}

// colorMode is --color: auto, always or never.
var colorMode = "auto"

// Color reports whether text on standard error has colors.
func Color() bool { return colored(os.Stderr) }

func colored(f *os.File) bool {
	switch colorMode {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(f.Fd())
}

// OutWidth returns the width of standard output, or 100 if that is no terminal.
func OutWidth() int {
	if w, _, err := term.GetSize(os.Stdout.Fd()); err == nil && w > 0 {
		return w
	}
	return 100
}

// OutColor reports whether text on standard output has colors.
func OutColor() bool { return colored(os.Stdout) }

// ColorValue is the value of --color.
type ColorValue struct{}

func (ColorValue) String() string { return colorMode }
func (ColorValue) Type() string   { return "string" }

func (ColorValue) Set(text string) error {
	switch text {
	case "auto", "always", "never":
		colorMode = text
		return nil
	}
	return fmt.Errorf("choose auto, always or never")
}
