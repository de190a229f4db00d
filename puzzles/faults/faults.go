// Package faults holds programs that do harm to the process they run in, one a file. Each is
// compared with Harmless and does its harm on inputs that begin with the word boom, some on every
// input. Except where a file says otherwise, the campaign must go on, find the input, and say once
// what happened.
package faults

import (
	"bytes"
	"errors"
)

var errEmpty = errors.New("empty input")

// Harmless rejects empty inputs. The other programs do the same when they do no harm.
func Harmless(data []byte) error {
	if len(data) == 0 {
		return errEmpty
	}
	return nil
}

// Boom reports whether an input is one of those on which harm is done.
func Boom(data []byte) bool { return bytes.HasPrefix(data, []byte("boom")) }
