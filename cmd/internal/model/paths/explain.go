package paths

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt"
)

// maxText limits the text of a term. Longer texts end in dots.
const maxText = 400

// Explanation renders a path's condition and outcome in the notation of C. Unsigned comparisons
// have a u.
type Explanation struct {
	Condition, Outcome string
	Brief              string // the condition, cut to a readable length
}

// Explain renders a path. The explanation of a path that could not be followed is empty.
func (p *Path) Explain(s *call.Signature) (e Explanation) {
	if p.Output == nil {
		return e
	}
	text := func(t *smt.Term) string { return named(t, s) }
	var parts []string
	for _, t := range p.Condition {
		if c := text(t); !slices.Contains(parts, c) { // a path may test the same condition twice
			parts = append(parts, c)
		}
	}
	e.Condition, e.Brief = strings.Join(parts, " && "), brief(parts)
	if len(parts) == 0 {
		e.Condition, e.Brief = "always", "always"
	}
	parts = nil
	switch {
	case s.Result.Kind == "void":
	case p.Output.To != nil:
		parts = append(parts, "returns "+place(s, p.Output.To))
	default:
		parts = append(parts, "returns "+text(p.Output.Ret))
	}
	for i, to := range p.Output.Stored {
		if to != nil {
			parts = append(parts, fmt.Sprintf("stores %s in *%s", place(s, to), s.Arguments[i].Name))
		}
	}
	for i, bytes := range p.Output.Memory {
		parts = append(parts, written(s, &s.Arguments[i], bytes)...)
	}
	if e.Outcome = shortened(strings.Join(parts, ", ")); len(parts) == 0 {
		e.Outcome = "returns"
	}
	return e
}

// maxBrief limits the characters of the conditions that are shown.
const maxBrief = 160

// brief returns the first conditions, and the number of the others.
func brief(parts []string) string {
	size, n := 0, 0
	for ; n < len(parts); n++ {
		if size += len(parts[n]) + len(" && "); n > 0 && size > maxBrief {
			break
		}
	}
	text := strings.Join(parts[:n], " && ")
	switch more := len(parts) - n; more {
	case 0:
		return text
	case 1:
		return text + " ... and 1 more condition"
	default:
		return fmt.Sprintf("%s ... and %d more conditions", text, more)
	}
}

// maxWritten limits the bytes that are written out one by one.
const maxWritten = 8

// written lists the bytes of an argument that changed. A write at an offset that depends on the
// input may change all bytes.
func written(s *call.Signature, a *extract.Argument, bytes []*smt.Term) (parts []string) {
	first, last := 0, 0
	for k, t := range bytes {
		text := named(t, s)
		if text == known(a, k) {
			continue
		}
		if parts == nil {
			first = k
		}
		last = k
		parts = append(parts, fmt.Sprintf("%s[%d] = %s", a.Name, k-a.Before, text))
	}
	if len(parts) > maxWritten {
		return []string{fmt.Sprintf("writes somewhere from %s[%d] to %s[%d]", a.Name, first-a.Before, a.Name, last-a.Before)}
	}
	return parts
}

// known renders a byte that did not change.
func known(a *extract.Argument, k int) string {
	switch at := k - a.Before; {
	case at < 0 || at >= a.Bytes:
		return number(uint64(call.Guard), 8)
	case a.Kind == "pointer", a.Kind == "string" && at >= a.Bytes-a.Bits/8:
		return number(0, 8)
	default:
		return fmt.Sprintf("%s[%d]", a.Name, at)
	}
}

// place renders an address.
func place(s *call.Signature, p *formula.Pointer) string {
	v, ok := p.Into.Value()
	switch {
	case !ok:
		return "an address that depends on the input"
	case v.Word() == 0:
		return "NULL"
	case v.Word() == extract.Fresh:
		return "memory of its own"
	case v.Word() > uint64(len(s.Arguments)):
		return "an address outside of all buffers"
	}
	name := s.Arguments[v.Word()-1].Name
	if offset, ok := p.Offset.Value(); ok {
		if offset.Word() == 0 {
			return name
		}
		return fmt.Sprintf("%s%+d", name, int64(offset.Word()))
	}
	return name + " + " + named(p.Offset, s)
}

func shortened(text string) string {
	if len(text) > maxText {
		return text[:maxText] + "..."
	}
	return text
}

// named renders a term in the notation of C, up to a maximum length, with the names of a function's
// arguments.
func named(t *smt.Term, s *call.Signature) string {
	w := termText{signature: s}
	w.write(t)
	return shortened(w.String())
}

type termText struct {
	strings.Builder
	signature *call.Signature
}

// name returns the user's name of an argument.
func (w *termText) name(constant string) string {
	for i := range w.signature.Arguments {
		if a := &w.signature.Arguments[i]; a.Name != "" && constant == fmt.Sprintf("arg_%d", i) {
			return a.Name
		}
	}
	return constant
}

// infix lists the binary operators of C.
var infix = map[smt.Op]string{
	smt.OpAnd: "&&", smt.OpOr: "||", smt.OpEqual: "==", smt.OpDistinct: "!=", smt.OpAdd: "+", smt.OpSub: "-", smt.OpMul: "*", smt.OpLt: "<", smt.OpLe: "<=",
	smt.OpGt: ">", smt.OpGe: ">=", smt.OpBvAdd: "+", smt.OpBvSub: "-", smt.OpBvMul: "*", smt.OpBvAnd: "&", smt.OpBvOr: "|", smt.OpBvXor: "^",
	smt.OpBvShl: "<<", smt.OpBvLshr: ">>u", smt.OpBvAshr: ">>", smt.OpBvSdiv: "/", smt.OpBvUdiv: "/u", smt.OpBvSrem: "%", smt.OpBvUrem: "%u",
	smt.OpBvSlt: "<", smt.OpBvSle: "<=", smt.OpBvSgt: ">", smt.OpBvSge: ">=", smt.OpBvUlt: "<u", smt.OpBvUle: "<=u", smt.OpBvUgt: ">u", smt.OpBvUge: ">=u",
}

// denied maps each comparison to its negation.
var denied = map[string]string{"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "<u": ">=u", "<=u": ">u", ">u": "<=u", ">=u": "<u"}

func (w *termText) write(t *smt.Term) {
	if w.Len() > maxText {
		return // terms that share subterms would grow exponentially
	}
	args := t.Args()
	op := infix[t.Op()]
	if t.Op() == smt.OpNot {
		if contrary := denied[infix[args[0].Op()]]; contrary != "" && len(args[0].Args()) == 2 {
			t, op = args[0], contrary
			args = t.Args()
		}
	}
	switch {
	case t.Op() == smt.OpConst:
		if name, at, ok := strings.Cut(t.Name(), "."); ok {
			fmt.Fprintf(w, "%s[%s]", w.name(name), at)
		} else {
			w.WriteString(w.name(t.Name()))
		}
	case t.Literal() && t.Sort().Kind == smt.BitVecKind && t.Sort().Width <= 64:
		v, _ := t.Value()
		w.WriteString(number(v.Word(), t.Sort().Width))
	case op != "":
		for i, a := range args {
			if i > 0 {
				w.WriteString(" " + op + " ")
			}
			w.inner(a)
		}
	case t.Op() == smt.OpNot:
		w.WriteString("!")
		w.inner(args[0])
	case t.Op() == smt.OpBvNot:
		w.WriteString("~")
		w.inner(args[0])
	case t.Op() == smt.OpBvNeg, t.Op() == smt.OpNeg:
		w.WriteString("-")
		w.inner(args[0])
	case t.Op() == smt.OpIte:
		w.inner(args[0])
		w.WriteString(" ? ")
		w.inner(args[1])
		w.WriteString(" : ")
		w.inner(args[2])
	case t.Op() == smt.OpZeroExtend:
		w.write(args[0])
	case t.Op() == smt.OpSignExtend:
		fmt.Fprintf(w, "(int%d_t)", args[0].Sort().Width)
		w.inner(args[0])
	case t.Op() == smt.OpExtract && t.Index(1) == 0 && args[0].Op() == smt.OpSignExtend && args[0].Args()[0].Sort() == t.Sort():
		w.write(args[0].Args()[0]) // an extraction undoes a widening
	case t.Op() == smt.OpExtract && t.Index(1) == 0:
		fmt.Fprintf(w, "(uint%d_t)", t.Sort().Width)
		w.inner(args[0])
	case len(args) == 0:
		w.WriteString(t.String())
	default:
		w.WriteString(t.Op().String())
		if t.Op() == smt.OpExtract {
			fmt.Fprintf(w, " %d..%d", t.Index(0), t.Index(1))
		}
		w.WriteString("(")
		for i, a := range args {
			if i > 0 {
				w.WriteString(", ")
			}
			w.write(a)
		}
		w.WriteString(")")
	}
}

// inner renders a subterm, in parentheses if it has an operator.
func (w *termText) inner(t *smt.Term) {
	for t.Op() == smt.OpZeroExtend {
		t = t.Args()[0]
	}
	if infix[t.Op()] == "" && t.Op() != smt.OpIte && t.Op() != smt.OpNot {
		w.write(t)
		return
	}
	w.WriteString("(")
	w.write(t)
	w.WriteString(")")
}

// number renders a value with a sign, or as a character if it is a printable byte.
func number(n uint64, width int) string {
	switch {
	case width == 8 && n == 0:
		return "0"
	case width == 8 && (n == '\'' || n == '\\'):
		return fmt.Sprintf(`'\%c'`, n)
	case width == 8 && n >= ' ' && n < 0x7f:
		return fmt.Sprintf("'%c'", n)
	case width == 8:
		return fmt.Sprintf("0x%02x", n)
	}
	v := call.Signed(n, width)
	if v > 1<<16 || v < -1<<16 {
		return fmt.Sprintf("0x%x", n)
	}
	return fmt.Sprint(v)
}
