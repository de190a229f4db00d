//go:build parallax_worker

// This file is for the tool's copy of the package only, like link.go.

package fuzzfunc

import (
	"reflect"
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
	site    int            // of the call
	pending []out          // what it may have written to
	count   int64          // its first integer result; -1 before that
)

func beginCall(at int) uint8 {
	c := recording.Load()
	if c == nil || c.numbers[at] == 0 || !busy.CompareAndSwap(false, true) {
		return 0
	}
	outs := c.takeOuts(at)
	current, site, pending, count = c.record, at, outs, -1
	if !current.Call(c.numbers[at], c.names[at]) {
		busy.Store(false)
		return 0
	}
	return 1
}

func endCall() {
	for i := range pending {
		recordEffect(&pending[i])
	}
	pending = nil
	if c := recording.Load(); c != nil && c.record == current {
		recordWritten(c)
	}
	busy.Store(false)
}

// recordEffect recovers from values that another goroutine changes during the walk.
func recordEffect(o *out) {
	defer func() { _ = recover() }()
	v := o.at
	switch {
	case o.effect&effectTarget != 0:
	case o.effect&effectChanged == 0 || current.Peek(v) == o.before:
		return
	case o.effect&effectCount != 0:
		v = first(v, count)
	}
	current.Pointed(v)
}

// first returns the first n elements of a slice, all of them if there are fewer.
func first(v any, n int64) any {
	if s := reflect.ValueOf(v); s.Kind() == reflect.Slice && n >= 0 && n < int64(s.Len()) {
		return s.Slice(0, int(n)).Interface()
	}
	return v
}

func recordWritten(c *calls) {
	defer func() { _ = recover() }()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buffers.written(func(_ int, text []byte) {
		if !c.silent[site] {
			current.Written(text)
		}
	})
}

// recordOut notes the arg-th argument that a following call may write to. It is recorded after the
// call.
func recordOut(site, arg, effect int, v any) {
	c := recording.Load()
	if c == nil || c.numbers[site] == 0 {
		return
	}
	c.addOut(out{site: site, arg: arg, at: v, effect: effect})
}

// recordValue recovers from values that another goroutine changes during the walk.
func recordValue(v any) {
	defer func() { _ = recover() }()
	current.Value(v)
}

func recordString(v string) { current.String(v) }
func recordBytes(v []byte)  { current.Bytes(v) }
func recordBool(v bool)     { current.Bool(v) }
func recordUint(v uint64)   { current.Uint(v) }

// recordInt also keeps the first result, which may be a number of elements that the call wrote.
func recordInt(v int64) {
	if count < 0 {
		count = v
	}
	current.Int(v)
}

func recordError(v any) {
	err, _ := v.(error)
	current.Error(err)
}
