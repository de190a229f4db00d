package scope

import (
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
