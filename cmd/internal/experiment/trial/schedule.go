package trial

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
)

// Run runs the missing trials.
type Run struct {
	Config   *Config
	Tool     string // executable of parallax
	Origin   Origin
	Log      *Log
	Done     []*Sample      // existing samples
	Work     string         // folder for campaigns
	Parallel int            // number of concurrent trials
	Only     *regexp.Regexp // matches "subject/configuration"; nil means all
	Report   func(string)   // reports a line of progress
	Now      func() time.Time

	began    time.Time
	mu       sync.Mutex
	left     []key
	total    int
	ended    int
	dropped  map[string]bool // subjects, and "subject/configuration", without further trials
	failures map[string]int  // consecutive failures, by the same keys
	reported map[string]bool
	failed   error // the first failure, with its exit code
	fatal    error // ends all trials
	builds   map[string]string
	deps     map[string]map[string]string
}

// Missing returns the number of trials without a sample.
func (r *Run) Missing() int { return len(r.Config.missing(r.Done, r.Only)) }

// missing lists the trials without a sample, in the order in which they run: by trial, then by
// subject. Configurations take turns at being first, so unfinished measurements are balanced.
func (c *Config) missing(done []*Sample, only *regexp.Regexp) []key {
	have := map[key]bool{}
	for _, s := range done {
		have[s.key()] = true
	}
	var left []key
	for trial := range c.Trials {
		for i := range c.Subjects {
			for j := range c.Configurations {
				one := c.Configurations[(trial+i+j)%len(c.Configurations)].Name
				k := key{c.Subjects[i].Name, one, trial}
				if !have[k] && (only == nil || only.MatchString(k.subject+"/"+k.configuration)) {
					left = append(left, k)
				}
			}
		}
	}
	return left
}

// Chooses returns an error if the regular expression matches no subject/configuration.
func (c *Config) Chooses(only *regexp.Regexp) error {
	if len(c.missing(nil, only)) > 0 {
		return nil
	}
	return fmt.Errorf("matches no trial: they are named subject/configuration, such as %s/%s", c.Subjects[0].Name, c.Configurations[0].Name)
}

// Run runs the trials until all are done or ctx ends. It returns the error of the first subject
// that failed, with its exit code. Other subjects continue.
func (r *Run) Run(ctx context.Context) error {
	r.left = r.Config.missing(r.Done, r.Only)
	r.total, r.began = len(r.left), r.Now()
	r.dropped, r.reported, r.failures = map[string]bool{}, map[string]bool{}, map[string]int{}
	r.builds, r.deps = map[string]string{}, map[string]map[string]string{}
	for _, s := range r.Done {
		r.builds[s.Subject+"/"+s.Configuration] = s.Build
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var slots sync.WaitGroup
	for slot := range max(1, r.Parallel) {
		slots.Go(func() {
			for {
				k, ok := r.next()
				if !ok || ctx.Err() != nil {
					return
				}
				s, err := r.trial(ctx, k, slot)
				if ctx.Err() != nil {
					return
				}
				if r.finish(k, s, err) != nil {
					stop()
					return
				}
				r.forget(k, err)
			}
		})
	}
	slots.Wait()
	if r.fatal != nil {
		return r.fatal
	}
	return r.failed
}

func (r *Run) next() (key, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.left) > 0 && r.fatal == nil {
		k := r.left[0]
		r.left = r.left[1:]
		if !r.dropped[k.subject] && !r.dropped[k.subject+"/"+k.configuration] {
			return k, true
		}
		r.ended++
	}
	return key{}, false
}

// finish records the result of a trial. Its error ends all trials.
func (r *Run) finish(k key, s *Sample, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++
	if err == nil {
		err = r.same(s)
	}
	var failure *Failure
	switch {
	case err == nil:
		delete(r.failures, k.subject+"/"+k.configuration)
		if r.fatal = r.Log.Append(s); r.fatal == nil {
			r.Done = append(r.Done, s)
			r.Report(fmt.Sprintf("%d of %d: %s, %s, trial %d: %d unique discrepancies, %d buckets, %d inputs, %.1f CPU s, %.1f s%s%s",
				r.ended, r.total, s.Subject, s.Configuration, s.Trial+1, s.Unique, len(s.Buckets), s.Inputs, s.CPU, s.Wall, cutNote(s)+resumedNote(s), r.remaining()))
		}
	case errors.As(err, &failure):
		r.fail(k, failure)
	default:
		r.fatal = err
	}
	return r.fatal
}

// remaining estimates the time of the other trials, once enough have ended.
func (r *Run) remaining() string {
	left := r.total - r.ended
	if r.ended < 5 || left == 0 {
		return ""
	}
	took := r.Now().Sub(r.began) * time.Duration(left) / time.Duration(r.ended)
	if took < time.Minute {
		return ""
	}
	return fmt.Sprintf("; about %v left", strings.TrimSuffix(took.Round(time.Minute).String(), "0s"))
}

func cutNote(s *Sample) string {
	if s.Cut {
		return ", cut off: it took too long"
	}
	return ""
}

func resumedNote(s *Sample) string {
	if n := len(s.Resumed); n > 0 {
		return ", interrupted " + units.Plural(n, "time")
	}
	return ""
}

// same rejects a sample whose programs differ from those in other samples of the subject and
// configuration. A configuration's flags may select the instrumentation.
func (r *Run) same(s *Sample) error {
	k := s.Subject + "/" + s.Configuration
	if before := r.builds[k]; before != "" && before != s.Build {
		return &Failure{Code: exit.UsageCode, Text: fmt.Sprintf(
			"its programs are not those of the samples that there are (their blocks were %s, and are %s): its code, a module or Go has changed; name another file with --samples-file, or remove the samples of %s",
			before, s.Build, s.Subject)}
	}
	r.builds[k] = s.Build
	return nil
}

// inARow is the number of consecutive failures of a configuration on a subject that ends its
// trials. A temporary lack of memory or disk fails only one.
const inARow = 2

// fail records a failed trial, and drops trials that would fail too. These have a subject that does
// not build, a wrong configuration, or one that keeps failing.
func (r *Run) fail(k key, f *Failure) {
	what := k.subject + "/" + k.configuration
	if f.Code == exit.BuildCode {
		what = k.subject
	}
	code := f.Code
	if code < exit.UsageCode || code > exit.BaselineCode {
		code = exit.InfraCode
	}
	certain := code == exit.BuildCode || code == exit.UsageCode
	r.failures[what]++
	drop := certain || r.failures[what] >= inARow
	name := k.String()
	switch {
	case !r.reported[f.Text]:
		r.reported[f.Text] = true
		r.Report(fmt.Sprintf("%s failed: %s", name, f.Text))
	case !certain:
		r.Report(name + " failed, and said what another did")
	}
	if !drop {
		r.fails(code, "%s failed: see above; the same command runs it again", name)
		return
	}
	if !certain && !r.dropped[what] {
		r.Report(fmt.Sprintf("%s, %s: %d trials in a row have failed, the others are left out", k.subject, k.configuration, inARow))
	}
	r.dropped[what] = true
	r.fails(code, "trials of %s failed and are left out: see above", what)
}

// fails keeps the first error for the end. A failed build takes precedence over other errors.
func (r *Run) fails(code int, format string, args ...any) {
	if r.failed == nil || code == exit.BuildCode && exit.Code(r.failed) != exit.BuildCode {
		r.failed = &exit.Error{Code: code, Err: fmt.Errorf(format, args...)}
	}
}

// modulesOf returns the versions of a subject's modules. It computes them once.
func (r *Run) modulesOf(ctx context.Context, s *Subject) map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, asked := r.deps[s.Name]
	if !asked {
		found = modules(ctx, r.Config.dir(s), s)
		r.deps[s.Name] = found
	}
	copied := map[string]string{}
	maps.Copy(copied, found)
	return copied
}

// Check returns an error if there are samples of another build of parallax, Go or machine.
func (r *Run) Check(file string) error {
	for _, s := range r.Done {
		if difference := s.Origin.differs(r.Origin); difference != "" {
			return exit.Usage("%s has samples that were made with something else: %s. Name another file with --samples-file, or mix them with --mixed", file, difference)
		}
	}
	return nil
}

// Prepare checks that the subjects' folders exist.
func (c *Config) Prepare() error {
	for i := range c.Subjects {
		s := &c.Subjects[i]
		info, err := os.Stat(c.dir(s))
		if err == nil && !info.IsDir() {
			err = errors.New("it is a file")
		}
		if err != nil {
			return exit.Usage("%s: subject %s: its folder %s: %w", c.Path, s.Name, c.dir(s), err)
		}
	}
	return nil
}
