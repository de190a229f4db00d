package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"parallax/bench/internal/process"
)

// covered holds the blocks that inputs execute.
type covered struct {
	all     []byte // not zero: executed
	leftOut int
}

func (c *covered) blocks() (n int) {
	for _, hit := range c.all {
		if hit != 0 {
			n++
		}
	}
	return n
}

// perProcess is how many inputs a process gets: a command line is limited.
const perProcess = 2000

// slowReplay is how long a process of the replay may take on the wall.
const slowReplay = 2 * time.Minute

// replay adds the blocks of inputs, which run in the build that belongs to no fuzzer
// (harness/replay.c). After one that ends the process it goes on with the next.
func (c *covered) replay(ctx context.Context, program, file string, inputs []string) error {
	for len(inputs) > 0 {
		some := inputs[:min(len(inputs), perProcess)]
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, slowReplay)
		u, err := process.Run(limited, process.Command{Path: program, Args: append([]string{file}, some...), Stdout: nil, Stderr: nil})
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		data, readErr := os.ReadFile(file)
		if readErr != nil || len(data) < 8 || u.Exit == 2 || u.Exit == 3 {
			return fmt.Errorf("%s: exit code %d: %w", program, u.Exit, errors.Join(err, readErr))
		}
		begun := int(binary.LittleEndian.Uint64(data))
		if u.Exit != 0 {
			c.leftOut++
		}
		if begun == 0 || u.Exit == 0 && begun != len(some) {
			return fmt.Errorf("%s: %d of %d inputs were run", program, begun, len(some))
		}
		if c.all == nil {
			c.all = make([]byte, len(data)-8)
		}
		for i, hit := range data[8:] {
			c.all[i] |= hit
		}
		inputs = inputs[begun:]
	}
	return nil
}
