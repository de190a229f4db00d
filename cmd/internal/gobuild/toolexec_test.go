package gobuild

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/golang"
)

// TestToolexec checks that the go command starts parallax in place of a compiler, in any folder, if
// a flag of parallax is among the arguments. Otherwise it starts the tool itself. Arguments pass
// unchanged, except that the linker omits DWARF.
func TestToolexec(t *testing.T) {
	for _, name := range []string{"parallax", "a space", "an 'apostrophe'", "$HOME"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, program := range []string{"parallax", "compile", "link"} {
			text := "#!/bin/sh\nprintf '%s' " + program + "\nprintf ' [%s]' \"$@\"\nexit 7\n"
			if err := os.WriteFile(filepath.Join(dir, program), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		compile, link := filepath.Join(dir, "compile"), filepath.Join(dir, "link")
		for _, tt := range []struct {
			tool string
			args []string
			want string
		}{
			{compile, []string{"-V=full"}, "compile [-V=full]"},
			{compile, []string{"-o", "a  b", golang.Flag(golang.Options{}), "", "$0"}, "parallax [toolexec] [" + compile + "] [-o] [a  b] [" + golang.Flag(golang.Options{}) + "] [] [$0]"},
			{compile, []string{golang.TestingFlag(), "-V=full"}, "parallax [toolexec] [" + compile + "] [" + golang.TestingFlag() + "] [-V=full]"},
			{compile, []string{"-p", "time", golang.ClockFlag()}, "parallax [toolexec] [" + compile + "] [-p] [time] [" + golang.ClockFlag() + "]"},
			{compile, []string{"-o", "a  b", "-V=full", "", "$0"}, "compile [-o] [a  b] [-V=full] [] [$0]"},
			{compile, nil, "compile []"},
			{link, []string{"-V=full"}, "link [-V=full]"},
			{link, []string{"-o", "a  b", ""}, "link [-w] [-o] [a  b] []"},
		} {
			words := append(gocommand.SplitFlags(toolexec(filepath.Join(dir, "parallax"))), tt.tool)
			cmd := exec.Command(words[0], append(words[1:], tt.args...)...)
			out, _ := cmd.CombinedOutput()
			if string(out) != tt.want || cmd.ProcessState.ExitCode() != 7 {
				t.Errorf("%q with %q: %v, %q, want %q", name, tt.args, cmd.ProcessState, out, tt.want)
			}
		}
	}
}
