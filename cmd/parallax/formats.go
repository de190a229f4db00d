package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/formats"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
)

// formatFlags name the files for continuous integration. "" is none.
type formatFlags struct {
	sarif, junit, markdown string
}

func (f *formatFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.sarif, "sarif", "", "write the findings as SARIF to this file, for code scanning (parallax help ci)")
	fs.StringVar(&f.junit, "junit", "", "write the findings as JUnit XML to this file, for test reports")
	fs.StringVar(&f.markdown, "markdown", "", markdownUsage)
}

const markdownUsage = "write the findings as Markdown to this file, for a job summary or a pull request"

// any reports whether a file is asked for.
func (f *formatFlags) any() bool { return f.sarif != "" || f.junit != "" || f.markdown != "" }

// check makes the paths absolute, and makes sure, before anything is built, that files can be written there.
func (f *formatFlags) check(dir string) error {
	seen := map[string]string{}
	for _, flag := range []struct {
		name string
		path *string
	}{{"sarif", &f.sarif}, {"junit", &f.junit}, {"markdown", &f.markdown}} {
		if *flag.path == "" {
			continue
		}
		if *flag.path == "-" {
			return exit.Usage("--%s -: name a file, since standard output is for --json", flag.name)
		}
		path := absolute(dir, *flag.path)
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

// write writes the files. It goes on after a failure, and returns the first.
func (f *formatFlags) write(r *formats.Report) (written []string, err error) {
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
		put(f.sarif, r.Sarif)
	}
	put(f.junit, r.JUnit)
	if f.markdown != "" && sameFile(f.markdown, os.Getenv(stepSummary)) {
		if failed := appendSummary(f.markdown, r); failed != nil && err == nil {
			err = exit.Infra("%w", failed)
		}
		return written, err
	}
	put(f.markdown, func() ([]byte, error) { return r.Markdown(formats.SummaryLimit), nil })
	return written, err
}

// stepSummary is the variable in which GitHub Actions names the file of the step's summary.
const stepSummary = "GITHUB_STEP_SUMMARY"

// onGitHub reports whether GitHub Actions reads what the command prints.
func onGitHub() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// annotate writes annotations where GitHub Actions reads them and, unless Markdown went to a file, adds it to the step's summary. It is an
// addition that nobody has asked for, so that what fails here is told and fails no run.
func (f *formatFlags) annotate(r *formats.Report) {
	if !onGitHub() {
		return
	}
	os.Stderr.Write(r.Annotations())
	if path := os.Getenv(stepSummary); path != "" && f.markdown == "" {
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
		data = append([]byte("\n"), data...) // what stands there may not end its line
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

// deliver writes the results of the runs for continuous integration.
func (f *campaignFlags) deliver(runs []testRun) error {
	if !f.formats.any() && !onGitHub() {
		return nil
	}
	r := &formats.Report{Command: f.options.Mode, Tool: version(), FailOnChange: f.failOnChange}
	for i := range runs {
		if !runs[i].skipped {
			r.Targets = append(r.Targets, runs[i].formatted())
		}
	}
	_, err := f.formats.write(r)
	f.formats.annotate(r)
	return err
}

// delivered is deliver after err.
func (f *campaignFlags) delivered(runs []testRun, err error) error {
	failed := f.deliver(runs)
	switch {
	case failed == nil:
		return err
	case err == nil:
		return failed
	}
	terminal.Say("%v", failed)
	return err
}

// formatted is the result of a run. A run that did not fuzz its target reports the findings of earlier runs: they are not fixed.
func (r *testRun) formatted() formats.Target {
	out := r.options.Out
	if out == "" {
		name := r.name
		if r.target != nil {
			name = r.target.About().Folder()
		} else if r.options.Mode == subject.Regress {
			name += "." + subject.Regress
		}
		out = filepath.Join(r.options.Dir, state.Home, name)
	}
	problem := ""
	switch {
	case r.err != nil:
		problem = strings.TrimRight(r.err.Error(), "\n")
	case r.summary == nil:
		problem = "not fuzzed, because the run was interrupted"
	}
	t := formats.Target{Name: r.name}
	pasts, _, err := archive.Open(out)
	if err == nil && (r.summary != nil || pasts[0].Config.Target == r.name && pasts[0].Config.Identity.Mode == r.options.Mode) {
		t, err = pasts[0].Formatted(r.summary)
	}
	if r.summary != nil && err != nil { // the folder cannot be read any more
		t = archive.Bare(r.summary, report.Relative(r.options.Dir, out))
	}
	t.Problem, t.Earlier = problem, r.summary == nil && t.Summary != nil
	return t
}

// nameOf is what a target is called that was not resolved.
func nameOf(o *campaign.Options) string {
	if o.Config != nil {
		return o.Config.Name
	}
	return strings.Join(o.Functions, "+")
}
