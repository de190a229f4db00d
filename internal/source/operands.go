package source

import (
	"unicode/utf8"

	"parallax/internal/cmplog"
	"parallax/internal/mutate"
	"parallax/internal/tape"
)

// Operands writes compared operands into the values of tapes, so that one comparison has another
// outcome. It is CmpLog for tapes (REDQUEEN, NDSS 2019, section III.A). It searches a compared
// number in the choices that encode it. A number from zero on encodes itself, and a signed one is
// in zigzag code (gen.Int). A number of another range is its distance to the range's start. It
// searches a compared text, or bytes, in the lists that were drawn as text. It skips values that
// the choice's bound does not admit. The rest of the tape stays. Missing choices are drawn as
// simple as possible, so that no chance is involved.
type Operands struct {
	Taped
	From   Comparisons
	Deadly map[string]bool // inputs that have ended processes

	todo  []int     // corpus inputs with unrecorded comparisons; the last one is next
	old   []int     // such inputs kept by an earlier process; used when todo is empty
	base  tape.Tape // the input that writes belong to
	index int       // its index
	next  []write

	spent int // turns (schedule.UsualCost) of its writes beyond one each

	places map[uint64][]int // its value choices by value
	values []int            // all of these except runes
	lists  []tape.List
	texts  []string // texts of lists
	known  map[write]bool
}

// write is a new value of one choice, or a new text of one list.
type write struct { // -1 for a list
	choice int // -1: a list
	value  uint64
	list   int
	text   string
}

const (
	maxWrites = 512 // per input
	maxPlaces = 8   // choices per operand
	fewValues = 12  // up to this many values, each is tried as part of a range with any start
	maxTexts  = 64
)

// Added adds an input of the corpus, as CmpLog.Added does.
func (o *Operands) Added(index int, replayed bool) {
	if replayed {
		o.old = append(o.old, index)
		return
	}
	o.todo = append(o.todo, index)
}

// Ready implements Waiting.
func (o *Operands) Ready() bool {
	return (len(o.next) > 0 || len(o.todo)+len(o.old) > 0) && o.From.Ready()
}

// Propose implements Source.
func (o *Operands) Propose(s *Step) bool {
	for {
		if len(o.next) == 0 {
			switch {
			case len(o.todo) > 0:
				o.solve(pop(&o.todo))
			case len(o.old) > 0:
				o.solve(pop(&o.old))
			default:
				return false
			}
			continue
		}
		w := o.next[0]
		o.next = o.next[1:]
		t := o.written(&w)
		if t == nil {
			continue
		}
		if s.Flat = t.Append(s.Flat[:0]); len(s.Flat) <= o.MaxBytes && !o.Deadly[string(s.Flat)] {
			s.Parent, s.Determined = o.index, true
			s.Ops = append(s.Ops, mutate.OpCmpLog)
			s.Notify(o)
			return true
		}
	}
}

// Done implements Source. If an input's writes cost too much, the rest of them is dropped.
func (o *Operands) Done(s *Step, r Result) {
	if s.Parent != o.index {
		return
	}
	if o.spent += max(r.Turns, 1) - 1; o.spent >= patience {
		o.next = o.next[:0]
	}
}

// written returns the input with w applied, or nil if that is impossible.
func (o *Operands) written(w *write) *tape.Tape {
	var t *tape.Tape
	if w.choice >= 0 {
		t = o.edit.Copy(&o.base)
		t.Choices[w.choice].Value = w.value
	} else {
		l := &o.lists[w.list]
		t = o.edit.Write(&o.base, l, elements(w.text, l.Bound))
	}
	if t != nil {
		t.Rest = 0
	}
	return t
}

// solve records the comparisons of an input and collects its writes.
func (o *Operands) solve(index int) {
	flat := (*o.Corpus)[index]
	o.index, o.next, o.spent = index, o.next[:0], 0
	if o.base.Decode(flat) != nil {
		return
	}
	o.read()
	if len(o.places) == 0 {
		return
	}
	o.known = map[write]bool{}
	for _, c := range o.From.Compare(flat) {
		if len(o.next) >= maxWrites {
			break
		}
		if c.Width > 0 {
			o.numbers(&c)
		} else {
			o.text(c.S, c.T)
			o.text(c.T, c.S)
		}
	}
	o.known = nil
}

// read collects the parts of the input that may encode an operand.
func (o *Operands) read() {
	o.places, o.values, o.texts = map[uint64][]int{}, o.values[:0], o.texts[:0]
	for i := range o.base.Choices {
		if c := &o.base.Choices[i]; c.Channel == tape.Value && c.Bound > 0 {
			if c.Bound != tape.Runes {
				o.values = append(o.values, i)
			}
			if at := o.places[c.Value]; len(at) < maxPlaces {
				o.places[c.Value] = append(at, i)
			}
		}
	}
	o.lists = o.base.Lists(o.base.Lists(o.lists[:0], tape.Runes), 255)
	for i := range o.lists {
		o.texts = append(o.texts, textOf(&o.lists[i]))
	}
}

// numbers adds writes of each operand over the other. For ordered and equal operands it adds the
// adjacent numbers too.
func (o *Operands) numbers(c *cmplog.Comparison) {
	a, b := c.A, c.B
	if shift := 64 - 8*uint(c.Width); c.Signed && shift < 64 {
		a, b = uint64(int64(a<<shift)>>shift), uint64(int64(b<<shift)>>shift)
	}
	if a == b && c.Kind != cmplog.IntOrder && c.Kind != cmplog.IntEqual {
		return
	}
	for _, pair := range [][2]uint64{{a, b}, {b, a}} {
		near := []uint64{pair[1]}
		if c.Kind == cmplog.IntOrder || a == b { // equal operands also become unequal
			near = append(near, pair[1]+1, pair[1]-1)
		}
		for _, n := range near {
			o.number(pair[0], n, c.Signed)
		}
	}
}

// number adds writes of wanted over is.
func (o *Operands) number(is, wanted uint64, signed bool) {
	if signed {
		for _, i := range o.places[zigzag(int64(is))] {
			o.put(i, zigzag(int64(wanted)))
		}
	}
	if !signed || int64(wanted) >= 0 {
		for _, i := range o.places[is] {
			o.put(i, wanted)
		}
	}
	if len(o.values) <= fewValues {
		for _, i := range o.values {
			o.put(i, o.base.Choices[i].Value+wanted-is)
		}
	}
}

// zigzag returns the index of n in the sequence 0, 1, -1, 2, -2 and so on.
func zigzag(n int64) uint64 {
	if n > 0 {
		return 2*uint64(n) - 1
	}
	return 2 * -uint64(n)
}

// put adds a write of a choice, if its bound admits the value.
func (o *Operands) put(choice int, value uint64) {
	c := &o.base.Choices[choice]
	w := write{choice: choice, value: value}
	if value <= c.Bound && value != c.Value && !o.known[w] && len(o.next) < maxWrites {
		o.known[w] = true
		o.next = append(o.next, w)
	}
}

// text adds writes of wanted over lists with the text is.
func (o *Operands) text(is, wanted string) {
	if is == "" || is == wanted {
		return
	}
	for i := 0; i < len(o.texts) && i < maxTexts; i++ {
		w := write{choice: -1, list: i, text: wanted}
		if o.texts[i] == is && !o.known[w] && len(o.next) < maxWrites {
			o.known[w] = true
			o.next = append(o.next, w)
		}
	}
}

// textOf returns the text of a list: runes, or bytes.
func textOf(l *tape.List) string {
	b := make([]byte, 0, len(l.Values))
	for _, v := range l.Values {
		if l.Bound == tape.Runes {
			b = utf8.AppendRune(b, tape.RuneAt(v))
		} else {
			b = append(b, byte(v))
		}
	}
	return string(b)
}

// elements returns the list values that are drawn as a text.
func elements(text string, bound uint64) (values []uint64) {
	if bound != tape.Runes {
		for i := 0; i < len(text); i++ {
			values = append(values, uint64(text[i]))
		}
		return values
	}
	for _, r := range text {
		values = append(values, tape.RunePlace(r))
	}
	return values
}
