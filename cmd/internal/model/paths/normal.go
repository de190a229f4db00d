package paths

import (
	"fmt"
	"math/big"
	"slices"

	"parallax/cmd/internal/model/smt"
)

// normalizer numbers formulas by the form in which the paper compares them (section 3.2.1, Table
// 1): arguments, values and operations. The form has no widths and no types, so formulas of an
// integer engine and of a 32-bit program can be equal. Values are signed, and -1 * x and 0 - x
// become -x. Equal formulas have the same number.
type normalizer struct {
	forms map[string]int
	of    map[*smt.Term]int
}

func newNormalizer() *normalizer {
	return &normalizer{map[string]int{}, map[*smt.Term]int{}}
}

// operations unifies the operations of integers and bit vectors.
var operations = map[smt.Op]string{
	smt.OpAdd: "+", smt.OpBvAdd: "+", smt.OpSub: "-", smt.OpBvSub: "-", smt.OpNeg: "neg", smt.OpBvNeg: "neg", smt.OpMul: "*", smt.OpBvMul: "*",
	smt.OpLe: "<=", smt.OpBvSle: "<=", smt.OpLt: "<", smt.OpBvSlt: "<", smt.OpGe: ">=", smt.OpBvSge: ">=", smt.OpGt: ">", smt.OpBvSgt: ">",
}

func (n *normalizer) number(t *smt.Term) int {
	if id, ok := n.of[t]; ok {
		return id
	}
	for _, part := range smt.Visit(t) {
		if _, ok := n.of[part]; !ok {
			n.of[part] = n.enter(n.form(part))
		}
	}
	return n.of[t]
}

func (n *normalizer) enter(form string) int {
	id, ok := n.forms[form]
	if !ok {
		id = len(n.forms)
		n.forms[form] = id
	}
	return id
}

// form renders a term over the numbers of its arguments.
func (n *normalizer) form(t *smt.Term) string {
	if t.Op() == smt.OpConst {
		return t.Name()
	}
	if v, ok := signed(t); ok {
		return v.String()
	}
	name, common := operations[t.Op()]
	if !common {
		name = fmt.Sprint(t.Op(), t.Index(0), t.Index(1))
	}
	var args []int
	for _, a := range t.Args() {
		args = append(args, n.of[a])
	}
	if len(args) == 2 {
		is := func(i int, k int64) bool {
			v, ok := signed(t.Args()[i])
			return ok && v.IsInt64() && v.Int64() == k
		}
		switch {
		case name == "*" && is(0, -1), name == "-" && is(0, 0):
			name, args = "neg", args[1:]
		case name == "*" && is(1, -1):
			name, args = "neg", args[:1]
		}
	}
	return fmt.Sprint(name, " ", args)
}

// signed returns the value of a literal, read with a sign.
func signed(t *smt.Term) (*big.Int, bool) {
	v, ok := t.Value()
	if !ok || t.Sort().Kind != smt.BitVecKind && t.Sort() != smt.Int {
		return nil, false
	}
	b := v.Big()
	if width := t.Sort().Width; t.Sort() != smt.Int && b.Bit(width-1) == 1 {
		b.Sub(b, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	return b, true
}

// all returns the numbers of formulas, each once.
func (n *normalizer) all(formulas []*smt.Term) (ids []int) {
	for _, t := range formulas {
		if id := n.number(t); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
