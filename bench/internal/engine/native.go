package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"parallax/bench/internal/process"
	"parallax/bench/internal/subject"
)

// Native is go test -fuzz. It calls the test binary as the go command does, with one worker.
//
// It ends at the first failing input. Further runs then use up a limit of CPU time or time. They
// begin with the inputs that the earlier ones kept in the fuzz cache. The failing input is moved
// away, since no run would begin with it in testdata/fuzz.
type Native struct {
	name     string
	pkg      subject.Package
	binary   string
	minimize string
	counts   subject.Instrumented
}

// NewNative builds the binary. Minimize is the value of -fuzzminimizetime, empty for its default of
// 60s.
func NewNative(ctx context.Context, name string, pkg subject.Package, binary, minimize string) (*Native, error) {
	n := &Native{name: name, pkg: pkg, binary: binary, minimize: minimize}
	err := pkg.BuildNative(ctx, binary)
	if err == nil {
		n.counts, err = pkg.Native(ctx, binary)
	}
	return n, err
}

func (n *Native) Name() string { return n.name }

// idle is the number of runs in a row that may end at once without a reason that is known.
const idle = 5

func (n *Native) Fuzz(ctx context.Context, folder string, limit Limit, _ int) (Result, error) {
	r := Result{Instrumented: n.counts}
	if err := makeFolder(folder); err != nil {
		return r, err
	}
	for atOnce := 0; ; r.Restarts++ {
		before := r
		done, err := n.once(ctx, folder, limit, &r)
		if err != nil || done {
			return r, err
		}
		if atOnce++; r.Executions > before.Executions {
			atOnce = 0
		}
		if atOnce == idle {
			return r, fmt.Errorf("%s ends at once, without a failing input:\n%s", n.binary, tail(n.output(folder)))
		}
	}
}

func (n *Native) output(folder string) string { return filepath.Join(folder, "output.txt") }

// once runs the binary, adds to the result what it did, and reports whether the limit is reached.
func (n *Native) once(ctx context.Context, folder string, limit Limit, r *Result) (done bool, err error) {
	out, err := os.Create(n.output(folder))
	if err != nil {
		return false, err
	}
	defer out.Close()
	failing := filepath.Join(n.pkg.Dir, "testdata", "fuzz", n.pkg.Fuzz)
	known, err := names(failing)
	if err != nil {
		return false, err
	}
	p, err := process.Start(process.Command{
		Path: n.binary, Args: n.arguments(folder, limit, r), Dir: n.pkg.Dir, Env: subject.Env, Stdout: out, Stderr: out,
	})
	if err != nil {
		return false, err
	}
	u, interrupted, err := follow(ctx, p, limit.CPU-r.CPU, p.CPU)
	r.Progress = append(r.Progress, p.Progress(r.CPU)...)
	r.CPU += u.CPU
	r.Wall += u.Wall
	moved, moveErr := putAside(failing, known, filepath.Join(folder, "findings"))
	r.Findings += moved
	if err = errors.Join(err, moveErr); err != nil {
		return false, err
	}
	text, err := os.ReadFile(n.output(folder))
	if err != nil {
		return false, err
	}
	executions := executions(string(text))
	r.Executions += executions
	if interrupted || limit.CPU > 0 && r.CPU >= limit.CPU || limit.Time > 0 && r.Wall >= limit.Time || limit.Inputs > 0 {
		return true, nil
	}
	return false, n.unblock(folder, string(text), moved)
}

func (n *Native) arguments(folder string, limit Limit, r *Result) []string {
	budget := fmt.Sprint(patience(limit.CPU))
	switch {
	case limit.Inputs > 0:
		budget = fmt.Sprintf("%dx", limit.Inputs)
	case limit.Time > 0:
		budget = fmt.Sprint(limit.Time - r.Wall)
	}
	args := []string{
		"-test.run=^$", "-test.fuzz=" + n.pkg.Pattern(), "-test.fuzzcachedir=" + filepath.Join(folder, "cache"),
		"-test.parallel=1", "-test.fuzztime=" + budget,
	}
	if n.minimize != "" {
		args = append(args, "-test.fuzzminimizetime="+n.minimize)
	}
	return args
}

var failingSeed = regexp.MustCompile(`failure while testing seed corpus entry: [^/\s]+/(\S+)`)

// unblock removes an input of the fuzz cache that fails now and did not when it was kept: no run
// would begin with it.
func (n *Native) unblock(folder, text string, moved int) error {
	m := failingSeed.FindStringSubmatch(text)
	if m == nil || moved > 0 {
		return nil
	}
	name := filepath.Join(folder, "cache", n.pkg.Fuzz, m[1])
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("%s fails on its own seeds:\n%s", n.pkg.Name, tail(n.output(folder)))
	}
	return os.Rename(name, filepath.Join(folder, "findings", m[1]))
}

// names are the names in a folder that need not exist.
func names(folder string) (map[string]bool, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	set := map[string]bool{}
	for _, e := range entries {
		set[e.Name()] = true
	}
	return set, nil
}

// putAside moves what is new in a folder.
func putAside(from string, known map[string]bool, to string) (moved int, err error) {
	now, err := names(from)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return 0, err
	}
	for name := range now {
		if known[name] {
			continue
		}
		if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

var execsLine = regexp.MustCompile(`(?m)^fuzz: elapsed: \S+, execs: (\d+) `)

// executions is the largest number in the lines that a run prints: the last one says nothing when
// an input is being minimized. The executions of the last tenth of a second, that its end cuts off,
// are not in it.
func executions(text string) (most int64) {
	for _, m := range execsLine.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			most = max(most, n)
		}
	}
	return most
}

func (n *Native) Inputs(folder string) ([]process.Kept[[]byte], error) {
	all := func(string) bool { return true }
	kept, err := files(filepath.Join(folder, "cache", n.pkg.Fuzz), all)
	if err != nil {
		return nil, err
	}
	failing, err := files(filepath.Join(folder, "findings"), all)
	return append(kept, failing...), err
}
