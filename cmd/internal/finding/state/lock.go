package state

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
)

// acquire takes the folder's lock for as long as the returned file is open. The lock file is never
// removed, since two processes could then hold locks of two files with one name. Go opens files
// close-on-exec, so workers do not keep the lock of a dead campaign.
func acquire(fsys FS, dir string) (atomicfile.File, error) {
	path := filepath.Join(dir, lockFile)
	f, err := fsys.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, infra("lock", path, err)
	}
	err = flock(f)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, exit.Usage("the campaign in %s is running (%s): wait for it, end it, or choose another folder with --out", dir, holder(fsys, path))
	}
	if err != nil {
		f.Close()
		return nil, infra("lock", path, err)
	}
	// The number only serves the message above, so a full disk does not matter.
	if f.Truncate(0) == nil {
		_, _ = f.Write([]byte(strconv.Itoa(os.Getpid()) + "\n"))
	}
	return f, nil
}

func flock(f atomicfile.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return err
		}
	}
}

func holder(fsys FS, path string) string {
	data, _ := fsys.ReadFile(path)
	pid, err := strconv.Atoi(string(bytes.TrimSpace(data)))
	if err != nil {
		return "in another process" // it has not written its number yet
	}
	return "process " + strconv.Itoa(pid)
}
