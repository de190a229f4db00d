//go:build parallax_worker

// This file is for the tool's copy of the package only, where the tool takes the constraint away: in an ordinary program
// package testing has no such variable.

package fuzzfunc

import (
	"reflect"
	"testing"
	_ "unsafe" // for go:linkname
)

// Contract relied on: the patched package testing declares plxHook with this type and allows the link.
//
//go:linkname testingHook testing.plxHook
var testingHook func(interface {
	Name() string
	Func() any
	Types() []reflect.Type
	Seeds() [][]any
	Begin(detail bool) *testing.T
	End()
	Status() (finished, skipped, failed bool)
	Failure() (pcs []uintptr, message, output string)
	Reset()
})

func init() { hook = &testingHook }

// Contract relied on: what package golang inserts into tests declares these functions without a body, under these links. They are
// called from any goroutine, and the first of them before this package's variables are initialized.

//go:linkname addTable main.plxRecTable
//go:linkname beginCall main.plxRecBegin
//go:linkname endCall main.plxRecEnd
//go:linkname recordOut main.plxRecOut
//go:linkname recordValue main.plxRecValue
//go:linkname recordString main.plxRecString
//go:linkname recordBytes main.plxRecBytes
//go:linkname recordBool main.plxRecBool
//go:linkname recordInt main.plxRecInt
//go:linkname recordUint main.plxRecUint
//go:linkname recordError main.plxRecError
