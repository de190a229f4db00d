package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

const mutated = `package p

import "errors"

type t struct{ n int }

func (x *t) f(s string) error {
	if len(s) <= 2 {
		return errors.New("shorter than " + s[1:])
	}
	for i := 0; i < 3; i++ {
		x.n = int(s[i])
	}
	g(s[x.n:])
	return nil
}

func g(s string) {}
`

func TestMutants(t *testing.T) {
	lib := library{Name: "lib"}
	list, err := mutants(lib, "p.go", []byte(mutated))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, fmt.Sprintf("%d %s: %s -> %s", m.Line, m.Operator, m.Before, m.After))
		changed, err := m.apply([]byte(mutated))
		if err != nil {
			t.Error(err)
		}
		if strings.Count(string(changed), "\n") != strings.Count(mutated, "\n") {
			t.Errorf("%s moves lines", m.Name())
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", changed, 0); err != nil {
			t.Errorf("%s: %v", m.Name(), err)
		}
		if m.Function != "t.f" {
			t.Errorf("%s is in %s", m.Name(), m.Function)
		}
	}
	want := []string{
		"8 negate: len(s) <= 2 -> !(len(s) <= 2)", "8 no check: len(s) <= 2 -> false && (len(s) <= 2)", "8 operator: <= -> <",
		"8 off by one: len(s) -> (len(s) - 1)", "8 constant: 2 -> 3",
		"11 constant: 0 -> 1", "11 operator: < -> <=", "11 constant: 3 -> 4",
		"12 delete: x.n = int(s[i]) -> ", "12 off by one: i -> i+1", "14 delete: g(s[x.n:]) -> ", "14 off by one: x.n -> x.n+1",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("mutants:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestHalf checks that mutants are divided evenly in any order.
func TestHalf(t *testing.T) {
	n := 0
	for i := range 1000 {
		if half(fmt.Sprint("lib/p.go:", i)) == dev {
			n++
		}
	}
	if n < 450 || n > 550 {
		t.Errorf("%d of 1000 are in one half", n)
	}
}
