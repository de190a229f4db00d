package fuzzfunc

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"parallax/internal/oracle"
	"parallax/internal/worker"
)

// The tool's compiler wrapper puts a record around the calls that tests make directly into the module under test
// (cmd/internal/instrument/golang/calls.go). Each package that has some hands its table to addTable (record.go) when it is
// initialized, and gets the number of its first site. While a target runs that is compared with another version of itself, what
// the calls return is folded into one oracle.Record.

// callsVariable lists the sites that are recorded, by their numbers in hexadecimal with spaces between them, if the target is compared:
// those that both versions have. Without it nothing is recorded.
const callsVariable = "PARALLAX_CALLS"

// tables are what packages have handed over. They are used before package variables are initialized, and so have no initial value.
var tables []string

// siteLine begins a site's line in a table; its number, file, line, function, what it calls and who reaches it follow, with tabs
// between them.
const siteLine = "S\t"

// calls are the recorded calls of a target.
type calls struct {
	numbers []uint64 // of sites by index; 0: not recorded
	names   []string // for people
	ignored []string
	modules []string // whose types are compared by what others see of them
	record  *oracle.Record

	mu   sync.Mutex
	outs []out // of calls that have begun, the innermost last
}

// out is an argument of a call that has begun.
type out struct {
	site, arg int
	at        any
}

// maxOuts bounds what calls leave behind that panic.
const maxOuts = 256

func (c *calls) addOut(o out) {
	c.mu.Lock()
	if len(c.outs) < maxOuts {
		c.outs = append(c.outs, o)
	}
	c.mu.Unlock()
}

// takeOuts returns the arguments of a call that has returned. What is above them belongs to calls that panicked.
func (c *calls) takeOuts(site int) (at []any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	end := len(c.outs)
	for end > 0 && c.outs[end-1].site != site {
		end--
	}
	if end == 0 {
		return nil
	}
	first := end - 1
	for first > 0 && c.outs[first].arg > 0 {
		first--
	}
	for _, o := range c.outs[first:end] {
		at = append(at, o.at)
	}
	clear(c.outs[first:])
	c.outs = c.outs[:first]
	return at
}

// recording is what calls are recorded to now, nil while no target runs.
var recording atomic.Pointer[calls]

// busy is whether a call is being recorded. Another goroutine's is then left out: harnesses that run calls side by side have no
// order that could be compared.
var busy atomic.Bool

// wantedCalls is nil if the target is not compared.
func wantedCalls() *calls {
	list, ok := os.LookupEnv(callsVariable)
	if !ok {
		return nil
	}
	wanted := map[uint64]bool{}
	for _, word := range strings.Fields(list) {
		if n, err := strconv.ParseUint(word, 16, 64); err == nil {
			wanted[n] = true
		}
	}
	c := &calls{}
	for _, table := range tables {
		for _, line := range strings.Split(table, "\n") {
			f := strings.Split(line, "\t")
			if len(f) < 6 || f[0] != siteLine[:1] {
				continue
			}
			n, err := strconv.ParseUint(f[1], 16, 64)
			if err != nil || !wanted[n] {
				n = 0
			}
			c.numbers, c.names = append(c.numbers, n), append(c.names, f[5]+" ("+f[2]+":"+f[3]+")")
		}
	}
	c.ignored, _ = worker.IgnoredFields()
	c.modules = worker.ChangedModules()
	return c
}

// begin begins an execution. A goroutine that an earlier one left behind, in the middle of a call, keeps the record that it has.
func (c *calls) begin(detail bool) {
	if c.record == nil || busy.Load() {
		c.record = &oracle.Record{}
		c.record.Versions(c.ignored)
		c.record.Outside(c.modules)
	}
	c.record.Begin(detail)
	c.mu.Lock()
	clear(c.outs)
	c.outs = c.outs[:0]
	c.mu.Unlock()
	recording.Store(c)
}

// end ends the execution and returns what was recorded.
func (c *calls) end() *oracle.Record {
	recording.Store(nil)
	return c.record
}
