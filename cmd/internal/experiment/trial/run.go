package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/base/exit"
)

// Failure is a trial without a result.
type Failure struct {
	Code int    // of the tool's exit; -1 for a signal
	Text string // message of the tool
	// Killed means that an external signal ended the trial, so it can continue.
	Killed bool
}

func (f *Failure) Error() string { return f.Text }

// cutPatience is the time from the request to end a trial to its kill. Triage ends after 4 seconds.
const cutPatience = 30 * time.Second

// process is one run of the tool.
type process struct {
	tool   string
	args   []string
	dir    string
	wall   time.Duration // time limit
	stdout string        // files
	stderr string
}

// ended describes the end of a process.
type ended struct {
	code int
	cpu  time.Duration // of all processes
	wall time.Duration
	cut  bool
}

// run runs the process to its end. If ctx ends, it kills the process with all its children.
func (p *process) run(ctx context.Context) (ended, error) {
	cmd := exec.Command(p.tool, p.args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	// A separate group protects from a terminal's ^C. The parent-death signal is sent when the
	// thread that started the process ends, so this goroutine keeps its thread.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, out := range []struct {
		path string
		to   *io.Writer
	}{{p.stdout, &cmd.Stdout}, {p.stderr, &cmd.Stderr}} {
		f, err := os.Create(out.path)
		if err != nil {
			return ended{}, exit.Infra("%w", err)
		}
		defer f.Close()
		*out.to = f
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return ended{}, exit.Infra("starting %s: %w", p.tool, err)
	}
	over := make(chan struct{})
	cut := make(chan bool, 1)
	go func() { cut <- p.watch(ctx, cmd.Process, over) }()
	err := cmd.Wait()
	close(over)
	e := ended{wall: time.Since(began), cut: <-cut}
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return e, exit.Infra("waiting for %s: %w", p.tool, err)
	}
	e.code = cmd.ProcessState.ExitCode()
	e.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return e, nil
}

// watch ends the process at its time limit or when ctx ends, and reports whether it was the limit.
func (p *process) watch(ctx context.Context, proc *os.Process, over <-chan struct{}) (cut bool) {
	limit := time.NewTimer(p.wall)
	defer limit.Stop()
	select {
	case <-over:
		return false
	case <-ctx.Done():
		proc.Kill()
		return false
	case <-limit.C:
		proc.Signal(os.Interrupt)
	}
	select {
	case <-over:
	case <-ctx.Done():
		proc.Kill()
	case <-time.After(cutPatience):
		proc.Kill()
	}
	return true
}

// trial runs one trial and returns its sample.
func (r *Run) trial(ctx context.Context, k key, slot int) (*Sample, error) {
	s, one := r.Config.subject(k.subject), r.Config.configuration(k.configuration)
	work := filepath.Join(r.Work, strconv.Itoa(slot), s.Name)
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, exit.Infra("the folder of trials: %w", err)
	}
	sample := &Sample{
		Subject: s.Name, Configuration: one.Name, Trial: k.trial, Seed: r.Config.Seed + uint64(k.trial), Command: r.Config.command(s, one), Load: load(), Origin: r.Origin,
		Modules: r.modulesOf(ctx, s),
	}
	place, err := r.place(ctx, sample, one.Blackbox)
	if err != nil {
		return nil, err
	}
	c := campaign{dir: r.Config.dir(s), work: work, place: place, args: r.Config.remaining(sample.Command, place)}
	if one.Blackbox {
		if err := r.blackbox(ctx, &c, sample); err != nil {
			return nil, err
		}
	} else if err := r.campaign(ctx, &c, sample); err != nil {
		return nil, err
	}
	for i := range sample.Buckets {
		sample.Buckets[i].Cause = s.causeOf(&sample.Buckets[i])
	}
	return sample, nil
}

// campaign is a run of the tool.
type campaign struct {
	dir, work string
	place     *place
	args      []string
}

// campaign runs a campaign and reads its results.
func (r *Run) campaign(ctx context.Context, c *campaign, sample *Sample) error {
	p := process{
		tool: r.Tool, dir: c.dir, wall: max(r.Config.wall()-c.place.elapsed(), min(leastWall, r.Config.wall())),
		// Budgets are equal regardless of the time of triage. Later flags of the configuration take
		// precedence.
		args: slices.Concat(c.args[:1], []string{"--triage-time", "0"}, c.args[1:], []string{
			"--out", c.place.campaign(), "--seed", strconv.FormatUint(sample.Seed, 10), "--parallel", "1", "--ui", "none", "--json",
		}),
		stdout: filepath.Join(c.work, "summary.json"), stderr: filepath.Join(c.work, "output.txt"),
	}
	e, err := p.run(ctx)
	if err != nil {
		return err
	}
	output, _ := os.ReadFile(p.stderr)
	if e.code != exit.OK && e.code != exit.Found || e.cut && e.code < 0 {
		return &Failure{Code: e.code, Text: complaint(output, e), Killed: e.code < 0 && !e.cut}
	}
	sample.Cut, sample.Wall, sample.AllCPU = e.cut, seconds(c.place.elapsed()+e.wall), seconds(c.place.cpu()+e.cpu)
	if err := sample.read(p.stdout, c.place.campaign(), r.Config.keep()); err != nil {
		text := err.Error()
		if errors.Is(err, errStopped) || len(bytes.TrimSpace(output)) > 0 && sample.Inputs == 0 {
			text = complaint(output, e)
		}
		return &Failure{Code: exit.InfraCode, Text: text}
	}
	return c.place.same(sample)
}

func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

// complaint returns the tool's last message, or how it ended.
func complaint(said []byte, e ended) string {
	if e.cut {
		return fmt.Sprintf("it did not end within %v and %v more", e.wall.Round(time.Second), cutPatience)
	}
	const name = "parallax: "
	if i := bytes.LastIndex(said, []byte("\n"+name)); i >= 0 {
		said = said[i+1:]
	}
	text := strings.TrimSpace(strings.TrimPrefix(string(said), name))
	if len(text) > 4000 {
		text = text[:4000] + "..."
	}
	if text == "" {
		text = fmt.Sprintf("it ended with exit code %d and said nothing", e.code)
	}
	return text
}

// wall returns the time limit of a trial. It catches programs that wait forever. It is generous,
// since triage of a few hundred candidates may take minutes on a busy machine. A trial that is cut
// off lacks findings.
func (c *Config) wall() time.Duration {
	if c.Wall.Duration > 0 {
		return c.Wall.Duration
	}
	return 20*time.Minute + 60*c.CPU.Duration
}
