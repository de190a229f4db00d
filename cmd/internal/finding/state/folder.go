// Package state owns a campaign's folder (--out): who may write to it, and that a campaign killed at any moment
// resumes and has lost nothing it had announced. The campaign calls it to write, show and replay to read.
//
//	campaign.json      configuration, identity first: JSON, for people and scripts        (config.go)
//	lock               flock(2) of the running campaign, and its process number
//	corpus/            see package corpus
//	tuples.log         hashes of joint features, appended in check-summed blocks           (tuples.go)
//	coverage.bin       what every counter has shown, and the campaign's own counters       (snapshot.go)
//	clock.json         the time that the campaign has taken                                 (clock.go)
//	pending/           candidates seen and not yet triaged, one file each                   (pending.go)
//	findings/<bucket>/ bucket.json and a folder for each finding                           (findings.go)
//	stats.jsonl        a time series, one JSON object a line                               (stats.go)
//	log.txt            what happened, one line a record                                    (lines.go)
//	summary.json       the last summary                                                    (folder.go)
//	seal               that the user ran the campaign                                      (seal.go)
//
// Invariants:
//   - every file is whole or absent: it is written aside and renamed (package atomicfile), or appended to in records
//     that a reader can tell to be whole. The next Open removes what a dead process left half-made;
//   - a write that fails leaves the folder as it was, and succeeds when it is repeated after the cause is gone;
//   - a folder that is not this campaign's is not touched in any way;
//   - one process writes, guarded by the lock, which the kernel releases however the process ends;
//   - announce after the write has returned, not before; what Append buffers counts as written after Flush;
//   - campaign.json and new buckets survive a power failure (SyncBucket), the rest survives the death of the process;
//   - what a folder holds may come from a stranger: no link in it is followed, nothing is read but regular files of a bounded
//     size, and nothing is written outside (within.go). The folder itself may be named by a link;
//   - nothing names the folder itself, so that it can be moved, and what depends on the time stands where docs/reference/campaign-folder.md
//     says and nowhere else. What is written when the clock says so, the blocks of tuples.log, is put in order by Close.
//
// Readers are tolerant: unknown keys are skipped and damage is reported as a problem, with what can be read still
// read. Only campaign.json must be sound, since without it nobody can tell whose folder this is.
package state

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
)

// FS is the file system that a folder lives on.
type FS = atomicfile.FS

// Names in the folder.
const (
	configFile   = "campaign.json"
	lockFile     = "lock"
	ModelDir     = "model" // of the files of a function's model and its scope
	corpusDir    = "corpus"
	pendingDir   = "pending"
	findingsDir  = "findings"
	tuplesFile   = "tuples.log"
	coverageFile = "coverage.bin"
	clockFile    = "clock.json"
	statsFile    = "stats.jsonl"
	logFile      = "log.txt"
	summaryFile  = "summary.json"
)

// Home is where campaigns live unless --out says otherwise: each in a folder there, named by its target.
const Home = ".parallax"

// Folder is an open campaign's folder. Its methods may be called from several goroutines.
type Folder struct {
	fs       FS
	dir      string
	cfg      Config
	readOnly bool
	closed   atomic.Bool

	mu     sync.Mutex // guards what follows
	lock   atomicfile.File
	build  string
	anew   bool // see Anew
	tuples *tupleLog
	stats  *series
	log    *appender
}

// Open opens the campaign cfg in dir, which it creates when it is missing or empty. resumed says that the folder holds
// this campaign already. Errors carry their exit code: another campaign's folder, a folder of something else, a
// damaged or newer campaign.json and a campaign that is running are 2 and leave the folder untouched; what the disk
// refuses is 4.
func Open(fsys FS, dir string, cfg Config) (f *Folder, resumed bool, err error) {
	cfg.Version = ConfigVersion
	base := fsys
	fsys = confined(base, dir)
	// Before the lock, so that a folder of somebody else's gets no lock file.
	if _, err := admit(fsys, dir, cfg.Identity); err != nil {
		return nil, false, err
	}
	if fsys == base { // it is not there yet, or a test's
		if err := makeFolder(fsys, dir); err != nil {
			return nil, false, infra("create", dir, err)
		}
		fsys = confined(base, dir)
	}
	lock, err := acquire(fsys, dir)
	if err != nil {
		return nil, false, err
	}
	// Again under the lock: another process may have made the folder its own in between.
	stored, err := admit(fsys, dir, cfg.Identity)
	if err != nil {
		lock.Close()
		return nil, false, err
	}
	if stored != nil {
		cfg = stored.continuedBy(cfg)
	}
	f = &Folder{fs: fsys, dir: dir, cfg: cfg, lock: lock}
	f.cfg.text = cfg.placed(fsys).encode()
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

// makeFolder makes a campaign's folder. Others may not look into it: inputs, outputs and logs may hold secrets. A folder that is
// there keeps its permissions.
func makeFolder(fsys FS, dir string) error {
	if err := fsys.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	return fsys.MkdirAll(dir, 0o700)
}

// Reopen opens the campaign that dir holds for changes to its findings, as minimize and accept make them.
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

// OpenExisting opens the campaign that dir holds to look at it, running or not: without a lock, and without a change
// to anything on disk.
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

// admit returns the configuration stored in dir, nil for a folder that is free to take, or says why it is not ours.
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
		// A campaign killed in its first moments leaves no more than these.
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

// syncAbove has the names of a new campaign's folders survive a power failure: those in it, its own, and that of the
// folder in which campaigns are.
func (f *Folder) syncAbove() error {
	for dir, n := f.dir, 0; n < 3; dir, n = filepath.Dir(dir), n+1 {
		if err := atomicfile.Sync(f.fs, dir); errors.Is(err, fs.ErrPermission) {
			return nil // a folder that may be entered and not read: it was there before
		} else if err != nil {
			return infra("sync", dir, err)
		}
	}
	return nil
}

// Close writes what is buffered and lets the next campaign in.
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
	if f.lock != nil { // last: from here on the folder is another process's
		_ = f.lock.Truncate(0) // nobody holds it any more; a number that stays says nothing
		err = errors.Join(err, f.lock.Close())
		f.lock = nil
	}
	return err
}

// ModelFolder returns the folder of a campaign's model in dir, for those who write it before the campaign is open. One that a link
// stands for is refused: what is written and removed there would be elsewhere.
func ModelFolder(dir string) (string, error) {
	path := filepath.Join(dir, ModelDir)
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return "", exit.Usage("%s is no folder: remove it, or choose another folder with --out", path)
	}
	return path, nil
}

// ReadModel returns a file of the campaign's model, nil when it is missing.
func (f *Folder) ReadModel(name string) ([]byte, error) { return f.read(f.path(ModelDir, name)) }

// FS returns the file system for all that lies in the folder: it follows no link there, and leads nowhere else.
func (f *Folder) FS() FS { return f.fs }

// Dir returns the folder.
func (f *Folder) Dir() string { return f.dir }

// CorpusDir returns the folder of the corpus, which package corpus reads and writes.
func (f *Folder) CorpusDir() string { return f.path(corpusDir) }

// Config returns the configuration, with the seeds of earlier invocations first.
func (f *Folder) Config() Config { return f.cfg }

// WriteSummary replaces summary.json.
func (f *Folder) WriteSummary(summary []byte) error { return f.write(f.path(summaryFile), summary) }

// ReadSummary returns summary.json, nil when there is none yet.
func (f *Folder) ReadSummary() ([]byte, error) { return f.read(f.path(summaryFile)) }

// Written is when a campaign last wrote into the folder; zero if that is not known.
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
	if err := atomicfile.Write(f.fs, path, data); err != nil {
		return infra("write", path, err)
	}
	return nil
}

// read returns nil for a file that is missing.
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

// infra explains what the disk refused, with exit code 4.
func infra(op, path string, err error) error {
	return exit.Infra("%w", atomicfile.Explain(op, path, err))
}

// Discard gives up a folder that holds nothing yet: another campaign may have it. What is not a campaign's own is left alone,
// and so is everything that a campaign would lose.
func (f *Folder) Discard() {
	for _, name := range []string{configFile, tuplesFile, coverageFile, clockFile, statsFile, logFile, summaryFile, sealFile, lockFile} {
		f.fs.Remove(f.path(name))
	}
	for _, name := range []string{corpusDir, pendingDir, findingsDir} {
		f.fs.Remove(f.path(name)) // if it is empty
	}
	f.fs.Remove(f.dir)
}
