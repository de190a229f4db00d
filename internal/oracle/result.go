package oracle

import "errors"

// Result is what one program returned for one input. The harness stores the
// results in the order of the signature; nothing of the target's code runs
// until Observe, because the target's coverage is being measured while the
// harness stores. The zero Result is ready; Reset makes it ready again and
// keeps its memory. It is not safe for concurrent use.
//
// The order of the calls is that of the signature. What was stored by
// reference (Bytes, Any, Error) must not change before Observe and Detail.
type Result struct {
	slots    []slot
	err      error
	declines error // an err that wraps it declines
	refused  bool  // Verdict(false)
	declined bool
	later    []normal // in the order of their slots
	digester walker
	classes  *classMemory // made with the first error
}

// normal is a normaliser that a slot waits for.
type normal struct {
	slot int
	fn   func(any) any
}

// slot is one result that is neither the error nor the verdict. A union, so
// that results of basic kinds are stored without boxing.
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

// Reset forgets everything stored, and lets go of what was stored by reference.
func (r *Result) Reset() {
	clear(r.slots)
	r.slots = r.slots[:0]
	clear(r.later)
	r.later = r.later[:0]
	r.err, r.declines, r.refused, r.declined = nil, nil, false, false
}

// Versions has structs compared as those of other versions of their types are: fields in the order of their names, without
// those that are named here, such as yaml.Node.Column. Reset keeps it.
func (r *Result) Versions(ignore []string) {
	r.digester.versions(ignore)
}

// Outside has structs compared by what users of their packages see, where modules are looked at in two versions: unexported fields count of
// the standard library's types alone. A struct that has no others is compared by its text, if it has one (MarshalText, String), which
// Observe and Detail ask it for. Reset keeps it.
func (r *Result) Outside(modules []string) { r.digester.outside(modules) }

// Error stores the last result, of type error. Non-nil means rejected.
func (r *Result) Error(err error) { r.err = err }

// ErrorOrDecline stores the last result, of type error, like Error. An error
// that wraps declines says that the program declined the input.
func (r *Result) ErrorOrDecline(err, declines error) { r.err, r.declines = err, declines }

// Verdict stores a sole or last result of type bool. False means rejected.
func (r *Result) Verdict(ok bool) { r.refused = !ok }

// Decline says that the program declined the input (t.Skip).
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

// Bytes stores a result, by reference.
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

// Normalized stores a result that fn replaces before it is compared. It is
// called at most once, by Observe or Detail, and only if the program accepted.
func (r *Result) Normalized(v any, fn func(any) any) {
	r.later = append(r.later, normal{len(r.slots), fn})
	r.Any(v)
}

// normalize replaces what waits for it.
func (r *Result) normalize() {
	for i, n := range r.later {
		r.later[i].fn = nil // a panic is no reason to call it again
		if n.fn != nil {
			r.slots[n.slot].any = n.fn(r.slots[n.slot].any)
		}
	}
}

// Outcome is declined, rejected or accepted; the other outcomes are not
// returned by programs but happen to them. It may call Is and Unwrap of the
// target's error.
func (r *Result) Outcome() Outcome {
	switch {
	case r.declined || r.err != nil && r.declines != nil && errors.Is(r.err, r.declines):
		return Declined
	case r.err != nil || r.refused:
		return Rejected
	}
	return Accepted
}

// Observe digests the result: the class of the error if it was rejected, and
// with values the digest of the canonical value if it was accepted. It calls
// normalisers, and Error, Is and Unwrap of the target's error; should they
// panic, the panic is the caller's to recover (the program crashed), and the
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
		r.digester.slots(r.slots)
		o.Value = r.digester.hash.sum()
	}
	return o
}

// Text is what an accepted result is compared by where programs of other languages stand beside it: a sole text as it is, nothing
// as an empty text, and everything else as marshal has it, several results as a list. Normalisers are called, and may panic.
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

// ErrorText is the message of a rejection's error; empty without one.
func (r *Result) ErrorText() string {
	if r.err == nil {
		return ""
	}
	return r.err.Error()
}

// Detail is a result as it stands in a finding's files.
type Detail struct {
	Outcome    string `json:"outcome,omitempty"`
	Error      string `json:"error,omitempty"`       // the message
	ErrorType  string `json:"error_type,omitempty"`  // its dynamic type
	ErrorClass string `json:"error_class,omitempty"` // the message without numbers and quoted parts
	Sentinel   string `json:"sentinel,omitempty"`    // type and message class of the innermost error that it wraps
	Value      string `json:"value,omitempty"`       // the canonical value of an accepted result
	Truncated  bool   `json:"truncated,omitempty"`   // something above was cut to the limit
}

// Detail renders the result for people: each text is at most limit bytes long
// (0: no limit). Two accepted results have the same untruncated Value exactly
// if they have the same digest, but for numbers and quoted parts of what a
// method that panics or fails says where the text of a struct is asked for
// (see Outside). Two errors have the same class exactly if ErrorType,
// ErrorClass and Sentinel are the same. Panics of the target's Error are the
// caller's, as in Observe.
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
