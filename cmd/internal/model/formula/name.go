package formula

import (
	"strconv"

	"parallax/cmd/internal/base/lazyregexp"
)

// Name is the parsed name of a script's constant.
type Name struct {
	Form Form
	Arg  int // index of the argument, or -1
	At   int // byte offset
}

// Form classifies names.
type Form uint8

// The forms of names.
const (
	UnnamedForm  Form = iota // no known form
	FreeForm                 // free_0: an unconstrained symbol of the model
	ArgumentForm             // arg_0
	ByteForm                 // arg_0.1: a byte of a buffer
	AddressForm              // addr_0
	FreshForm                // addr_fresh: the address of memory that the call allocates
	ResultForm               // ret
	// ret_into: 1 plus the index of the argument that the result points into
	ResultIntoForm
	WrittenForm    // out_0.1: a byte after the call
	StoredForm     // out_0: the pointer that the call stores there
	StoredIntoForm // out_0_into
)

var (
	sourceKinds = map[Form]sourceKind{ArgumentForm: numberOf, ByteForm: byteOf, AddressForm: addressOf, FreshForm: addressOfFresh}
	resultKinds = map[Form]resultKind{ResultForm: ret, ResultIntoForm: retInto, WrittenForm: outByte, StoredForm: outPointer, StoredIntoForm: outInto}
)

var constantForm = lazyregexp.New(`^(?:arg_(\d+)(?:\.(-?\d+))?|(ret|ret_into)|out_(\d+)(?:\.(-?\d+)|(_into))?|addr_(\d+|fresh)|(free_\d+))$`)

// ParseName parses the name of a constant.
func ParseName(name string) Name {
	w := constantForm().FindStringSubmatch(name)
	number := func(text string) int {
		n, _ := strconv.Atoi(text) // only digits; too many give the nearest number
		return n
	}
	switch {
	case w == nil:
		return Name{Form: UnnamedForm, Arg: -1}
	case w[8] != "":
		return Name{Form: FreeForm, Arg: -1}
	case w[2] != "":
		return Name{ByteForm, number(w[1]), number(w[2])}
	case w[1] != "":
		return Name{ArgumentForm, number(w[1]), 0}
	case w[3] == "ret":
		return Name{Form: ResultForm, Arg: -1}
	case w[3] != "":
		return Name{Form: ResultIntoForm, Arg: -1}
	case w[5] != "":
		return Name{WrittenForm, number(w[4]), number(w[5])}
	case w[6] != "":
		return Name{StoredIntoForm, number(w[4]), 0}
	case w[4] != "":
		return Name{StoredForm, number(w[4]), 0}
	case w[7] == "fresh":
		return Name{Form: FreshForm, Arg: -1}
	}
	return Name{AddressForm, number(w[7]), 0}
}
