package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
)

// A killed campaign can continue, and so can a trial. Its campaign folder stays until the sample is
// written. Next to it is a record of the trial's start. Only the same command of the same
// executable on the same machine may continue.

// Resumption is a point at which an interrupted trial continued.
type Resumption struct {
	Inputs uint64  `json:"inputs"`      // inputs before
	CPU    float64 `json:"cpu_seconds"` // of the fuzzing worker, before
}

// begun is the record of a trial without a sample.
type begun struct {
	Version int          `json:"version"`
	Command []string     `json:"command"`
	Seed    uint64       `json:"seed"`
	Load    string       `json:"loadavg"`
	Resumed []Resumption `json:"resumed,omitempty"`
	Origin
}

// begunVersion is the version of the record's format.
const begunVersion = 1

const (
	trialsFolder = "trials"
	recordFile   = "trial.json"
)

// place is the folder of a trial, and its progress when it was interrupted.
type place struct {
	dir    string
	inputs uint64
	clock  state.Clock
	build  string // of its programs
}

func (p *place) campaign() string { return filepath.Join(p.dir, "campaign") }
func (p *place) record() string   { return filepath.Join(p.dir, recordFile) }

func (p *place) elapsed() time.Duration { return time.Duration(p.clock.ElapsedMS) * time.Millisecond }
func (p *place) cpu() time.Duration     { return time.Duration(p.clock.CPUMS) * time.Millisecond }

// folder returns the folder of a trial.
func (r *Run) folder(k key) string {
	return filepath.Join(r.Work, trialsFolder, k.subject, k.configuration, strconv.Itoa(k.trial))
}

// place returns the folder of a trial: an empty one unless the trial can continue.
func (r *Run) place(ctx context.Context, s *Sample, blackbox bool) (*place, error) {
	p := &place{dir: r.folder(s.key())}
	if !blackbox { // its second run needs the inputs of a complete first run
		if ok, err := r.resume(ctx, p, s); ok || err != nil {
			return p, err
		}
	}
	*p = place{dir: p.dir}
	if err := errors.Join(os.RemoveAll(p.dir), os.MkdirAll(p.dir, 0o755)); err != nil {
		return nil, exit.Infra("the folder of trials: %w", err)
	}
	if blackbox {
		return p, nil
	}
	return p, p.write(s)
}

// resume reports whether an interrupted trial can continue.
func (r *Run) resume(ctx context.Context, p *place, s *Sample) (bool, error) {
	data, err := os.ReadFile(p.record())
	if err != nil {
		return false, nil
	}
	name := s.key().String()
	restart := func(why string) (bool, error) {
		r.Report(fmt.Sprintf("%s was interrupted and begins again: %s", name, why))
		return false, nil
	}
	var b begun
	if err := json.Unmarshal(data, &b); err != nil || b.Version != begunVersion {
		return restart("its record is damaged, or of another version of parallax")
	}
	if !slices.Equal(b.Command, s.Command) || b.Seed != s.Seed {
		return restart("it had another command")
	}
	if difference := b.Origin.differs(s.Origin); difference != "" {
		return restart(difference)
	}
	problems, err := p.load(ctx)
	switch {
	case err != nil:
		return false, exit.Usage("%s: %w", name, err)
	case len(problems) > 0:
		return restart(problems[0])
	case p.inputs == 0: // it had not run any inputs
		return false, nil
	}
	s.Load, s.Resumed = b.Load, b.Resumed
	if n := len(s.Resumed); n == 0 || s.Resumed[n-1].Inputs != p.inputs {
		s.Resumed = append(s.Resumed, Resumption{Inputs: p.inputs, CPU: seconds(p.cpu())})
	}
	r.Report(fmt.Sprintf("%s goes on after %d inputs", name, p.inputs))
	return true, p.write(s)
}

// lockPatience limits the wait for the process of a killed trial.
const lockPatience = 10 * time.Second

// load reads the progress of the trial's campaign, which is zero if there is none. It returns an
// error if the campaign is running.
func (p *place) load(ctx context.Context) (problems []string, err error) {
	if _, err := state.OpenExisting(atomicfile.OS, p.campaign()); err != nil {
		return nil, nil
	}
	f, err := state.Reopen(atomicfile.OS, p.campaign())
	for deadline := time.Now().Add(lockPatience); err != nil && ctx.Err() == nil && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
		f, err = state.Reopen(atomicfile.OS, p.campaign())
	}
	if err != nil {
		return nil, err
	}
	snap, problems, err := f.Load()
	if err = errors.Join(err, f.Close()); err != nil {
		problems = append(problems, err.Error())
	}
	p.inputs, p.clock, p.build = snap.Counters[state.Inputs], snap.Clock, snap.BuildID
	return problems, nil
}

// write writes the record.
func (p *place) write(s *Sample) error {
	data, err := json.MarshalIndent(begun{begunVersion, s.Command, s.Seed, s.Load, s.Resumed, s.Origin}, "", "  ")
	if err == nil {
		err = atomicfile.Write(atomicfile.OS, p.record(), append(data, '\n'))
	}
	return exit.Doing("the record of a trial", err)
}

// remaining returns the command of a continued trial, with the rest of the budget. An exhausted
// budget becomes minimal, since candidates may wait for triage.
func (c *Config) remaining(args []string, p *place) []string {
	if p.inputs == 0 {
		return args
	}
	var inputs uint64
	var cpu time.Duration
	if c.Inputs > 0 {
		inputs = 1
		if c.Inputs > p.inputs {
			inputs = c.Inputs - p.inputs
		}
	}
	if c.CPU.Duration > 0 {
		cpu = max(time.Millisecond, c.CPU.Duration-p.cpu())
	}
	return withBudget(args, inputs, cpu)
}

// same returns a failure if the programs of a continued trial changed.
func (p *place) same(s *Sample) error {
	if p.inputs == 0 || p.build == s.Build {
		return nil
	}
	return &Failure{Code: exit.InfraCode, Text: "its programs have changed while it was interrupted: it begins again"}
}

// leastWall is the minimum time limit of a continued trial, which must start and summarize.
const leastWall = time.Minute

// forget removes the folder of a trial that ended. A killed trial keeps it, to continue later.
func (r *Run) forget(k key, err error) {
	var failure *Failure
	if !errors.As(err, &failure) || !failure.Killed {
		os.RemoveAll(r.folder(k))
	}
}

// Clean removes the files of all trials, except for the folders of trials that can continue.
func (r *Run) Clean() {
	for _, s := range r.Done {
		os.RemoveAll(r.folder(s.key()))
	}
	entries, _ := os.ReadDir(r.Work)
	for _, e := range entries {
		if e.Name() != trialsFolder {
			os.RemoveAll(filepath.Join(r.Work, e.Name())) // builds are in the caches too
		}
	}
	trials := filepath.Join(r.Work, trialsFolder)
	for _, pattern := range []string{filepath.Join(trials, "*", "*"), filepath.Join(trials, "*"), trials, r.Work} {
		dirs, _ := filepath.Glob(pattern)
		for _, dir := range dirs {
			os.Remove(dir) // fails if it has entries
		}
	}
}
