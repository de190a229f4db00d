// Package extract obtains models of functions from symbolic-execution engines. A model has the
// engine's assumptions about a function such as toupper or strcmp, as SMT-LIB scripts. The package
// also obtains the engine's results for given arguments. It knows nothing of campaigns, scope or
// findings. Package model uses it. The method is that of section 3.1 of the SEDiff paper ("Model
// Extraction with SMT-LIB and Minimal-Program Synthesis").
//
// An engine is a row of a table (table.go) and an adapter: a program in the engine's language that
// answers JSON lines. It runs in an environment of its own, one per version, which Environment
// makes (environment.go).
package extract

import "encoding/json"

// Protocol is the version of the protocol.
const Protocol = 1

// Fresh is the target of a pointer into memory of the function. Nowhere, in outcomes, is an address
// outside of all memory.
const (
	Fresh   = 254
	Nowhere = 255
)

// Mode selects the symbolic parts of a call.
type Mode string

// The modes. In Bytes, scalars and the bytes of buffers are symbolic; in Integers, scalars only. In
// Concrete, nothing is symbolic: the answer is the engine's own for the given arguments.
const (
	Concrete Mode = "concrete"
	Bytes    Mode = "symbolic-bytes"
	Integers Mode = "symbolic-integers"
	list     Mode = "list"

	// For engines whose models take values of a language (Values): a function's parameters, and
	// calls of it.
	Takes Mode = "signature"
	calls Mode = "calls"
)

// Status is the result of an extraction or a concrete call.
type Status string

// The statuses. Nothing is a model without information: its result is unconstrained, or it returns
// on no path.
const (
	OK          Status = "ok"
	Nothing     Status = "nothing"
	Crash       Status = "crash"
	Timeout     Status = "timeout"
	Unsupported Status = "unsupported"
)

// Sizes holds the sizes of a call's buffers.
type Sizes struct {
	// elements of each, without the terminating one; 0 is DefaultBuffer
	Buffer int `json:"buffer,omitempty"`
}

// DefaultBuffer is the number of elements of a buffer if a request does not set it. The adapters
// have the same default.
const DefaultBuffer = 8

// Value is the value of an argument: a number, the bytes of a buffer, or null.
type Value struct {
	Int  string `json:"int,omitempty"` // decimal
	Hex  string `json:"hex,omitempty"`
	Null bool   `json:"null,omitempty"`
}

// MarshalJSON distinguishes an empty buffer from a missing value.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case v.Null:
		return []byte(`{"null":true}`), nil
	case v.Int != "":
		return json.Marshal(map[string]string{"int": v.Int})
	}
	return json.Marshal(map[string]string{"hex": v.Hex})
}

// Request asks for the model of a function.
type Request struct {
	Function  string
	Prototype string // a C declaration; empty means the engine's own
	Mode      Mode   // Bytes or Integers
	Sizes     Sizes
	Null      []int         // arguments that are null pointers
	Held      map[int]Value // arguments held at one value
}

// Question asks for the engine's own answers to inputs: the values of all arguments of each.
type Question struct {
	Function  string
	Prototype string // a C declaration, such as Answer.Prototype; empty means the engine's own
	Inputs    [][]Value

	// Symbolic requests the results of the extracted model. It runs on symbols, as for Extract,
	// which are then constrained to the values. Engines have shortcuts for values, so that the
	// answers may differ. Buffers have Sizes, and the arguments in Plain stay values.
	Symbolic bool
	Sizes    Sizes
	Plain    []int
}

// message is a line to the adapter.
type message struct {
	ID        int       `json:"id"`
	Function  string    `json:"function,omitempty"`
	Prototype string    `json:"prototype,omitempty"`
	Mode      Mode      `json:"mode"`
	Sizes     Sizes     `json:"sizes"`
	Limits    Limits    `json:"limits"`
	Null      []int     `json:"null,omitempty"`
	Input     []*Value  `json:"input,omitempty"` // nil in it is a value that is not held
	Inputs    [][]Value `json:"inputs,omitempty"`
	Symbolic  bool      `json:"symbolic,omitempty"`
	Plain     []int     `json:"plain,omitempty"`

	Side  Side              `json:"side,omitempty"`
	Calls []json.RawMessage `json:"calls,omitempty"`
}

// Limits are the limits of a request, which Engine enforces. An adapter may enforce them earlier.
type Limits struct {
	Seconds  float64 `json:"seconds"`
	MemoryMB int     `json:"memory_mb"`
}

// Hello is an adapter's first line.
type Hello struct {
	Hello    string `json:"hello"` // "extract"
	Protocol int    `json:"protocol"`
	Engine   string `json:"engine"`
	Version  string `json:"version"`
}

// Listed is a function with a model in the engine. A nonempty Reason is the reason why it is not
// requested.
type Listed struct {
	Function  string `json:"function"`
	Library   string `json:"library"`
	Prototype string `json:"prototype,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// Answer is the result of a request.
type Answer struct {
	ID        int        `json:"id"`
	Function  string     `json:"function"`
	Prototype string     `json:"prototype,omitempty"`
	Status    Status     `json:"status"`
	Reason    string     `json:"reason,omitempty"`
	Arguments []Argument `json:"arguments,omitempty"`
	Result    *Result    `json:"result,omitempty"`
	Paths     []Path     `json:"paths,omitempty"`
	// why paths, or the call with all sizes at once, have none
	Failed  []string `json:"failed,omitempty"`
	Seconds float64  `json:"seconds"`
	CPU     float64  `json:"cpu"` // in seconds

	Listed   []Listed  `json:"list,omitempty"`
	Outcomes []Outcome `json:"results,omitempty"`

	Form       string      `json:"form,omitempty"`
	Parameters []Parameter `json:"parameters,omitempty"`
	Said       []Said      `json:"said,omitempty"`

	passing bool // of the process and not of the model: not kept
}

// Argument is an argument of a function.
type Argument struct {
	Name string `json:"name"` // arg_0
	// scalar; string: elements and a zero; bytes; cell: one integer; pointer: one pointer
	Kind   string `json:"kind"`
	Bits   int    `json:"bits"` // of a scalar, or of an element of the target
	Signed bool   `json:"signed,omitempty"`
	Size   bool   `json:"size,omitempty"` // unsigned, of the width of an address
	Null   bool   `json:"null,omitempty"`
	Held   string `json:"held,omitempty"`

	Assumed int `json:"assumed,omitempty"` // upper limit of a size

	Nullable bool `json:"nullable,omitempty"` // it may be null: AddNull

	// Of the target: its bytes, and the guard bytes before and behind it.
	Bytes  int `json:"bytes,omitempty"`
	Before int `json:"before,omitempty"`
	Behind int `json:"behind,omitempty"`
}

// Result describes the result of a function.
type Result struct {
	Name   string `json:"name"` // ret
	Kind   string `json:"kind"` // void, scalar, address
	Bits   int    `json:"bits"`
	Signed bool   `json:"signed,omitempty"`
}

// Path is one path of a model.
type Path struct {
	SMT string `json:"smt"`
	// scalar; offset: ret and ret_into; address: a term over addr_0 and so on
	Ret    string  `json:"ret,omitempty"`
	Free   []Free  `json:"free,omitempty"`
	Writes []Write `json:"writes,omitempty"`
	// it does not constrain the result and writes nothing
	Trivial bool `json:"trivial,omitempty"`
}

// Free is a symbol of the engine's own.
type Free struct {
	Name   string `json:"name"`
	Bits   int    `json:"bits"` // 0 is Bool
	Origin string `json:"origin"`
}

// Write is a possible write of a path.
type Write struct {
	Arg    int    `json:"arg"`
	Offset int    `json:"offset"`
	Name   string `json:"name"`
	Bits   int    `json:"bits"`
	Form   string `json:"form"` // scalar, offset, address
}

// Outcome is the engine's own answer to an input.
type Outcome struct {
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"`
	Form   string `json:"form,omitempty"`  // of the result: void, scalar, address
	Into   int    `json:"into,omitempty"`  // of an address
	Value  string `json:"value,omitempty"` // decimal; of an address its offset
	// the engine's answer is one, and not a choice of several
	Unique  bool    `json:"unique"`
	Written []Wrote `json:"writes,omitempty"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`
}

// Wrote is a write of a concrete call: bytes, or a pointer.
type Wrote struct {
	Arg    int    `json:"arg"`
	Offset int    `json:"offset"`
	Hex    string `json:"hex,omitempty"`
	Into   int    `json:"into,omitempty"`
	Value  string `json:"value,omitempty"`
}
