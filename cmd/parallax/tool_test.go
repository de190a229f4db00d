package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// tool is a built parallax.
type tool struct {
	path  string
	cache string   // folder, of these tests
	root  string   // of the repository, where commands are given
	mark  string   // of all processes, in their environment
	env   []string // with the cache folder
}

// newTool returns a tool with a cache folder that all tests share: what one has built, another need
// not.
func newTool(t *testing.T) *tool {
	t.Helper()
	made, err := once()
	if err != nil {
		t.Fatal(err)
	}
	u := *made
	u.env = slices.Clone(made.env)
	return &u
}

var once = sync.OnceValues(func() (*tool, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	scratch := moduletest.Scratch()
	u := &tool{path: filepath.Join(scratch, "parallax"), cache: moduletest.Cache(), root: root}
	u.env = append(os.Environ(), "XDG_CACHE_HOME="+u.cache, "XDG_CONFIG_HOME="+u.cache, "PARALLAX_TRIAGE_TIME=0", "PARALLAX_STEPS=1", "NO_COLOR=1", "GITHUB_ACTIONS=")
	build := exec.Command("go", "build", "-ldflags=-w", "-o", u.path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build: it starts in three quarters of the time
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building parallax: %v\n%s", err, out)
	}
	return u, nil
})

// result is the result of a command.
type result struct {
	code           int
	stdout, stderr []byte
	out            string // the campaign's folder
	dir            string
}

// patience bounds a command that hangs; no result depends on it.
const patience = 6 * time.Minute

// command prepares a command that ends with the test, whatever it started included.
func (u *tool) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, u.path, varied(args)...)
	cmd.Dir, cmd.Env = u.root, u.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run runs a command to its end.
func (u *tool) run(t *testing.T, args ...string) *result {
	t.Helper()
	cmd := u.command(t, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatalf("parallax %q: %v\n%s", args, err, stderr.Bytes())
	}
	return &result{code: cmd.ProcessState.ExitCode(), stdout: stdout.Bytes(), stderr: stderr.Bytes(), dir: cmd.Dir}
}

// diff runs a campaign in a folder of its own.
func (u *tool) diff(t *testing.T, funcs []string, flags ...string) *result {
	t.Helper()
	return u.diffIn(t, filepath.Join(t.TempDir(), "out"), funcs, flags...)
}

func (u *tool) diffIn(t *testing.T, out string, funcs []string, flags ...string) *result {
	t.Helper()
	r := u.run(t, diffArgs(out, funcs, flags...)...)
	r.out = out
	return r
}

func diffArgs(out string, funcs []string, flags ...string) []string {
	return slices.Concat([]string{"diff"}, funcs, []string{"--json", "--ui", "line", "--out", out}, flags)
}

// exits fails the test unless the command ended with this code.
func (r *result) exits(t *testing.T, code int) {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit code %d, want %d\n%s\n%s", r.code, code, r.stderr, r.stdout)
	}
}

// summary reads standard output, which must hold one JSON object and nothing else.
func (r *result) summary(t *testing.T) *finding.Summary {
	t.Helper()
	var s finding.Summary
	d := json.NewDecoder(bytes.NewReader(r.stdout))
	if err := d.Decode(&s); err != nil {
		t.Fatalf("standard output is no summary: %v\n%.1000s\n%s", err, r.stdout, r.stderr)
	}
	if rest := bytes.TrimSpace(r.stdout[d.InputOffset():]); len(rest) > 0 {
		t.Fatalf("standard output holds more than the summary: %.200q", rest)
	}
	return &s
}

// resolve makes a path in a summary absolute: it is relative to where the command was given.
func (r *result) resolve(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dir, path)
}

// readable fails the test if standard error is not fit for people. Its lines must be short, without
// stacks and output of programs, and it may have one error at most.
func (r *result) readable(t *testing.T) {
	t.Helper()
	failures := 0
	for _, line := range strings.Split(string(r.stderr), "\n") {
		switch {
		case len(line) > 300, strings.HasPrefix(line, "goroutine "), strings.Contains(line, "not really"):
			t.Errorf("standard error: %.400q", line)
		case strings.HasPrefix(line, "parallax: "):
			failures++
		}
	}
	if want := r.code > 1; (failures == 1) != want {
		t.Errorf("%d error messages with exit code %d\n%s", failures, r.code, r.stderr)
	}
}

// campaign is a parallax diff or fuzz that runs.
type campaign struct {
	result
	pid   int
	lines chan string
	seen  []string
	ended chan error
}

// start starts a campaign, which has no end unless the flags give it a budget.
func (u *tool) start(t *testing.T, out string, funcs []string, flags ...string) *campaign {
	t.Helper()
	if !slices.Contains(flags, "--fuzztime") {
		flags = append(slices.Clone(flags), "--fuzztime", "0")
	}
	return u.follow(t, out, u.command(t, diffArgs(out, funcs, flags...)...))
}

// follow starts a command that runs a campaign.
func (u *tool) follow(t *testing.T, out string, cmd *exec.Cmd) *campaign {
	t.Helper()
	c := &campaign{result: result{out: out, dir: cmd.Dir}, lines: make(chan string, 1000), ended: make(chan error, 1)}
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.pid = cmd.Process.Pid
	t.Cleanup(func() { syscall.Kill(-c.pid, syscall.SIGKILL) })
	go func() {
		for s := bufio.NewScanner(stderr); s.Scan(); {
			c.lines <- s.Text()
		}
		close(c.lines)
		err := cmd.Wait()
		c.stdout, c.code = stdout.Bytes(), cmd.ProcessState.ExitCode()
		c.ended <- err
	}()
	return c
}

// await waits for a line on standard error that contains text and, if it is not empty, lacks
// without.
func (c *campaign) await(t *testing.T, text, without string) {
	t.Helper()
	for line := range c.lines {
		c.seen = append(c.seen, line)
		if strings.Contains(line, text) && (without == "" || !strings.Contains(line, without)) {
			return
		}
	}
	t.Fatalf("the campaign ended without %q\n%s", text, strings.Join(c.seen, "\n"))
}

// wait returns what came of the campaign.
func (c *campaign) wait(t *testing.T) *result {
	t.Helper()
	for line := range c.lines {
		c.seen = append(c.seen, line)
	}
	<-c.ended
	c.stderr = []byte(strings.Join(c.seen, "\n"))
	return &c.result
}

// process is one that a test's parallax started, itself included.
type process struct {
	pid     int
	command []string
}

const markKey = "PARALLAX_TEST_MARK="

// marked returns the tool with an environment by which all processes of the test can be found.
func (u *tool) marked(t *testing.T) *tool {
	m := *u
	m.mark = markKey + strconv.Itoa(os.Getpid()) + "/" + t.Name()
	m.env = append(slices.Clone(u.env), m.mark)
	return &m
}

// processes returns the running processes that have the tool's mark and the variables in their
// environment.
func (u *tool) processes(variables ...string) []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil {
			continue // another's, or gone
		}
		have := strings.Split(string(environ), "\x00")
		if !slices.Contains(have, u.mark) || slices.ContainsFunc(variables, func(v string) bool { return !slices.Contains(have, v) }) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		found = append(found, process{pid, strings.Split(strings.TrimRight(string(command), "\x00"), "\x00")})
	}
	return found
}

// nothingLeft fails the test unless all processes end by themselves, soon.
func (u *tool) nothingLeft(t *testing.T) {
	t.Helper()
	var left []process
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		left = u.processes()
		if len(left) == 0 {
			return
		}
	}
	for _, p := range left {
		t.Errorf("process %d is left: %.200q", p.pid, p.command)
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
}
