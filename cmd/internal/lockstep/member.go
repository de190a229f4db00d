package lockstep

import (
	"context"

	"parallax/internal/feature"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// answer is what one program did with one input. It keeps its memory from batch to batch.
type answer struct {
	outcome judge.Outcome
	class   uint64 // that the program's own worker gave; 0: the message tells
	value   uint64 // the same of the value
	text    []byte // value of an acceptance
	message string // of a rejection or a failure
	detail  string // for people
	ended   bool   // the program's process ended with it: detail is what it printed
	trace   feature.Trace
}

// member is one program and its processes. It belongs to one goroutine at a time.
type member interface {
	// observe runs inputs and fills answers. When ctx ends it returns soon, with ctx's error.
	observe(ctx context.Context, flats [][]byte, answers []answer) error
	// detail runs inputs and tells what the flags of a Run order ask for, but for texts of a Spec with Text.
	detail(ctx context.Context, flats [][]byte, flags uint64, results []wire.RunResult) error
	batch() int
	regions() []wire.Region // of its own; those of a build are shared
	close()
}
