package extract

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/leader"
)

// pip is a version that can exclude later uploads. The script released uses its internal code.
const pip = "pip==26.3"

// install makes an environment in dir, which will be moved to final.
//
// An engine's release pins lower versions of its dependencies, and seldom upper ones. angr 9.2.213,
// of April 2026, does not even start with the bitstring of the autumn. The dependencies are
// therefore those of the day after the release, if the registry has upload times.
func install(ctx context.Context, r row, version, dir, final string, say func(string)) error {
	python, err := interpreter(ctx, r)
	if err != nil {
		return err
	}
	say(fmt.Sprintf("installing %s %s into %s (about %d MB, once; some minutes)", r.name, version, final, r.megabyte))
	if said, err := run(ctx, python, "-m", "venv", dir); err != nil {
		return failed(ctx, err, said, "%s makes no environment for %s: %s: install the package python3-venv, or a Python that has venv and ensurepip", python, r.name, last(said, err))
	}
	own := filepath.Join(dir, "bin", "python")
	options := []string{"-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--quiet"}
	pinned := r.packages + "==" + version
	var until []string
	if _, err := run(ctx, own, append(options, pip)...); err == nil {
		if said, err := run(ctx, own, "-c", released, r.packages, version); err == nil && dateForm().MatchString(strings.TrimSpace(said)) {
			until = []string{"--uploaded-prior-to", strings.TrimSpace(said)}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	said, err := run(ctx, own, append(append(options, until...), pinned)...)
	if err != nil {
		switch {
		case ctx.Err() == nil && versionMissing(said, pinned):
			return fault(ErrNoVersion, err, "there is no %s for %s: the versions are listed by: pip index versions %s", pinned, python, r.packages)
		case strings.Contains(said, "No matching distribution found for "+pinned):
			return failed(ctx, err, said, "pip finds no %s for %s: see that there is such a version and that it runs on this Python; other versions are listed by: pip index versions %s", pinned, python, r.packages)
		case strings.Contains(said, "No module named pip"):
			return failed(ctx, err, said, "%s has no pip: install the package python3-venv, or a Python that has venv and ensurepip", python)
		}
		return failed(ctx, err, said, "pip does not install %s: %s: see that the package registry can be reached and that the disk has %d MB", pinned, last(said, err), r.megabyte)
	}
	if said, err := run(ctx, own, "-c", "import "+r.module); err != nil {
		return failed(ctx, err, said, "%s was installed and does not start on %s: %s: try another version", pinned, python, last(said, err))
	}
	return nil
}

// versionMissing reports whether pip found other versions but not this one. If it lists none, the
// registry may be unreachable, or all versions may be for other interpreters.
func versionMissing(said, pinned string) bool {
	_, after, ok := strings.Cut(said, "No matching distribution found for "+pinned)
	_, versions, listed := strings.Cut(said, "(from versions: ")
	_, version, _ := strings.Cut(pinned, "==")
	for _, line := range strings.Split(said, "\n") {
		// that were withdrawn, or are for other interpreters
		_, ignored, _ := strings.Cut(line, "Ignored the following")
		if slices.Contains(strings.FieldsFunc(ignored, func(r rune) bool { return r <= ' ' || r == ';' || r == ',' }), version) {
			return false
		}
	}
	return ok && listed && (after == "" || after[0] <= ' ') && !strings.HasPrefix(versions, "none)")
}

// released is a script that prints the day after a version's upload, if pip's registry has it.
const released = `
import datetime, sys
from pip._internal.commands import create_command
command = create_command("install")
options, _ = command.parse_args([sys.argv[1]])
with command.main_context():
    finder = command._build_package_finder(options, command.get_default_session(options))
    times = [c.link.upload_time for c in finder.find_all_candidates(sys.argv[1]) if str(c.version) == sys.argv[2] and c.link.upload_time]
    if times:
        print((max(times) + datetime.timedelta(days=1)).strftime("%Y-%m-%d"))
`

var dateForm = lazyregexp.New(`^\d{4}-\d\d-\d\d$`)

// interpreter returns the first of an engine's interpreters that runs and can make environments.
func interpreter(ctx context.Context, r row) (string, error) {
	var why []string
	for _, name := range r.pythons {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		said, err := run(ctx, path, "-c", "import venv, ensurepip")
		if err == nil {
			return path, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		why = append(why, fmt.Sprintf("%s: %s", path, last(said, err)))
	}
	if len(why) > 0 {
		return "", fault(ErrUnavailable, nil, "no Python here can make an environment for %s (%s): install the package python3-venv", r.name, strings.Join(why, "; "))
	}
	return "", fault(ErrUnavailable, nil, "%s needs Python, and none of %s is in PATH: install the packages python3 and python3-venv", r.name, strings.Join(r.pythons, ", "))
}

func failed(ctx context.Context, err error, said, format string, args ...any) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault(ErrUnavailable, err, format, args...)
}

// run runs a program in a process group of its own, which ends with ctx and with this process. It
// returns the output.
func run(ctx context.Context, path string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	said := &tail{most: 16 << 10}
	cmd.Stdout, cmd.Stderr, cmd.Env = said, said, environment()
	done := make(chan error, 1)
	go func() {
		cmd.WaitDelay = 2 * time.Second
		done <- leader.Run(ctx, cmd)
	}()
	err := <-done
	return said.String(), err
}

// environment returns the environment of an engine's processes. It excludes the user's Python
// settings, and makes the order of sets repeatable.
func environment() (env []string) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "PYTHONPATH" && name != "PYTHONHOME" && name != "PYTHONHASHSEED" && name != "VIRTUAL_ENV" {
			env = append(env, v)
		}
	}
	return append(env, "PYTHONHASHSEED=0", "PYTHONNOUSERSITE=1", "PYTHONUNBUFFERED=1", "PYTHONIOENCODING=utf-8")
}

// last returns the last line of a program's output, or else its error.
func last(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if text := strings.TrimSpace(lines[len(lines)-1]); text != "" {
		return text
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.String()
	}
	return err.Error()
}

func summary(e *Env) string {
	return fmt.Sprintf("installed %s %s: %d MB in %s", e.Engine, e.Version, e.Bytes>>20, e.Dir)
}

// adapterOf reads the files of an engine's adapter, and hashes them.
func adapterOf(r row) (files map[string][]byte, hash string, err error) {
	files = map[string][]byte{}
	h := sha256.New()
	for _, name := range r.adapter {
		data, err := adapters.ReadFile("adapter/" + name)
		if err != nil {
			return nil, "", err
		}
		files[name] = data
		fmt.Fprintf(h, "%s %d\n%s", name, len(data), data)
	}
	return files, fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}
