package main_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme checks that the README has at most 110 lines and 900 words, and shows the output of
// its first command. Executions differ from machine to machine. So do the mutations that led to a
// finding, and how many inputs showed it within the time.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if lines, words := strings.Count(text, "\n"), len(strings.Fields(text)); lines > 110 || words > 900 {
		t.Errorf("%d lines and %d words", lines, words)
	}
	if testing.Short() {
		t.Skip("runs a campaign")
	}
	t.Parallel()
	command := regexp.MustCompile(`(?m)^    go build -o bin/parallax ./cmd/parallax && bin/parallax diff (\S+) (\S+) --fuzztime 20s$`).FindStringSubmatch(text)
	if command == nil {
		t.Fatal("no first command")
	}
	r := newTool(t).diff(t, command[1:], "--fuzztime", "50000x", "--seed", "1", "--parallel", "1")
	r.exits(t, 1)
	shown := regexp.MustCompile(`(?m)^      \d  discrepancy        ([0-9a-f]{12})  \d+ inputs\n((?:         .*\n)+)`).FindStringSubmatch(text)
	if shown == nil {
		t.Fatal("no finding")
	}
	printed := string(r.stderr)
	if !strings.Contains(printed, shown[1]) {
		t.Errorf("finding %s is not found", shown[1])
	}
	for line := range strings.Lines(shown[2]) {
		if strings.HasPrefix(strings.TrimSpace(line), "mutated from ") {
			line = "         mutated from "
		}
		if !strings.Contains(printed, strings.TrimPrefix(line, "    ")) {
			t.Errorf("not printed: %q", line)
		}
	}
}
