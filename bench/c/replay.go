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

// covered counts the blocks that inputs execute.
type covered struct{ blocks, of, leftOut int }

// perProcess is how many inputs a process gets: a command line is limited.
const perProcess = 2000

// slowReplay is how long a process of the replay may take on the wall.
const slowReplay = 2 * time.Minute

// replay runs inputs in the build that belongs to no fuzzer (harness/replay.c). After one that ends
// the process it goes on with the next.
func replay(ctx context.Context, program, file string, inputs []string) (c covered, err error) {
	var all []byte
	for len(inputs) > 0 {
		some := inputs[:min(len(inputs), perProcess)]
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return c, err
		}
		limited, cancel := context.WithTimeout(ctx, slowReplay)
		u, err := process.Run(limited, process.Command{Path: program, Args: append([]string{file}, some...), Stdout: nil, Stderr: nil})
		cancel()
		if ctx.Err() != nil {
			return c, ctx.Err()
		}
		data, readErr := os.ReadFile(file)
		if readErr != nil || len(data) < 8 || u.Exit == 2 || u.Exit == 3 {
			return c, fmt.Errorf("%s: exit code %d: %w", program, u.Exit, errors.Join(err, readErr))
		}
		begun := int(binary.LittleEndian.Uint64(data))
		if u.Exit != 0 {
			c.leftOut++
		}
		if begun == 0 || u.Exit == 0 && begun != len(some) {
			return c, fmt.Errorf("%s: %d of %d inputs were run", program, begun, len(some))
		}
		if all == nil {
			all = make([]byte, len(data)-8)
		}
		for i, hit := range data[8:] {
			all[i] |= hit
		}
		inputs = inputs[begun:]
	}
	for _, hit := range all {
		if hit != 0 {
			c.blocks++
		}
	}
	c.of = len(all)
	return c, nil
}
