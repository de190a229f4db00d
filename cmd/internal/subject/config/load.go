package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/subject/kinds"
)

const (
	// maxFile is larger than any configuration: a larger file is another kind of file.
	maxFile = 1 << 20
	// maxProblems is the number of problems that an error lists.
	maxProblems = 20
)

// onDisk is the file system of the machine.
type onDisk struct{}

func (onDisk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }
func (onDisk) ReadFile(path string) ([]byte, error)  { return corpus.ReadFile(path) }

// Load reads and checks the file at path. Errors have exit code 2 and a line per mistake, with the
// path as given.
func Load(path string) (*File, error) {
	data, full, err := content(path, fmt.Sprintf("`parallax init %s` writes a first one", FileName))
	if err != nil {
		return nil, err
	}
	f, problems := parse(data, full, onDisk{})
	if len(problems) > 0 {
		return nil, exit.Usage("%s", problemText(path, problems))
	}
	return f, nil
}

// content returns the content of a configuration and its absolute path. advice describes how to
// make one.
func content(path, advice string) (data []byte, full string, err error) {
	if full, err = filepath.Abs(path); err != nil {
		return nil, "", exit.Infra("finding the current folder: %w", err)
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", exit.Usage("there is no file %s: %s", path, advice)
	case err != nil:
		return nil, "", exit.Usage("the configuration: %w", err)
	case !info.Mode().IsRegular():
		return nil, "", exit.Usage("%s is no regular file: name a file like %s", path, FileName)
	case info.Size() > maxFile:
		return nil, "", tooLarge(path, info.Size())
	}
	data, err = corpus.ReadFile(full)
	switch {
	case err != nil:
		return nil, "", exit.Usage("the configuration: %w", err)
	case len(data) > maxFile: // files of the kernel have size 0
		return nil, "", tooLarge(path, int64(len(data)))
	}
	return data, full, nil
}

func tooLarge(path string, size int64) error {
	return exit.Usage("%s has %d bytes, more than the %d of a configuration: is it another file?", path, size, maxFile)
}

// problemText lists problems, a line each.
func problemText(path string, problems []tomldoc.Problem) string {
	var b strings.Builder
	for i, p := range problems {
		if i == maxProblems {
			fmt.Fprintf(&b, "\n%s: and %d more", path, len(problems)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s", path, p.At.Line, p.At.Column, p.Text)
	}
	return b.String()
}

// reader reads a file with programs of these kinds.
type reader struct {
	*tomldoc.Reader
	kinds program.Table
}

// parse reads the content of the file at an absolute path. It returns a configuration or its
// mistakes.
func parse(data []byte, path string, d tomldoc.Disk) (*File, []tomldoc.Problem) {
	r, t, problems := begin(data, path, d)
	if problems != nil {
		return nil, problems
	}
	f := r.file(t, path)
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return f, nil
}

// begin reads the keys that all files have, and returns the top table.
func begin(data []byte, path string, d tomldoc.Disk) (*reader, *tomldoc.Table, []tomldoc.Problem) {
	root, err := tomldoc.Parse(data)
	if err != nil {
		at := Position{Line: 1, Column: 1}
		var s *tomldoc.SyntaxError
		if errors.As(err, &s) {
			at = s.At
		}
		return nil, nil, []tomldoc.Problem{{At: at, Text: tomldoc.OneLine(err.Error())}}
	}
	r := &reader{Reader: &tomldoc.Reader{Dir: filepath.Dir(path), Disk: d}, kinds: kinds.Table}
	t := tomldoc.NewTable(r.Reader, root, "the file")
	// Other mistakes in a file of another version would be described in the words of this one.
	if k := t.Find("version"); k != nil {
		if v, err := tomldoc.Integer(k.Value.Text); k.Value.Form == tomldoc.IntegerForm && err == nil && v > Version {
			return nil, nil, []tomldoc.Problem{{At: k.Value.At, Text: fmt.Sprintf("version = %d needs a newer parallax: this one reads version %d", v, Version)}}
		} else if k.Value.Form != tomldoc.IntegerForm || err != nil || v != Version {
			r.Reportf(k.Value.At, "version = %s: write version = %d", k.Value.Text, Version)
		}
	} else {
		r.Reportf(Position{Line: 1, Column: 1}, "version is missing: begin the file with version = %d", Version)
	}
	return r, t, nil
}
