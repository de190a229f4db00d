package oracle

import "reflect"

// The class of an error: its dynamic type, the sentinel it wraps, and the
// class of its message.

// maxUnwrap ends chains of errors that wrap themselves.
const maxUnwrap = 100

// classOf returns the class of an error with this type and message, followed by those of its
// sentinel. These are empty without a sentinel.
func classOf(kind, msg, innerKind, innerMsg string) uint64 {
	h := byteHashStart.text(kind).byte(0)
	h = messageHash(h, msg).byte(0)
	if innerKind != "" {
		h = h.text(innerKind).byte(0)
		h = messageHash(h, innerMsg)
	}
	return hash(0).word(uint64(h)).sum()
}

// classMemory caches the classes of recent errors. Most inputs of a campaign are rejected with
// earlier messages, and hashing a message is several times faster than removing its values. The
// cache allocates nothing except what the target's Error and Unwrap allocate.
type classMemory struct {
	slots [1024]struct{ key, class uint64 }
}

func (m *classMemory) class(err error) uint64 {
	kind, msg, innerKind, innerMsg := typeName(err), err.Error(), "", ""
	key := hash(0).text(kind).text(msg)
	if inner := sentinel(err); inner != nil {
		innerKind, innerMsg = typeName(inner), inner.Error()
		key = key.text(innerKind).text(innerMsg)
	}
	k := key.sum() | 1 // zero marks an empty slot
	s := &m.slots[k>>1%uint64(len(m.slots))]
	if s.key != k {
		s.key, s.class = k, classOf(kind, msg, innerKind, innerMsg)
	}
	return s.class
}

func typeName(err error) string { return reflect.TypeOf(err).String() }

// sentinel returns the innermost error that err wraps, or nil if it wraps none. If several are
// wrapped at once, it follows the first.
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
