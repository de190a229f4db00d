package extract

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"parallax/cmd/internal/lazyregexp"
	"parallax/internal/atomicfile"
)

// Env is an environment: a version of an engine, with the interpreter that runs it.
type Env struct {
	Engine, Version string
	Dir             string   // of the environment
	Made            bool     // just now
	Bytes           int64    // on disk, if it was made just now
	Command         []string // what runs the adapter
	Adapter         string   // hash of the adapter
}

// envFormat is in the names of environments. It is raised when they are made another way.
const envFormat = "v1"

var versionForm = lazyregexp.New(`^[0-9][0-9A-Za-z.!+_-]{0,63}$`)

// Environment is the environment for a version of an engine in parallax's cache. It is made if it is not there, by pip, whole or not at all; what
// several processes ask for at once is made once. say is told before and after, since that takes minutes. The errors are
// ErrUnknownEngine, ErrNoVersion, ErrUnavailable and those of ctx.
func Environment(ctx context.Context, cacheDir, name, version string, say func(string)) (*Env, error) {
	r, err := engine(name)
	if err != nil {
		return nil, err
	}
	if !versionForm().MatchString(version) {
		return nil, fault(ErrNoVersion, nil, "%q is no version of %s: write one like %s==9.2.213", version, name, name)
	}
	root := filepath.Join(cacheDir, "engines")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fault(ErrUnavailable, err, "creating the folder for engines: %v: set XDG_CACHE_HOME to a folder that can be written", err)
	}
	e := &Env{Engine: name, Version: version, Dir: filepath.Join(root, name+"-"+version+"-"+envFormat)}
	if _, err := os.Stat(e.Dir); err != nil {
		if err := e.make(ctx, r, root, say); err != nil {
			return nil, err
		}
	}
	adapter, err := e.adapt(r, root)
	if err != nil {
		return nil, fault(ErrUnavailable, err, "writing the adapter of %s: %v", name, err)
	}
	// -s and not -I: the adapter imports what lies beside it.
	e.Command = []string{filepath.Join(e.Dir, "bin", "python"), "-s", adapter}
	return e, nil
}

// make makes the environment, unless another process does so first.
func (e *Env) make(ctx context.Context, r row, root string, say func(string)) error {
	lock := e.Dir + ".lock"
	release, err := alone(ctx, lock)
	if err != nil {
		return err
	}
	defer func() {
		if _, err := os.Stat(e.Dir); err != nil { // there may be no such version: nothing of it stays
			os.Remove(lock)
		}
		release()
	}()
	if _, err := os.Stat(e.Dir); err == nil {
		return nil
	}
	// The lock is ours: whoever left one unfinished is gone.
	prefix := filepath.Join(root, atomicfile.TempPrefix+e.Engine+"-"+e.Version+"-")
	old, _ := filepath.Glob(prefix + "*")
	for _, dir := range old {
		os.RemoveAll(dir)
	}
	temp, err := os.MkdirTemp(root, filepath.Base(prefix))
	if err != nil {
		return fault(ErrUnavailable, err, "creating the environment of %s: %v", e.Engine, err)
	}
	defer os.RemoveAll(temp)
	if say == nil {
		say = func(string) {}
	}
	if err := install(ctx, r, e.Version, temp, e.Dir, say); err != nil {
		return err
	}
	e.Bytes = size(temp)
	if err := os.Rename(temp, e.Dir); err != nil {
		return fault(ErrUnavailable, err, "keeping the environment of %s: %v", e.Engine, err)
	}
	e.Made = true
	say(told(e))
	return nil
}

// adapt writes the adapter beside the environments, in a folder that its content names.
func (e *Env) adapt(r row, root string) (string, error) {
	files, hash, err := adapterOf(r)
	if err != nil {
		return "", err
	}
	e.Adapter = hash
	dir := filepath.Join(root, "adapter-"+hash)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		if now, err := os.ReadFile(path); err == nil && string(now) == string(data) {
			continue
		}
		if err := atomicfile.Write(atomicfile.OS, path, data); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, r.adapter[0]), nil
}

// alone locks a file between processes until release is called. Whoever holds the lock may remove the file: then the lock is one of another file.
func alone(ctx context.Context, path string) (release func(), err error) {
	for {
		f, err := locked(ctx, path)
		if err != nil {
			return nil, err
		}
		mine, err := f.Stat()
		if now, gone := os.Stat(path); err == nil && gone == nil && os.SameFile(mine, now) {
			return func() { f.Close() }, nil
		}
		f.Close()
	}
}

func locked(ctx context.Context, path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fault(ErrUnavailable, err, "locking the environment: %v", err)
	}
	const again = 100 * time.Millisecond
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			f.Close()
			return nil, fault(ErrUnavailable, err, "locking %s: %v", path, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(again):
		}
	}
}

func size(dir string) (bytes int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
