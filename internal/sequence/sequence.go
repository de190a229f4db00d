// Package sequence runs sequences of operations on constructed values. In a campaign that compares
// a model, such as an in-memory file system, with its original, both are such values. Package
// gobuild generates a harness with a Table of the common methods, which calls Run for each of the
// two with the same input.
//
// An input is a sequence of records of eight bytes: the method, the receiver, and a byte per
// argument (draw.go). Every input is a valid sequence, and so is every mutant; a cut input has
// fewer operations. The transcript is the result of a program. It has one line per operation: the
// call as Go source, and its results in a form that is comparable between the two (show.go). A
// panic is the last line. Results with methods of their own, such as open files, become receivers
// of later operations.
//
// Methods are called by reflection, so that the two values need no common type. With Table.Box,
// each sequence starts in an empty box, and nothing runs outside of the box that package
// cmd/internal/process/box creates (box.go).
package sequence

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"parallax/internal/oracle"
)

// Table describes the operations on the compared values.
type Table struct {
	Kinds []Kind   // of values; the constructors make the first
	Names []string // candidates for texts; nil means Names

	// NotImplemented lists errors by which the model rejects an unknown operation. The sequence
	// ends there, also for the original. The model is therefore run first.
	NotImplemented []error
	// Sentinels makes all errors equal that wrap no known one.
	Sentinels bool
	// Box reports that the original acts on the machine.
	Box bool
	// Service reports that the original talks to a service in its box.
	Service bool

	// The model's latest sequence that ended with an unknown operation: the input, and the
	// operation's number.
	input []byte
	end   int

	calls []string // of the latest run
}

// Calls returns the operations of the latest run as Go source, one per line.
func (t *Table) Calls() string { return strings.Join(t.calls, "\n") }

// Kind is a kind of values.
type Kind struct {
	Name    string // prefix of variables in transcripts
	Methods []Method
}

// Method is an operation.
type Method struct {
	Name    string
	Args    []Arg
	Results []int // kind of each result; -1 means that it is no object
	// the method fills a []byte, and the bytes beyond the returned number do not count
	Filled bool
}

// Names holds the default texts: a few, so that operations interact, and some odd ones.
var Names = []string{"a", "b", "d", "d/a", "d/b", "d/d", "d/d/a", "e", "a/b", "/a", "/d", "/", ".", "", "..", "d/../a"}

// Limits of the operations of a sequence, and of the kept objects of a kind.
const (
	mostOperations = 256
	mostObjects    = 8
)

// run is a sequence in progress.
type run struct {
	table   *Table // per kind
	model   bool
	objects [][]object // of each kind
	all     []reflect.Value
	unknown bool // the model does not know the operation
}

type object struct {
	name  string
	value reflect.Value
}

// Run makes a value and executes the operations of an input on it. It stores the lines of the
// transcript as the values of r.
func (t *Table) Run(model bool, construct func() (any, error), in []byte, r *oracle.Result) {
	t.calls = t.calls[:0]
	if t.Box {
		fresh(t.Service)
	}
	made, err := construct()
	if err != nil && t.Service && !model {
		exitWithoutService(err)
	}
	if err != nil {
		r.Error(err)
		return
	}
	s := &run{table: t, model: model, objects: make([][]object, len(t.Kinds))}
	defer s.close()
	s.objects[0] = []object{{t.Kinds[0].Name, reflect.ValueOf(made)}}
	if !s.objects[0][0].value.IsValid() {
		panic("the constructor returns nil")
	}
	s.all = append(s.all, s.objects[0][0].value)
	end := -1 // the operation that the model does not know
	if !model && t.input != nil && string(t.input) == string(in) {
		end = t.end
	}
	if model {
		t.input = nil
	}
	rest := in
	for n := 0; n < mostOperations && len(rest) > 0; n++ {
		var rec record
		rest = rest[copy(rec[:], rest):]
		line, more := s.operation(rec, n == end)
		if s.unknown {
			t.input, t.end = append([]byte{}, in...), n
			line, more = line+notImplemented, false
		}
		if (s.unknown || n == end) && n == 0 {
			r.Decline()
			return
		}
		if line != "" {
			r.String(line)
		}
		if !more {
			return
		}
	}
}

// notImplemented marks an unknown operation of the model in transcripts.
const notImplemented = " is not implemented"

// operation executes one operation, unless the model does not know it. If there is no object of its
// kind, it executes an operation on the value itself instead.
func (s *run) operation(rec record, unknown bool) (line string, more bool) {
	kind, m := s.choose(rec)
	o := s.objects[kind][int(rec[1])%len(s.objects[kind])]
	call := o.value.MethodByName(m.Name)
	args, texts, ok := s.draw(m, call.Type(), rec)
	if !ok { // it takes an object, and there is none
		return "", true
	}
	line = o.name + "." + m.Name + "(" + strings.Join(texts, ", ") + ")"
	s.table.calls = append(s.table.calls, line)
	if unknown {
		return line + notImplemented, false
	}
	ended := true
	defer func() {
		if v := recover(); ended && v != nil {
			line, more = line+" panics: "+oracle.MessageClass(fmt.Sprint(v)), false
		}
	}()
	results := call.Call(values(args))
	if text := s.results(m, args, results); !s.unknown {
		line += text
	}
	ended = false
	return line, true
}

// choose returns the method that a record names.
func (s *run) choose(rec record) (kind int, m *Method) {
	total := 0
	for i := range s.table.Kinds {
		total += len(s.table.Kinds[i].Methods)
	}
	n := int(rec[0]) % total
	for i := range s.table.Kinds {
		methods := s.table.Kinds[i].Methods
		if n < len(methods) {
			if len(s.objects[i]) > 0 {
				return i, &methods[n]
			}
			break
		}
		n -= len(methods)
	}
	root := s.table.Kinds[0].Methods
	return 0, &root[int(rec[0])%len(root)]
}

// results formats the results of a call, keeps the objects, and records whether the model knows the
// operation.
func (s *run) results(m *Method, args []argument, results []reflect.Value) string {
	text := ""
	for i, v := range results {
		sep := ", "
		if i == 0 {
			sep = " = "
		}
		if i < len(m.Results) && m.Results[i] >= 0 {
			text += sep + s.keep(m.Results[i], v)
			continue
		}
		if err, is := asError(v); is {
			s.checkImplemented(err)
		}
		text += sep + s.table.show(m, args, v)
	}
	for i := range args {
		text += args[i].after(m, results)
	}
	return text
}

// keep stores a returned object and returns its name.
func (s *run) keep(kind int, v reflect.Value) string {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && v.IsNil() {
		return "nil"
	}
	s.all = append(s.all, v)
	list := s.objects[kind]
	o := object{s.table.Kinds[kind].Name + strconv.Itoa(len(list)), v}
	if len(list) == mostObjects { // the oldest is replaced, and closed with the others
		o.name = list[0].name
		list = append(list[:0:0], list[1:]...)
	}
	s.objects[kind] = append(list, o)
	return o.name
}

// checkImplemented records an error by which the model rejects an unknown operation.
func (s *run) checkImplemented(err error) {
	if !s.model || err == nil {
		return
	}
	for _, declared := range s.table.NotImplemented {
		s.unknown = s.unknown || errorIs(err, declared)
	}
}

// close closes all closers, latest first. Errors are ignored, since they are no operation's result.
func (s *run) close() {
	for i := len(s.all) - 1; i >= 0; i-- {
		closeOne(s.all[i])
	}
}

func closeOne(v reflect.Value) {
	defer func() { _ = recover() }()
	switch c := v.Interface().(type) {
	case interface{ Close() error }:
		_ = c.Close()
	case interface{ Close() }:
		c.Close()
	}
}

// other formats a value for which show has no form.
func other(v any) string {
	var r oracle.Result
	r.Any(v)
	return r.Detail(0).Value
}

func values(args []argument) (list []reflect.Value) {
	for i := range args {
		list = append(list, args[i].value)
	}
	return list
}
