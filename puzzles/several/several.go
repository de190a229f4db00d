// Package several holds puzzles with several planted causes each. Program A of a puzzle is package
// NAME, and program B is the same with all causes. For each cause there is a variant of A that has
// only that one. By the variants, an oracle decides which causes an input shows. B and the variants
// are generated, so that they look like ordinary code without switches.
//
// The line that decides is marked `planted: CAUSE` in B, and `counterpart: CAUSE` in A. If B lacks
// lines of A, the comment takes their place.
package several

//go:generate go run ./generate

import (
	"fmt"
	"reflect"
	"strings"
)

// Puzzle is a target of two programs.
type Puzzle struct {
	Name   string
	Func   string // of each of its packages
	A, B   any    // functions
	Causes []Cause
}

// Cause is one of the reasons for which B differs from A.
type Cause struct {
	Name string
	Kind string
	Only any // A with this cause alone
}

// Folder and FolderB are those of the packages of A and B.
func (p *Puzzle) Folder() string  { return "puzzles/several/" + p.Name }
func (p *Puzzle) FolderB() string { return p.Folder() + "/b" }

// Shape is that of the input, as a list of types.
func (p *Puzzle) Shape() string {
	t := reflect.TypeOf(p.A)
	var kinds []string
	for i := 0; i < t.NumIn(); i++ {
		kinds = append(kinds, t.In(i).String())
	}
	shape := "(" + strings.Join(kinds, ", ") + ")"
	return strings.ReplaceAll(shape, "uint8", "byte")
}

// Differ reports whether A and B do different things with an input.
func (p *Puzzle) Differ(args []any) bool { return outcome(p.A, args) != outcome(p.B, args) }

// Shown are the indices of the causes that an input shows: alone, they make A do something else.
// Where some of them alone make A do just what B does, it is those. An input on which B differs may
// show none, when it takes two causes together.
func (p *Puzzle) Shown(args []any) []int {
	a, b := outcome(p.A, args), outcome(p.B, args)
	var shown, alone []int
	for k, c := range p.Causes {
		switch outcome(c.Only, args) {
		case a:
		case b:
			alone = append(alone, k)
			shown = append(shown, k)
		default:
			shown = append(shown, k)
		}
	}
	if alone != nil {
		return alone
	}
	return shown
}

// outcome describes the result of a function for some arguments: a rejection, or the value.
func outcome(fn any, args []any) string {
	v := reflect.ValueOf(fn)
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	out := v.Call(in)
	last := len(out) - 1
	if !out[last].IsNil() {
		return "rejected"
	}
	return text(out[:last])
}

// text is values as text, maps in the order of their keys.
func text(values []reflect.Value) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%+v\n", v)
	}
	return b.String()
}
