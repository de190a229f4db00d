// Package corpus owns the inputs kept on disk: one file an input, named by the hash of its content, and the metadata
// of its making beside it.
//
//	corpus/<hash>       the input in file form: the bytes themselves, or "go test fuzz v1" text for typed arguments
//	corpus/<hash>.json  Meta
//	corpus/.broken/     files that were no inputs, kept for a look
//
// The tool calls it; workers do not touch the disk. Invariants:
//   - inputs are immutable: a file never changes once it has its name, and Put of known content keeps the first
//     metadata;
//   - metadata is written before its input, so a process killed between leaves an input never without its origin,
//     and at most metadata without an input, which is ignored;
//   - the name is the check sum. A file whose content does not match, from a half copy or a failing disk, is
//     moved aside and reported, and never keeps a campaign from resuming;
//   - several processes may Put into one folder at once.
//
// Seeds and Exporter read and write the folders of other fuzzers: Go's, libFuzzer's, AFL's.
package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"parallax/internal/atomicfile"
	"parallax/internal/input"
)

// FS is the file system that a store works on.
type FS = atomicfile.FS

const (
	metaSuffix = ".json"
	brokenDir  = ".broken"
	hashDigits = 16 // of Hash
)

// Entry is an input of the corpus. Flat must not be changed.
type Entry struct {
	Hash string
	Flat []byte
	Meta Meta
}

// Store is the corpus in one folder. Its methods may be called from several goroutines.
type Store struct {
	fs       FS
	dir      string
	shape    input.Shape
	readOnly bool

	mu    sync.Mutex
	sizes map[string]int64 // of the files of known inputs
	total int64
	lost  bool // see Lost
}

// Open opens the corpus in dir for inputs of a shape, creates the folder when it is missing and removes what dead
// writers left.
func Open(fsys FS, dir string, shape input.Shape) (*Store, error) {
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return nil, atomicfile.Explain("create", dir, err)
	}
	// Not fatal: rubbish does no harm, and a folder that cannot be written says so at the first Put.
	_ = atomicfile.Clean(fsys, dir)
	return open(fsys, dir, shape, false)
}

// OpenExisting opens the corpus in dir to look at it: nothing on disk is created, moved or removed.
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
			s.know(e.Name(), info.Size())
		}
	}
	return s, nil
}

// Put stores an input, given in flat form. Content that is there already is no error: added is false and the first
// metadata stays.
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
		return hash, false, err // the metadata stays: another process may have put its input meanwhile
	}
	s.know(hash, int64(len(file)))
	return hash, true, nil
}

// has reports whether the input is stored, perhaps by another process since Open. A file of another length is not
// the input, whatever its name says, and is written again.
func (s *Store) has(hash string, size int64) bool {
	if known, ok := s.sizes[hash]; ok {
		return known == size
	}
	info, err := s.fs.Stat(s.path(hash))
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false
	}
	s.know(hash, size)
	return true
}

func (s *Store) know(hash string, size int64) {
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

// Lost reports whether Load has moved an input aside, which is damaged.
func (s *Store) Lost() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.lost }

// Path returns the file of an input.
func (s *Store) Path(hash string) string { return s.path(hash) }

func (s *Store) path(hash string) string { return filepath.Join(s.dir, hash) }

// Load reads every input, ordered by Meta.Inputs and then by hash. What is not a sound input is reported in
// problems, and moved to .broken unless the store is open for reading only; err is for a folder that cannot be read.
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
		case errors.Is(cause, fs.ErrNotExist): // another process moved it just now
		case cause != nil:
			bad = append(bad, damage{name, cause})
		default:
			s.know(name, size)
			entries = append(entries, entry)
			if problem != nil {
				problems = append(problems, fmt.Sprintf("%s: %v: the input is kept without its origin", s.path(name)+metaSuffix, problem))
			}
		}
	}
	// They are moved together at the end, so that a kill hardly comes between the first move and what the caller does when inputs are lost.
	for _, d := range bad {
		s.forget(d.name)
		problems = append(problems, s.setAside(d.name, d.cause))
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Meta.Inputs, b.Meta.Inputs), cmp.Compare(a.Hash, b.Hash))
	})
	return entries, problems, nil
}

// ignored wraps what says nothing about an input's content: a folder, a pipe, a file that cannot be opened. Such
// files stay where they are.
type ignored struct{ error }

// read loads one input. cause says why it is none, problem what is wrong with its metadata only.
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

// setAside moves a file that is no input out of the way and describes what happened.
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
	if isHash(name) { // its metadata goes along
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
