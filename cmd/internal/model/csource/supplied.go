package csource

import (
	"bytes"
	"fmt"
	"strings"

	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir"
)

// role is the meaning of a call of an analyzer function.
type role struct {
	kind meaning
	text int // index from 1 of an argument with the reason; 0 means none
}

type meaning uint8

const (
	assumes     meaning = iota + 1 // what follows assumes that the first argument is not 0
	asserts                        // the caller makes a mistake if the first argument is 0
	fails                          // the caller made a mistake
	leaves                         // the analyzer should not continue
	anyValue                       // any value, as the result or in memory
	hints                          // no meaning
	unsupported                    // the model rejects the call
)

// known lists functions of KLEE, CBMC and the software verification competition, which other
// analyzers know too. A file's own definition takes precedence.
var known = map[string]role{
	"klee_assume": {assumes, 0}, "__CPROVER_assume": {assumes, 0}, "__VERIFIER_assume": {assumes, 0},
	"__CPROVER_assert": {asserts, 2}, "__CPROVER_precondition": {asserts, 2}, "__VERIFIER_assert": {asserts, 0},
	"klee_abort": {fails, 0}, "klee_report_error": {fails, 3}, "__VERIFIER_error": {fails, 0}, "reach_error": {fails, 0},
	"klee_silent_exit":   {leaves, 0},
	"klee_make_symbolic": {anyValue, 0}, "klee_int": {anyValue, 0}, "klee_range": {anyValue, 0}, "klee_choose": {anyValue, 0},
	"klee_prefer_cex": {hints, 0}, "klee_warning": {hints, 0}, "klee_warning_once": {hints, 0},
}

// anything lists the prefixes of functions that return any value.
var anything = []string{"__VERIFIER_nondet_", "nondet_", "Frama_C_nondet", "Frama_C_interval", "Frama_C_unsigned_", "Frama_C_char_interval", "Frama_C_int_interval"}

// roles returns the roles of the functions that files declare.
func roles(files []*llvmir.File, s Speech) map[string]role {
	found := map[string]role{}
	for _, file := range files {
		for _, f := range file.Functions {
			if r, ok := known[f.Name]; ok {
				found[f.Name] = r
			}
			for _, prefix := range anything {
				if strings.HasPrefix(f.Name, prefix) {
					found[f.Name] = role{anyValue, 0}
				}
			}
		}
	}
	for _, name := range s.Any {
		found[name] = role{anyValue, 0}
	}
	for _, name := range s.Assume {
		found[name] = role{assumes, 0}
	}
	for _, name := range s.Unsupported {
		found[name] = role{unsupported, 0}
	}
	return found
}

// answer returns the answer that a call gives, or nil to continue.
func (r role) answer(name string, m *llvmir.Machine, args []uint64) *stop {
	say := func(kind formula.Kind, what string) *stop {
		if r.text > 0 && r.text <= len(args) {
			if text := textAt(m, args[r.text-1]); text != "" {
				what += ": " + text
			}
		}
		return &stop{kind, fmt.Sprintf("%s %s", name, what)}
	}
	first := len(args) > 0 && args[0] != 0
	switch r.kind {
	case assumes:
		if !first {
			return say(formula.Declined, "assumes what is not so")
		}
	case asserts:
		if !first {
			return say(formula.Crashed, "fails")
		}
	case fails:
		return say(formula.Crashed, "is called")
	case leaves, unsupported:
		return say(formula.Declined, "is called")
	case anyValue:
		return say(formula.Unconstrained, "gives any value")
	case hints:
	}
	return nil
}

// textAt returns the string at an address, in one line.
func textAt(m *llvmir.Machine, address uint64) string {
	object, offset, ok := m.Locate(address)
	if !ok || offset < 0 || offset > int64(len(m.Contents(object))) {
		return ""
	}
	text, _, _ := bytes.Cut(m.Contents(object)[offset:], []byte{0})
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "?")), " ")
}
