//go:build parallax_worker

// This file is for the tool's copy of the package only, as link.go is.

package fuzzfunc

import (
	"strings"

	"parallax/internal/oracle"
)

var sites int // in all tables

// addTable takes a package's table, and returns the index of its first site.
func addTable(table string) int {
	first := sites
	tables = append(tables, table)
	sites += strings.Count("\n"+table, "\n"+siteLine)
	return first
}

// The functions that the inserted code calls: beginCall, the results in their order, and endCall. Where beginCall returns 0,
// nothing else is called.

var (
	current *oracle.Record // of the call that is being recorded
	pending []any          // what its arguments point to
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

// recordOut notes an argument of a call that comes, the first, second and so on of those that point somewhere: what it points
// to then is recorded after the call.
func recordOut(site, arg int, v any) {
	if c := recording.Load(); c != nil && c.numbers[site] != 0 {
		c.addOut(out{site, arg, v})
	}
}

// recordValue guards against a value that another goroutine changes while it is walked.
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
