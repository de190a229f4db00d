package confine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
)

// provide makes the private folder, if the one of the run before cannot be used again.
func (k *keeper) provide() error {
	if k.usable() {
		return nil
	}
	removeIn(k.spec.Base, "")
	if err := os.Mkdir(k.folder, 0o700); err != nil {
		return err
	}
	return unix.Lstat(k.folder, &k.made)
}

// clear takes away what a program has left. The folder itself stays if it is as it was, because a disk may take as long to make
// one as it takes to start a program.
func (k *keeper) clear() {
	if k.shared {
		for _, folder := range quota.IPCFolders {
			removeOwn(folder)
		}
	}
	if k.spec.Private {
		removeIPC()
	}
	if !k.usable() {
		removeIn(k.spec.Base, "")
		return
	}
	removeIn(k.spec.Base, filepath.Base(k.folder))
	removeIn(k.folder, "")
}

// usable tells whether the private folder is the one that was made, with the rights that it had.
func (k *keeper) usable() bool {
	var now unix.Stat_t
	return k.made.Ino != 0 && unix.Lstat(k.folder, &now) == nil &&
		now.Ino == k.made.Ino && now.Dev == k.made.Dev && now.Mode == k.made.Mode && now.Uid == k.made.Uid && now.Gid == k.made.Gid
}

// removeIn removes what is in a folder, whatever a program did to it, but for the entry with the name except.
func removeIn(folder, except string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if entry.Name() == except {
			continue
		}
		removeAll(filepath.Join(folder, entry.Name()))
	}
}

// removeOwn removes what is in a folder of the sandbox's own file systems, and nothing of another file system that is mounted there.
func removeOwn(folder string) {
	var own, its unix.Stat_t
	if unix.Lstat(folder, &own) != nil {
		return
	}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if unix.Lstat(path, &its) != nil || its.Dev != own.Dev {
			continue
		}
		removeAll(path)
	}
}

// removeAll removes what is at a path, whatever a program did to it.
func removeAll(path string) {
	if err := os.RemoveAll(path); err != nil {
		unlock(path)
		os.RemoveAll(path)
	}
}

// unlock makes folders writable that a program has locked.
func unlock(path string) {
	filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			if err != nil {
				return fs.SkipDir // it was unlocked when it was visited first, and still cannot be read
			}
			os.Chmod(path, 0o700)
		}
		return nil
	})
}

// tearDown leaves nothing: no process, no folder.
func (k *keeper) tearDown() {
	if k.run.pid != 0 {
		k.kill()
		k.sweep()
	}
	k.group.Leave()
	removeIn(k.spec.Base, "")
	if k.spec.Made {
		if err := os.Remove(k.spec.Base); err != nil && errors.Is(err, unix.EBUSY) {
			unix.Unmount(k.spec.Base, unix.MNT_DETACH)
			os.Remove(k.spec.Base)
		}
	}
}
