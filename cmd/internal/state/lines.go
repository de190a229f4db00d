package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// AppendStats adds v as one line of JSON to stats.jsonl.
func (f *Folder) AppendStats(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path(statsFile), err)
	}
	return f.appendTo(func() *appender { return f.stats }, append(line, '\n'))
}

// ReadStats returns the lines of stats.jsonl, oldest first. A half last line, of a process that is writing or was
// killed, is left out; any other line that is not JSON is left out and reported.
func (f *Folder) ReadStats() (lines []json.RawMessage, problems []string, err error) {
	data, err := f.read(f.path(statsFile))
	if err != nil {
		return nil, nil, err
	}
	lines, bad := parseStats(data)
	for _, n := range bad {
		problems = append(problems, fmt.Sprintf("%s:%d: not JSON: left out", f.path(statsFile), n))
	}
	return lines, problems, nil
}

// parseStats returns the lines that are JSON and the numbers of those that are not.
func parseStats(data []byte) (lines []json.RawMessage, bad []int) {
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole {
			return lines, bad
		}
		if json.Valid(line) {
			lines = append(lines, json.RawMessage(line))
		} else {
			bad = append(bad, n)
		}
		data = rest
	}
}

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
	return w.folder.appendTo(func() *appender { return w.folder.log }, held)
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
	if err := w.folder.appendTo(func() *appender { return w.folder.log }, line); err != nil {
		return 0, err
	}
	return len(record), nil
}

// appendTo appends a record to the file that out names under the lock.
func (f *Folder) appendTo(out func() *appender, record []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	return out().append(record)
}
