package oracle

import (
	"strings"
	"unicode/utf8"
)

// Record accumulates the results of the calls that a fuzz target makes into the code under test, in
// order. For each call, it folds the call's number and the canonical form of the results into one
// digest. Values are walked at once, since the caller may change them later. Errors count by class,
// which needs their own methods: Digest and Text call these.
//
// The zero Record is ready, and Begin makes it ready again. It is not safe for concurrent use.
type Record struct {
	hash    hash
	calls   int // recorded or not
	nodes   int // of the walked values
	errors  []callError
	failing hash // digest of the calls that returned errors
	walker  walker
	texts   []laterText // found by the walker
	peeker  walker
	peeked  int         // nodes of the values that Peek walked
	unread  []laterText // texts that the peeker found
	classes *classMemory
	parts   Parts // of the record that Digest has read

	detail bool
	shown  []shownCall
	size   int // of the rendered calls
}

// callError is an error that a call returned, and the lane of that result.
type callError struct {
	err  error
	lane uint8
}

// shownCall is a call as shown to users.
type shownCall struct {
	call    string
	results []shownResult
}

// shownResult is a rendered value or an error.
type shownResult struct {
	text  string // with marks for texts
	texts []laterText
	err   error
}

// Limits of a record, since targets may loop. Calls beyond maxCalls are only counted. After
// maxNodes, further values are not walked. For users, a result has at most renderLimit bytes, and
// all results shownLimit.
const (
	maxCalls    = 4096
	renderLimit = 4 << 10
	shownLimit  = 64 << 10
)

// Versions does the same as Result.Versions.
func (r *Record) Versions(ignore []string) {
	r.walker.versions(ignore)
	r.peeker.versions(ignore)
}

// Outside does the same as Result.Outside. Digest and Text call the methods that return texts.
func (r *Record) Outside(modules []string) {
	r.walker.outside(modules)
	r.peeker.outside(modules)
}

// Begin clears the record. With detail, Text can show the calls.
func (r *Record) Begin(detail bool) {
	r.hash, r.failing, r.calls, r.nodes, r.peeked, r.detail, r.size = 0, 0, 0, 0, 0, detail, 0
	clear(r.errors)
	r.errors = r.errors[:0]
	clear(r.texts)
	r.texts, r.shown = r.texts[:0], nil
	r.walker.texts = &r.texts
	r.walker.begin()
}

// Call begins the results of a call. The name is for users. It reports false for a call that is
// only counted.
func (r *Record) Call(number uint64, name string) bool {
	r.calls++
	if r.calls > maxCalls {
		return false
	}
	r.hash = r.hash.word(tagSlots).word(number)
	r.walker.result = hash(number)
	if r.detail && r.size < shownLimit {
		r.shown = append(r.shown, shownCall{call: name})
		r.size += len(name)
	}
	return true
}

// Value records a result.
func (r *Record) Value(v any) {
	if r.nodes < maxNodes {
		r.walker.reset()
		inner := r.walker.inner
		r.walker.value(v)
		r.nodes += r.walker.nodes
		r.endResult(inner)
	} else {
		r.hash, r.walker.cut = r.hash.word(tagTruncated), true
	}
	if r.detail && r.size < shownLimit { // these allocations count for the program (worker/cost.go)
		r.show(r.render(func(w *walker) { w.value(v) }))
	}
}

// Peek returns a digest of a value, which it does not record. It calls no methods. After maxNodes,
// it returns 0 for all values.
func (r *Record) Peek(v any) uint64 {
	if r.peeked >= maxNodes {
		return 0
	}
	clear(r.unread)
	r.unread = r.unread[:0]
	r.peeker.texts = &r.unread
	r.peeker.reset()
	r.peeker.value(v)
	r.peeked += r.peeker.nodes
	return r.peeker.hash.sum()
}

// Writes precedes the text of Written for users.
const Writes = "writes "

// Written records text that the call wrote to a buffer of the test.
func (r *Record) Written(text []byte) {
	r.hash = r.hash.word(tagPointer)
	r.walker.reset()
	r.walker.hash = r.walker.hash.bytes(text)
	r.endResult(r.walker.inner)
	if r.detail && r.size < shownLimit {
		t := r.render(func(w *walker) { w.byteText(text) })
		t.text = Writes + t.text
		r.show(t)
	}
}

// Pointed records the target of a pointer argument after the call.
func (r *Record) Pointed(v any) {
	r.hash = r.hash.word(tagPointer)
	r.Value(v)
	if r.detail && len(r.shown) > 0 && r.size < shownLimit {
		list := r.shown[len(r.shown)-1].results
		list[len(list)-1].text = "into " + list[len(list)-1].text
	}
}

// String, Bytes, Bool, Int and Uint record a result as Value does, without boxing it.

// String records a result. (It does not make Record a fmt.Stringer.)
func (r *Record) String(v string) { r.slot(slot{kind: slotString, text: v}) }

// Bytes records a result.
func (r *Record) Bytes(v []byte) { r.slot(slot{kind: slotBytes, bytes: v}) }

// Bool records a result.
func (r *Record) Bool(v bool) {
	s := slot{kind: slotBool}
	if v {
		s.bits = 1
	}
	r.slot(s)
}

// Int records a result of any signed integer kind.
func (r *Record) Int(v int64) { r.slot(slot{kind: slotInt, bits: uint64(v)}) }

// Uint records a result of any unsigned integer kind.
func (r *Record) Uint(v uint64) { r.slot(slot{kind: slotUint, bits: v}) }

func (r *Record) slot(s slot) {
	r.nodes++
	r.walker.reset()
	r.walker.slot(&s)
	r.endResult(r.walker.inner)
	if r.detail && r.size < shownLimit {
		r.show(r.render(func(w *walker) { w.slot(&s) }))
	}
}

// endResult adds the result that the walker has walked. inner is the number of parts before it.
func (r *Record) endResult(inner int) {
	r.walker.endResult(r.hash, inner)
	r.hash = r.walker.hash
}

// Error records a result of type error. It calls none of the error's methods; Digest and Text do.
func (r *Record) Error(err error) {
	if err == nil {
		r.hash = r.hash.word(tagNil)
	} else {
		r.hash = r.hash.word(tagDiscrepancy)
		r.errors = append(r.errors, callError{err, laneOf(r.walker.result, 0)})
		r.failing = r.failing.word(uint64(r.calls))
	}
	r.walker.result = r.walker.result.word(0)
	if r.detail {
		r.show(shownResult{text: "nil", err: err})
	}
}

func (r *Record) show(t shownResult) {
	if len(r.shown) == 0 || r.size >= shownLimit {
		return
	}
	last := &r.shown[len(r.shown)-1]
	last.results = append(last.results, t)
	r.size += len(t.text)
}

// render renders a value for users.
func (r *Record) render(walk func(*walker)) (t shownResult) {
	w := walker{render: true, limit: renderLimit, ignored: r.walker.ignored, modules: r.walker.modules, texts: &t.texts}
	w.reset()
	walk(&w)
	t.text = string(w.text)
	if len(w.text) > renderLimit || w.over {
		t.text = shorten(t.text, renderLimit) + "..."
	}
	return t
}

// Digest returns one number for all records. It calls Error and Unwrap of errors. The caller must
// recover their panics.
func (r *Record) Digest() uint64 {
	h := r.hash
	parts := r.walker.parts
	for _, e := range r.errors {
		if r.classes == nil {
			r.classes = new(classMemory)
		}
		class := r.classes.class(e.err)
		h = h.word(class)
		parts[e.lane] += byte(class>>1) | 1
	}
	for _, text := range r.texts {
		w := walker{}
		w.ownText(text.value)
		sum := w.hash.sum()
		h = h.word(sum)
		parts[text.lane] += byte(sum)
	}
	if r.parts = parts; r.walker.cut {
		r.parts = Parts{}
	}
	return h.word(uint64(r.calls)).sum()
}

// Parts returns the sketch of the results. Digest must be called first.
func (r *Record) Parts() Parts { return r.parts }

// Failures digests which calls returned errors. Its low bits hold the number of errors: see
// FailureCount. It is 0 without errors.
func (r *Record) Failures() uint64 {
	if len(r.errors) == 0 {
		return 0
	}
	return r.failing.sum()&^failureCounts | uint64(min(len(r.errors), failureCounts))
}

// failureCounts masks the low bits of Failures.
const failureCounts = 1<<16 - 1

// FailureCount returns the number of errors from a class of Failures, at most 65,535.
func FailureCount(class uint64) int { return int(class & failureCounts) }

// Text shows the calls, one per line, if Begin enabled it. Calls without results are left out. The
// text has at most limit bytes, plus a mark if it is truncated. The caller must recover panics of
// the target's Error, as for Digest.
func (r *Record) Text(limit int) (text string, truncated bool) {
	var b strings.Builder
	for _, c := range r.shown {
		if len(c.results) == 0 {
			continue // it returns nothing, and changed nothing
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.call + ": ")
		for k, one := range c.results {
			if k > 0 {
				b.WriteString(", ")
			}
			if one.err == nil {
				b.WriteString(withTexts(one.text, one.texts))
				continue
			}
			b.WriteString("error " + typeName(one.err) + ": " + shorten(one.err.Error(), renderLimit))
		}
	}
	text = b.String()
	if more := r.calls - len(r.shown); more > 0 || r.size >= shownLimit || len(text) > limit {
		return shorten(text, limit) + "\n...", true
	}
	return text, false
}

// Calls returns the number of calls, recorded or not.
func (r *Record) Calls() int { return r.calls }

// shorten cuts a text at the begin of a rune.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit
	for end > 0 && end > limit-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
