package corpus

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/internal/atomicfile"
	"parallax/internal/input"
)

// Format names the folder layout of another fuzzer's corpus.
type Format string

// The formats of Exporter.
const (
	// Go has "go test fuzz v1" text, as in testdata/fuzz/FuzzXxx. A name is the first 16 digits of
	// the file's SHA-256, as `go test -fuzz` names its findings.
	Go Format = "go"
	// LibFuzzer has files of plain bytes, named by their SHA-1. Findings are artifacts,
	// crash-<sha1>.
	LibFuzzer Format = "libfuzzer"
	// AFL has a folder queue with files of plain bytes, id:000000,orig:<name>, which afl-fuzz -i
	// reads.
	AFL Format = "afl"
)

// Formats lists all formats.
var Formats = []Format{Go, LibFuzzer, AFL}

// Raw reports whether the format's files are plain bytes. Then only inputs of raw shapes can be
// written.
func (f Format) Raw() bool { return f != Go }

// ErrEmpty reports an empty input in a format without empty inputs. AFL skips empty files.
var ErrEmpty = errors.New("the format has no empty inputs")

// Exporter writes inputs into a folder for other fuzzers. The folder belongs to the user: existing
// files stay unchanged, whatever their names.
type Exporter struct {
	fs     FS
	dir    string
	shape  input.Shape
	format Format

	// AFL's names do not identify the content.
	stored map[string]string // paths in the queue, by content hash
	next   int               // first free id
}

// NewExporter prepares an export into dir. The first Write creates dir.
func NewExporter(fsys FS, dir string, format Format, shape input.Shape) (*Exporter, error) {
	if format.Raw() && !shape.Raw() {
		return nil, fmt.Errorf("inputs of %s are not plain bytes, which is all that format %s holds: use format %s", shape, format, Go)
	}
	e := &Exporter{fs: fsys, dir: dir, shape: shape, format: format, stored: map[string]string{}}
	if format == AFL {
		e.dir = filepath.Join(dir, "queue")
	}
	if format == AFL {
		return e, e.readQueue()
	}
	return e, nil
}

func (e *Exporter) readQueue() error {
	entries, err := e.fs.ReadDir(e.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return atomicfile.Explain("read", e.dir, err)
	}
	for _, entry := range entries {
		id, ok := aflID(entry.Name())
		if !ok || !entry.Type().IsRegular() {
			continue
		}
		e.next = max(e.next, id+1)
		path := filepath.Join(e.dir, entry.Name())
		data, err := e.fs.ReadFile(path)
		if err != nil {
			return atomicfile.Explain("read", path, err)
		}
		e.stored[Hash(data)] = path
	}
	return nil
}

// aflID returns the number of an AFL input: id:000012,src:...
func aflID(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, "id:")
	if !ok {
		if rest, ok = strings.CutPrefix(name, "id_"); !ok {
			return 0, false
		}
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if len(digits) < 6 {
		return 0, false
	}
	id, err := strconv.Atoi(digits)
	return id, err == nil
}

// Dir returns the folder that Write writes to.
func (e *Exporter) Dir() string { return e.dir }

// Write stores an input, given in flat form, and returns its file name. added is false if the
// folder already has the input. origin names the input in formats that have room for it: a bucket's
// id or a content hash. kind is the kind of the finding. Empty means an input of the corpus.
func (e *Exporter) Write(flat []byte, kind, origin string) (path string, added bool, err error) {
	if err := e.shape.Check(flat); err != nil {
		return "", false, fmt.Errorf("not an input of %s: %w", e.shape, err)
	}
	switch e.format {
	case Go:
		return e.writeGo(flat)
	case LibFuzzer:
		sum := sha1.Sum(flat)
		path = filepath.Join(e.dir, artifact(kind)+hex.EncodeToString(sum[:]))
		added, err = e.write(path, flat)
		return path, added, err
	default:
		return e.writeAFL(flat, origin)
	}
}

func (e *Exporter) writeGo(flat []byte) (path string, added bool, err error) {
	file := e.shape.GoFile(flat)
	path = filepath.Join(e.dir, Hash(file))
	old, err := e.fs.ReadFile(path)
	if err == nil {
		// Version control may have changed the line ends.
		if same, err := e.shape.Import(old); err == nil && string(same) == string(flat) {
			return path, false, nil
		}
	}
	added, err = e.write(path, file)
	return path, added, err
}

// artifact returns the prefix of libFuzzer's name for an input of this finding kind.
func artifact(kind string) string {
	switch kind {
	case "":
		return ""
	case "timeout", "oom":
		return kind + "-"
	}
	return "crash-"
}

func (e *Exporter) writeAFL(flat []byte, origin string) (path string, added bool, err error) {
	if len(flat) == 0 {
		return "", false, ErrEmpty
	}
	hash := Hash(flat)
	if path, ok := e.stored[hash]; ok {
		return path, false, nil
	}
	path = filepath.Join(e.dir, fmt.Sprintf("id:%06d,orig:%s", e.next, origin))
	if added, err = e.write(path, flat); err != nil {
		return path, false, err
	}
	e.next++
	e.stored[hash] = path
	return path, added, nil
}

// write creates path with data. It never overwrites a file with other content.
func (e *Exporter) write(path string, data []byte) (added bool, err error) {
	old, err := e.fs.ReadFile(path)
	switch {
	case err == nil && string(old) == string(data):
		return false, nil
	case err == nil:
		return false, &TakenError{path}
	case !errors.Is(err, fs.ErrNotExist):
		return false, atomicfile.Explain("read", path, err)
	}
	if err := e.fs.MkdirAll(e.dir, 0o755); err != nil {
		return false, atomicfile.Explain("create", e.dir, err)
	}
	if err := atomicfile.Write(e.fs, path, data); err != nil {
		return false, err
	}
	return true, nil
}

// TakenError reports that a file with the input's name has other content.
type TakenError struct{ Path string }

func (e *TakenError) Error() string {
	return e.Path + " holds something else than its name, a check sum, says: remove it, and export again"
}
