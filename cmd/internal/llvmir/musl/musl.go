// Package musl has functions of a C library, musl 1.2.3, as clang's text IR: the originals of function models. make.sh makes the files from
// musl's source. COPYRIGHT is musl's license.
package musl

import (
	"embed"
	"sync"

	"parallax/cmd/internal/llvmir"
)

//go:embed *.ll
var files embed.FS

// Version is musl's.
const Version = "1.2.3"

// externals are what the functions call and no file has.
const (
	errno  = "___errno_location"
	uflow  = "__uflow"
	endOf  = 0xffffffff // EOF: strings are read as streams that have no more
	intLen = 4
)

// Module has all functions. It is made once.
var Module = sync.OnceValues(func() (*llvmir.Module, error) {
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var read []*llvmir.File
	for _, name := range names {
		text, err := files.ReadFile(name.Name())
		if err != nil {
			return nil, err
		}
		f, err := llvmir.Parse(name.Name(), string(text))
		if err != nil {
			return nil, err
		}
		read = append(read, f)
	}
	return llvmir.Link(read, errno, uflow)
})

// Machine runs functions of the module. Reset it by Reset, which makes errno anew.
type Machine struct {
	*llvmir.Machine
	errno uint64
}

// NewMachine makes a machine.
func NewMachine(m *llvmir.Module) *Machine {
	machine := &Machine{Machine: llvmir.NewMachine(m)}
	machine.Externals[errno] = func(*llvmir.Machine, []uint64) (uint64, error) { return machine.errno, nil }
	machine.Externals[uflow] = func(*llvmir.Machine, []uint64) (uint64, error) { return endOf, nil }
	return machine
}

// Reset forgets what the last call had.
func (m *Machine) Reset() {
	m.Machine.Reset()
	m.errno = m.Object("errno", make([]byte, intLen), 0)
}
