package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/term"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding/report"
)

// say prints a line on standard error. What others wrote in it does nothing to the terminal.
func say(format string, args ...any) {
	text := "parallax: " + escape.Lines(strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
	if term.IsTerminal(os.Stderr.Fd()) { // files are searched by line
		text = folded(text, width())
	}
	fmt.Fprintln(os.Stderr, text)
}

// folded breaks the lines of a text to a width, but those that are set in: they are commands and code to be copied.
func folded(text string, width int) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			lines = append(lines, line)
		} else {
			lines = append(lines, report.Fold(line, width)...)
		}
	}
	return strings.Join(lines, "\n")
}

// interrupts turns signals into a context that ends with the first of them and a channel that is closed by the second.
func interrupts() (ctx context.Context, kill <-chan struct{}, interrupt func()) {
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

// interruptible is interrupts for commands that end soon after the first signal: the second one ends them at once. What they write
// is written whole, and the processes that they have started end with them.
func interruptible() (ctx context.Context, interrupt func()) {
	ctx, kill, interrupt := interrupts()
	go func() {
		<-kill
		os.Exit(exit.InfraCode)
	}()
	return ctx, interrupt
}

func width() int {
	if w, _, err := term.GetSize(os.Stderr.Fd()); err == nil && w > 0 {
		return w
	}
	return 100
}

// colorMode is --color: auto, always or never.
var colorMode = "auto"

func color() bool { return colored(os.Stderr) }

func colored(f *os.File) bool {
	switch colorMode {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(f.Fd())
}

// colorValue is the value of --color.
type colorValue struct{}

func (colorValue) String() string { return colorMode }
func (colorValue) Type() string   { return "string" }

func (colorValue) Set(text string) error {
	switch text {
	case "auto", "always", "never":
		colorMode = text
		return nil
	}
	return fmt.Errorf("choose auto, always or never")
}
