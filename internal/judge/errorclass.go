package judge

import "reflect"

// The class of an error: its dynamic type, the sentinel it wraps, and the
// class of its message.

// maxUnwrap ends chains of errors that wrap themselves.
const maxUnwrap = 100

// errorClass hashes the class of err. Beyond what Error and Unwrap of the
// target allocate it allocates nothing.
func errorClass(err error) uint64 {
	h := byteHashStart.text(typeName(err)).byte(0)
	h = messageHash(h, err.Error()).byte(0)
	if inner := sentinel(err); inner != nil {
		h = h.text(typeName(inner)).byte(0)
		h = messageHash(h, inner.Error())
	}
	return hash(0).word(uint64(h)).sum()
}

func typeName(err error) string { return reflect.TypeOf(err).String() }

// sentinel returns the innermost error that err wraps, nil if it wraps none.
// Of several wrapped at once it follows the first.
func sentinel(err error) error {
	var inner error
	for i := 0; i < maxUnwrap; i++ {
		var next error
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			next = e.Unwrap()
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				if one != nil {
					next = one
					break
				}
			}
		}
		if next == nil {
			break
		}
		err, inner = next, next
	}
	return inner
}
