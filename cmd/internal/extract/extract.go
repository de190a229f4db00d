// Package extract gets models of functions out of symbolic-execution engines: what an engine believes that toupper or strcmp do, as SMT-LIB
// scripts, and what it answers for given arguments. Package model uses it. It knows nothing of campaigns, scope or findings.
// Section 3.1 of the SEDiff paper ("Model Extraction with SMT-LIB and Minimal-Program Synthesis") is what it goes by.
//
// An engine is a row of a table (table.go) and an adapter: a program in the engine's language that answers JSON lines. It runs in an
// environment of its own, one a version, that Environment makes (environment.go).
//
// # What is loaded
//
// The paper writes a minimal program in C that calls the function. For angr the adapter calls the model in the hook form instead: the model is
// hooked at an address of an empty program and called there with the prototype of angr's own type library, by angr's own calling convention.
// A compiled program was not better for it: gcc replaces calls such as toupper and strlen by code of its own, so that no model runs; some models
// have names that no header declares (__memcpy_chk); the loader binds some names to an ifunc of the machine's libc; and loading libc takes
// longer than the model. The hook form needs no compiler and no libc, and what runs is the model: the adapter looks at the procedures
// that the engine ran and refuses the answer if the model is not among them.
//
// # Protocol
//
// The adapter first writes Hello. Then each Request, a line, gets an Answer, a line, in the order of the requests. It writes nothing else: what
// the engine prints goes to standard error. An engine that crashes, hangs, writes what is no answer, or ends is an Answer with its reason, and
// its process is started again for the next request. Invariants: an engine's process never outlives its Engine; the engine that answers is
// the version that was asked for.
//
// # Scripts
//
// A Path has a script of QF_BV: (declare-const), (define-fun) without arguments for terms that are used twice or lie deep, (assert).
// Its constants are
//
//	arg_0            an argument that is a scalar, as a bit vector of its width
//	arg_0.3          the byte at offset 3 of what argument 0 points to, before the call; guard bytes lie at offsets below 0 and from Bytes on
//	ret              the result; for a pointer (Path.Ret "offset") an offset from the start of what ret_into says
//	ret_into         what a resulting pointer points into: 0 null (ret is 0), k+1 argument k, Fresh memory that the function made
//	out_0.3          the byte at offset 3 after the call, if the model may have written it (Path.Writes)
//	out_1, out_1_into a pointer that the model stored at argument 1, as ret and ret_into
//	free_0           a symbol of the engine's own, such as an unconstrained result (Path.Free says where it comes from)
//	addr_0, addr_fresh the address of what argument 0 points to, where a term needs it. Nothing is known of it, but that it is far from the others
//
// Constants that a script does not declare do not matter to its path. What the arguments are held to is in Argument: a string has a zero
// in its last element and maybe before; a size is at most Argument.Assumed where the function has buffers, since more would be
// outside of them. errno is ignored, and so is what a model writes into memory that it made.
//
// # Calls
//
// The models of some engines are no formulas but code, which takes values of a language and runs in the engine: CrossHair's. Their adapters list
// functions, say what each takes (Takes), and run calls on both sides: the model, with arguments that are symbols held to the call's, and the
// original, which is the language itself (Engine.Calls).
package extract

import "encoding/json"

// Protocol is the version of the protocol.
const Protocol = 1

// Fresh is what a pointer points into that is memory of the function; Nowhere, in outcomes, is an address that is nobody's.
const (
	Fresh   = 254
	Nowhere = 255
)

// Mode is what is symbolic in a call.
type Mode string

// The modes. In Bytes scalars and the bytes of buffers are symbolic, in Integers scalars alone. In Concrete nothing is: the engine's own
// answer for given arguments.
const (
	Concrete Mode = "concrete"
	Bytes    Mode = "symbolic-bytes"
	Integers Mode = "symbolic-integers"
	list     Mode = "list"

	// Of engines whose models are code that takes values of a language (Values): what a function takes, and calls of it.
	Takes Mode = "signature"
	calls Mode = "calls"
)

// Status is how an extraction or a concrete call came out. Each is a result.
type Status string

// The statuses. Nothing is a model that says nothing: its result is a value that nothing constrains, or it returns on no path.
const (
	OK          Status = "ok"
	Nothing     Status = "nothing"
	Crash       Status = "crash"
	Timeout     Status = "timeout"
	Unsupported Status = "unsupported"
)

// Sizes are the sizes of a call's buffers.
type Sizes struct {
	Buffer int `json:"buffer,omitempty"` // elements of each, without the terminating one; 0 is DefaultBuffer
}

// DefaultBuffer is the number of elements of a buffer when a request does not say it. The adapters have it too.
const DefaultBuffer = 8

// Value is a value of an argument: a number, the bytes of a buffer, or null.
type Value struct {
	Int  string `json:"int,omitempty"` // decimal
	Hex  string `json:"hex,omitempty"`
	Null bool   `json:"null,omitempty"`
}

// MarshalJSON keeps an empty buffer apart from a value that is not given.
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
	Prototype string // a C declaration; "": the engine's own
	Mode      Mode   // Bytes or Integers
	Sizes     Sizes
	Null      []int         // arguments that are null pointers
	Held      map[int]Value // arguments held at one value
}

// Question asks for the engine's own answers to inputs: the values of all arguments of each.
type Question struct {
	Function  string
	Prototype string // a C declaration, such as Answer.Prototype; "": the engine's own
	Inputs    [][]Value

	// Symbolic asks what the model says that is extracted: it runs on symbols, as for Extract, which are held to the values then. Engines have
	// shortcuts for values, so that the answers may differ. Buffers have Sizes, and the arguments Plain stay values.
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

// Limits of a request, which the engine's owner enforces; an adapter may go by them before.
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

// Listed is a function of which the engine has a model. Reason, unless it is empty, says why it is not asked for it.
type Listed struct {
	Function  string `json:"function"`
	Library   string `json:"library"`
	Prototype string `json:"prototype,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// Answer is what came of a request.
type Answer struct {
	ID        int        `json:"id"`
	Function  string     `json:"function"`
	Prototype string     `json:"prototype,omitempty"`
	Status    Status     `json:"status"`
	Reason    string     `json:"reason,omitempty"`
	Arguments []Argument `json:"arguments,omitempty"`
	Result    *Result    `json:"result,omitempty"`
	Paths     []Path     `json:"paths,omitempty"`
	Failed    []string   `json:"failed,omitempty"` // why paths, or the call with all sizes at once, have none
	Seconds   float64    `json:"seconds"`
	CPU       float64    `json:"cpu"` // seconds of it

	Listed   []Listed  `json:"list,omitempty"`
	Outcomes []Outcome `json:"results,omitempty"`

	Form       string      `json:"form,omitempty"`
	Parameters []Parameter `json:"parameters,omitempty"`
	Said       []Said      `json:"said,omitempty"`

	passing bool // of the process and not of the model: not kept
}

// Argument is an argument of a function.
type Argument struct {
	Name   string `json:"name"` // arg_0
	Kind   string `json:"kind"` // scalar; string: elements and a zero; bytes; cell: one integer; pointer: one pointer
	Bits   int    `json:"bits"` // of a scalar, or an element of what is pointed to
	Signed bool   `json:"signed,omitempty"`
	Size   bool   `json:"size,omitempty"` // unsigned, of the width of an address
	Null   bool   `json:"null,omitempty"`
	Held   string `json:"held,omitempty"`

	Assumed int `json:"assumed,omitempty"` // a size is at most this

	Nullable bool `json:"nullable,omitempty"` // it may be null: AddNull

	// Of what is pointed to: its bytes, and guard bytes before and behind it.
	Bytes  int `json:"bytes,omitempty"`
	Before int `json:"before,omitempty"`
	Behind int `json:"behind,omitempty"`
}

// Result is what a function returns.
type Result struct {
	Name   string `json:"name"` // ret
	Kind   string `json:"kind"` // void, scalar, address
	Bits   int    `json:"bits"`
	Signed bool   `json:"signed,omitempty"`
}

// Path is one path of a model.
type Path struct {
	SMT     string  `json:"smt"`
	Ret     string  `json:"ret,omitempty"` // scalar; offset: ret and ret_into; address: a term over addr_0 and so on
	Free    []Free  `json:"free,omitempty"`
	Writes  []Write `json:"writes,omitempty"`
	Trivial bool    `json:"trivial,omitempty"` // it says nothing of the result and writes nothing
}

// Free is a symbol of the engine's own.
type Free struct {
	Name   string `json:"name"`
	Bits   int    `json:"bits"` // 0 is Bool
	Origin string `json:"origin"`
}

// Write is something that a path wrote, or may have written.
type Write struct {
	Arg    int    `json:"arg"`
	Offset int    `json:"offset"`
	Name   string `json:"name"`
	Bits   int    `json:"bits"`
	Form   string `json:"form"` // scalar, offset, address
}

// Outcome is the engine's own answer to an input.
type Outcome struct {
	Status  Status  `json:"status"`
	Reason  string  `json:"reason,omitempty"`
	Form    string  `json:"form,omitempty"`  // of the result: void, scalar, address
	Into    int     `json:"into,omitempty"`  // of an address
	Value   string  `json:"value,omitempty"` // decimal; of an address its offset
	Unique  bool    `json:"unique"`          // the engine's answer is one, and not a choice of several
	Written []Wrote `json:"writes,omitempty"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`
}

// Wrote is what a concrete call wrote: bytes, or a pointer.
type Wrote struct {
	Arg    int    `json:"arg"`
	Offset int    `json:"offset"`
	Hex    string `json:"hex,omitempty"`
	Into   int    `json:"into,omitempty"`
	Value  string `json:"value,omitempty"`
}
