package gocommand

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// tempPrefix begins the name of the folder in which a guarded go command keeps what it compiles,
// until it ends.
const tempPrefix = "parallax-go-"

// temporary is such a folder. Its maker holds a lock on it. The next process thus recognizes and
// removes a folder that a kill has left.
type temporary struct {
	dir  string
	lock *os.File
}

// newTemporary makes the folder where the go command would make its own, and removes those that
// were left behind. Without it, nil, the go command finds a place by itself.
func newTemporary() *temporary {
	base := tempBase()
	sweep(base)
	for range 8 { // somebody else may sweep a folder between its making and its locking
		dir, err := os.MkdirTemp(base, tempPrefix)
		if err != nil {
			return nil
		}
		lock, err := lockFolder(dir)
		if err == nil {
			if _, err := os.Stat(dir); err == nil {
				return &temporary{dir, lock}
			}
			lock.Close()
		}
		os.Remove(dir)
	}
	return nil
}

// env is the environment of a command that is to use the folder.
func (t *temporary) env() []string {
	if t == nil {
		return nil // the parent's
	}
	return append(os.Environ(), "GOTMPDIR="+t.dir)
}

func (t *temporary) remove() {
	if t != nil {
		os.RemoveAll(t.dir)
		t.lock.Close()
	}
}

// sweep removes the folders whose makers are gone.
func sweep(base string) {
	left, _ := filepath.Glob(filepath.Join(base, tempPrefix+"*"))
	for _, dir := range left {
		if lock, err := lockFolder(dir); err == nil {
			os.RemoveAll(dir)
			lock.Close()
		}
	}
}

func lockFolder(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// tempBase is the folder that the go command would use: that of GOTMPDIR, in the environment or in
// what `go env -w` wrote.
func tempBase() string {
	if dir := os.Getenv("GOTMPDIR"); dir != "" {
		return dir
	}
	name := os.Getenv("GOENV")
	if config, err := os.UserConfigDir(); name == "" && err == nil {
		name = filepath.Join(config, "go", "env")
	}
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if dir, ok := strings.CutPrefix(lines.Text(), "GOTMPDIR="); ok && dir != "" {
				return dir
			}
		}
	}
	return os.TempDir()
}
