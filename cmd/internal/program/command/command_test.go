package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
	"parallax/internal/oracle"
)

// summary returns an observation as a line.
func summary(o program.Observation) string {
	return fmt.Sprintf("%s value=%q message=%q", o.Outcome, o.Value, o.Message)
}

func TestInput(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		for _, c := range []struct {
			name string
			args []string
			want string // for the inputs "one", "" and "t\x00wo"
		}{
			{"standard input", []string{"cat"}, `"one" "" "t\x00wo"`},
			{"a file", []string{"cat", "{input}"}, `"one" "" "t\x00wo"`},
			{"a file with an extension", script(`case $1 in --in=*.json) cat "${1#--in=}";; esac`, "--in={input.json}"), `"one" "" "t\x00wo"`},
			{"not standard input", script("cat; cat $1", "{input}"), `"one" "" "t\x00wo"`},
			{"an argument", []string{"printf", "%s", "<{arg}>"}, `"<one>" "<>" declined: an input with a zero byte cannot be an argument`},
			{"as it is in the shell", []string{"sh", "-c", `printf %s "$0$1"`, "{arg}", "{other}"}, `"one{other}" "{other}" declined: an input with a zero byte cannot be an argument`},
		} {
			var got []string
			for _, o := range programtest.Execute(t, open(t, Config{Args: c.args}, plain), "one", "", "t\x00wo") {
				switch o.Outcome {
				case oracle.Accepted:
					got = append(got, fmt.Sprintf("%q", o.Value))
				default:
					got = append(got, o.Outcome.String()+": "+o.Message)
				}
			}
			if all := strings.Join(got, " "); all != c.want {
				t.Errorf("%s: %s, want %s", c.name, all, c.want)
			}
		}
		// The longest argument, and one byte more; 128 KiB with the zero at the end.
		e := open(t, Config{Args: script("echo ${#1}", "{arg}")}, plain)
		obs := programtest.Execute(t, e, strings.Repeat("x", 128<<10-1), strings.Repeat("x", 128<<10), "short")
		for i, want := range []string{"accepted 131071\n", "declined ", "accepted 5\n"} {
			if got := fmt.Sprintf("%s %s", obs[i].Outcome, obs[i].Value); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		big := strings.Repeat("0123456789abcdef", 1<<17)
		for _, args := range [][]string{{"wc", "-c"}, script("wc -c < $1", "{input}")} {
			if o := programtest.Execute(t, open(t, Config{Args: args}, plain), big)[0]; string(o.Value) != "2097152\n" {
				t.Errorf("%v: %s", args, summary(o))
			}
		}
	})
}

func TestValue(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		text := `echo out; echo err >&2; echo file > $1`
		for value, want := range map[string]string{"": "out\n", "stdout": "out\n", "stderr": "err\n", "output": "file\n", "none": ""} {
			o := programtest.Execute(t, open(t, Config{Args: script(text, "{output.txt}"), Value: value}, plain), "x")[0]
			if o.Outcome != oracle.Accepted || string(o.Value) != want || o.Message != "" || o.Detail != "err" {
				t.Errorf("%s: %s", value, summary(o))
			}
		}
		e := open(t, Config{Args: script(`cat; if grep -q write; then :; else echo; echo > $1; fi < /dev/stdin`, "{output}"), Value: "output"}, plain)
		if o := programtest.Execute(t, e, "x"); string(o[0].Value) != "\n" {
			t.Error(summary(o[0]))
		}
		e = open(t, Config{Args: script(`if grep -q yes; then echo yes > $1; fi`, "{output}"), Value: "output"}, plain)
		if o := programtest.Execute(t, e, "yes", "no"); string(o[0].Value) != "yes\n" || len(o[1].Value) != 0 || o[1].Outcome != oracle.Accepted {
			t.Error(summary(o[0]), summary(o[1]))
		}
	})
}

func TestOutcomes(t *testing.T) {
	lists := ExitCodes{Rejected: []int{1, 139}, Declined: []int{3}}
	accepts := ExitCodes{Accepted: []int{2}, Rejected: []int{1}}
	for _, c := range []struct {
		script string
		exit   ExitCodes
		want   string
	}{
		{"cat", ExitCodes{}, `accepted value="input" message=""`},
		{"exit 0", ExitCodes{}, `accepted value="" message=""`},
		{"exit 1", ExitCodes{}, `rejected value="" message="exit status 1"`},
		{"echo; echo '  bad  '; echo more; exit 1", ExitCodes{}, `rejected value="" message="bad"`},
		{"echo out; echo >&2; echo err >&2; echo more >&2; exit 1", ExitCodes{}, `rejected value="" message="err"`},
		{"printf 'a\\377b' >&2; exit 1", ExitCodes{}, `rejected value="" message="a` + "\uFFFD" + `b"`},
		{"exit 134", ExitCodes{}, `crashed value="" message="exit status 134: aborted"`},
		{"exit 139", ExitCodes{}, `crashed value="" message="exit status 139: segmentation fault"`},
		{"exit 143", ExitCodes{}, `rejected value="" message="exit status 143"`},
		{"kill -ABRT $$", ExitCodes{}, `crashed value="" message="signal: aborted"`},
		{"kill -SEGV $$", ExitCodes{}, `crashed value="" message="signal: segmentation fault"`},
		{"kill -KILL $$", ExitCodes{}, `crashed value="" message="signal: killed"`},
		{"sh -c 'kill -BUS $$'; exit $?", ExitCodes{}, `crashed value="" message="exit status 135: bus error"`},
		{"exit 0", lists, `accepted value="" message=""`},
		{"exit 1", lists, `rejected value="" message="exit status 1"`},
		{"exit 3", lists, `declined value="" message="exit status 3"`},
		{"exit 139", lists, `rejected value="" message="exit status 139"`},
		{"exit 134", lists, `crashed value="" message="exit status 134: aborted"`},
		{"exit 4", lists, `crashed value="" message="exit status 4, which the configuration does not list"`},
		{"cat; exit 2", accepts, `accepted value="input" message=""`},
		{"exit 0", accepts, `crashed value="" message="exit status 0, which the configuration does not list"`},
	} {
		e := open(t, Config{Args: script(c.script), Exit: c.exit}, false)
		if got := summary(programtest.Execute(t, e, "input")[0]); got != c.want {
			t.Errorf("%s, %+v:\n%s, want\n%s", c.script, c.exit, got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		few := limits.Limits{Memory: 64 << 20, FileSize: 1 << 20, Processes: 32, Output: 10000}
		hangs := few
		hangs.Timeout = 200 * time.Millisecond
		for _, c := range []struct {
			name   string
			script string
			value  string
			limits limits.Limits
			want   string
		}{
			{"hang", "exec sleep 1000", "", hangs, `timeout value="" message="no end within 200ms"`},
			{"hang that ignores signals", "trap '' TERM INT HUP QUIT; while :; do sleep 1000; done", "", hangs, `timeout value="" message="no end within 200ms"`},
			{"hang that writes", "while :; do echo x >&2; done", "", hangs, `timeout value="" message="no end within 200ms"`},
			{"memory", "x=$(head -c 300000000 /dev/zero | tr '\\0' x)", "", few, `oom value="" message="more than 64 MiB of memory"`},
			{"memory of a child", "(x=$(head -c 300000000 /dev/zero | tr '\\0' x)) & wait", "", few, `oom value="" message="more than 64 MiB of memory"`},
			// At most 256 processes, even without a limit.
			{"fork bomb", `f() { if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & fi; exec sleep 20; }; f 7`, "", few, `crashed value="" message="more than 32 processes at once"`},
			{"output flood", "exec cat /dev/zero", "", few, `crashed value="" message="output flood: more than 10000 bytes on standard output"`},
			{"a byte too much", "head -c 10001 /dev/zero", "", few, `crashed value="" message="output flood: more than 10000 bytes on standard output"`},
			{"just enough", "head -c 10000 /dev/zero", "none", few, `accepted value="" message=""`},
			{"standard error as value", "cat /dev/zero >&2", "stderr", few, `crashed value="" message="output flood: more than 10000 bytes on standard error"`},
			{"a file as value", "head -c 20000 /dev/zero > $1", "output", few, `crashed value="" message="output flood: more than 9 KiB in the file it wrote"`},
			{"file size", "exec head -c 2000000 /dev/zero > big", "", few, `crashed value="" message="signal: file size limit exceeded"`},
			{"much on standard error", "head -c 300000 /dev/zero | tr '\\0' x >&2", "", few, `accepted value="" message=""`},
			{"daemon", "setsid sleep 1000 & exit 0", "", few, `accepted value="" message=""`},
		} {
			if c.value == "output" {
				c.limits.Output = 9 << 10
			}
			e := open(t, Config{Args: script(c.script, "{output}"), Limits: c.limits, Value: c.value}, plain)
			for _, o := range programtest.Execute(t, e, "a", "b") {
				if got := summary(o); got != c.want {
					t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
				}
				if len(o.Detail) > textLimit {
					t.Errorf("%s: %d bytes of detail", c.name, len(o.Detail))
				}
			}
		}
	})
}

func TestFullFolder(t *testing.T) {
	c := Config{Args: script("head -c 3000000 /dev/zero > big", "{input}")}
	c.Sandbox.TempMB = 1
	e := open(t, c, false)
	if len(e.Notes()) > 0 {
		t.Log("this machine permits no private file system: ", e.Notes())
		return
	}
	for _, o := range programtest.Execute(t, e, "a", "b") {
		if o.Outcome != oracle.Rejected || !strings.Contains(o.Message, "No space left") {
			t.Error(summary(o))
		}
	}
	_, err := programtest.Try(e, strings.Repeat("x", 2<<20))
	isFailure(t, "a large input", err, "no space for an input")
	if o := programtest.Execute(t, e, "a"); o[0].Outcome != oracle.Rejected {
		t.Error(summary(o[0]))
	}
}

// isFailure checks for a configuration error.
func isFailure(t *testing.T, name string, err error, part string) {
	t.Helper()
	var f *program.Failure
	if !errors.As(err, &f) || f.Code != exit.UsageCode || !strings.Contains(f.What, part) || f.Hint == "" || f.Program != "tool" {
		t.Errorf("%s: %v, want %q", name, err, part)
	}
}

func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		Config
		want string
	}{
		{"no command", Config{}, "no command"},
		{"missing in PATH", Config{Args: []string{"no-such-tool"}}, "no no-such-tool in PATH"},
		{"empty PATH", Config{Args: []string{"cat"}, Env: []string{"PATH="}}, "no cat in PATH"},
		{"missing", Config{Args: []string{dir + "/none"}}, "/none is not there"},
		{"a folder", Config{Args: []string{dir}}, "is a folder"},
		{"not executable", Config{Args: []string{file(t, "f", "#!/bin/sh\n", 0o644)}}, "may not be executed"},
		{"value", Config{Args: []string{"cat"}, Value: "exit"}, `value is "exit"`},
		{"no output", Config{Args: []string{"cat"}, Value: "output"}, "no argument says which"},
		{"two inputs", Config{Args: []string{"cat", "{input.a}", "{input.b}"}}, "{input.a} and {input.b}"},
	} {
		_, err := Open(t.Context(), complete(t, c.Config, true))
		isFailure(t, c.name, err, c.want)
	}
	eachWay(t, func(t *testing.T, plain bool) {
		for _, c := range []struct {
			name string
			Config
			want string
		}{
			{"no interpreter", Config{Args: []string{file(t, "f", "#! /no/such -x\n", 0o755)}}, "is a script for /no/such, which is not there"},
			{"interpreter that is none", Config{Args: []string{file(t, "f", "#!/etc/passwd\n", 0o755)}}, "is a script for /etc/passwd, which may not be executed"},
			{"no format", Config{Args: []string{file(t, "f", "hello\n", 0o755)}}, "nothing that this machine can execute"},
			{"no folder", Config{Args: []string{"cat"}, Dir: dir + "/none"}, "its folder"},
			{"a wrapper without its program", Config{Args: script("no-such-tool")}, "exit status 127 on every input"},
			{"a wrapper that may not start its program", Config{Args: script("/etc/passwd")}, "exit status 126 on every input"},
		} {
			_, err := programtest.Try(open(t, c.Config, plain), "x")
			isFailure(t, c.name, err, c.want)
		}
		// These are verdicts.
		for _, c := range []struct {
			script string
			exit   ExitCodes
			inputs []string
		}{
			{"if [ -n \"$(cat)\" ]; then exit 127; fi", ExitCodes{}, []string{"x", "y"}},
			// the second comes too late
			{"if [ \"$(cat)\" = y ]; then exit 1; fi; exit 127", ExitCodes{}, []string{"y", "x"}},
			{"exit 127", ExitCodes{Rejected: []int{127}}, []string{"x"}},
		} {
			for _, o := range programtest.Execute(t, open(t, Config{Args: script(c.script), Exit: c.exit}, plain), c.inputs...) {
				if o.Outcome != oracle.Rejected {
					t.Errorf("%s: %s", c.script, summary(o))
				}
			}
		}
	})
}

// TestStableText checks that a program's output about the private folder is the same wherever the
// folder is.
func TestStableText(t *testing.T) {
	var all []string
	eachWay(t, func(t *testing.T, plain bool) {
		e := open(t, Config{Args: script(`echo "$1: $TMPDIR $HOME"; pwd; cat $1/none >&2`, "{input}")}, plain)
		o := programtest.Execute(t, e, "x")[0]
		accepted := programtest.Execute(t, open(t, Config{Args: script(`echo "$1: $TMPDIR $HOME"; pwd`, "{input}")}, plain), "x")[0]
		all = append(all, summary(o)+o.Detail+summary(accepted))
	})
	want := `rejected value="" message="cat: input/none: Not a directory"accepted value="input: . .\n.\n" message=""`
	for _, got := range all {
		if got != want {
			t.Errorf("%s, want\n%s", got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		e := open(t, Config{Args: []string{"env"}, Env: []string{"A=1"}}, plain)
		got := strings.Split(strings.TrimSpace(string(programtest.Execute(t, e, "")[0].Value)), "\n")
		slices.Sort(got)
		if want := []string{"A=1", "HOME=.", "TMPDIR=."}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		e = open(t, Config{Args: []string{"env"}, Env: []string{"HOME=/h", "TMPDIR=/t"}}, plain)
		if got := string(programtest.Execute(t, e, "")[0].Value); got != "HOME=/h\nTMPDIR=/t\n" {
			t.Errorf("%q", got)
		}
		e = open(t, Config{Args: []string{"pwd"}, Dir: "/usr"}, plain)
		if got := string(programtest.Execute(t, e, "")[0].Value); got != "/usr\n" {
			t.Errorf("%q", got)
		}
		tool := file(t, "tool", "#!/bin/sh\necho found\n", 0o755)
		e = open(t, Config{Args: []string{"tool"}, Env: []string{"PATH=relative:" + strings.TrimSuffix(tool, "/tool") + ":/bin"}}, plain)
		if got := string(programtest.Execute(t, e, "")[0].Value); got != "found\n" {
			t.Errorf("%q", got)
		}
	})
}

func TestDetail(t *testing.T) {
	e := open(t, Config{Args: script("echo first >&2; seq 100000 >&2; echo last >&2; exit 1")}, false)
	o := programtest.Execute(t, e, "")[0]
	if o.Message != "first" || !strings.HasPrefix(o.Detail, "1\n2\n3\n") || !strings.HasSuffix(o.Detail, "100000\nlast") || !strings.Contains(o.Detail, "\n...\n") || len(o.Detail) > textLimit {
		t.Errorf("%q, %d bytes of detail", o.Message, len(o.Detail))
	}
	e = open(t, Config{Args: script("head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1")}, false)
	if o := programtest.Execute(t, e, "")[0]; o.Message != strings.Repeat("x", messageLimit) {
		t.Errorf("%d bytes of message", len(o.Message))
	}
}

func TestCancel(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		e := open(t, Config{Args: []string{"sleep", "1000"}}, plain)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		obs := make([]program.Observation, 2)
		if err := e.Execute(ctx, make([][]byte, 2), obs); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if err := e.Execute(ctx, make([][]byte, 2), obs); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled before: %v", err)
		}
	})
}

// TestSandboxDies checks that an input runs again if the sandbox dies during it. The death is no
// verdict.
func TestSandboxDies(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		flag := t.TempDir() + "/flag"
		e := open(t, Config{Args: script("if [ -e " + flag + " ]; then cat; else : > " + flag + "; sleep 1000 & sleep 1000; fi")}, plain)
		sandbox := sandboxOf(t)
		go func() {
			for {
				if _, err := os.Stat(flag); err == nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			sandbox.Kill()
		}()
		for i, o := range programtest.Execute(t, e, "one", "two") {
			if o.Outcome != oracle.Accepted || string(o.Value) != []string{"one", "two"}[i] {
				t.Error(summary(o))
			}
		}
	})
}

// sandboxOf returns the only child of this process, a sandbox.
func sandboxOf(t *testing.T) *os.Process {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		var pid, parent int
		if _, rest, ok := strings.Cut(string(stat), ") "); ok {
			fmt.Sscan(entry.Name(), &pid)
			fmt.Sscanf(rest[1:], "%d", &parent)
			if parent == os.Getpid() {
				process, err := os.FindProcess(pid)
				if err != nil {
					t.Fatal(err)
				}
				return process
			}
		}
	}
	t.Fatal("there is no sandbox")
	return nil
}

func TestNoLeaks(t *testing.T) {
	count := func() (int, int) {
		runtime.GC()
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries), runtime.NumGoroutine()
	}
	bad := file(t, "f", "hello\n", 0o755)
	cycle := func() {
		for _, c := range []Config{
			{Args: []string{"cat"}},
			{Args: []string{"cat", "{input}"}},
			{Args: script("cat > $1", "{output}"), Value: "output"},
			{Args: []string{"sleep", "1000"}, Limits: limits.Limits{Timeout: 10 * time.Millisecond}},
			{Args: []string{"cat", "/dev/zero"}, Limits: limits.Limits{Output: 10}},
			{Args: []string{bad}},
		} {
			e, err := Open(t.Context(), complete(t, c, false))
			if err != nil {
				t.Fatal(err)
			}
			programtest.Try(e, "a", "b", "c", "d", "e", "f", "g", "h")
			e.Close()
		}
	}
	cycle()
	fds, goroutines := count()
	for range 3 {
		cycle()
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		f, g := count()
		if f <= fds && g <= goroutines {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("descriptors and goroutines: %d and %d, then %d and %d", fds, goroutines, f, g)
		}
	}
}

// BenchmarkExecute measures an input with a program that does nothing.
func BenchmarkExecute(b *testing.B) {
	tool := programtest.Tool(b)
	for name, args := range map[string][]string{"stdin": {"true"}, "file": {"true", "{input}"}} {
		b.Run(name, func(b *testing.B) {
			c := Config{Name: "tool", Args: args, Limits: limits.Limits{Timeout: time.Minute, Memory: 1 << 30, Processes: 64, Output: 1 << 20}}
			c.Sandbox.Tool, c.Sandbox.Dir = tool, b.TempDir()
			e, err := Open(b.Context(), c)
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			inputs, obs := [][]byte{[]byte("input")}, make([]program.Observation, 1)
			b.ReportAllocs()
			for b.Loop() {
				if err := e.Execute(b.Context(), inputs, obs); err != nil || obs[0].Outcome != oracle.Accepted {
					b.Fatal(err, obs[0].Message)
				}
			}
		})
	}
}
