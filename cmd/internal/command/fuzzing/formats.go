package fuzzing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/formats"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
)

// Formats name the files for continuous integration. "" is none.
type Formats struct {
	SARIF, JUnit, Markdown string
}

// Any reports whether a file is asked for.
func (f *Formats) Any() bool { return f.SARIF != "" || f.JUnit != "" || f.Markdown != "" }

// Check makes the paths absolute, and makes sure, before anything is built, that files can be
// written there.
func (f *Formats) Check(dir string) error {
	seen := map[string]string{}
	for _, flag := range []struct {
		name string
		path *string
	}{{"sarif", &f.SARIF}, {"junit", &f.JUnit}, {"markdown", &f.Markdown}} {
		if *flag.path == "" {
			continue
		}
		if *flag.path == "-" {
			return exit.Usage("--%s -: name a file, since standard output is for --json", flag.name)
		}
		path := Absolute(dir, *flag.path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real // what a link leads to is replaced, not the link
		}
		if other, ok := seen[path]; ok {
			return exit.Usage("--%s and --%s name the same file, %s: name two", other, flag.name, *flag.path)
		}
		seen[path] = flag.name
		if err := writable(path); err != nil {
			return exit.Usage("--%s %s: %w", flag.name, *flag.path, err)
		}
		*flag.path = path
	}
	return nil
}

// writable says why a file cannot be written as a whole, if it cannot.
func writable(path string) error {
	folder := filepath.Dir(path)
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return errors.New("this is a folder: name a file in it")
	case err == nil && !info.Mode().IsRegular():
		return errors.New("this is no regular file: name one")
	}
	if info, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return fmt.Errorf("there is no folder %s", folder)
	}
	temp := atomicfile.TempName(folder)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return atomicfile.Explain("write", folder, err)
	}
	return errors.Join(f.Close(), os.Remove(temp))
}

// Write writes the files. It goes on after a failure, and returns the first.
func (f *Formats) Write(r *formats.Report) (written []string, err error) {
	known := false // something was fuzzed, now or earlier
	for i := range r.Targets {
		known = known || r.Targets[i].Summary != nil
	}
	put := func(path string, make func() ([]byte, error)) {
		if path == "" {
			return
		}
		data, failed := make()
		if failed == nil {
			failed = atomicfile.Write(atomicfile.OS, path, data)
		}
		if failed == nil {
			written = append(written, path)
		} else if err == nil {
			err = exit.Infra("%w", failed)
		}
	}
	if known { // code scanning takes a log without findings for the news that all are fixed
		put(f.SARIF, r.Sarif)
	}
	put(f.JUnit, r.JUnit)
	if f.Markdown != "" && sameFile(f.Markdown, os.Getenv(stepSummary)) {
		if failed := appendSummary(f.Markdown, r); failed != nil && err == nil {
			err = exit.Infra("%w", failed)
		}
		return written, err
	}
	put(f.Markdown, func() ([]byte, error) { return r.Markdown(formats.SummaryLimit), nil })
	return written, err
}

// stepSummary is the variable in which GitHub Actions names the file of the step's summary.
const stepSummary = "GITHUB_STEP_SUMMARY"

// onGitHub reports whether GitHub Actions reads what the command prints.
func onGitHub() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// annotate writes annotations where GitHub Actions reads them and, unless Markdown went to a file,
// adds it to the step's summary. The user asked for neither, so annotate reports its failures, and
// they fail no run.
func (f *Formats) annotate(r *formats.Report) {
	if !onGitHub() {
		return
	}
	os.Stderr.Write(r.Annotations())
	if path := os.Getenv(stepSummary); path != "" && f.Markdown == "" {
		if err := appendSummary(path, r); err != nil {
			terminal.Say("the job's summary is not written: %v", err)
		}
	}
}

// appendSummary adds to the summary of a step what it has room for.
func appendSummary(path string, r *formats.Report) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return atomicfile.Explain("write", path, err)
	}
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	data := r.Markdown(formats.SummaryLimit - int(min(size, formats.SummaryLimit)))
	if size > 0 {
		data = append([]byte("\n"), data...) // the old text may not end its line
	}
	if _, err = f.Write(data); err != nil {
		_ = f.Truncate(size) // half a report is none
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return atomicfile.Explain("write", path, err)
}

func sameFile(a, b string) bool {
	if b == "" {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// Deliver writes the results of runs for continuous integration.
func (f *Options) Deliver(runs []Run) error {
	if !f.Formats.Any() && !onGitHub() {
		return nil
	}
	r := &formats.Report{Command: f.Campaign.Mode, Tool: f.Version, FailOnChange: f.FailOnChange}
	for i := range runs {
		if !runs[i].Skipped {
			r.Targets = append(r.Targets, runs[i].formatted())
		}
	}
	_, err := f.Formats.Write(r)
	f.Formats.annotate(r)
	return err
}

// Delivered delivers after err, and returns the first error.
func (f *Options) Delivered(runs []Run, err error) error {
	failed := f.Deliver(runs)
	switch {
	case failed == nil:
		return err
	case err == nil:
		return failed
	}
	terminal.Say("%v", failed)
	return err
}

// formatted returns the result of a run. A run that did not fuzz its target has the findings of
// earlier runs: they are not fixed.
func (r *Run) formatted() formats.Target {
	out := r.Options.Out
	if out == "" {
		name := r.Name
		if r.Target != nil {
			name = r.Target.About().Folder()
		} else if r.Options.Mode == subject.Regress {
			name += "." + subject.Regress
		}
		out = filepath.Join(r.Options.Dir, state.Home, name)
	}
	problem := ""
	switch {
	case r.Err != nil:
		problem = strings.TrimRight(r.Err.Error(), "\n")
	case r.Summary == nil:
		problem = "not fuzzed, because the run was interrupted"
	}
	t := formats.Target{Name: r.Name}
	pasts, _, err := archive.Open(out)
	if err == nil && (r.Summary != nil || pasts[0].Config.Target == r.Name && pasts[0].Config.Identity.Mode == r.Options.Mode) {
		t, err = pasts[0].Formatted(r.Summary)
	}
	if r.Summary != nil && err != nil { // the folder cannot be read any more
		t = archive.Bare(r.Summary, finding.Relative(r.Options.Dir, out))
	}
	t.Problem, t.Earlier = problem, r.Summary == nil && t.Summary != nil
	return t
}

// nameOf returns the name of a target that was not resolved.
func nameOf(o *campaign.Options) string {
	if o.Config != nil {
		return o.Config.Name
	}
	return strings.Join(o.Functions, "+")
}
