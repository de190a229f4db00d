package doctor

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

func free(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// sharedMemory acts like the supervisor with a worker. It maps an anonymous file twice, so that one
// side sees the other's writes, and makes a socket pair.
func sharedMemory() error {
	fd, err := unix.MemfdCreate("parallax-doctor", unix.MFD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("memfd_create: %w", err)
	}
	defer unix.Close(fd)
	size := os.Getpagesize()
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return fmt.Errorf("ftruncate: %w", err)
	}
	var side [2][]byte
	for i := range side {
		side[i], err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err != nil {
			return fmt.Errorf("mmap: %w", err)
		}
		defer unix.Munmap(side[i])
	}
	side[0][size-1] = 42
	if side[1][size-1] != 42 {
		return fmt.Errorf("two mappings of one file differ")
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("socketpair: %w", err)
	}
	unix.Close(pair[0])
	unix.Close(pair[1])
	return nil
}

func processLimit() (uint64, error) {
	var r unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NPROC, &r)
	return r.Cur, err
}
