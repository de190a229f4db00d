package state

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"parallax/internal/atomicfile"
)

// appender is a file that grows by whole records. It removes a record that could be written only in
// part, as on a full disk. Readers stop at a partial record, and would lose all later ones.
type appender struct {
	path string
	file atomicfile.File
	size int64 // of the whole records
	torn bool  // the file may be longer than size
}

// openAppender opens path at the end of its first good bytes and cuts off the rest, which a dead
// writer left.
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
		_ = a.restore() // a failure is retried by the next append
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

// openLines opens a file of lines for appending, without a partial line at its end.
func openLines(fsys FS, path string) (*appender, error) {
	good, err := wholeLines(fsys, path)
	if err != nil {
		return nil, infra("read", path, err)
	}
	return openAppender(fsys, path, good)
}

// wholeLines returns the length of a file up to and including its last newline.
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

// readChunks calls f with each piece of a file and its offset. A missing file has no pieces.
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
