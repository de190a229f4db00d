package execute

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"parallax/internal/wire"
)

// NewClaims creates the memory that the workers of a campaign share. The caller closes it.
func NewClaims() (*os.File, error) {
	fd, err := unix.MemfdCreate("parallax", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("creating the memory that workers share: %w", err)
	}
	file := os.NewFile(uintptr(fd), "parallax-claims")
	if err := file.Truncate(int64(wire.ClaimsSize())); err != nil {
		file.Close()
		return nil, fmt.Errorf("sizing the memory that workers share: %w", err)
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		file.Close()
		return nil, fmt.Errorf("sealing the memory that workers share: %w", err)
	}
	return file, nil
}
