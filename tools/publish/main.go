// Publish copies this repository with another module path, ready to be tagged:
//
//	go run ./tools/publish [-o DIR] [-version v0.1.0] example.com/owner/parallax
//
// It copies the files that git knows, as they are in the work tree. It replaces "parallax" by the
// path wherever that is an import path. These places are in go.mod and go.work, imports, strings of
// Go code, scripts, workflows and documents. The tool then requires the library in the given
// version.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

func main() {
	out := flag.String("o", "", "the folder to write, which must not exist (default: the last element of the path, beside this repository)")
	version := flag.String("version", "v0.1.0", "the version that will be tagged")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/publish [-o DIR] [-version VERSION] MODULE-PATH")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := publish(flag.Arg(0), *version, *out); err != nil {
		fmt.Fprintln(os.Stderr, "publish:", err)
		os.Exit(1)
	}
}

var (
	validPath    = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)+$`)
	validVersion = regexp.MustCompile(`^v[01]\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
)

func publish(path, version, out string) error {
	if !validPath.MatchString(path) {
		return fmt.Errorf("%q is no module path: write HOST/OWNER/NAME, as in example.com/owner/parallax", path)
	}
	if !validVersion.MatchString(version) {
		return fmt.Errorf("%q is no version v0 or v1, such as v0.1.0", version)
	}
	root, err := git(".", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	from := strings.TrimSpace(root)
	if out == "" {
		out = filepath.Join(filepath.Dir(from), path[strings.LastIndexByte(path, '/')+1:]+"-published")
	}
	if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s exists: remove it, or name another folder with -o", out)
	}
	list, err := git(from, "ls-files", "-z")
	if err != nil {
		return err
	}
	changed := 0
	for _, name := range strings.Split(strings.TrimSuffix(list, "\x00"), "\x00") {
		did, err := copyFile(from, out, name, path, version)
		if err != nil {
			return err
		}
		if did {
			changed++
		}
	}
	fmt.Printf(`%s has module %s: %d files changed.

Then, in that folder:

	git init && git add -A && git commit -m "parallax %[5]s"
	git tag %[5]s && git tag cmd/%[5]s
	git push %[4]s main --tags

	go install %[2]s/cmd/parallax@%[5]s
`, out, path, changed, "https://"+path, version)
	return nil
}

func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w %s", args[0], err, errs.String())
	}
	return string(text), nil
}

// copyFile copies a file of the repository, and reports whether its text has changed.
func copyFile(from, to, name, path, version string) (changed bool, err error) {
	at, target := filepath.Join(from, name), filepath.Join(to, name)
	info, err := os.Lstat(at)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return false, err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		link, err := os.Readlink(at)
		if err != nil {
			return false, err
		}
		return false, os.Symlink(link, target)
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return false, err
	}
	now := rewrite(name, data, path, version)
	return !bytes.Equal(data, now), os.WriteFile(target, now, info.Mode().Perm())
}

var (
	// below is an import path of a package below the module's: of a folder of this repository.
	below = regexp.MustCompile("(^|[\\s\"'`(\\[=:])parallax/(bench|cmd|docs|drivers|examples|gen|internal|puzzles|repair|schema|tools)\\b")
	// alone is an import of the library itself, alone on its line.
	alone = regexp.MustCompile(`(?m)^(\s*(?:import\s+)?(?:[\w.]+\s+)?)"parallax"$`)
	// directive is the module's own path in a go.mod or go.work.
	directive = regexp.MustCompile(`(?m)^(module |\s*(?:require |replace )?)parallax( |$)`)
	// constant is the path as the tool knows it.
	constant = regexp.MustCompile(`(?m)^(const Path = )"parallax"$`)
)

// rewrite is the text of a file with the module's path. Data is kept as it is.
func rewrite(name string, data []byte, path, version string) []byte {
	base := filepath.Base(name)
	switch {
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return data
	case base == "go.mod" || base == "go.work":
		data = directive.ReplaceAll(data, []byte("${1}"+path+"${2}"))
		data = below.ReplaceAll(data, []byte("${1}"+path+"/${2}"))
		if name == "cmd/go.mod" {
			data = append(data, fmt.Sprintf("\nrequire %s %s\n", path, version)...)
		}
		return data
	}
	switch filepath.Ext(name) {
	case ".go", ".txt", ".md", ".yml", ".toml", ".sh", ".tmpl", "":
		if name == "cmd/internal/gobuild/library/version.go" {
			data = constant.ReplaceAll(data, []byte(`${1}"`+path+`"`))
		}
		data = alone.ReplaceAll(data, []byte(`${1}"`+path+`"`))
		data = below.ReplaceAll(data, []byte("${1}"+path+"/${2}"))
	}
	return data
}
