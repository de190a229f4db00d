//go:build !amd64

package doorstest

import "golang.org/x/sys/unix"

func socket32() error { return unix.ENOSYS }
