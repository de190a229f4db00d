package state

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"time"

	"parallax/internal/atomicfile"
)

// logTime is the layout of a time in log.txt, always UTC.
const logTime = "2006-01-02T15:04:05.000Z"

// Log returns a writer to log.txt that puts a time before each record. It serves a slog handler,
// which writes a record by one call and without its own time. The log does not name the folder:
// paths in it are relative.
func (f *Folder) Log(now func() time.Time) *LogWriter { return &LogWriter{folder: f, now: now} }

// LogWriter writes records to log.txt. One goroutine at a time may call Hold and Release.
type LogWriter struct {
	folder *Folder
	now    func() time.Time
	mu     sync.Mutex
	hold   bool
	held   []byte
}

// Hold delays records until Release. Concurrent work writes its records one part after the other,
// so that the log of a campaign that repeats is the same. A kill loses held records.
func (w *LogWriter) Hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hold = true
}

// Release writes the held records with their times, and stops holding.
func (w *LogWriter) Release() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hold = false
	held := w.held
	if w.held = nil; len(held) == 0 {
		return nil
	}
	return w.folder.appendLog(held)
}

func (w *LogWriter) Write(record []byte) (int, error) {
	line := w.now().UTC().AppendFormat(nil, logTime)
	line = append(line, ' ')
	line = append(line, bytes.ReplaceAll(bytes.TrimSuffix(record, []byte{'\n'}), []byte(w.folder.dir+"/"), nil)...)
	line = append(line, '\n')
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hold {
		w.held = append(w.held, line...)
		return len(record), nil
	}
	if err := w.folder.appendLog(line); err != nil {
		return 0, err
	}
	return len(record), nil
}

// log.txt holds about mostLog bytes. A full file is rewritten. Its first firstLog and last lastLog
// bytes stay, as whole lines, with a line between them that counts the omitted ones.
const (
	mostLog  = 8 << 20
	firstLog = 1 << 20
	lastLog  = 3 << 20
)

// leftOut begins the record that represents omitted lines.
const leftOut = `level=INFO msg="lines were left out" lines=`

// appendLog appends lines to log.txt.
func (f *Folder) appendLog(lines []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	if err := f.log.append(lines); err != nil {
		return err
	}
	if f.log.size < mostLog {
		return nil
	}
	return f.cutLog()
}

// cutLog rewrites log.txt without its middle. If it fails, as on a full disk, the file stays and
// each further line tries again. It holds only the rest in memory, not the file, which an earlier
// parallax may have let grow.
func (f *Folder) cutLog() error {
	path := f.path(logFile)
	text, err := f.shortLog()
	if err != nil {
		return infra("read", path, err)
	}
	if atomicfile.Write(f.fs, path, text) != nil {
		return nil
	}
	if err := f.log.close(); err != nil {
		return err
	}
	f.log, err = openAppender(f.fs, path, int64(len(text)))
	return err
}

// shortLog returns log.txt, which has whole lines, without its middle.
func (f *Folder) shortLog() ([]byte, error) {
	file, err := f.fs.OpenFile(f.path(logFile), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) { // another process has removed it
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	whole := io.LimitReader(file, f.log.size)
	first, err := io.ReadAll(io.LimitReader(whole, firstLog))
	if err != nil {
		return nil, err
	}
	head := bytes.LastIndexByte(first, '\n') + 1
	in := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(first[head:]), whole), 64<<10)
	var stamp []byte
	n := 0
	for at, begins := int64(head), true; at < f.log.size-lastLog || !begins; {
		part, err := in.ReadSlice('\n')
		if err == io.EOF { // another process has shortened it
			break
		}
		if err != nil && err != bufio.ErrBufferFull { // ErrBufferFull returns a part of a longer line
			return nil, err
		}
		if stamp == nil {
			stamp, _, _ = bytes.Cut(bytes.Clone(part), []byte{' '})
		}
		if begins {
			n += leftOutBy(part)
		}
		at += int64(len(part))
		begins = err == nil
	}
	last, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	text := first[:head:head]
	if n > 0 {
		text = fmt.Appendf(text, "%.40s %s%d\n", stamp, leftOut, n)
	}
	return append(text, last...), nil
}

// leftOutBy returns the number of lines that a line represents.
func leftOutBy(line []byte) int {
	n := 0
	if _, record, ok := bytes.Cut(line, []byte{' '}); ok && bytes.HasPrefix(record, []byte(leftOut)) {
		n, _ = strconv.Atoi(string(bytes.TrimSuffix(record[len(leftOut):], []byte{'\n'})))
	}
	return max(1, n)
}
