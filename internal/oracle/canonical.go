package oracle

import (
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
)

// The canonical form of values has two representations: a digest for the worker's loop and a
// rendering for users. One traversal (walk.go, reflect.go, container.go) produces both from the
// tokens below, so that they cannot drift apart.
//
//   - integers of all widths and signs by numeric value; floats apart from integers, float32
//     widened, all NaN equal, -0 and 0 distinct
//   - string, []byte and byte arrays are one class: text
//   - slices and arrays are one class; nil equals empty, for maps too
//   - named types by their kind, so json.Number is a string
//   - structs by type name and all fields, including unexported ones, except blank ones
//   - with Outside, unexported fields count only in types of the standard library; a struct without
//     other fields is its text (MarshalText, String)
//   - maps as sets of entries; a deep map or slice that contains itself ends at the inner
//     occurrence, as the number of levels between the two
//   - pointers are followed and marked; a pointer to an enclosing value is the number of pointers
//     between the two
//   - a nil pointer, a nil interface and an empty container are distinct
//   - time.Time by instant, *time.Location by name
//   - functions, channels and unsafe pointers: nil or not
//   - the contents of locks, pools and seeds (sync, hash/maphash) do not count

const (
	// maxNodes and maxDepth end hostile values. encoding/json stops at a depth of 10000, and a
	// million nodes take some 10 ms; ordinary values stay far below both. Beyond maxDepth, a value
	// is the token "truncated". At maxNodes, the walk ends with that token, which replaces the
	// outermost map in progress, if any. The map's size does not depend on its order, but the
	// entries seen first do.
	maxNodes = 1_000_000
	maxDepth = 1_000
)

// walker computes the canonical form of one value at a time.
type walker struct {
	hash     hash   // the digest, if render is false
	text     []byte // the rendering, if render is true
	render   bool
	limit    int  // of the rendering, in bytes; 0 means no limit
	full     bool // the rendering has reached its limit
	over     bool // maxNodes is reached
	nodes    int
	depth    int
	maps     int // maps in progress
	path     []step
	index    [pathBuckets]int // of the last step on the path, plus 1, by address
	pointers int              // pointers in progress
	plans    map[reflect.Type]*plan
	bytes    []byte // scratch
	// Parts of the values since begin.
	parts  Parts
	inner  int  // number of parts so far
	result hash // the call and the number of the result
	cut    bool // a value was not walked to its end, so that its parts depend on the order of maps
	// Fields to omit, by type and name. Nil means that all values have the same version of their
	// types.
	ignored map[string]bool
	modules []string // modules whose unexported fields do not count; nil means that all count
	// Collects values whose texts are needed later. Nil means that texts are taken at once.
	texts *[]laterText
}

// begin clears the parts.
func (w *walker) begin() { w.parts, w.inner, w.result, w.cut = Parts{}, 0, 0, false }

func (w *walker) reset() {
	w.hash, w.text = 0, w.text[:0]
	w.full, w.over = false, false
	w.nodes, w.depth, w.maps = 0, 0, 0
	if len(w.path) > 0 { // a walk that ended by a panic
		w.path, w.index, w.pointers = w.path[:0], [pathBuckets]int{}, 0
	}
}

// versions makes the walker compare structs as Result.Versions describes.
func (w *walker) versions(ignore []string) {
	w.ignored = map[string]bool{}
	for _, f := range ignore {
		w.ignored[f] = true
	}
}

// outside makes the walker compare structs as Result.Outside describes.
func (w *walker) outside(modules []string) { w.modules = modules }

// stop reports whether the result is final.
func (w *walker) stop() bool { return w.over || w.full }

// node counts a node. It reports false if the node must not be walked.
func (w *walker) node() bool {
	if w.stop() {
		return false
	}
	if w.nodes++; w.nodes > maxNodes {
		w.over, w.cut = true, true
		if w.maps == 0 {
			w.atom(tagTruncated, "truncated")
		}
		return false
	}
	return true
}

// enter begins a container. It reports false if the container is too deep. After true, the caller
// must call leave.
func (w *walker) enter() bool {
	if w.depth == maxDepth {
		w.atom(tagTruncated, "truncated")
		return false
	}
	w.depth++
	return true
}

func (w *walker) leave() { w.depth-- }

// put writes to the rendering. It keeps one byte more than the limit, to distinguish a text that
// fits from one that does not.
func (w *walker) put(s string) {
	if !w.render || w.full {
		return
	}
	if w.limit > 0 && len(w.text)+len(s) > w.limit {
		w.full = true
		s = s[:w.limit+1-len(w.text)]
	}
	w.text = append(w.text, s...)
}

// Methods that emit tokens.

func (w *walker) atom(tag uint64, text string) {
	if w.render {
		w.put(text)
		return
	}
	w.hash = w.hash.word(tag)
}

func (w *walker) bool(v bool) {
	if v {
		w.atom(tagBool|1<<8, "true")
	} else {
		w.atom(tagBool, "false")
	}
}

func (w *walker) int(v int64) {
	switch {
	case v >= 0:
		w.uint(uint64(v))
	case w.render:
		w.put(strconv.FormatInt(v, 10))
	default:
		w.hash = w.hash.word(tagNegative).word(uint64(v))
	}
}

func (w *walker) uint(v uint64) {
	if w.render {
		w.put(strconv.FormatUint(v, 10))
		return
	}
	w.hash = w.hash.word(tagNatural).word(v)
}

func (w *walker) float(v float64) {
	if w.render {
		w.put(floatText(v))
		return
	}
	w.hash = w.hash.word(tagFloat).word(floatBits(v))
}

func (w *walker) complex(v complex128) {
	if w.render {
		w.put("(" + floatText(real(v)) + ", " + floatText(imag(v)) + "i)")
		return
	}
	w.hash = w.hash.word(tagComplex).word(floatBits(real(v))).word(floatBits(imag(v)))
}

// floatBits returns one bit pattern for all NaN.
func floatBits(v float64) uint64 {
	if v != v {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(v)
}

// floatText formats a float so that it never looks like an integer.
func floatText(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '-' && !isDigit(c) {
			return text
		}
	}
	return text + ".0"
}

func (w *walker) string(v string) {
	if w.render {
		w.put(strconv.Quote(v[:w.quoted(len(v))]))
		return
	}
	w.hash = w.hash.text(v)
}

func (w *walker) byteText(v []byte) {
	if w.render {
		w.put(strconv.Quote(string(v[:w.quoted(len(v))])))
		return
	}
	w.hash = w.hash.bytes(v)
}

// quoted returns how much of a text of n bytes can matter for the rendering. Quoting never shortens
// a text. The cut rune begins beyond the limit.
func (w *walker) quoted(n int) int {
	if w.limit > 0 && n > w.limit+utf8.UTFMax {
		return w.limit + utf8.UTFMax
	}
	return n
}

// instant emits a time, in seconds since 1970 and nanoseconds within the second.
func (w *walker) instant(sec, nsec int64) {
	if !w.render {
		w.hash = w.hash.word(tagTime).word(uint64(sec)).word(uint64(nsec))
		return
	}
	t := time.Unix(sec, nsec).UTC()
	if year := t.Year(); 0 <= year && year <= 9999 {
		w.put("time(" + t.Format(time.RFC3339Nano) + ")")
		return
	}
	w.put("time(" + strconv.FormatInt(sec, 10) + " s, " + strconv.FormatInt(nsec, 10) + " ns)")
}

// open begins a container of n elements, which follow.
func (w *walker) open(tag uint64, n int, text string) {
	if w.render {
		w.put(text)
		return
	}
	w.hash = w.hash.word(tag | uint64(n)<<8)
}

// comma separates the elements of a rendering.
func (w *walker) comma(i int) {
	if i > 0 {
		w.put(", ")
	}
}
