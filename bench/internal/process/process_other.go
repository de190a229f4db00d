//go:build !linux

package process

import (
	"errors"
	"os/exec"
	"time"
)

func adopt() error { return errors.New("the CPU time of descendants is known on Linux only") }

func ownGroup(*exec.Cmd)                        {}
func tree(int) []int                            { return nil }
func spent(int) time.Duration                   { return 0 }
func alone(int) time.Duration                   { return 0 }
func killAll()                                  {}
func reap(time.Duration) (time.Duration, error) { return 0, nil }
