package scope

import (
	"strings"
	"testing"

	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/model/call"
)

// A declared scope can speak of null pointers.
func TestDeclareNull(t *testing.T) {
	s := &call.Signature{Function: "f", Arguments: []extract.Argument{{Name: "n", Kind: "scalar", Bits: 32}, {Name: "s", Kind: "string", Bits: 8, Nullable: true, Bytes: 4}}}
	for _, term := range []string{"(not (= addr_1 #x0000000000000000))", "(not (= addr_s #x0000000000000000))"} {
		declared, err := Declare(s, term)
		if err != nil {
			t.Fatal(err)
		}
		if in, _ := declared(call.Call{{}, {}}); in {
			t.Errorf("%s: null is in scope", term)
		}
		if in, why := declared(call.Call{{}, {Data: make([]byte, 4)}}); !in {
			t.Errorf("%s: the empty string is not: %s", term, why)
		}
	}
	if _, err := Declare(s, "(= addr_0 #x0000000000000000)"); err == nil {
		t.Error("a number has an address")
	}
}

// What is no text of bytes is in no scope: a String would end at its first zero. A scope that divides by zero holds for no call.
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
		if in, why := declared(call.Call{{}, {}, {Int: n}}); in != want || n == 0 && !strings.Contains(why, "divides by zero") {
			t.Errorf("%d: %v %s", n, in, why)
		}
	}
}
