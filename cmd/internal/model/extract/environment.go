package extract

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/filelock"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/internal/atomicfile"
)

// Env is an environment: a version of an engine, with the interpreter that runs it.
type Env struct {
	Engine, Version string
	Dir             string   // of the environment
	Made            bool     // just now
	Bytes           int64    // on disk, if it was made just now
	Command         []string // runs the adapter
	Adapter         string   // hash of the adapter

	// locks on the environment's folder and the adapter's, while they are in use
	use []*filelock.Lock
}

// envFormat is part of the names of environments. It increases when they are made in another way.
const envFormat = "v1"

var versionForm = lazyregexp.New(`^[0-9][0-9A-Za-z.!+_-]{0,63}$`)

// Environment returns the environment for a version of an engine in parallax's cache. If necessary,
// pip makes it, whole or not at all. Concurrent processes make it once. say is called before and
// after, since that takes minutes. The errors are ErrUnknownEngine, ErrNoVersion, ErrUnavailable
// and those of ctx.
func Environment(ctx context.Context, cacheDir, name, version string, say func(string)) (*Env, error) {
	r, err := engine(name)
	if err != nil {
		return nil, err
	}
	if !versionForm().MatchString(version) {
		return nil, fault(ErrNoVersion, nil, "%q is no version of %s: write one like %s==9.2.213", version, name, name)
	}
	root := filepath.Join(cacheDir, "engines")
	if err := buildcache.MkdirAll(root); err != nil {
		return nil, fault(ErrUnavailable, err, "creating the folder for engines: %v: set XDG_CACHE_HOME to a folder that can be written", err)
	}
	e := &Env{Engine: name, Version: version, Dir: filepath.Join(root, name+"-"+version+"-"+envFormat)}
	if err := e.hold(ctx, e.Dir, say, func() error { return e.make(ctx, r, root, say) }); err != nil {
		return nil, err
	}
	adapter := ""
	files, hash, err := adapterOf(r)
	if err == nil {
		e.Adapter = hash
		dir := filepath.Join(root, "adapter-"+hash)
		err = e.hold(ctx, dir, say, func() error { return os.MkdirAll(dir, 0o755) })
		adapter = filepath.Join(dir, r.adapter[0])
	}
	if err == nil {
		err = adapt(filepath.Dir(adapter), files)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fault(ErrUnavailable, err, "writing the adapter of %s: %v", name, err)
	}
	// -s and not -I: the adapter imports files of its own folder.
	e.Command = []string{filepath.Join(e.Dir, "bin", "python"), "-s", adapter}
	return e, nil
}

// hold protects a shared folder from removal. If it is missing, one process makes it. The folder's
// time is the time of its last use.
func (e *Env) hold(ctx context.Context, dir string, say func(string), make func() error) error {
	lock := dir + ".lock"
	var failed error // of make
	use, err := filelock.Use(ctx, lock, func() bool {
		_, err := os.Stat(dir)
		return err == nil
	}, func() error {
		if failed = make(); failed != nil { // the version may not exist; nothing of it stays
			os.Remove(lock)
		}
		return failed
	}, say)
	switch {
	case err == nil:
		now := time.Now()
		os.Chtimes(dir, now, now)
		e.use = append(e.use, use)
		return nil
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fault(ErrUnavailable, err, "locking %s: %v", lock, err)
}

// Close lets others remove the environment.
func (e *Env) Close() {
	for _, l := range e.use {
		l.Release()
	}
	e.use = nil
}

// make makes the environment. No other process does.
func (e *Env) make(ctx context.Context, r row, root string, say func(string)) error {
	// The writers of unfinished environments have ended.
	prefix := filepath.Join(root, atomicfile.TempPrefix+filepath.Base(e.Dir)+"-")
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
	say(summary(e))
	return nil
}

// adapt writes the adapter into a folder next to the environments. The folder's name is a hash of
// its content.
func adapt(dir string, files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(dir, name)
		if now, err := os.ReadFile(path); err == nil && string(now) == string(data) {
			continue
		}
		if err := atomicfile.Write(atomicfile.OS, path, data); err != nil {
			return err
		}
	}
	return nil
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
