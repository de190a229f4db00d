package state

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"parallax/internal/atomicfile"
)

// stats.jsonl holds at most mostStats lines. When it has as many, it is written anew with half of them at most, which are
// evenly spread over the whole life: the older the campaign, the coarser. The lines that stay are as they were, among them
// the first and the last. Those that say what was reached stay, too: no other repeats it, and blocks with a change end.
const mostStats = 2048

// series is the open stats.jsonl.
type series struct {
	*appender
	lines    int
	limit    int  // of lines
	byInputs bool // what repeats: lines are as far apart in inputs, not in time
}

// point is what is read of a line to thin lines.
type point struct {
	Elapsed float64         `json:"elapsed_seconds"`
	Inputs  float64         `json:"inputs"`
	Reached json.RawMessage `json:"reached"`
}

// Repeats says that the campaign repeats, so that nothing of its folder goes by time. It comes before AppendStats.
func (f *Folder) Repeats() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stats.byInputs = true
}

// AppendStats adds v as one line of JSON to stats.jsonl, and thins the file when it is long.
func (f *Folder) AppendStats(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path(statsFile), err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	if err := f.stats.append(append(line, '\n')); err != nil {
		return err
	}
	if f.stats.lines++; f.stats.lines < f.stats.limit {
		return nil
	}
	return f.thinStats()
}

// thinStats writes stats.jsonl anew. Where that cannot be, as on a full disk, the file stays, and each further line tries again.
func (f *Folder) thinStats() error {
	path := f.path(statsFile)
	lines, _, err := readStats(f.fs, path, f.stats.byInputs)
	if err != nil {
		return infra("read", path, err)
	}
	lines = thinLines(lines, mostStats/2, f.stats.byInputs)
	var text []byte
	for _, line := range lines {
		text = append(append(text, line...), '\n')
	}
	if atomicfile.Write(f.fs, path, text) != nil {
		return nil
	}
	if err := f.stats.close(); err != nil {
		return err
	}
	f.stats.appender, err = openAppender(f.fs, path, int64(len(text)))
	f.stats.lines, f.stats.limit = len(lines), max(mostStats, len(lines)*3/2)
	return err
}

// openSeries opens stats.jsonl at its end.
func openSeries(fsys FS, path string) (*series, error) {
	out, err := openLines(fsys, path)
	if err != nil {
		return nil, err
	}
	n, err := countLines(fsys, path)
	if err != nil {
		out.close()
		return nil, infra("read", path, err)
	}
	return &series{appender: out, lines: n, limit: mostStats}, nil
}

func (s *series) close() error {
	if s == nil {
		return nil
	}
	return s.appender.close()
}

// ReadStats returns the lines of stats.jsonl, oldest first. A half last line, of a process that is writing or was
// killed, is left out; any other line that is not JSON is left out and reported. Of a file that an earlier parallax let
// grow, it returns some, evenly spaced.
func (f *Folder) ReadStats() (lines []json.RawMessage, problems []string, err error) {
	lines, bad, err := readStats(f.fs, f.path(statsFile), false)
	if err != nil {
		return nil, nil, infra("read", f.path(statsFile), err)
	}
	for i, n := range bad {
		if i == mostBad {
			problems = append(problems, fmt.Sprintf("%s: %d more lines are not JSON: left out", f.path(statsFile), len(bad)-i))
			break
		}
		problems = append(problems, fmt.Sprintf("%s:%d: not JSON: left out", f.path(statsFile), n))
	}
	return lines, problems, nil
}

// mostBad is how many lines that are no JSON are told of one by one.
const mostBad = 8

// readStats reads the lines of a file that are JSON, and the numbers of those that are not.
func readStats(fsys FS, path string, byInputs bool) (lines []json.RawMessage, bad []int, err error) {
	file, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	return scanStats(file, byInputs)
}

// scanStats is readStats of r. It holds at most twice mostStats lines, beside those that no other repeats.
func scanStats(r io.Reader, byInputs bool) (lines []json.RawMessage, bad []int, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	room := 2 * mostStats
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF { // a half line at most
			return lines, bad, nil
		}
		if err != nil {
			return nil, nil, err
		}
		line = line[:len(line)-1]
		if !json.Valid(line) {
			bad = append(bad, n)
			continue
		}
		if lines = append(lines, line); len(lines) >= room {
			lines = thinLines(lines, mostStats, byInputs)
			room = max(2*mostStats, 2*len(lines))
		}
	}
}

// thinLines keeps at most n lines, and those that say what was reached: the first in each cell of a grid, and the last.
// Cells are 1, 2, 4 and so on seconds or inputs wide, so that the cells of one grid are halves of the next one's: lines that
// were thinned before lose nothing when they are thinned in the same way again.
func thinLines(lines []json.RawMessage, n int, byInputs bool) (kept []json.RawMessage) {
	if len(lines) <= n {
		return lines
	}
	where, reached := make([]float64, len(lines)), make([]bool, len(lines))
	for i, line := range lines {
		var p point
		_ = json.Unmarshal(line, &p) // what is another's line is at 0
		if where[i] = p.Elapsed; byInputs {
			where[i] = p.Inputs
		}
		reached[i] = len(p.Reached) > 0
	}
	for width := 1.0; ; width *= 2 {
		kept = kept[:0]
		left, cell := 0, math.Inf(-1)
		for i, line := range lines {
			first := math.Floor(where[i]/width) > cell
			if first || i == len(lines)-1 {
				left++
			}
			if first || reached[i] || i == len(lines)-1 {
				kept = append(kept, line)
			}
			cell = max(cell, math.Floor(where[i]/width))
		}
		if left <= n || width > where[len(lines)-1] {
			return kept
		}
	}
}
