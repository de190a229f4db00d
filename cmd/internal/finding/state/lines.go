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

// Log returns a writer to log.txt that puts the time of the clock before each record. It is meant for a slog handler,
// which writes a record by one call, with the handler's own time left out. The folder is not named: what is in it is named from there.
func (f *Folder) Log(now func() time.Time) *LogWriter { return &LogWriter{folder: f, now: now} }

// LogWriter writes records to log.txt. One goroutine at a time may call Hold and Release.
type LogWriter struct {
	folder *Folder
	now    func() time.Time
	mu     sync.Mutex
	hold   bool
	held   []byte
}

// Hold keeps records back until Release: of what happens side by side, one part is written behind the other, so that the log of a campaign
// that repeats does, too. A kill loses what is held back.
func (w *LogWriter) Hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hold = true
}

// Release writes what was held back, with its times, and holds nothing any more.
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

// log.txt holds at most about mostLog bytes. When it has as many, it is written anew: its first firstLog bytes and its last
// lastLog stay, by whole lines, and between them a line that says how many were left out.
const (
	mostLog  = 8 << 20
	firstLog = 1 << 20
	lastLog  = 3 << 20
)

// leftOut begins the record that stands for lines that were left out.
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

// cutLog writes log.txt anew, without its middle. Where that cannot be, as on a full disk, the file stays, and each further
// line tries again. It holds what stays in memory, not the file, which an earlier parallax let grow.
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

// shortLog returns log.txt without its middle. The file has whole lines.
func (f *Folder) shortLog() ([]byte, error) {
	file, err := f.fs.OpenFile(f.path(logFile), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) { // somebody has removed it
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
		if err == io.EOF { // somebody has shortened the file
			break
		}
		if err != nil && err != bufio.ErrBufferFull { // of a line that is longer, this is a part
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

// leftOutBy returns for how many lines a line stands.
func leftOutBy(line []byte) int {
	n := 0
	if _, record, ok := bytes.Cut(line, []byte{' '}); ok && bytes.HasPrefix(record, []byte(leftOut)) {
		n, _ = strconv.Atoi(string(bytes.TrimSuffix(record[len(leftOut):], []byte{'\n'})))
	}
	return max(1, n)
}
