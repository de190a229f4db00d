// Package sequence runs sequences of operations on values that constructors make: the programs of a campaign that compares a model, such as
// a file system in memory, with its original. The harness that package gobuild writes has a Table of the methods that both have, and calls Run
// for each of them with the same input.
//
// An input is a sequence of records of eight bytes: which method, of which value, and a byte for each argument (draw.go). Each input is a
// sequence, so that any mutation is one, and an input that is cut has fewer operations. What a program did is its transcript: a line for
// each operation, with the call as Go source and its results in a form that says the same of both (show.go). A panic is the last line.
// Results that have methods of their own, such as open files, become receivers of later operations.
//
// Methods are called by reflection: the two values need no type in common. With Table.Box, what is left of a sequence is taken away before
// the next one, and nothing runs outside of the box that package cmd/internal/box makes (box.go).
package sequence

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"parallax/internal/oracle"
)

// Table is what can be done with the values that are compared.
type Table struct {
	Kinds []Kind   // of values; the constructors make the first
	Names []string // that texts are drawn from; nil: Names

	// NotImplemented are errors by which the model says that it does not know an operation: the sequence ends there, for the original too.
	// So the model is run first.
	NotImplemented []error
	// Sentinels has all errors that wrap no known one compared as one.
	Sentinels bool
	// Box: the original acts on the machine.
	Box bool
	// Service: the original talks to a service that its box has.
	Service bool

	// The model's latest sequence that ended with an operation that it does not know: the input, and the operation's number.
	input []byte
	end   int

	calls []string // of the latest run
}

// Calls are the operations of the latest run as Go source, a line each.
func (t *Table) Calls() string { return strings.Join(t.calls, "\n") }

// Kind is a kind of values.
type Kind struct {
	Name    string // that variables have in transcripts
	Methods []Method
}

// Method is an operation.
type Method struct {
	Name    string
	Args    []Arg
	Results []int // the kind of each result; -1: it is no object
	Filled  bool  // of the []byte that it is given, what is behind the number that it returns does not count
}

// Names are what texts are drawn from: a few, so that operations meet each other, and some that are odd.
var Names = []string{"a", "b", "d", "d/a", "d/b", "d/d", "d/d/a", "e", "a/b", "/a", "/d", "/", ".", "", "..", "d/../a"}

// most bounds the operations of a sequence, and the objects of a kind that are kept.
const (
	mostOperations = 256
	mostObjects    = 8
)

// run is a sequence under way.
type run struct {
	table   *Table
	model   bool
	objects [][]object // of each kind
	all     []reflect.Value
	unknown bool // the model does not know the operation
}

type object struct {
	name  string
	value reflect.Value
}

// Run makes a value and has it execute the operations of an input. The lines of the transcript are the values of r.
func (t *Table) Run(model bool, construct func() (any, error), in []byte, r *oracle.Result) {
	t.calls = t.calls[:0]
	if t.Box {
		fresh(t.Service)
	}
	made, err := construct()
	if err != nil && t.Service && !model {
		unserved(err)
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

// notImplemented is what transcripts say of an operation that the model does not know.
const notImplemented = " is not implemented"

// operation executes one, unless the model does not know it. Without objects of the kind that it is of, another one takes its place, of the value
// itself.
func (s *run) operation(rec record, unknown bool) (line string, more bool) {
	kind, m := s.choose(rec)
	o := s.objects[kind][int(rec[1])%len(s.objects[kind])]
	call := o.value.MethodByName(m.Name)
	args, texts, ok := s.draw(m, call.Type(), rec)
	if !ok { // it takes an object of which there is none
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

// choose is the method that a record names.
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

// results writes what a call returned, keeps the objects, and notes whether the model knows the operation.
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
			s.know(err)
		}
		text += sep + s.table.show(m, args, v)
	}
	for i := range args {
		text += args[i].after(m, results)
	}
	return text
}

// keep names an object that was returned.
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
	if len(list) == mostObjects { // the oldest is forgotten, and closed with the others
		o.name = list[0].name
		list = append(list[:0:0], list[1:]...)
	}
	s.objects[kind] = append(list, o)
	return o.name
}

// know notes that the model does not know the operation.
func (s *run) know(err error) {
	if !s.model || err == nil {
		return
	}
	for _, declared := range s.table.NotImplemented {
		s.unknown = s.unknown || is(err, declared)
	}
}

// close closes what can be closed, the latest first. What comes of it is no operation's result.
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

// other writes a value that show has no form for.
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
