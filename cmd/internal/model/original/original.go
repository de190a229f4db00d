// Package original runs the originals of models, as clang's IR, byte by byte. It computes the
// effect of a call, the blocks that it executes, and whether C defines it. C library functions come
// from musl, and functions in a user's files from package csource.
//
// The package does not know models.
package original

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/llvmir/musl"
)

// Original runs one function. It must stay on one goroutine.
type Original struct {
	Signature *call.Signature
	Module    *llvmir.Module
	Function  *llvmir.Function
	machine   *musl.Machine
	objects   []uint64
	values    []uint64
	steps     []Step
	library   bool // a function of the C library
}

// NoneError reports why a function has no original.
type NoneError struct{ Function, Why string }

func (e *NoneError) Error() string { return fmt.Sprintf("no original of %s: %s", e.Function, e.Why) }

// Musl finds the original of a C library function. The error is a *NoneError if none can be run.
func Musl(s *call.Signature) (*Original, error) {
	module, err := musl.Module()
	if err != nil {
		return nil, err
	}
	f := module.Function(s.Function)
	if f == nil {
		return nil, &NoneError{s.Function, "musl " + musl.Version + ", as parallax has it, lacks it"}
	}
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Kind == "string" && a.Bits != 8 {
			return nil, &NoneError{s.Function, fmt.Sprintf("its argument %d is a string of %d bits for a character in the model", i, a.Bits)}
		}
	}
	o, err := New(s, module, f)
	if err != nil {
		return nil, err
	}
	o.library = true
	return o, nil
}

// New returns an original for a function of a module that musl.Link made. The error is a *NoneError
// if the function cannot be run or does not match the signature.
func New(s *call.Signature, module *llvmir.Module, f *llvmir.Function) (*Original, error) {
	if err := module.Refused(f); err != nil {
		return nil, &NoneError{s.Function, Refusal(f, err)}
	}
	o := &Original{Signature: s, Module: module, Function: f, machine: musl.NewMachine(module)}
	if why := o.fits(); why != "" {
		return nil, &NoneError{s.Function, why}
	}
	return o, nil
}

// Supply defines a function that was an external of musl.Link. Its error ends the run.
func (o *Original) Supply(name string, f func(m *llvmir.Machine, args []uint64) (uint64, error)) {
	o.machine.Externals[name] = f
}

// fits returns how the signature differs from the function, or "".
func (o *Original) fits() string {
	if len(o.Function.Params) != len(o.Signature.Arguments) {
		return fmt.Sprintf("it takes %d arguments, and the prototype %d", len(o.Function.Params), len(o.Signature.Arguments))
	}
	for i, p := range o.Function.Params {
		a := &o.Signature.Arguments[i]
		if pointer := p.Type.Kind == llvmir.PtrType; pointer != (a.Kind != "scalar") {
			return fmt.Sprintf("its argument %d is of type %s, and the prototype's a %s", i, p.Type, a.Kind)
		}
		if a.Kind == "scalar" && p.Type.Bits != a.Bits {
			return fmt.Sprintf("its argument %d has %d bits, and the prototype's %d", i, p.Type.Bits, a.Bits)
		}
	}
	switch r := o.Function.Result; {
	case r.Kind == llvmir.PtrType && o.Signature.Result.Kind != "address",
		r.Kind == llvmir.VoidType && o.Signature.Result.Kind != "void",
		r.Kind == llvmir.IntType && (o.Signature.Result.Kind != "scalar" || o.Signature.Result.Bits != r.Bits):
		said := "void"
		if s := o.Signature.Result; s.Kind != "void" {
			said = fmt.Sprintf("a %s of %d bits", s.Kind, s.Bits)
		}
		return fmt.Sprintf("its result is of type %s, and the prototype's %s", r, said)
	}
	return ""
}

// Run holds the outcome of a call.
type Run struct {
	Effect    call.Effect
	Undefined string // why C does not define the call, or why it does not end; "" if it returned
	Trace     []int  // block numbers of the module, valid until the next call
	Steps     []Step // distinct steps of the trace, sorted, valid until the next call
	Path      uint64 // hash of the steps
}

// Run runs a call.
func (o *Original) Run(c call.Call) (Run, error) {
	if why := o.nulls(c); why != "" {
		return Run{Undefined: why}, nil
	}
	m := o.machine
	m.Reset()
	o.objects, o.values = o.objects[:0], o.values[:0]
	for i := range o.Signature.Arguments {
		a := &o.Signature.Arguments[i]
		whole := call.Whole(a, c[i])
		if whole == nil {
			o.objects, o.values = append(o.objects, 0), append(o.values, c[i].Int)
			continue
		}
		at := m.Object(a.Name, whole, (16-a.Before%16)%16)
		o.objects, o.values = append(o.objects, at), append(o.values, at+uint64(a.Before))
	}
	result, err := m.Call(o.Function, o.values...)
	if err != nil {
		return Run{}, err
	}
	run := Run{Trace: result.Trace}
	o.steps = appendSteps(o.steps[:0], result.Trace)
	run.Steps, run.Path = o.steps, keyOf(o.steps)
	if result.Outcome != llvmir.Returned {
		run.Undefined = ended(result)
		return run, nil
	}
	run.Effect = call.Effect{Memory: make([][]byte, len(c))}
	for i, at := range o.objects {
		if at == 0 {
			continue
		}
		a := &o.Signature.Arguments[i]
		if k := o.unset(at); k >= 0 {
			run.Undefined = fmt.Sprintf("%v in @%s: the byte at %s%+d has none when it returns", llvmir.Uninitialized, o.Function.Name, a.Name, k-a.Before)
			return run, nil
		}
		after := slices.Clone(m.Contents(at))
		if a.Kind == "pointer" && wrote(m, at, a.Before, 8) {
			run.Effect.Stored = append(run.Effect.Stored, &call.Stored{Arg: i, To: o.pointer(word(after[a.Before:][:8]))})
			copy(after[a.Before:][:8], call.Whole(a, c[i])[a.Before:])
		}
		run.Effect.Memory[i] = after
	}
	switch {
	case o.Signature.Result.Kind == "address" && len(result.Values) > 0:
		run.Effect.To = o.pointer(result.Values[0])
	case len(result.Values) > 0:
		run.Effect.Ret = result.Values[0]
	}
	return run, nil
}

// unset returns the first byte of an object that was written without a value, or -1.
func (o *Original) unset(at uint64) int {
	for i := range o.machine.Contents(at) {
		if !o.machine.Valid(at, i) {
			return i
		}
	}
	return -1
}

// ended describes how a run ended without a result.
func ended(r *llvmir.Result) string {
	if r.Outcome != llvmir.ExternalFailed {
		return r.String()
	}
	if r.Place.Line == 0 {
		return fmt.Sprintf("%s, in @%s", r.Detail, r.Function)
	}
	return fmt.Sprintf("%s, in @%s, %s", r.Detail, r.Function, r.Place)
}

func wrote(m *musl.Machine, at uint64, from, n int) bool {
	for i := from; i < from+n; i++ {
		if m.Wrote(at, i) {
			return true
		}
	}
	return false
}

func word(data []byte) (n uint64) {
	for k := len(data) - 1; k >= 0; k-- {
		n = n<<8 | uint64(data[k])
	}
	return n
}

// pointer returns the target of an address.
func (o *Original) pointer(address uint64) call.Pointer {
	if address == 0 {
		return call.Pointer{}
	}
	object, offset, ok := o.machine.Locate(address)
	if i := slices.Index(o.objects, object); ok && i >= 0 {
		return call.Pointer{Into: i + 1, Offset: offset - int64(o.Signature.Arguments[i].Before)}
	}
	if ok && o.machine.Lives(address) {
		return call.Pointer{Into: extract.Fresh}
	}
	return call.Pointer{Into: extract.Nowhere}
}

// Key returns the hash of a trace's steps, also for an enumerated path. The number of iterations of
// a loop does not count.
func Key(trace []int) uint64 { return keyOf(Steps(trace)) }

func keyOf(steps []Step) uint64 {
	h := fnv.New64a()
	var data [8]byte
	for _, e := range steps {
		for k := range 4 {
			data[k], data[4+k] = byte(e.From>>(8*k)), byte(e.To>>(8*k))
		}
		h.Write(data[:])
	}
	return h.Sum64()
}

// Step is a transition between blocks, by their numbers in the module. The first step is from -1.
type Step struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Compare orders steps.
func (s Step) Compare(o Step) int {
	return cmp.Or(cmp.Compare(s.From, o.From), cmp.Compare(s.To, o.To))
}

// Steps returns the distinct steps of a trace, sorted.
func Steps(trace []int) []Step { return appendSteps(nil, trace) }

func appendSteps(steps []Step, trace []int) []Step {
	last := -1
	for _, b := range trace {
		steps = append(steps, Step{last, b})
		last = b
	}
	slices.SortFunc(steps, Step.Compare)
	return slices.Compact(steps)
}

// Lines returns the source lines of a trace, each once.
func (o *Original) Lines(trace []int) (lines []string) {
	for _, b := range trace {
		f, block := o.Module.Block(b)
		place := Place(f, block)
		if place.Line > 0 && !slices.Contains(lines, place.String()) {
			lines = append(lines, place.String())
		}
	}
	return lines
}

// Place returns the source position of a block: the first that one of its instructions has.
func Place(f *llvmir.Function, b *llvmir.Block) llvmir.SourceLine {
	for _, in := range b.Instrs {
		if in.Place.Line > 0 {
			return in.Place
		}
	}
	return f.Place
}
