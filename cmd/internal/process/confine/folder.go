package confine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
)

// createFolder creates the private folder, unless the folder of the last run can be used again.
func (k *sandboxInit) createFolder() error {
	if k.usable() {
		return nil
	}
	removeIn(k.spec.Base, "")
	if err := os.Mkdir(k.folder, 0o700); err != nil {
		return err
	}
	return unix.Lstat(k.folder, &k.made)
}

// emptyFolder removes everything that a program has left. An unchanged folder stays, because
// creating one on a disk may take as long as starting a program.
func (k *sandboxInit) emptyFolder() {
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

// usable reports whether the private folder is still the one that was created, with the same
// rights.
func (k *sandboxInit) usable() bool {
	var now unix.Stat_t
	return k.made.Ino != 0 && unix.Lstat(k.folder, &now) == nil &&
		now.Ino == k.made.Ino && now.Dev == k.made.Dev && now.Mode == k.made.Mode && now.Uid == k.made.Uid && now.Gid == k.made.Gid
}

// removeIn removes the content of a folder, except the entry named except, whatever a program did
// to it.
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

// removeOwn removes the content of a folder in the sandbox's own file systems. It leaves other file
// systems mounted there alone.
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

// removeAll removes a file or folder, whatever a program did to it.
func removeAll(path string) {
	if err := os.RemoveAll(path); err != nil {
		unlock(path)
		os.RemoveAll(path)
	}
}

// unlock restores the permissions of folders that a program has locked.
func unlock(path string) {
	filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			if err != nil {
				return fs.SkipDir // the first visit unlocked it, and it still cannot be read
			}
			os.Chmod(path, 0o700)
		}
		return nil
	})
}

// tearDown removes all processes and folders.
func (k *sandboxInit) tearDown() {
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
