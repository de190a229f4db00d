package musl

import (
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/model/llvmir"
)

const own = `
@text = private constant [6 x i8] c"n > 0\00"
@counted = global i32 0
define i64 @strlen(ptr %s) {
  %n = load i32, ptr @counted
  %m = add i32 %n, 1
  store i32 %m, ptr @counted
  ret i64 77
}
define i64 @both(ptr %s) {
  %n = call i64 @strlen(ptr %s)
  %m = call i64 @strnlen(ptr %s, i64 3)
  %r = add i64 %n, %m
  ret i64 %r
}
define i64 @inside(ptr %s) {
  %p = call ptr @strcat(ptr %s, ptr %s)
  %r = zext i32 1 to i64
  ret i64 %r
}
define i32 @number(ptr %s) {
  %e = call ptr @__errno_location()
  store i32 5, ptr %e
  %n = call i64 @__isoc23_strtol(ptr %s, ptr null, i32 10)
  %r = load i32, ptr %e
  ret i32 %r
}
define ptr @copy(ptr %s) {
  %p = call ptr @malloc(i64 4)
  %q = call ptr @realloc(ptr %p, i64 8)
  store i8 1, ptr %q
  ret ptr %q
}
define i8 @zero() {
  %p = call ptr @calloc(i64 2, i64 4)
  %q = getelementptr i8, ptr %p, i64 7
  %r = load i8, ptr %q
  ret i8 %r
}
define i8 @late() {
  %p = call ptr @malloc(i64 4)
  store i8 3, ptr %p
  call void @free(ptr null)
  call void @free(ptr %p)
  %r = load i8, ptr %p
  ret i8 %r
}
define void @twice() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret void
}
define void @foreign(ptr %s) {
  call void @free(ptr %s)
  ret void
}
define i64 @much() {
  %p = call ptr @malloc(i64 100000000000)
  %q = call ptr @calloc(i64 4294967296, i64 4294967296)
  %m = ptrtoint ptr %p to i64
  %n = ptrtoint ptr %q to i64
  %r = or i64 %m, %n
  ret i64 %r
}
define void @asserts() {
  call void @__assert_fail(ptr @text, ptr null, i32 1, ptr null)
  unreachable
}
define void @leaves() {
  call void @exit(i32 -1)
  unreachable
}
define void @odd() {
  call void @abort(i32 1)
  unreachable
}
define void @calls() {
  call void @nobody()
  ret void
}
define void @given() {
  call void @somebody()
  ret void
}
declare ptr @__errno_location()
declare i64 @__isoc23_strtol(ptr, ptr, i32)
declare i64 @strnlen(ptr, i64)
declare ptr @strcat(ptr, ptr)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare void @__assert_fail(ptr, ptr, i32, ptr)
declare void @exit(i32)
declare void @abort(i32)
declare void @nobody()
declare void @somebody()
`

// TestLink checks that a file's definitions replace musl's, also for musl's functions. All others
// come from musl or the machine.
func TestLink(t *testing.T) {
	f, err := llvmir.Parse("own.ll", own)
	if err != nil {
		t.Fatal(err)
	}
	module, err := Link([]*llvmir.File{f}, "somebody")
	if err != nil {
		t.Fatal(err)
	}
	m := NewMachine(module)
	for _, test := range []struct {
		name    string
		strings int
		want    uint64
		outcome llvmir.Outcome
		detail  string
	}{
		{"both", 1, 80, llvmir.Returned, ""},
		{"inside", 1, 0, llvmir.Poison, "address"}, // strcat asks the file's strlen
		{"number", 1, 5, llvmir.Returned, ""},
		{"zero", 0, 0, llvmir.Returned, ""},
		{"late", 0, 0, llvmir.UseAfterFree, "offset 0 of allocated memory"},
		{"twice", 0, 0, llvmir.ExternalFailed, "free: it is free already"},
		{"foreign", 1, 0, llvmir.ExternalFailed, "free: the pointer is none that was allocated"},
		{"much", 0, 0, llvmir.Returned, ""},
		{"asserts", 0, 0, llvmir.ExternalFailed, "the assertion n > 0 fails"},
		{"leaves", 0, 0, llvmir.ExternalFailed, "it ends the program with code -1"},
		{"odd", 0, 0, llvmir.ExternalFailed, "abort is called with 1 arguments, and takes 0"},
		{"given", 0, 0, llvmir.ExternalFailed, "nobody supplies @somebody"},
	} {
		m.Reset()
		var args []uint64
		for range test.strings {
			args = append(args, m.Object("s", []byte("12345\x00"), 0))
		}
		got, err := m.Call(module.Function(test.name), args...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got.Outcome != test.outcome || !strings.Contains(got.Detail, test.detail) || got.Outcome == llvmir.Returned && got.Values[0] != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	m.Reset()
	got, err := m.Call(module.Function("copy"), m.Object("s", []byte{0}, 0))
	if err != nil || got.Outcome != llvmir.Returned || !m.Lives(got.Values[0]) || m.Wrote(got.Values[0], 1) || len(m.Contents(got.Values[0])) != 8 {
		t.Errorf("copy: %v, %v", got, err)
	}
	var missing llvmir.Missing
	if err := module.Refused(module.Function("calls")); !errors.As(err, &missing) || missing != "nobody" {
		t.Errorf("a function that nobody defines: %v", err)
	}
	if plain, err := Module(); err != nil || plain.Function("both") != nil {
		t.Errorf("musl's own module has functions of the file: %v", err)
	}
}
