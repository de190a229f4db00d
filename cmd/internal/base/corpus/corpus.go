// Package corpus keeps inputs on disk. Each input has a file, named by the hash of its content,
// and metadata about its origin next to it.
//
//	corpus/<hash>       the input in file form: bytes, or "go test fuzz v1" text
//	corpus/<hash>.json  Meta
//	corpus/.broken/     files that were not inputs, kept for the user
//
// Only the tool calls this package; workers do not touch the disk. Invariants:
//   - Inputs are immutable. A named file never changes, and Put of known content keeps the first
//     metadata.
//   - Metadata is written before its input. A process killed between the two leaves metadata
//     without an input, which is ignored, and never an input without metadata.
//   - The name is the checksum. A file whose content does not match, after a partial copy or a disk
//     failure, is moved to .broken and reported. It never stops a campaign from resuming.
//   - Several processes may Put into one folder at once.
//
// Seeds and Exporter read and write the folders of other fuzzers: Go's, libFuzzer's, AFL's.
package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"parallax/internal/atomicfile"
	"parallax/internal/input"
)

// FS is the file system of a store.
type FS = atomicfile.FS

const (
	metaSuffix = ".json"
	brokenDir  = ".broken"
	hashDigits = 16 // of a hash
)

// Entry holds an input of the corpus. Flat must not be changed.
type Entry struct {
	Hash string
	Flat []byte
	Meta Meta
}

// Store holds the corpus in one folder. Its methods may be called from several goroutines.
type Store struct {
	fs       FS
	dir      string
	shape    input.Shape
	readOnly bool

	mu    sync.Mutex
	sizes map[string]int64 // file sizes of the known inputs
	total int64
	lost  bool // see Lost
}

// Open opens the corpus in dir for inputs of a shape. It creates a missing folder and removes the
// temporary files of dead writers.
func Open(fsys FS, dir string, shape input.Shape) (*Store, error) {
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return nil, atomicfile.Explain("create", dir, err)
	}
	// Not fatal: leftover files do no harm, and a folder without write permission fails at the
	// first Put.
	_ = atomicfile.Clean(fsys, dir)
	return open(fsys, dir, shape, false)
}

// OpenExisting opens the corpus in dir for reading. It creates, moves and removes nothing on disk.
func OpenExisting(fsys FS, dir string, shape input.Shape) (*Store, error) {
	return open(fsys, dir, shape, true)
}

func open(fsys FS, dir string, shape input.Shape, readOnly bool) (*Store, error) {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, atomicfile.Explain("read", dir, err)
	}
	s := &Store{fs: fsys, dir: dir, shape: shape, readOnly: readOnly, sizes: map[string]int64{}}
	for _, e := range entries {
		if !isHash(e.Name()) {
			continue
		}
		if info, err := fsys.Stat(s.path(e.Name())); err == nil && info.Mode().IsRegular() {
			s.setSize(e.Name(), info.Size())
		}
	}
	return s, nil
}

// Put stores an input, given in flat form. For content that is already stored, added is false and
// the first metadata stays.
func (s *Store) Put(flat []byte, m Meta) (hash string, added bool, err error) {
	if s.readOnly {
		return "", false, fmt.Errorf("corpus %s is open for reading only", s.dir)
	}
	if err := s.shape.Check(flat); err != nil {
		return "", false, fmt.Errorf("corpus %s: not an input of %s: %w", s.dir, s.shape, err)
	}
	file := s.shape.Encode(flat)
	hash = Hash(file)

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has(hash, int64(len(file))) {
		return hash, false, nil
	}
	if err := atomicfile.Write(s.fs, s.path(hash)+metaSuffix, m.encode()); err != nil {
		return hash, false, err
	}
	if err := atomicfile.Write(s.fs, s.path(hash), file); err != nil {
		return hash, false, err // the metadata stays: another process may have put its input in the meantime
	}
	s.setSize(hash, int64(len(file)))
	return hash, true, nil
}

// Remove removes an input, and then its metadata. An input that is gone already is no error.
func (s *Store) Remove(hash string) error {
	if s.readOnly {
		return fmt.Errorf("corpus %s is open for reading only", s.dir)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range []string{s.path(hash), s.path(hash) + metaSuffix} {
		if err := s.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return atomicfile.Explain("remove", path, err)
		}
	}
	s.forget(hash)
	return nil
}

// has reports whether the input is stored, perhaps by another process since Open. A file of another
// length is not the input, and is written again.
func (s *Store) has(hash string, size int64) bool {
	if known, ok := s.sizes[hash]; ok {
		return known == size
	}
	info, err := s.fs.Stat(s.path(hash))
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false
	}
	s.setSize(hash, size)
	return true
}

func (s *Store) setSize(hash string, size int64) {
	s.total += size - s.sizes[hash]
	s.sizes[hash] = size
}

func (s *Store) forget(hash string) {
	s.total -= s.sizes[hash]
	delete(s.sizes, hash)
}

// Len returns the number of inputs.
func (s *Store) Len() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.sizes) }

// Size returns the bytes of all inputs in file form, metadata not counted.
func (s *Store) Size() int64 { s.mu.Lock(); defer s.mu.Unlock(); return s.total }

// Lost reports whether Load has moved a damaged input to .broken.
func (s *Store) Lost() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.lost }

// Hashes returns the hashes of all inputs, sorted.
func (s *Store) Hashes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.sizes))
}

// File returns an input in file form. It returns nil for one that is missing or damaged.
func (s *Store) File(hash string) ([]byte, error) {
	file, err := s.fs.ReadFile(s.path(hash))
	if errors.Is(err, fs.ErrNotExist) || err == nil && Hash(file) != hash {
		return nil, nil
	}
	return file, atomicfile.Explain("read", s.path(hash), err)
}

// Path returns the file name of an input.
func (s *Store) Path(hash string) string { return s.path(hash) }

func (s *Store) path(hash string) string { return filepath.Join(s.dir, hash) }

// Load reads every input, ordered by Meta.Inputs and then by hash. It reports other files in
// problems, and moves them to .broken unless the store is read-only. err reports an unreadable
// folder.
func (s *Store) Load() (entries []Entry, problems []string, err error) {
	files, err := s.fs.ReadDir(s.dir)
	if err != nil {
		return nil, nil, atomicfile.Explain("read", s.dir, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	type damage struct {
		name  string
		cause error
	}
	var bad []damage
	for _, f := range files {
		name := f.Name()
		if strings.HasPrefix(name, ".") || isMeta(name) {
			continue
		}
		entry, size, problem, cause := s.read(name)
		switch {
		case errors.Is(cause, fs.ErrNotExist): // another process has just moved it
		case cause != nil:
			bad = append(bad, damage{name, cause})
		default:
			s.setSize(name, size)
			entries = append(entries, entry)
			if problem != nil {
				problems = append(problems, fmt.Sprintf("%s: %v: the input is kept without its origin", s.path(name)+metaSuffix, problem))
			}
		}
	}
	// All files are moved at the end. A kill then hardly falls between the first move and the
	// caller's handling of lost inputs.
	for _, d := range bad {
		s.forget(d.name)
		problems = append(problems, s.setAside(d.name, d.cause))
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Meta.Inputs, b.Meta.Inputs), cmp.Compare(a.Hash, b.Hash))
	})
	return entries, problems, nil
}

// ReadInput returns one input of the corpus in dir, without reading the others. Its metadata are
// empty if they cannot be read.
func ReadInput(fsys FS, dir, hash string, shape input.Shape) (Entry, error) {
	s := &Store{fs: fsys, dir: dir, shape: shape, readOnly: true}
	if !isHash(hash) {
		return Entry{}, fmt.Errorf("%q is no hash of an input", hash)
	}
	e, _, _, err := s.read(hash)
	return e, err
}

// ignored wraps errors that do not concern an input's content: a folder, a pipe, a file that cannot
// be opened. Such files are not moved.
type ignored struct{ error }

// read loads one input. cause says why the file is not an input. problem describes an error in its
// metadata only.
func (s *Store) read(name string) (e Entry, size int64, problem, cause error) {
	info, err := s.fs.Stat(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return e, 0, nil, err
	}
	if err != nil {
		return e, 0, nil, ignored{err}
	}
	if !info.Mode().IsRegular() {
		return e, 0, nil, ignored{errors.New("not a file")}
	}
	if !isHash(name) {
		return e, 0, nil, errors.New("not named by a content hash (--seeds imports files)")
	}
	file, err := s.fs.ReadFile(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return e, 0, nil, err
	}
	if err != nil {
		return e, 0, nil, ignored{reason(err)}
	}
	if got := Hash(file); got != name {
		return e, 0, nil, fmt.Errorf("half-written or corrupt: its content hashes to %s", got)
	}
	flat, err := s.shape.Decode(file)
	if err != nil {
		return e, 0, nil, fmt.Errorf("not an input of %s: %w", s.shape, err)
	}
	meta, problem := s.readMeta(name)
	return Entry{Hash: name, Flat: flat, Meta: meta}, int64(len(file)), problem, nil
}

func (s *Store) readMeta(name string) (Meta, error) {
	data, err := s.fs.ReadFile(s.path(name) + metaSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return Meta{}, errors.New("missing")
	}
	if err != nil {
		return Meta{}, reason(err)
	}
	return ParseMeta(data)
}

// setAside moves a file that is not an input to .broken and describes it.
func (s *Store) setAside(name string, cause error) string {
	path := s.path(name)
	if s.readOnly || errors.As(cause, &ignored{}) {
		return fmt.Sprintf("%s: %v: ignored", path, cause)
	}
	broken := filepath.Join(s.dir, brokenDir)
	err := s.fs.MkdirAll(broken, 0o755)
	if err == nil {
		err = s.fs.Rename(path, filepath.Join(broken, name))
	}
	if err != nil {
		return fmt.Sprintf("%s: %v: ignored (it cannot be moved to %s: %v)", path, cause, broken, err)
	}
	if isHash(name) { // its metadata moves too
		s.lost = true
		_ = s.fs.Rename(path+metaSuffix, filepath.Join(broken, name+metaSuffix))
	}
	return fmt.Sprintf("%s: %v: moved to %s", path, cause, broken)
}

func isHash(name string) bool { return len(name) == hashDigits && isHex(name) }

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isMeta(name string) bool {
	base, ok := strings.CutSuffix(name, metaSuffix)
	return ok && isHash(base)
}
