package state

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"parallax/internal/atomicfile"
)

// appender is a file that only grows, by whole records: a record that could be written in part only, on a full disk,
// is taken back, so that the records after it are not lost to readers that stop at the half one.
type appender struct {
	path string
	file atomicfile.File
	size int64 // of the whole records
	torn bool  // the file may be longer than size
}

// openAppender opens path at the end of its first good bytes and cuts off what a dead writer left after them.
func openAppender(fsys FS, path string, good int64) (*appender, error) {
	file, err := fsys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, infra("open", path, err)
	}
	a := &appender{path: path, file: file, size: good, torn: true}
	info, err := fsys.Stat(path)
	if err == nil && info.Size() == good {
		a.torn = false
	}
	if err := a.restore(); err != nil {
		file.Close()
		return nil, err
	}
	return a, nil
}

func (a *appender) append(record []byte) error {
	if err := a.restore(); err != nil {
		return err
	}
	if _, err := a.file.Write(record); err != nil {
		a.torn = true
		_ = a.restore() // if this fails too, the next append tries again
		return infra("write", a.path, err)
	}
	a.size += int64(len(record))
	return nil
}

func (a *appender) restore() error {
	if !a.torn {
		return nil
	}
	if err := a.file.Truncate(a.size); err != nil {
		return infra("truncate", a.path, err)
	}
	a.torn = false
	return nil
}

func (a *appender) close() error {
	if a == nil || a.file == nil {
		return nil
	}
	if err := a.file.Close(); err != nil {
		return infra("close", a.path, err)
	}
	a.file = nil
	return nil
}

// openLines opens a file of lines for appending, without the half line at its end.
func openLines(fsys FS, path string) (*appender, error) {
	good, err := wholeLines(fsys, path)
	if err != nil {
		return nil, infra("read", path, err)
	}
	return openAppender(fsys, path, good)
}

// wholeLines returns the length of a file up to and with its last newline.
func wholeLines(fsys FS, path string) (good int64, err error) {
	err = readChunks(fsys, path, func(at int64, chunk []byte) {
		if i := bytes.LastIndexByte(chunk, '\n'); i >= 0 {
			good = at + int64(i) + 1
		}
	})
	return good, err
}

// countLines returns the number of newlines of a file.
func countLines(fsys FS, path string) (n int, err error) {
	err = readChunks(fsys, path, func(_ int64, chunk []byte) { n += bytes.Count(chunk, []byte{'\n'}) })
	return n, err
}

// readChunks calls f with the pieces of a file and where they begin. A file that is missing has none.
func readChunks(fsys FS, path string, f func(at int64, chunk []byte)) error {
	file, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	buf := make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := file.Read(buf)
		f(at, buf[:n])
		at += int64(n)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
