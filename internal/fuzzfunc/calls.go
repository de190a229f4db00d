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

// The tool's compiler wrapper inserts recording code around the calls that tests make directly into
// the module under test (cmd/internal/gobuild/golang/calls.go). Each package with such calls
// registers its table at initialization by addTable (record.go), and receives the index of its
// first site. While a target is compared with another version of itself, the results of the calls
// are folded into one oracle.Record.

// callsVariable lists the numbers of the recorded sites in hexadecimal, separated by spaces. They
// are the sites that both versions have. Without it, nothing is recorded. After a number, a minus
// means that what the call writes to buffers is not recorded.
const callsVariable = "PARALLAX_CALLS"

// tables holds the registered tables. It has no initial value, since it is used before package
// variables are initialized.
var tables []string

// siteLine begins a site's line in a table. The tab-separated fields after it begin with the site's
// number, file, line, function and callee.
const siteLine = "S\t"

// calls holds the recorded calls of a target.
type calls struct {
	numbers []uint64 // of sites by index; 0 means not recorded
	silent  []bool   // of sites by index: what they write to buffers is not recorded
	names   []string // for users
	ignored []string
	modules []string // modules whose types are compared by their visible state
	record  *oracle.Record

	mu      sync.Mutex
	outs    []out // of calls in progress, innermost last
	buffers buffers
}

// out is an argument or the receiver of a call in progress, which the call may write to.
type out struct {
	site, arg int
	at        any
	effect    int
	before    uint64 // digest of the value, for effectChanged
}

// Ways in which an argument is recorded after the call. They are a set. The tool's package golang
// has the same numbers (calls_effects.go).
const (
	effectTarget  = 1 << iota // the target of the pointer
	effectChanged             // what it refers to, if the call has changed that
	effectWriter              // what is written to the buffer that it is or holds
	effectCount               // of effectChanged: only as many elements as the first result, an int
)

// maxOuts limits the leftovers of calls that panic.
const maxOuts = 256

func (c *calls) addOut(o out) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.outs) >= maxOuts {
		return
	}
	c.observe(&o)
	c.outs = append(c.outs, o)
}

// observe notes the state of an argument before the call. It recovers from values that another
// goroutine changes meanwhile.
func (c *calls) observe(o *out) {
	defer func() { _ = recover() }()
	if o.effect&effectWriter != 0 {
		c.buffers.add(o.site, o.at, c.modules)
	}
	if o.effect&(effectTarget|effectChanged) == effectChanged {
		o.before = c.record.Peek(o.at)
	}
}

// takeOuts returns the arguments of a call that has returned, and drops those above it, which
// belong to calls that panicked.
func (c *calls) takeOuts(site int) (outs []out) {
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
	outs = append(outs, c.outs[first:end]...)
	clear(c.outs[first:])
	c.outs = c.outs[:first]
	return outs
}

// recording is the current destination of recorded calls, or nil while no target runs.
var recording atomic.Pointer[calls]

// busy reports whether a call is being recorded. Calls of other goroutines are skipped meanwhile,
// since concurrent calls have no comparable order.
var busy atomic.Bool

// wantedCalls returns the sites to record, or nil if the target is not compared.
func wantedCalls() *calls {
	list, ok := os.LookupEnv(callsVariable)
	if !ok {
		return nil
	}
	wanted, silent := map[uint64]bool{}, map[uint64]bool{}
	for _, word := range strings.Fields(list) {
		number, minus := strings.CutSuffix(word, "-")
		if n, err := strconv.ParseUint(number, 16, 64); err == nil {
			wanted[n], silent[n] = true, minus
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
			c.numbers, c.silent = append(c.numbers, n), append(c.silent, silent[n])
			c.names = append(c.names, f[5]+" ("+f[2]+":"+f[3]+")")
		}
	}
	c.ignored, _ = worker.IgnoredFields()
	c.modules = worker.ChangedModules()
	return c
}

// begin begins an execution. A goroutine of an earlier execution in the middle of a call keeps the
// old record.
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
	c.buffers.forget()
	c.mu.Unlock()
	recording.Store(c)
}

// end ends the execution and returns the record. Text that no recorded call has written, as a
// deferred Close, counts for the call that received the buffer.
func (c *calls) end() *oracle.Record {
	recording.Store(nil)
	if busy.CompareAndSwap(false, true) {
		c.mu.Lock()
		c.buffers.written(func(site int, text []byte) {
			if !c.silent[site] && c.record.Call(c.numbers[site], c.names[site]) {
				c.record.Written(text)
			}
		})
		c.mu.Unlock()
		busy.Store(false)
	}
	return c.record
}
