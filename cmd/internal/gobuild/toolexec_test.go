package gobuild

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/gocommand"
)

// What the go command starts in place of a tool is parallax, wherever that is; only a version is the tool's own answer. Nothing happens to
// arguments on the way.
func TestToolexec(t *testing.T) {
	for _, name := range []string{"parallax", "a space", "an 'apostrophe'", "$HOME"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, program := range []string{"parallax", "compile"} {
			text := "#!/bin/sh\nprintf '%s' " + program + "\nprintf ' [%s]' \"$@\"\nexit 7\n"
			if err := os.WriteFile(filepath.Join(dir, program), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		tool := filepath.Join(dir, "compile")
		for _, tt := range []struct {
			args []string
			want string
		}{
			{[]string{"-V=full"}, "compile [-V=full]"},
			{[]string{"-o", "a  b", "-V=full", "", "$0"}, "parallax [toolexec] [" + tool + "] [-o] [a  b] [-V=full] [] [$0]"},
			{nil, "parallax [toolexec] [" + tool + "]"},
		} {
			words := append(gocommand.SplitFlags(toolexec(filepath.Join(dir, "parallax"))), tool)
			cmd := exec.Command(words[0], append(words[1:], tt.args...)...)
			out, _ := cmd.CombinedOutput()
			if string(out) != tt.want || cmd.ProcessState.ExitCode() != 7 {
				t.Errorf("%q with %q: %v, %q, want %q", name, tt.args, cmd.ProcessState, out, tt.want)
			}
		}
	}
}
