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

// stats.jsonl holds at most mostStats lines. A full file is rewritten with at most half of them,
// evenly spread over the campaign's life. The first and the last line stay, and so do lines with
// reached blocks, which no other line repeats and whose number is bounded.
const mostStats = 2048

// series is the open stats.jsonl.
type series struct {
	*appender
	lines    int
	limit    int  // of lines
	byInputs bool // for a campaign that repeats: lines are evenly spaced by inputs, not by time
}

// point holds the keys of a line that thinning needs.
type point struct {
	Elapsed float64         `json:"elapsed_seconds"`
	Inputs  float64         `json:"inputs"`
	Reached json.RawMessage `json:"reached"`
}

// Repeats declares that the campaign repeats, so that no file depends on the time. Call it before
// AppendStats.
func (f *Folder) Repeats() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stats.byInputs = true
}

// AppendStats adds v as a line of JSON to stats.jsonl, and thins a full file.
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

// thinStats rewrites stats.jsonl. If it fails, as on a full disk, the file stays and each further
// line tries again.
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

// ReadStats returns the lines of stats.jsonl, oldest first. It omits a partial last line, which a
// process is writing or left when it was killed. It omits and reports other lines that are not
// JSON. From an overlong file of an earlier parallax, it returns an evenly spaced part.
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

// mostBad limits the lines without JSON that are reported one by one.
const mostBad = 8

// readStats reads the lines of a file that are JSON, and the numbers of the others.
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

// scanStats reads the lines of r. It holds at most twice mostStats lines, apart from those with
// reached blocks.
func scanStats(r io.Reader, byInputs bool) (lines []json.RawMessage, bad []int, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	room := 2 * mostStats
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF { // at most a partial line
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

// thinLines keeps the lines with reached blocks and at most n others: the first in each cell of a
// grid, and the last. Cells are 1, 2, 4 and so on seconds or inputs wide. The cells of a grid are
// halves of the next one's. So thinning in the same way again loses no line.
func thinLines(lines []json.RawMessage, n int, byInputs bool) (kept []json.RawMessage) {
	if len(lines) <= n {
		return lines
	}
	where, reached := make([]float64, len(lines)), make([]bool, len(lines))
	for i, line := range lines {
		var p point
		_ = json.Unmarshal(line, &p) // a line of another format is at 0
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
