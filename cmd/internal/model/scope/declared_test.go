package scope

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
)

// TestDeclareNull checks a declared scope about null pointers.
func TestDeclareNull(t *testing.T) {
	s := &call.Signature{Function: "f", Arguments: []extract.Argument{{Name: "n", Kind: "scalar", Bits: 32}, {Name: "s", Kind: "string", Bits: 8, Nullable: true, Bytes: 4}}}
	for _, term := range []string{"(not (= addr_1 #x0000000000000000))", "(not (= addr_s #x0000000000000000))"} {
		declared, err := Declare(s, term)
		if err != nil {
			t.Fatal(err)
		}
		if in, _, err := declared(call.Call{{}, {}}); in || err != nil {
			t.Errorf("%s: null is in scope", term)
		}
		if in, why, err := declared(call.Call{{}, {Data: make([]byte, 4)}}); !in {
			t.Errorf("%s: the empty string is not: %s %v", term, why, err)
		}
	}
	if _, err := Declare(s, "(= addr_0 #x0000000000000000)"); err == nil {
		t.Error("a number has an address")
	}
}

// TestDeclareNames checks that a declared scope has the parameters by name and by number, as bit
// vectors and texts, and nothing else.
func TestDeclareNames(t *testing.T) {
	s := &call.Signature{Function: "f", Arguments: []extract.Argument{{Name: "n", Kind: "scalar", Bits: 32}, {Name: "b", Kind: "scalar", Bits: 1}, {Name: "s", Kind: "string", Bits: 8, Bytes: 4}}}
	for term, want := range map[string]string{
		`(and (= n arg_0 #x00000007) (= b arg_1 #b1) (= s arg_2 "x"))`: "",
		"(= arg_0 7)":       "compares terms of one sort, not (_ BitVec 32) and Int",
		"b":                 "of sort (_ BitVec 1): write a term that is true or false",
		"(= ret n)":         "ret is not declared",
		"(= arg_3 n)":       "arg_3 is not declared",
		"(= addr_2 addr_s)": "addr_2 is not declared",
	} {
		declared, err := Declare(s, term)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", term, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for n, meant := range map[uint64]bool{7: true, 8: false} {
			if in, why, err := declared(call.Call{{Int: n}, {Int: 1}, {Data: []byte("x\x00yz")}}); in != meant || err != nil {
				t.Errorf("%d: %v %s %v", n, in, why, err)
			}
		}
	}
}

// TestDeclareOthers checks that buffers that are not texts of bytes have no constant, since a
// String would end at the first zero. A scope that divides by zero holds for no call.
func TestDeclareOthers(t *testing.T) {
	s := &call.Signature{Function: "f", Arguments: []extract.Argument{
		{Name: "p", Kind: "bytes", Bits: 8, Bytes: 4}, {Kind: "string", Bits: 32, Bytes: 16}, {Name: "n", Kind: "scalar", Bits: 32},
	}}
	for _, term := range []string{`(= p "a")`, `(= arg_0 "a")`, `(= arg_1 "a")`} {
		if _, err := Declare(s, term); err == nil || !strings.Contains(err.Error(), "a scope says nothing of p and arg_1, which points to what is no text") {
			t.Errorf("%s: %v", term, err)
		}
	}
	declared, err := Declare(s, "(= 0 (div 1 (bv2nat n)))")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[uint64]bool{0: false, 1: false, 2: true} {
		if in, why, err := declared(call.Call{{}, {}, {Int: n}}); in != want || err != nil || n == 0 && !strings.Contains(why, "divides by zero") {
			t.Errorf("%d: %v %s %v", n, in, why, err)
		}
	}
}

// squares returns a term that can be computed for 0 and 1 only. Other numbers exceed all memory.
func squares() string {
	term := "(bv2nat n)"
	for range 30 {
		term = "(let ((m " + term + ")) (* m m))"
	}
	return "(<= 0 " + term + ")"
}

// TestDeclareTooLarge checks that the error names the call for which a scope cannot be computed,
// also during sampling.
func TestDeclareTooLarge(t *testing.T) {
	s := &call.Signature{Function: "toupper", Arguments: []extract.Argument{{Name: "n", Kind: "scalar", Bits: 32, Signed: true}}, Result: extract.Result{Kind: "scalar", Bits: 32, Signed: true}}
	declared, err := Declare(s, squares())
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{0: "", 1: "", 2: "it cannot be computed for toupper(2): "} {
		if in, _, err := declared(call.Call{{Int: uint64(n)}}); in != (want == "") || in != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d: %v %v", n, in, err)
		}
	}
	o, err := original.Musl(s)
	if err != nil {
		t.Fatal(err)
	}
	none := func(context.Context, call.Call) (formula.Answer, error) {
		return formula.Answer{Kind: formula.Dropped}, nil
	}
	var failed *EvaluationError
	if _, err := Find(t.Context(), o, none, Options{Samples: 50, Seed: 1, Declared: squares()}); !errors.As(err, &failed) {
		t.Errorf("found by sampling: %v", err)
	}
}
