// Package state owns a campaign's folder (--out). It decides which process may write to it. A
// campaign that is killed at any moment resumes and has lost nothing that it had announced. The
// campaign writes by it; show and replay read by it.
//
//	campaign.json      configuration, identity first: JSON, for people and scripts         (config.go)
//	lock               flock(2) of the running campaign, and its process number
//	corpus/            see package corpus
//	tuples.log         hashes of joint features, appended in check-summed blocks           (tuples.go)
//	coverage.bin       the coverage of every counter, and the campaign's own counters      (snapshot.go)
//	blocks.bin         the places of all counters in the sources                           (folder.go)
//	clock.json         the time that the campaign has taken                                (clock.go)
//	peers/             inputs of campaigns elsewhere: see package exchange
//	pending/           candidates seen and not yet triaged, a file each                    (pending.go)
//	findings/<bucket>/ bucket.json, history.jsonl, and a folder per finding                 (findings.go, history.go)
//	stats.jsonl        a time series, a JSON object per line                               (stats.go)
//	log.txt            the log, a record per line                                          (lines.go)
//	summary.json       the last summary                                                    (folder.go)
//	seal               proves that the user ran the campaign                               (seal.go)
//
// Invariants:
//   - every file is whole or absent: it is written to a temporary name and renamed (package
//     atomicfile), or grows by records that a reader can check. The next Open removes the remains
//     of a dead process;
//   - a failed write leaves the folder unchanged, and succeeds when it is repeated after the cause
//     is gone;
//   - the folder of another campaign is never changed;
//   - one process writes, guarded by the lock, which the kernel releases however the process ends;
//   - callers announce data after the write has returned; data of Append is written after Flush;
//   - campaign.json and new buckets survive a power failure (SyncBucket), the rest survives the
//     death of the process;
//   - the content of a folder may come from a stranger: no link in it is followed, only regular
//     files of a bounded size are read, and nothing is written outside (confined.go). The folder
//     itself may be named by a link;
//   - no file names the folder itself, so it can be moved. Only the places that
//     docs/reference/campaign-folder.md lists depend on the time. Close sorts the blocks of
//     tuples.log, which are written by the clock.
//
// Readers are tolerant: they skip unknown keys, report damage as a problem, and read the rest. Only
// campaign.json must be valid, since it identifies the campaign.
package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
)

// FS is the file system that holds a folder.
type FS = atomicfile.FS

// Names of the files in the folder.
const (
	configFile   = "campaign.json"
	lockFile     = "lock"
	ModelDir     = "model" // holds the files of a function's model and its scope
	corpusDir    = "corpus"
	pendingDir   = "pending"
	findingsDir  = "findings"
	tuplesFile   = "tuples.log"
	coverageFile = "coverage.bin"
	blocksFile   = "blocks.bin"
	clockFile    = "clock.json"
	statsFile    = "stats.jsonl"
	logFile      = "log.txt"
	summaryFile  = "summary.json"
	PeersDir     = "peers" // inputs of campaigns elsewhere, which package exchange reads and writes
)

// Home is the default folder of campaigns. Each campaign has a folder in it, named by its target.
const Home = ".parallax"

// Folder is an open campaign's folder. Several goroutines may call its methods.
type Folder struct {
	fs       FS
	dir      string
	cfg      Config
	readOnly bool
	closed   atomic.Bool

	mu           sync.Mutex // guards the fields below
	lock         atomicfile.File
	build        string
	dropMeasured bool // see DropMeasured
	tuples       *tupleLog
	stats        *series
	log          *appender
}

// Open opens the campaign cfg in dir, which it creates if it is missing or empty. resumed reports
// that the folder already holds this campaign. The exit code is 2 for the folder of another
// campaign, a folder of other files, a damaged or newer campaign.json and a running campaign. Then
// the folder stays unchanged. The exit code is 4 for errors of the disk.
func Open(fsys FS, dir string, cfg Config) (f *Folder, resumed bool, err error) {
	cfg.Version = ConfigVersion
	base := fsys
	fsys = confined(base, dir)
	// This comes before the lock, so that the folder of another owner gets no lock file.
	if _, err := admit(fsys, dir, cfg.Identity); err != nil {
		return nil, false, err
	}
	if fsys == base { // it does not exist, or belongs to a test
		if err := makeFolder(fsys, dir); err != nil {
			return nil, false, infra("create", dir, err)
		}
		fsys = confined(base, dir)
	}
	lock, err := acquire(fsys, dir)
	if err != nil {
		return nil, false, err
	}
	// Check again under the lock: another process may have taken the folder in between.
	stored, err := admit(fsys, dir, cfg.Identity)
	if err != nil {
		lock.Close()
		return nil, false, err
	}
	if stored != nil {
		cfg = stored.resumedBy(cfg)
	}
	f = &Folder{fs: fsys, dir: dir, cfg: cfg, lock: lock}
	f.cfg.text = cfg.relocatable(fsys).encode()
	if stored == nil || !bytes.Equal(stored.text, f.cfg.text) {
		if err := atomicfile.WriteSync(fsys, f.path(configFile), f.cfg.text); err != nil {
			lock.Close()
			return nil, false, infra("write", f.path(configFile), err)
		}
	}
	if err := f.prepare(); err != nil {
		f.closeFiles()
		return nil, false, err
	}
	if stored == nil {
		if err := f.syncAbove(); err != nil {
			f.closeFiles()
			return nil, false, err
		}
	}
	return f, stored != nil, nil
}

// makeFolder makes a campaign's folder. Other users get no access: inputs, outputs and logs may
// hold secrets. An existing folder keeps its permissions.
func makeFolder(fsys FS, dir string) error {
	if err := fsys.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	return fsys.MkdirAll(dir, 0o700)
}

// Reopen opens the campaign in dir to change its findings, as minimize and accept do.
func Reopen(fsys FS, dir string) (*Folder, error) {
	fsys = confined(fsys, dir)
	cfg, err := existing(fsys, dir)
	if err != nil {
		return nil, err
	}
	lock, err := acquire(fsys, dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{fs: fsys, dir: dir, cfg: *cfg, lock: lock}
	if err := f.prepare(); err != nil {
		f.closeFiles()
		return nil, err
	}
	return f, nil
}

// OpenExisting opens the campaign in dir for reading, whether it runs or not. It takes no lock and
// changes nothing on disk.
func OpenExisting(fsys FS, dir string) (*Folder, error) {
	fsys = confined(fsys, dir)
	cfg, err := existing(fsys, dir)
	if err != nil {
		return nil, err
	}
	return &Folder{fs: fsys, dir: dir, cfg: *cfg, readOnly: true}, nil
}

func existing(fsys FS, dir string) (*Config, error) {
	cfg, err := readConfig(fsys, dir)
	if err != nil {
		return nil, err
	}
	if cfg == nil {
		return nil, exit.Usage("no campaign in %s: it has no %s; give the folder of a campaign (--campaign), by default .parallax/<target>", dir, configFile)
	}
	return cfg, nil
}

// admit returns the configuration in dir, or nil for a free folder. The error explains why another
// owner has the folder.
func admit(fsys FS, dir string, id Identity) (*Config, error) {
	cfg, err := readConfig(fsys, dir)
	if err != nil {
		return nil, err
	}
	if cfg != nil {
		if diff := cfg.Identity.Difference(id); diff != "" {
			return nil, exit.Usage("%s holds another campaign: %s; choose another folder with --out, or remove this one", dir, diff)
		}
		return cfg, nil
	}
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, infra("read", dir, err)
	}
	for _, e := range entries {
		// A campaign that is killed early leaves only these.
		if e.Name() != lockFile && e.Name() != ModelDir && !atomicfile.IsTemp(e.Name()) {
			return nil, exit.Usage("%s is not empty and holds no campaign (it has %s and no %s): choose another folder with --out", dir, e.Name(), configFile)
		}
	}
	return nil, nil
}

// prepare makes the folder ready for writing.
func (f *Folder) prepare() error {
	for _, d := range []string{corpusDir, pendingDir, findingsDir} {
		if err := f.fs.MkdirAll(f.path(d), 0o755); err != nil {
			return infra("create", f.path(d), err)
		}
	}
	for _, d := range []string{f.dir, f.path(pendingDir)} {
		if err := atomicfile.Clean(f.fs, d); err != nil {
			return infra("clean", d, err)
		}
	}
	if err := f.cleanFindings(); err != nil {
		return err
	}
	var err error
	if f.stats, err = openSeries(f.fs, f.path(statsFile)); err != nil {
		return err
	}
	f.log, err = openLines(f.fs, f.path(logFile))
	return err
}

// syncAbove makes the names of a new campaign's folders survive a power failure: those in it, its
// own, and that of Home.
func (f *Folder) syncAbove() error {
	for dir, n := f.dir, 0; n < 3; dir, n = filepath.Dir(dir), n+1 {
		if err := atomicfile.Sync(f.fs, dir); errors.Is(err, fs.ErrPermission) {
			return nil // the folder may be entered but not read, so it existed before
		} else if err != nil {
			return infra("sync", dir, err)
		}
	}
	return nil
}

// Close writes buffered data and releases the lock.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var err error
	if f.tuples != nil {
		if err = f.tuples.flush(); err == nil && f.tuples.grown {
			f.gather()
		}
	}
	return errors.Join(err, f.closeFiles())
}

func (f *Folder) closeFiles() error {
	f.closed.Store(true)
	var err error
	if f.tuples != nil {
		err = f.tuples.out.close()
	}
	err = errors.Join(err, f.stats.close(), f.log.close())
	f.tuples, f.stats, f.log = nil, nil, nil
	if f.lock != nil { // last: from here on another process may own the folder
		_ = f.lock.Truncate(0) // ignore errors: without the lock, the number means nothing
		err = errors.Join(err, f.lock.Close())
		f.lock = nil
	}
	return err
}

// ModelFolder returns the folder of a campaign's model in dir, for code that writes it before the
// campaign is open. It rejects a link, through which files elsewhere would be written and removed.
func ModelFolder(dir string) (string, error) {
	path := filepath.Join(dir, ModelDir)
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return "", exit.Usage("%s is no folder: remove it, or choose another folder with --out", path)
	}
	return path, nil
}

// ReadModel returns a file of the campaign's model, or nil if it is missing.
func (f *Folder) ReadModel(name string) ([]byte, error) { return f.read(f.path(ModelDir, name)) }

// NotesFile is the file in ModelDir with the notes of the model's judge on findings, by call.
const NotesFile = "notes.json"

// Notes returns the notes of a model's judge on findings, by call. A file that cannot be read has
// none.
func (f *Folder) Notes() map[string]finding.Note {
	var notes map[string]finding.Note
	if data, err := f.ReadModel(NotesFile); err != nil || json.Unmarshal(data, &notes) != nil {
		return nil
	}
	return notes
}

// FS returns the file system of the folder. It follows no links there, and does not lead outside.
func (f *Folder) FS() FS { return f.fs }

// Dir returns the folder.
func (f *Folder) Dir() string { return f.dir }

// CorpusDir returns the folder of the corpus, which package corpus reads and writes.
func (f *Folder) CorpusDir() string { return f.path(corpusDir) }

// Config returns the configuration, with the seeds of all invocations.
func (f *Folder) Config() Config { return f.cfg }

// WriteSummary replaces summary.json.
func (f *Folder) WriteSummary(summary []byte) error { return f.write(f.path(summaryFile), summary) }

// ReadSummary returns summary.json, or nil if it is missing.
func (f *Folder) ReadSummary() ([]byte, error) { return f.read(f.path(summaryFile)) }

// WriteBlocks replaces blocks.bin, the places of the programs' counters (flow.Outline).
func (f *Folder) WriteBlocks(data []byte) error {
	path := f.path(blocksFile)
	if old, err := f.read(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return f.write(path, data)
}

// ReadBlocks returns blocks.bin, or nil if it is missing.
func (f *Folder) ReadBlocks() ([]byte, error) { return f.read(f.path(blocksFile)) }

// Written returns the time of the last write to the folder. Zero means unknown.
func (f *Folder) Written() (last time.Time) {
	for _, name := range []string{configFile, statsFile, summaryFile} {
		if info, err := f.fs.Stat(f.path(name)); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

func (f *Folder) path(elem ...string) string {
	return filepath.Join(append([]string{f.dir}, elem...)...)
}

func (f *Folder) write(path string, data []byte) error {
	if err := f.writable(); err != nil {
		return err
	}
	return infra("write", path, atomicfile.Write(f.fs, path, data))
}

// read returns nil for a missing file.
func (f *Folder) read(path string) ([]byte, error) {
	data, err := f.fs.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, infra("read", path, err)
	}
	return data, nil
}

func (f *Folder) writable() error {
	if f.readOnly {
		return fmt.Errorf("%s is open for reading only", f.dir)
	}
	if f.closed.Load() {
		return fmt.Errorf("%s: the campaign's folder is closed", f.dir)
	}
	return nil
}

// infra explains an error of the disk, with exit code 4. A nil error stays nil.
func infra(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return exit.Infra("%w", atomicfile.Explain(op, path, err))
}

// Discard removes a folder that has no content yet, so that another campaign can use it. It removes
// no files of other owners, and none that a campaign would lose.
func (f *Folder) Discard() {
	for _, name := range []string{configFile, tuplesFile, coverageFile, blocksFile, clockFile, statsFile, logFile, summaryFile, sealFile, lockFile} {
		f.fs.Remove(f.path(name))
	}
	for _, name := range []string{corpusDir, pendingDir, findingsDir} {
		f.fs.Remove(f.path(name)) // only if it is empty
	}
	f.fs.Remove(f.dir)
}
