package kinds

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/http"
	"parallax/cmd/internal/program/persistent"
	"parallax/internal/input"
)

// ofShell returns a command of a script that runs a text by sh.
func ofShell(name, text string, more ...string) reproducer.Program {
	return reproducer.Program{
		Name: name, Kind: "command", Timeout: time.Second, Variables: fixed(reproducer.Variable{Name: "PATH", Inherited: true}),
		Runner: &command.Config{Value: "stdout", Args: append([]string{"/bin/sh", "-c", text, "sh"}, more...)},
	}
}

// fixed returns the same variables for any environment.
func fixed(list ...reproducer.Variable) func([]string) []reproducer.Variable {
	return func([]string) []reproducer.Variable { return list }
}

// driven returns a driver of a script that writes a text as printf formats it.
func driven(name, text string) reproducer.Program {
	p := ofShell(name, "")
	p.Kind, p.Runner = "persistent", &persistent.Config{Args: []string{"/bin/sh", "-c", "cat >/dev/null; printf '" + text + "'", "sh"}}
	return p
}

const greeted = `parallax-driver 1 features=9\n`

// runScript writes a finding's folder and runs the script from another folder.
func runScript(t *testing.T, f *finding.Finding) (output string, code int) {
	t.Helper()
	root := t.TempDir()
	dir, temp := filepath.Join(root, "a 'folder'"), filepath.Join(root, "temp & more")
	for _, d := range []string{dir, temp} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files, err := f.Reproducer.Files(f)
	if err != nil {
		t.Fatal(err)
	}
	files["minimized"] = f.Shape.Encode(f.Minimized)
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", filepath.Join(dir, reproducer.ScriptFile))
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "SECRET=of the user's", "GOCACHE="+goCache(t))
	cmd.Dir = "/"
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func goCache(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestScriptVerdicts(t *testing.T) {
	listed := func(p reproducer.Program, c command.ExitCodes) reproducer.Program {
		p.Runner.(*command.Config).Exit = c
		return p
	}
	in := "a'\"$x\xff\x01\n\n"
	for _, tt := range []struct {
		name     string
		kind     string
		layer    string
		steps    []string
		programs []reproducer.Program
		code     int
		want     []string
	}{
		{"agree", "discrepancy", "verdict", nil, []reproducer.Program{ofShell("a", "exit 1"), ofShell("b", "exit 2")}, 0, []string{"-- rejected: exit status 2", "The verdicts agree."}},
		{"differ", "discrepancy", "verdict", nil, []reproducer.Program{ofShell("a", "true"), ofShell("b", "echo no >&2; exit 2")}, 1, []string{"\nno\n", "The verdicts differ."}},
		{"declined", "discrepancy", "verdict", nil, []reproducer.Program{ofShell("a", "true"), listed(ofShell("b", "exit 9"), command.ExitCodes{Declined: []int{9}})}, 0, []string{"-- declined: exit status 9"}},
		{"listed", "discrepancy", "verdict", nil, []reproducer.Program{listed(ofShell("a", "exit 127"), command.ExitCodes{Accepted: []int{127}}), listed(ofShell("b", "exit 0"), command.ExitCodes{Rejected: []int{0}})}, 1, []string{"-- accepted: exit status 127", "-- rejected: exit status 0"}},
		{"not listed", "crash", "", nil, []reproducer.Program{ofShell("a", "true"), listed(ofShell("b", "exit 4"), command.ExitCodes{Rejected: []int{3}})}, 1, []string{"-- crashed: exit status 4"}},
		{"signal", "crash", "", nil, []reproducer.Program{ofShell("a", "kill -SEGV $$"), ofShell("b", "true")}, 1, []string{"-- crashed: exit status 139", "A program crashes or hangs."}},
		{"timeout", "timeout", "", nil, []reproducer.Program{ofShell("slow", "sleep 60"), ofShell("b", "true")}, 1, []string{"-- timeout: exit status 137"}},
		{"missing", "discrepancy", "verdict", nil, []reproducer.Program{{Name: "a", Kind: "command", Timeout: time.Second, Runner: &command.Config{Args: []string{"/nowhere/tool"}}}, ofShell("b", "exit 1")}, 2, []string{"-- unable: it could not be started", "-- rejected: exit status 1"}},
		{"input", "discrepancy", "value", nil, []reproducer.Program{ofShell("a", "cat"), ofShell("b", `cat "$1"`, "{input.x}"), ofShell("c", `printf %s "$1"`, "{arg}"), ofShell("d", `rm "$1"; printf %s "$2"`, "{input}", "{arg}")}, 0, []string{"The programs agree.", "M-^?^A"}},
		{"value", "discrepancy", "value", nil, []reproducer.Program{ofShell("a", "cat"), ofShell("b", "cat; echo")}, 1, []string{"The values differ."}},
		{"normalized", "discrepancy", "value", []string{"trim"}, []reproducer.Program{ofShell("a", "cat"), ofShell("b", "cat; echo")}, 3, []string{"after trim."}},
		{"path", "discrepancy", "value", nil, []reproducer.Program{ofShell("a", `echo "$1"; pwd`, "{input}"), ofShell("b", "echo input; echo .")}, 0, nil},
		{"class", "discrepancy", "class", nil, []reproducer.Program{ofShell("a", "echo 1 >&2; exit 1"), ofShell("b", "echo 2 >&2; exit 1")}, 3, []string{"compares their classes"}},
		{"control characters", "discrepancy", "verdict", nil, []reproducer.Program{ofShell("a\x1b[2J", "printf '\\033[2J%s' \"$1\"", "\x1b\n\n"), ofShell("b", "true")}, 0, []string{"^[[2J"}},
		{"driver", "discrepancy", "value", nil, []reproducer.Program{driven("a", greeted+`\014\0\0\0A\003\0\0\0a\0b\002\0\0\0`), ofShell("b", `printf 'a\0b'`)}, 0, []string{"-- accepted"}},
		{"driver rejects", "discrepancy", "verdict", nil, []reproducer.Program{driven("a", greeted+`\007\0\0\0R\002\0\0\0no`), ofShell("b", "true")}, 1, []string{"-- rejected", "\nno\n"}},
		{"driver dies", "crash", "", nil, []reproducer.Program{driven("a", greeted+`\007\0\0\0R\002\0\0\0n`), ofShell("b", "true")}, 1, []string{"-- crashed"}},
		{"no driver", "discrepancy", "verdict", nil, []reproducer.Program{driven("a", "hello"), ofShell("b", "true")}, 2, []string{"it is no driver", "\nhello\n"}},
		{"environment", "discrepancy", "value", nil, []reproducer.Program{
			{Name: "a", Kind: "command", Timeout: time.Second, Runner: &command.Config{Args: []string{"/bin/sh", "-c", `echo "$SECRET,$OWN,${USER-none}"`}}, Variables: fixed(reproducer.Variable{Name: "SECRET", Inherited: true}, reproducer.Variable{Name: "OWN", Value: "it's\n$x"})},
			ofShell("b", `echo "of the user's,it's`+"\n"+`\$x,none"`),
		}, 0, []string{`${SECRET+"SECRET=$SECRET"}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &finding.Finding{Bucket: "b", Kind: tt.kind, Layer: tt.layer, Target: "t", Shape: input.Shape{input.Bytes}, Minimized: []byte(in), Reproducer: &reproducer.Script{Steps: tt.steps, Programs: tt.programs}}
			if tt.kind == "timeout" {
				f.Programs = []finding.Program{{}, {}}
				f.Programs[0].Outcome = "timeout"
			}
			out, code := runScript(t, f)
			if code != tt.code {
				t.Errorf("exit status %d, want %d", code, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
			if strings.Contains(out, "\x1b") {
				t.Error("control characters get to the terminal")
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// TestScriptLayers checks that a script counts only what the campaign compares, and names it.
func TestScriptLayers(t *testing.T) {
	accepts, rejects, crashes := ofShell("a", "cat"), ofShell("b", "echo no >&2; exit 1"), ofShell("c", "kill -SEGV $$")
	other, silent := ofShell("d", "cat; echo"), ofShell("e", "exit 1")
	for _, tt := range []struct {
		name     string
		layer    string
		compare  string
		steps    []string
		programs []reproducer.Program
		code     int
		want     []string // in the output and the script's head
		none     string
	}{
		{"fixed value", "value", "value", nil, []reproducer.Program{accepts, accepts, rejects}, 0, []string{"No values differ.", "does not compare the verdicts", "disagree in the value, 0"}, "The verdicts differ."},
		{"value", "value", "value", nil, []reproducer.Program{accepts, other, rejects}, 1, []string{"\nThe values differ."}, "The verdicts differ."},
		{"value and verdict", "value", "verdict value", nil, []reproducer.Program{accepts, accepts, rejects}, 1, []string{"The verdicts differ."}, "does not compare"},
		{"normalized value", "value", "value class", []string{"trim"}, []reproducer.Program{accepts, other, rejects}, 3, []string{"\nRaw values differ: the campaign compares them after trim."}, "verdicts agree"},
		{"class", "class", "class", nil, []reproducer.Program{accepts, rejects, silent}, 3, []string{"\nThose that reject have messages that differ"}, "verdicts agree"},
		{"fixed class", "class", "value class", nil, []reproducer.Program{accepts, rejects, rejects}, 0, []string{"No messages of those that reject differ."}, "The verdicts differ."},
		{"crash", "value", "value", nil, []reproducer.Program{accepts, crashes}, 1, []string{"A program crashes or hangs."}, "The verdicts"},
		{"fixed crash", "", "value", nil, []reproducer.Program{accepts, rejects}, 0, []string{"No program crashes or hangs.", "1 while the programs crash or hang, 0"}, "The verdicts differ."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kind := map[bool]string{true: "crash", false: "discrepancy"}[tt.layer == ""]
			f := &finding.Finding{
				Bucket: "b", Kind: kind, Layer: tt.layer, Target: "t", Shape: input.Shape{input.Bytes}, Minimized: []byte("x"), Compare: strings.Fields(tt.compare),
				Reproducer: &reproducer.Script{Steps: tt.steps, Programs: tt.programs},
			}
			out, code := runScript(t, f)
			files, err := f.Reproducer.Files(f)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(files[reproducer.ScriptFile]), "\nset ")
			for _, want := range tt.want {
				if !strings.Contains(head+out, want) {
					t.Errorf("no %q", want)
				}
			}
			if code != tt.code || strings.Contains(out, tt.none) {
				t.Errorf("exit status %d, want %d without %q", code, tt.code, tt.none)
			}
			if t.Failed() {
				t.Log(head + "\n" + out)
			}
		})
	}
}

// TestScriptMoves checks that a script reports programs that have lost a file, and gives no
// verdict, however these programs end. In another place, the script gives one. It contains the
// input, and needs no other file.
func TestScriptMoves(t *testing.T) {
	for _, kind := range []string{"command", "persistent", "http"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			home, elsewhere, copied := filepath.Join(root, "it's home"), filepath.Join(root, "else where"), filepath.Join(root, "copy")
			for _, dir := range []string{home, copied} {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			tool, data := filepath.Join(home, "tool.sh"), filepath.Join(home, "data")
			for path, text := range map[string]string{tool: `cat "$(dirname "$0")/data" >/dev/null || exit 9; cat >/dev/null; printf 'parallax-driver 1\n\014\0\0\0A\003\0\0\0abc'`, data: ""} {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			p := ofShell("a", "")
			p.Kind = kind
			switch kind {
			case "command":
				p.Runner = &command.Config{Args: []string{"/bin/sh", tool}, Dir: home}
			case "persistent":
				p.Runner = &persistent.Config{Args: []string{"/bin/sh", tool}, Dir: home}
			case "http":
				p.Runner = &http.Config{URL: "http://127.0.0.1:{port}/", Start: []string{"/bin/sh", tool}, Dir: home}
			}
			in := "a'\x00%\\\xff\n\n"
			f := &finding.Finding{Bucket: "b", Kind: "discrepancy", Layer: "verdict", Target: "t", Shape: input.Shape{input.Bytes}, Minimized: []byte(in),
				Reproducer: &reproducer.Script{Home: home, Programs: []reproducer.Program{p, ofShell("b", "true")}}}
			files, err := f.Reproducer.Files(f)
			if err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(copied, reproducer.ScriptFile)
			if err := os.WriteFile(script, files[reproducer.ScriptFile], 0o644); err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(files[reproducer.ScriptFile]), "\nset ")
			for _, want := range []string{"\n#\t" + home + ": a runs in it\n", "\n#\t" + tool + ": a\n", "PROJECT=FOLDER"} {
				if !strings.Contains(head, want) {
					t.Errorf("no %q in\n%s", want, head)
				}
			}
			run := func(env ...string) string {
				cmd := exec.Command("sh", script)
				cmd.Env = append(os.Environ(), env...)
				out, _ := cmd.CombinedOutput()
				return string(out)
			}
			if kind != "http" { // no service starts here
				if out := run(); !strings.Contains(out, "The verdicts agree.") {
					t.Errorf("in its place:\n%s", out)
				}
			}
			if got, err := os.ReadFile(filepath.Join(copied, "minimized")); kind != "http" && (err != nil || string(got) != in) {
				t.Errorf("the input is %q, %v", got, err)
			}
			if err := os.Rename(home, elsewhere); err != nil {
				t.Fatal(err)
			}
			if out := run(); !strings.Contains(out, "PROJECT=FOLDER") {
				t.Errorf("without its folder:\n%s", out)
			}
			if kind != "http" {
				if out := run("PROJECT=" + elsewhere); !strings.Contains(out, "The verdicts agree.") {
					t.Errorf("in another place:\n%s", out)
				}
			}
			if err := os.Remove(filepath.Join(elsewhere, "tool.sh")); err != nil {
				t.Fatal(err)
			}
			if out := run("PROJECT=" + elsewhere); !strings.Contains(out, "-- unable: there is no "+filepath.Join(elsewhere, "tool.sh")+"\n") || !strings.Contains(out, "Not all programs could be run.") {
				t.Errorf("without its file:\n%s", out)
			}
		})
	}
}

// TestScriptOfGo checks that a script writes Go functions of typed arguments as programs.
func TestScriptOfGo(t *testing.T) {
	shape := input.Shape{input.String, input.Int, input.Float64}
	call := func(name, imported, path, call, last string, results ...string) reproducer.Program {
		return reproducer.Program{Name: name, Kind: "go", Timeout: 10 * time.Second, Runner: &reproducer.GoCall{
			Functions: reproducer.Functions{GoVersion: "1.22", Programs: []reproducer.Function{{Name: name, ImportPath: path, Call: call, Results: results, Last: last}}},
			Import:    imported, Shape: shape,
		}}
	}
	flat, err := shape.Pack("a\xff", 2, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	f := &finding.Finding{
		Bucket: "b", Kind: "discrepancy", Layer: "value", Target: "t", Shape: shape, Minimized: flat,
		Reproducer: &reproducer.Script{Programs: []reproducer.Program{
			call("strings.Repeat", "p1", "strings", "p1.Repeat(in1, in2)", "", "string"),
			call("x/strings.Repeat", "p2", "strings", "func() (string, bool) { return p2.Repeat(in1, in2), in3 > 1 }()", "bool", "string"),
			call("none", "p1", "strings", "", ""),
		}},
	}
	s := f.Reproducer.(*reproducer.Script)
	s.Programs[2].Runner = (*reproducer.GoCall)(nil)
	out, code := runScript(t, f)
	if code != 2 || !strings.Contains(out, "no Go expression can call it") || strings.Count(out, "-- accepted") != 2 {
		t.Errorf("exit status %d\n%s", code, out)
	}
	s.Programs = s.Programs[:2]
	second := s.Programs[1].Runner.(*reproducer.GoCall)
	if out, code = runScript(t, f); code != 0 {
		t.Errorf("exit status %d\n%s", code, out)
	}
	second.Text = true // another form of values
	if out, code = runScript(t, f); code != 1 || !strings.Contains(out, "The values differ.") {
		t.Errorf("exit status %d\n%s", code, out)
	}
	second.Functions.Programs[0].Call = "func() (string, bool) { panic(p2.ToUpper(in1)) }()"
	if out, code = runScript(t, f); code != 1 || !strings.Contains(out, "-- crashed: exit status 2") {
		t.Errorf("exit status %d\n%s", code, out)
	}
}
