package musl

import (
	"bytes"
	"errors"
	"fmt"

	"parallax/cmd/internal/model/llvmir"
)

const (
	endOf  = 0xffffffff // EOF: strings are read as streams that have no more
	intLen = 4
)

// Machine runs functions of a module that Link made. Its Reset also resets errno.
type Machine struct {
	*llvmir.Machine
	errno uint64
}

// NewMachine makes a machine.
func NewMachine(m *llvmir.Module) *Machine {
	machine := &Machine{Machine: llvmir.NewMachine(m)}
	for name, f := range supplied {
		machine.Externals[name] = func(_ *llvmir.Machine, args []uint64) (uint64, error) {
			if len(args) != f.args {
				return 0, fmt.Errorf("%s is called with %d arguments, and takes %d", name, len(args), f.args)
			}
			return f.call(machine, args)
		}
	}
	return machine
}

// Reset removes the state of the last call.
func (m *Machine) Reset() {
	m.Machine.Reset()
	m.errno = m.Object("errno", make([]byte, intLen), 0)
}

// supplied lists the functions that need a machine, by their names in musl and other C libraries,
// with the numbers of arguments.
var supplied = map[string]struct {
	args int
	call func(m *Machine, args []uint64) (uint64, error)
}{
	"___errno_location": {0, errno}, "__errno_location": {0, errno},
	"__uflow": {1, func(*Machine, []uint64) (uint64, error) { return endOf, nil }},
	"abort":   {0, func(*Machine, []uint64) (uint64, error) { return 0, errors.New("it calls abort") }},
	"exit":    {1, exits}, "_exit": {1, exits}, "_Exit": {1, exits},
	"__assert_fail": {4, assertFail},
	"malloc":        {1, func(m *Machine, args []uint64) (uint64, error) { return allocate(m, 1, args[0]), nil }},
	"calloc": {2, func(m *Machine, args []uint64) (uint64, error) {
		at := allocate(m, args[0], args[1])
		if at != 0 {
			m.Clear(at)
		}
		return at, nil
	}},
	"realloc": {2, reallocate},
	"free": {1, func(m *Machine, args []uint64) (uint64, error) {
		if args[0] == 0 {
			return 0, nil
		}
		return 0, freed("free", m.Free(args[0]))
	}},
}

func errno(m *Machine, _ []uint64) (uint64, error) { return m.errno, nil }

func exits(_ *Machine, args []uint64) (uint64, error) {
	return 0, fmt.Errorf("it ends the program with code %d", int32(args[0]))
}

func assertFail(m *Machine, args []uint64) (uint64, error) {
	object, offset, ok := m.Locate(args[0])
	if whole := uint64(offset); ok && whole <= uint64(len(m.Contents(object))) {
		text, _, _ := bytes.Cut(m.Contents(object)[whole:], []byte{0})
		return 0, fmt.Errorf("the assertion %s fails", text)
	}
	return 0, errors.New("an assertion fails")
}

// allocate returns NULL if there is not enough memory, as C's allocators do.
func allocate(m *Machine, count, size uint64) uint64 {
	if size != 0 && count > uint64(m.Memory)/size {
		return 0
	}
	return m.Heap("allocated memory", count*size)
}

func reallocate(m *Machine, args []uint64) (uint64, error) {
	if args[0] != 0 && !m.Lives(args[0]) {
		return 0, errors.New("realloc: it is free already")
	}
	at := allocate(m, 1, args[1])
	if at == 0 || args[0] == 0 {
		return at, nil
	}
	m.Move(at, args[0])
	return at, freed("realloc", m.Free(args[0]))
}

func freed(by string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", by, err)
	}
	return nil
}
