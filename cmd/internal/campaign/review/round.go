package review

import (
	"context"
	"errors"
	"math/bits"
	"time"

	"parallax/internal/wire"
)

const (
	// roundTime limits a round of the probe, without starts of processes. A program that answers in
	// 40 ms completes it.
	roundTime = 3 * time.Second
	// A chunk of inputs is sent together, since that is faster. A chunk that takes chunkTime ends,
	// and each input is sent alone from then on: the timeout of one input then bounds the excess.
	mostChunk  = 32
	quickChunk = 100 * time.Millisecond // chunks that take less grow
	chunkTime  = time.Second
	// slowTime is the time from which a program that needs most of the round is named.
	slowTime = time.Second
)

// errLate is the error of a chunk that does not end in time. Its processes have ended.
var errLate = errors.New("the chunk did not end in time")

// round executes the inputs of the probe once. After roundTime, programs that have used more than
// their share run on no further inputs. The others continue until they have used theirs, too, or
// the rest has lasted roundTime, too.
type round struct {
	start func() error
	run   func(flats [][]byte, skip uint64, limit time.Duration) ([][]wire.RunResult, error) // limit 0: none
	now   func() time.Time
	slow  func(program int) // shows a program that needs most of the time

	answered []int // by program: its inputs, which are the first ones
	took     []time.Duration
	results  [][]wire.RunResult
}

// execute runs each program on the first inputs, as many as until has for it.
func (r *round) execute(inputs [][]byte, until []int) error {
	r.answered, r.took = make([]int, len(until)), make([]time.Duration, len(until))
	left := make([]int, len(until))
	copy(left, until)
	size, most, used := 1, mostChunk, time.Duration(0)
	for at := 0; at < len(inputs); {
		skip, n := chunk(left, at, min(size, len(inputs)-at))
		if bits.OnesCount64(skip) == len(left) {
			break
		}
		if err := r.start(); err != nil {
			return err
		}
		limit := time.Duration(0)
		if n > 1 {
			limit = chunkTime
		}
		begun := r.now()
		got, err := r.run(inputs[at:at+n], skip, limit)
		lasted := r.now().Sub(begun)
		used += lasted
		if used-lasted < roundTime { // the excess of one run leaves out no other program
			used = min(used, roundTime)
		}
		if errors.Is(err, errLate) {
			size, most = 1, 1
			continue
		}
		if err != nil {
			return err
		}
		if size = 1; lasted < quickChunk {
			size = min(2*n, most)
		}
		r.add(got, skip)
		at += n
		r.leaveOut(left, at, used)
	}
	return nil
}

// chunk returns the set of programs that are left out at an input, and the number of inputs for
// which it is the same.
func chunk(left []int, at, most int) (skip uint64, n int) {
	n = most
	for p := range left {
		if left[p] <= at {
			skip |= 1 << p
		} else {
			n = min(n, left[p]-at)
		}
	}
	return skip, n
}

// add records the results of a chunk.
func (r *round) add(got [][]wire.RunResult, skip uint64) {
	for _, results := range got {
		for p := range results {
			if skip>>p&1 == 0 {
				r.answered[p]++
				r.took[p] += time.Duration(results[p].Took)
			}
		}
	}
	r.results = append(r.results, got...)
}

// leaveOut ends the round for programs that have used too much time.
func (r *round) leaveOut(left []int, at int, used time.Duration) {
	sum := time.Duration(0)
	for _, took := range r.took {
		sum += took
	}
	for p, took := range r.took {
		if left[p] > at && took > slowTime && took > sum/2 {
			r.slow(p)
		}
		if used >= 2*roundTime || used >= roundTime && took >= roundTime/time.Duration(len(left)) {
			left[p] = min(left[p], at)
		}
	}
}

// within returns a run for a round. A limit ends the processes, and not the probe.
func within(ctx context.Context, run func(ctx context.Context, flats [][]byte, skip uint64) ([][]wire.RunResult, error)) func([][]byte, uint64, time.Duration) ([][]wire.RunResult, error) {
	return func(flats [][]byte, skip uint64, limit time.Duration) ([][]wire.RunResult, error) {
		if limit == 0 {
			return run(ctx, flats, skip)
		}
		bounded, stop := context.WithTimeout(ctx, limit)
		defer stop()
		got, err := run(bounded, flats, skip)
		if err != nil && bounded.Err() != nil && ctx.Err() == nil {
			return nil, errLate
		}
		return got, err
	}
}
