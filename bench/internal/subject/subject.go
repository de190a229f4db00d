// Package subject owns what is fuzzed: fuzz tests that exist, in modules at pinned versions. It
// brings copies of the modules to a work folder and builds the binaries that are run. The programs
// of bench call it.
//
// A copy is a module's own go.mod, tests and testdata as the proxy serves them, outside of any
// workspace. Nothing in it is changed, but for inputs that fuzzing adds to testdata/fuzz, which the
// engines take away again.
package subject

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Subject is a fuzz test.
type Subject struct {
	Name    string // in samples and tables
	Module  string // module path
	Version string // its version; empty: Folder
	Folder  string // a folder that holds the module, when it has no version
	Package string // folder of the package in the module, with slashes; "." for the root
	Fuzz    string // name of the fuzz test
	Raw     string // type of its argument if it is the only one and []byte or string: what a raw file means
}

// Package is a subject in a work folder.
type Package struct {
	Subject
	Root string // the copy of the module
	Dir  string // the folder of the package
}

// Env is the environment that go commands, and whatever calls them, work on subjects in.
var Env = []string{"GOWORK=off", "GO111MODULE=on"}

// Choose takes the subjects with names that a regular expression matches: at least one.
func Choose(all []Subject, only string) (chosen []Subject, err error) {
	re, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if re.MatchString(s.Name) {
			chosen = append(chosen, s)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("-only %v matches no subject", re)
	}
	return chosen, nil
}

// Checkout copies the subject's module to a folder below work, which is replaced, so that every run
// begins with the module as it was published. The path is the same each time, so that what was
// built is found again.
func (s Subject) Checkout(ctx context.Context, work string) (Package, error) {
	from := s.Folder
	if s.Version != "" {
		var err error
		if from, err = download(ctx, work, s.Module+"@"+s.Version); err != nil {
			return Package{}, err
		}
	}
	root := filepath.Join(work, s.Name)
	if err := os.RemoveAll(root); err != nil {
		return Package{}, err
	}
	if err := copyFolder(from, root); err != nil {
		return Package{}, fmt.Errorf("copying %s: %w", from, err)
	}
	return Package{Subject: s, Root: root, Dir: filepath.Join(root, filepath.FromSlash(s.Package))}, nil
}

// download returns the folder of a module in the module cache.
func download(ctx context.Context, work, module string) (string, error) {
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", err
	}
	out, _, err := goCommand(ctx, work, "mod", "download", "-json", module)
	var m struct{ Dir, Error string }
	if json.Unmarshal([]byte(out), &m) == nil && m.Error != "" {
		return "", fmt.Errorf("downloading %s: %s", module, m.Error)
	}
	if err != nil {
		return "", err
	}
	return m.Dir, nil
}

// copyFolder copies regular files, and makes them writable: those of the module cache are not.
func copyFolder(from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// goCommand runs the go command in a folder and returns what it wrote to standard output and
// standard error.
func goCommand(ctx context.Context, dir string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	var out, text bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), Env...), &out, &text
	if err := cmd.Run(); err != nil {
		return out.String(), text.String(), fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, bytes.TrimSpace(text.Bytes()))
	}
	return out.String(), text.String(), nil
}
