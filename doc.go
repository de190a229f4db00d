// Package parallax compares implementations of one thing, inside an ordinary fuzz test:
//
//	func FuzzValid(f *testing.F) {
//		f.Add([]byte(`{"a": [1, 2.5, null]}`))
//		parallax.Diff(f,
//			parallax.Impl("encoding/json", json.Valid),
//			parallax.Impl("mine", mine.Valid),
//			parallax.Accepts(`{}`),
//			parallax.Rejects(`{`),
//		)
//	}
//
// Under go test it replays the seeds and what is in testdata/fuzz/FuzzValid, and fails on an input on which the
// implementations disagree. go test -fuzz=FuzzValid looks for such inputs with Go's own engine, and parallax diff with
// one that is guided by what the implementations do differently.
//
// # What is compared
//
// An implementation is a function of one or more parameters of Go's fuzzing types: []byte, string, bool, integers and
// floats, and named types over them. All take the same, where []byte and string stand for each other. A trailing variadic
// parameter is passed nothing. A last parameter of type any after others, as of json.Unmarshal, in a function that returns
// nothing, or an error last, takes a pointer to an any: what is decoded into it is a value, after the results.
//
// What it returns decides what becomes of an input. A last result of type error: nil is accepted, anything else rejected.
// A last or sole result of type bool: true is accepted, false rejected. Neither: always accepted. Results before that are
// values. An error that wraps [ErrDeclined] says that the implementation does not want the input: it is declined, and takes
// no part in the comparison. A panic is a failure of its own.
//
// [Layers] says what must agree: whether an input is accepted (verdict), the values of those that accept it (value), on
// request also the kinds of errors (class). Values are equal when their canonical forms are: maps without order, pointers
// followed, nil and empty slices alike, time by instant. Their types must be identical or be trees of basic kinds; for
// others, [Normalize] makes something comparable of them.
//
// The package runs inside test binaries, depends on the standard library only, and starts nothing by itself.
package parallax
