//go:build parallax_worker

// This file is for the tool's copy of the package only, in which the tool removes the constraint.
// In an ordinary program, package testing has no such variable.

package fuzzfunc

import (
	"reflect"
	"testing"
	_ "unsafe" // for go:linkname
)

// The patched package testing must declare plxHook with this type, and allow the link.
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

// The code that package golang inserts into tests must declare these functions without a body, with
// these links. It calls them from any goroutine. The first calls precede the initialization of this
// package's variables.

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
