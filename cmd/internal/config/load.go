package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/exit"
)

const (
	// maxFile is beyond any configuration; what is larger is some other file.
	maxFile = 1 << 20
	// maxProblems is how many a person reads before putting them right.
	maxProblems = 20
)

// onDisk is the file system.
type onDisk struct{}

func (onDisk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }
func (onDisk) ReadFile(path string) ([]byte, error)  { return os.ReadFile(path) }

// Load reads and checks the file at path. Errors carry exit code 2 and have a line for each mistake, with the path as it was
// given.
func Load(path string) (*File, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, exit.Infra("finding the current folder: %w", err)
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, exit.Usage("there is no file %s: `parallax init %s` writes one to start from", path, FileName)
	case err != nil:
		return nil, exit.Usage("the configuration: %w", err)
	case !info.Mode().IsRegular():
		return nil, exit.Usage("%s is no regular file: name a file like %s", path, FileName)
	case info.Size() > maxFile:
		return nil, exit.Usage("%s has %d bytes, and a configuration has at most %d: is it another file?", path, info.Size(), maxFile)
	}
	data, err := os.ReadFile(full)
	if err != nil {
		return nil, exit.Usage("the configuration: %w", err)
	}
	f, problems := parse(data, full, onDisk{})
	if len(problems) > 0 {
		return nil, exit.Usage("%s", told(path, problems))
	}
	return f, nil
}

// told is the text of problems, a line each.
func told(path string, problems []problem) string {
	var b strings.Builder
	for i, p := range problems {
		if i == maxProblems {
			fmt.Fprintf(&b, "\n%s: and %d more", path, len(problems)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s", path, p.at.Line, p.at.Column, p.text)
	}
	return b.String()
}

// parse reads the content of the file at an absolute path. It returns a configuration or what is wrong with it.
func parse(data []byte, path string, d disk) (*File, []problem) {
	root, err := parseDocument(data)
	if err != nil {
		at := Position{1, 1}
		var s *syntaxError
		if errors.As(err, &s) {
			at = s.at
		}
		return nil, []problem{{at, oneLine(err.Error())}}
	}
	r := &reader{dir: filepath.Dir(path), disk: d}
	t := &table{reader: r, node: root, name: "the file"}
	// What is wrong with a file of another version would be told in the words of this one.
	if k := t.find("version"); k != nil {
		if v, err := integer(k.value.text); k.value.form == integerForm && err == nil && v > Version {
			return nil, []problem{{k.value.at, fmt.Sprintf("version = %d is of a newer parallax, and this one reads version %d: use that one", v, Version)}}
		} else if k.value.form != integerForm || err != nil || v != Version {
			r.bad(k.value.at, "version = %s: write version = %d", k.value.text, Version)
		}
	} else {
		r.bad(Position{1, 1}, "version is missing: begin the file with version = %d", Version)
	}
	f := r.file(t, path)
	if len(r.problems) > 0 {
		return nil, r.sorted()
	}
	return f, nil
}

// oneLine keeps a message on its line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}
