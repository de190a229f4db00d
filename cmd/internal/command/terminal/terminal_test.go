package terminal

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestFolded checks that texts fit the width, and that lines to be copied stay whole.
func TestFolded(t *testing.T) {
	text := strings.Repeat("some words ", 20) + "\n  parallax show " + strings.Repeat("0123456789ab ", 20) + "\nend"
	lines := strings.Split(Folded(text, 40), "\n")
	for _, line := range lines {
		if copied := strings.HasPrefix(line, "  parallax show"); copied != (len(line) > 40) {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	if words(strings.Join(lines, "\n")) != words(text) {
		t.Error("words are missing")
	}
}

// TestInterrupts checks that the first signal ends the context and the second closes the channel.
func TestInterrupts(t *testing.T) {
	ctx, kill, interrupt := Interrupts()
	if ctx.Err() != nil {
		t.Fatal("ended before a signal")
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	select {
	case <-kill:
		t.Fatal("killed by the first signal")
	default:
	}
	interrupt()
	<-kill
	interrupt() // a third changes nothing
}

// TestColor checks that --color counts before NO_COLOR, and that other values are refused.
func TestColor(t *testing.T) {
	defer func(was string) { colorMode = was }(colorMode)
	var v ColorValue
	t.Setenv("NO_COLOR", "1")
	for value, want := range map[string]bool{"always": true, "never": false, "auto": false} {
		if err := v.Set(value); err != nil || v.String() != value || Color() != want || OutColor() != want {
			t.Errorf("%s: error %v, value %s, colors %v and %v", value, err, v, Color(), OutColor())
		}
	}
	if v.Set("yes") == nil {
		t.Error("yes is accepted")
	}
}
