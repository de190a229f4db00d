package oracle

import "errors"

// Result collects the results of one program for one input. The harness stores the results in the
// order of the signature. No code of the target runs before Observe, since its coverage is measured
// while the harness stores. The zero Result is ready. Reset makes it ready again and keeps its
// memory. It is not safe for concurrent use.
//
// Values stored by reference (Bytes, Any, Error) must not change before Observe and Detail.
type Result struct {
	slots    []slot
	err      error
	declines error // an err that wraps it declines
	refused  bool  // Verdict(false)
	declined bool
	pending  []pendingNormalizer // in the order of their slots
	digester walker
	classes  *classMemory // made with the first error
}

// pendingNormalizer is a normalizer for the value of a slot.
type pendingNormalizer struct {
	slot int
	fn   func(any) any
}

// slot is one result other than the error and the verdict. It is a union, so that results of basic
// kinds are stored without boxing.
type slot struct {
	kind  slotKind
	bits  uint64 // of a bool, an integer or a float
	text  string
	bytes []byte
	any   any
}

type slotKind uint8

const (
	slotBool slotKind = iota
	slotString
	slotBytes
	slotInt
	slotUint
	slotFloat
	slotAny
)

// Reset removes all results and drops the references.
func (r *Result) Reset() {
	clear(r.slots)
	r.slots = r.slots[:0]
	clear(r.pending)
	r.pending = r.pending[:0]
	r.err, r.declines, r.refused, r.declined = nil, nil, false, false
}

// Versions makes the comparison independent of the version of a struct's type. Fields are sorted by
// name, without those in ignore, such as yaml.Node.Column. Reset keeps this setting.
func (r *Result) Versions(ignore []string) {
	r.digester.versions(ignore)
}

// Outside makes the comparison of structs use only what users of their packages see. modules are
// the modules that are compared in two versions. Unexported fields count only in types of the
// standard library. A struct without other fields is compared by its text (MarshalText, String), if
// it has one. Observe and Detail call these methods. Reset keeps this setting.
func (r *Result) Outside(modules []string) { r.digester.outside(modules) }

// Error stores the last result, of type error. Non-nil means rejected.
func (r *Result) Error(err error) { r.err = err }

// ErrorOrDecline stores the last result, of type error, like Error. An error that wraps declines
// means that the program declined the input.
func (r *Result) ErrorOrDecline(err, declines error) { r.err, r.declines = err, declines }

// Verdict stores a sole or last result of type bool. False means rejected.
func (r *Result) Verdict(ok bool) { r.refused = !ok }

// Decline marks the input as declined by the program (t.Skip).
func (r *Result) Decline() { r.declined = true }

// Bool stores a result.
func (r *Result) Bool(v bool) {
	s := slot{kind: slotBool}
	if v {
		s.bits = 1
	}
	r.slots = append(r.slots, s)
}

// String stores a result. (It does not make Result a fmt.Stringer.)
func (r *Result) String(v string) { r.slots = append(r.slots, slot{kind: slotString, text: v}) }

// Bytes stores a result by reference.
func (r *Result) Bytes(v []byte) { r.slots = append(r.slots, slot{kind: slotBytes, bytes: v}) }

// Int stores a result of any signed integer kind.
func (r *Result) Int(v int64) { r.slots = append(r.slots, slot{kind: slotInt, bits: uint64(v)}) }

// Uint stores a result of any unsigned integer kind.
func (r *Result) Uint(v uint64) { r.slots = append(r.slots, slot{kind: slotUint, bits: v}) }

// Float stores a result of a float kind.
func (r *Result) Float(v float64) {
	r.slots = append(r.slots, slot{kind: slotFloat, bits: floatBits(v)})
}

// Any stores a result of any other type.
func (r *Result) Any(v any) { r.slots = append(r.slots, slot{kind: slotAny, any: v}) }

// Normalized stores a result that fn replaces before the comparison. Observe or Detail calls fn at
// most once, and only if the program accepted.
func (r *Result) Normalized(v any, fn func(any) any) {
	r.pending = append(r.pending, pendingNormalizer{len(r.slots), fn})
	r.Any(v)
}

// normalize applies the pending normalizers.
func (r *Result) normalize() {
	for i, n := range r.pending {
		r.pending[i].fn = nil // after a panic, it is not called again
		if n.fn != nil {
			r.slots[n.slot].any = n.fn(r.slots[n.slot].any)
		}
	}
}

// Outcome returns declined, rejected or accepted. The other outcomes happen to programs without a
// return. It may call Is and Unwrap of the target's error.
func (r *Result) Outcome() Outcome {
	switch {
	case r.declined || r.err != nil && r.declines != nil && errors.Is(r.err, r.declines):
		return Declined
	case r.err != nil || r.refused:
		return Rejected
	}
	return Accepted
}

// Observe digests the result. A rejection has the class of its error. With values, an acceptance
// has the digest of the canonical value. Observe calls normalizers, and Error, Is and Unwrap of the
// target's error. The caller must recover their panics, which mean that the program crashed. The
// Result stays usable.
func (r *Result) Observe(values bool) Observation {
	o := Observation{Outcome: r.Outcome()}
	switch {
	case o.Outcome == Rejected && r.err != nil:
		if r.classes == nil {
			r.classes = new(classMemory)
		}
		o.Class = r.classes.class(r.err)
	case o.Outcome == Accepted && values:
		r.normalize()
		r.digester.reset()
		r.digester.begin()
		r.digester.slots(r.slots)
		if o.Value = r.digester.hash.sum(); !r.digester.cut {
			o.Parts = r.digester.parts
		}
	}
	return o
}

// Text returns the form in which an accepted result is compared with programs in other languages. A
// single text is used as it is, and no result is an empty text. marshal encodes all others; several
// results are a list. Text calls normalizers, which may panic.
func (r *Result) Text(marshal func(any) ([]byte, error)) ([]byte, error) {
	r.normalize()
	list := make([]any, len(r.slots))
	for i := range r.slots {
		switch s := &r.slots[i]; s.kind {
		case slotBool:
			list[i] = s.bits != 0
		case slotString:
			list[i] = s.text
		case slotBytes:
			list[i] = string(s.bytes)
		case slotInt:
			list[i] = int64(s.bits)
		case slotUint:
			list[i] = s.bits
		case slotFloat:
			list[i] = floatFromBits(s.bits)
		default:
			list[i] = s.any
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	if len(list) > 1 {
		return marshal(list)
	}
	switch v := list[0].(type) {
	case string:
		return []byte(v), nil
	case []byte:
		return v, nil
	}
	return marshal(list[0])
}

// ErrorText returns the message of a rejection's error, or "" without one.
func (r *Result) ErrorText() string {
	if r.err == nil {
		return ""
	}
	return r.err.Error()
}

// Detail is a result in the form of a finding's files, where alone the fields with Quoted in their
// names are set.
type Detail struct {
	Outcome     string `json:"outcome"`
	Value       string `json:"value,omitempty"`        // canonical value of an accepted result
	ValueQuoted string `json:"value_quoted,omitempty"` // the value as Go text, if it is not UTF-8
	Error       string `json:"error,omitempty"`        // message
	ErrorQuoted string `json:"error_quoted,omitempty"` // the message as Go text, if it is not UTF-8
	ErrorType   string `json:"error_type,omitempty"`   // dynamic type
	ErrorClass  string `json:"error_class,omitempty"`  // message without numbers and quoted parts
	Sentinel    string `json:"sentinel,omitempty"`     // type and message class of the innermost wrapped error
	Truncated   bool   `json:"truncated,omitempty"`    // a text above was cut to the limit
}

// Detail renders the result for users. Each text has at most limit bytes; 0 means no limit. Two
// accepted results have the same untruncated Value exactly if they have the same digest. Numbers
// and quoted parts in failures of a struct's text method are an exception (see Outside). Two errors
// have the same class exactly if ErrorType, ErrorClass and Sentinel are the same. The caller must
// recover panics of the target's Error, as for Observe.
func (r *Result) Detail(limit int) Detail {
	outcome := r.Outcome()
	d := Detail{Outcome: outcome.String()}
	cut := func(s string) string {
		if limit <= 0 || len(s) <= limit {
			return s
		}
		d.Truncated = true
		return shorten(s, limit)
	}
	switch {
	case outcome == Rejected && r.err != nil:
		msg := r.err.Error()
		d.Error = cut(msg)
		d.ErrorType = cut(typeName(r.err))
		d.ErrorClass = cut(MessageClass(msg))
		if inner := sentinel(r.err); inner != nil {
			d.Sentinel = cut(typeName(inner) + ": " + MessageClass(inner.Error()))
		}
	case outcome == Accepted:
		r.normalize()
		w := walker{render: true, limit: limit, ignored: r.digester.ignored, modules: r.digester.modules}
		w.reset()
		w.slots(r.slots)
		d.Value = cut(string(w.text))
		d.Truncated = d.Truncated || w.over
	}
	return d
}
