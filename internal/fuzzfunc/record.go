//go:build parallax_worker

// This file is for the tool's copy of the package only, like link.go.

package fuzzfunc

import (
	"strings"

	"parallax/internal/oracle"
)

var sites int // of all tables

// addTable registers a package's table, and returns the index of its first site.
func addTable(table string) int {
	first := sites
	tables = append(tables, table)
	sites += strings.Count("\n"+table, "\n"+siteLine)
	return first
}

// The inserted code calls beginCall, then the functions for the results in order, and then endCall.
// If beginCall returns 0, it calls no others.

var (
	current *oracle.Record // of the call that is being recorded
	pending []any          // targets of its pointer arguments
)

func beginCall(site int) uint8 {
	c := recording.Load()
	if c == nil || c.numbers[site] == 0 || !busy.CompareAndSwap(false, true) {
		return 0
	}
	outs := c.takeOuts(site)
	current, pending = c.record, outs
	if !current.Call(c.numbers[site], c.names[site]) {
		busy.Store(false)
		return 0
	}
	return 1
}

func endCall() {
	for _, v := range pending {
		recordPointed(v)
	}
	pending = nil
	busy.Store(false)
}

func recordPointed(v any) {
	defer func() { _ = recover() }()
	current.Pointed(v)
}

// recordOut notes the arg-th pointer argument of a following call. The target of the pointer is
// recorded after the call.
func recordOut(site, arg int, v any) {
	if c := recording.Load(); c != nil && c.numbers[site] != 0 {
		c.addOut(out{site, arg, v})
	}
}

// recordValue recovers from values that another goroutine changes during the walk.
func recordValue(v any) {
	defer func() { _ = recover() }()
	current.Value(v)
}

func recordString(v string) { current.String(v) }
func recordBytes(v []byte)  { current.Bytes(v) }
func recordBool(v bool)     { current.Bool(v) }
func recordInt(v int64)     { current.Int(v) }
func recordUint(v uint64)   { current.Uint(v) }

func recordError(v any) {
	err, _ := v.(error)
	current.Error(err)
}
