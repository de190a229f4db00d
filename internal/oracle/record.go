package oracle

import (
	"strings"
	"unicode/utf8"
)

// Record is what the calls returned that a fuzz target made into the code under test, in their order. Of each it folds the call's
// number and the canonical form of its results into one digest. A value is walked when it is recorded, since who called may change
// it afterwards. An error counts by its class, which its own code takes part in: Digest and Text ask for it.
//
// The zero Record is ready, and Begin makes it ready again. It is not safe for concurrent use.
type Record struct {
	hash    hash
	calls   int // recorded or not
	nodes   int // of the values that were walked
	errors  []error
	failing hash // which calls returned errors
	walker  walker
	texts   []any // that the walker has come by
	classes *classMemory

	detail bool
	told   []told
	size   int // of what is told
}

// told is a call as people see it.
type told struct {
	call    string
	results []toldResult
}

// toldResult is a rendered value or, in its place, an error.
type toldResult struct {
	text  string // with marks for texts
	texts []any
	err   error
}

// What a loop records ends somewhere: calls beyond maxCalls are counted, and values that come when maxNodes have been walked are not
// walked any more. Of what people see a result has renderLimit bytes, and all of them toldLimit.
const (
	maxCalls    = 4096
	renderLimit = 4 << 10
	toldLimit   = 64 << 10
)

// Versions is that of Result.
func (r *Record) Versions(ignore []string) { r.walker.versions(ignore) }

// Outside is that of Result. The texts are asked for by Digest and Text.
func (r *Record) Outside(modules []string) { r.walker.outside(modules) }

// Begin forgets everything. With detail, what is recorded can be told.
func (r *Record) Begin(detail bool) {
	r.hash, r.failing, r.calls, r.nodes, r.detail, r.size = 0, 0, 0, 0, detail, 0
	clear(r.errors)
	r.errors = r.errors[:0]
	clear(r.texts)
	r.texts, r.told = r.texts[:0], nil
	r.walker.texts = &r.texts
}

// Call begins the results of a call. Name is for people. It reports false for one that is only counted.
func (r *Record) Call(number uint64, name string) bool {
	r.calls++
	if r.calls > maxCalls {
		return false
	}
	r.hash = r.hash.word(tagSlots).word(number)
	if r.detail && r.size < toldLimit {
		r.told = append(r.told, told{call: name})
		r.size += len(name)
	}
	return true
}

// Value records a result.
func (r *Record) Value(v any) {
	if r.nodes < maxNodes {
		r.walker.reset()
		r.walker.value(v)
		r.nodes += r.walker.nodes
		r.hash = r.hash.word(r.walker.hash.sum())
	} else {
		r.hash = r.hash.word(tagTruncated)
	}
	if r.detail && r.size < toldLimit { // what is allocated here counts for the program (worker/cost.go)
		r.tell(r.render(func(w *walker) { w.value(v) }))
	}
}

// Pointed records what an argument points to after the call.
func (r *Record) Pointed(v any) {
	r.hash = r.hash.word(tagPointer)
	r.Value(v)
	if r.detail && len(r.told) > 0 && r.size < toldLimit {
		list := r.told[len(r.told)-1].results
		list[len(list)-1].text = "into " + list[len(list)-1].text
	}
}

// String, Bytes, Bool, Int and Uint record a result as Value does, without a box for it.

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
	r.hash = r.hash.word(r.walker.hash.sum())
	if r.detail && r.size < toldLimit {
		r.tell(r.render(func(w *walker) { w.slot(&s) }))
	}
}

// Error records a result of type error. None of its methods is called before Digest or Text.
func (r *Record) Error(err error) {
	if err == nil {
		r.hash = r.hash.word(tagNil)
	} else {
		r.hash = r.hash.word(tagDiscrepancy)
		r.errors = append(r.errors, err)
		r.failing = r.failing.word(uint64(r.calls))
	}
	if r.detail {
		r.tell(toldResult{text: "nil", err: err})
	}
}

func (r *Record) tell(t toldResult) {
	if len(r.told) == 0 || r.size >= toldLimit {
		return
	}
	last := &r.told[len(r.told)-1]
	last.results = append(last.results, t)
	r.size += len(t.text)
}

// render is a value for people.
func (r *Record) render(walk func(*walker)) (t toldResult) {
	w := walker{render: true, limit: renderLimit, ignored: r.walker.ignored, modules: r.walker.modules, texts: &t.texts}
	w.reset()
	walk(&w)
	t.text = string(w.text)
	if len(w.text) > renderLimit || w.over {
		t.text = shorten(t.text, renderLimit) + "..."
	}
	return t
}

// Digest is one number for all that was recorded. It calls Error and Unwrap of errors; should they panic, the panic is the caller's
// to recover.
func (r *Record) Digest() uint64 {
	h := r.hash
	for _, err := range r.errors {
		if r.classes == nil {
			r.classes = new(classMemory)
		}
		h = h.word(r.classes.class(err))
	}
	for _, text := range r.texts {
		w := walker{hash: h}
		w.said(text)
		h = w.hash
	}
	return h.word(uint64(r.calls)).sum()
}

// Failures says which of the calls returned errors, and in its low bits how many errors there were: see FailureCount. It is 0 without errors.
func (r *Record) Failures() uint64 {
	if len(r.errors) == 0 {
		return 0
	}
	return r.failing.sum()&^failureCounts | uint64(min(len(r.errors), failureCounts))
}

// failureCounts are the bits of Failures that count.
const failureCounts = 1<<16 - 1

// FailureCount is how many errors the calls returned of which an acceptance has Failures as its class, 65,535 at most.
func FailureCount(class uint64) int { return int(class & failureCounts) }

// Text tells what was recorded, a line for each call, if Begin was asked for it. Limit is its length in bytes at most, but for the
// mark that something is missing. Panics of the target's Error are the caller's, as in Digest.
func (r *Record) Text(limit int) (text string, truncated bool) {
	var b strings.Builder
	for i, c := range r.told {
		if i > 0 {
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
	if more := r.calls - len(r.told); more > 0 || r.size >= toldLimit || len(text) > limit {
		return shorten(text, limit) + "\n...", true
	}
	return text, false
}

// Calls is how many calls there were, recorded or not.
func (r *Record) Calls() int { return r.calls }

// shorten cuts a text at a rune.
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
