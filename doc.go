// Package parallax compares implementations of one specification inside an ordinary fuzz test:
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
// Under go test, Diff replays the seeds and the files of testdata/fuzz/FuzzValid. It fails on an
// input on which the implementations disagree. Two engines search for such inputs: Go's own (go
// test -fuzz=FuzzValid), and parallax diff, which is guided by the differences in the
// implementations' behavior.
//
// # What is compared
//
// An implementation is a function of one or more parameters of Go's fuzzing types: []byte, string,
// bool, integers and floats, and named types over them. All implementations take the same types,
// except that []byte and string are interchangeable. A trailing variadic parameter receives no
// arguments.
//
// A function such as json.Unmarshal decodes into its last parameter. This holds if that parameter
// has type any and is not the only one, and the function returns nothing or an error last. Diff
// passes a pointer to an any, and the decoded value follows the results.
//
// The results decide the outcome of an input. If the last result is an error, nil accepts the input
// and any other error rejects it. If the last or only result is a bool, true accepts and false
// rejects. Functions without either always accept. All results before the last error or bool are
// values. An error that wraps [ErrDeclined] declines the input: the implementation takes no part in
// the comparison. A panic is a failure by itself.
//
// [Layers] chooses the layers that must agree. The verdict is whether an input is accepted. The
// value layer compares the values of the implementations that accept. The class layer compares the
// kinds of errors, and is off by default. Values are equal when their canonical forms are: maps
// without order, pointers followed, nil and empty slices alike, times by instant. Their types must
// be identical or be trees of basic kinds. [Normalize] converts values of other types.
//
// The package runs inside test binaries, depends on the standard library only, and starts no
// processes.
package parallax
