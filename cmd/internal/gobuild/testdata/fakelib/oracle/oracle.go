// Package oracle is a small stand-in for the library's own, for the tests of package gobuild.
package oracle

import (
	"fmt"
	"reflect"
	"strings"
)

type Result struct {
	values   []string
	rejected bool
}

func (r *Result) add(kind string, v any) { r.values = append(r.values, fmt.Sprintf("%s:%v", kind, v)) }
func (r *Result) Error(err error)        { r.rejected = err != nil }
func (r *Result) Verdict(ok bool)        { r.rejected = !ok }
func (r *Result) Decline()               { r.add("declined", true) }
func (r *Result) Bool(v bool)            { r.add("bool", v) }
func (r *Result) String(v string)        { r.add("string", v) }
func (r *Result) Bytes(v []byte)         { r.add("bytes", string(v)) }
func (r *Result) Int(v int64)            { r.add("int", v) }
func (r *Result) Uint(v uint64)          { r.add("uint", v) }
func (r *Result) Float(v float64)        { r.add("float", v) }
func (r *Result) Any(v any) {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() {
		v = p.Elem().Interface()
	}
	r.add("any", v)
}
func (r *Result) Text() string {
	if r.rejected {
		return "rejected"
	}
	return strings.Join(append([]string{"accepted"}, r.values...), " ")
}
