//go:build !linux

package doctor

import "errors"

var errOther = errors.New("known on Linux only")

func free(string) (uint64, error)   { return 0, errOther }
func sharedMemory() error           { return errOther }
func processLimit() (uint64, error) { return 0, errOther }
