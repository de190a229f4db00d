package fuzzfunc

import (
	"bytes"
	"reflect"
	"strings"

	"parallax/internal/oracle"
)

// Tests often give a function a buffer to write to, as in NewEncoder(&buf).Encode(v). The buffers
// that recorded calls received are kept until the execution ends. After each recorded call, the
// text that they got since the last one is part of its results.

// Limits of the search for buffers, and of the text of a buffer.
const (
	maxBuffers = 16
	maxDepth   = 4 // pointers to structs
	maxVisits  = 64
	maxList    = 8
	maxText    = 1 << 20
)

// buffers are those of an execution.
type buffers struct {
	list []buffer // the memory of its former elements is used again
}

type buffer struct {
	site      int // of the call that received it first
	at        any // *bytes.Buffer or *strings.Builder
	seen, now []byte
}

// forget begins an execution.
func (b *buffers) forget() {
	for i := range b.list {
		b.list[i].at = nil
	}
	b.list = b.list[:0]
}

// add adds the buffers that an argument is or holds. It skips unexported fields of the modules'
// types, which may be private buffers.
func (b *buffers) add(site int, v any, modules []string) {
	s := search{modules: modules, found: func(at any) { b.put(site, at) }}
	s.walk(reflect.ValueOf(v), 0)
}

func (b *buffers) put(site int, at any) {
	n := len(b.list)
	for i := range b.list {
		if one := &b.list[i]; one.at == at {
			if one.now = one.copy(one.now); !bytes.HasPrefix(one.now, one.seen) { // the test took the text out
				one.seen, one.now = one.now, one.seen
			}
			return
		}
	}
	if n == maxBuffers {
		return
	}
	if n < cap(b.list) {
		b.list = b.list[:n+1]
	} else {
		b.list = append(b.list, buffer{})
	}
	one := &b.list[n]
	one.site, one.at = site, at
	one.seen = one.copy(one.seen)
}

// copy returns the text of the buffer.
func (b *buffer) copy(into []byte) []byte {
	switch at := b.at.(type) {
	case *bytes.Buffer:
		into = append(into[:0], at.Bytes()[:min(at.Len(), maxText)]...)
	case *strings.Builder:
		into = append(into[:0], at.String()[:min(at.Len(), maxText)]...)
	}
	return into
}

// written calls report with the text that each buffer got since the last time. A text that was only
// read by the test is none.
func (b *buffers) written(report func(site int, text []byte)) {
	for i := range b.list {
		one := &b.list[i]
		one.now = one.copy(one.now)
		switch {
		case bytes.HasSuffix(one.seen, one.now):
		case bytes.HasPrefix(one.now, one.seen):
			report(one.site, one.now[len(one.seen):])
		default:
			report(one.site, one.now)
		}
		one.seen, one.now = one.now, one.seen
	}
}

// search finds buffers in a value.
type search struct {
	modules []string
	found   func(at any)
	visits  int
}

func (s *search) walk(v reflect.Value, depth int) {
	if s.visits++; s.visits > maxVisits || depth > maxDepth {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		s.walk(v.Elem(), depth)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch v.Type() {
		case bufferType:
			s.found((*bytes.Buffer)(v.UnsafePointer()))
		case builderType:
			s.found((*strings.Builder)(v.UnsafePointer()))
		default:
			if v.Type().Elem().Kind() == reflect.Struct {
				s.walk(v.Elem(), depth+1)
			}
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.Interface || k == reflect.Pointer {
			for i := 0; i < min(v.Len(), maxList); i++ {
				s.walk(v.Index(i), depth)
			}
		}
	case reflect.Struct:
		if t := v.Type(); v.CanAddr() && (t == bufferType.Elem() || t == builderType.Elem()) {
			s.walk(v.Addr(), depth)
			return
		}
		s.fields(v, depth)
	}
}

func (s *search) fields(v reflect.Value, depth int) {
	t := v.Type()
	if t.PkgPath() == "testing" {
		return
	}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if !f.IsExported() && oracle.Hides(s.modules, f.PkgPath) {
			continue
		}
		switch f.Type.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Struct:
			s.walk(v.Field(i), depth)
		}
	}
}

var (
	bufferType  = reflect.TypeOf((*bytes.Buffer)(nil))
	builderType = reflect.TypeOf((*strings.Builder)(nil))
)
