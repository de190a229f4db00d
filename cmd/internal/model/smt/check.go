package smt

import (
	"fmt"
	"strings"
)

// sortOf returns the sort of an operation on arguments, or an error about them.
func sortOf(op Op, indices []int, args []*Term) (*Sort, error) {
	r := rows[op]
	if len(indices) != r.indices {
		return nil, fmt.Errorf("%s takes %s, not %d", r.name, plural(r.indices, "index", "indices"), len(indices))
	}
	for _, i := range indices {
		if i < 0 || i > MaxWidth {
			return nil, fmt.Errorf("the index %d of %s is not between 0 and %d", i, r.name, MaxWidth)
		}
	}
	if r.sig != "" {
		return bySignature(op, r, args)
	}
	want := map[Op]int{OpIte: 3, OpExtract: 1, OpRepeat: 1, OpZeroExtend: 1, OpSignExtend: 1, OpIntToBv: 1, OpSelect: 2, OpStore: 3}
	switch n, fixed := want[op]; {
	case fixed && len(args) != n:
		return nil, fmt.Errorf("%s takes %s, not %d", r.name, plural(n, "argument", "arguments"), len(args))
	case !fixed && r.many != never && len(args) < 2:
		return nil, fmt.Errorf("%s takes two arguments or more, not %d", r.name, len(args))
	}
	switch op {
	case OpReNone, OpReAll, OpReAnyOne:
		return RegLan, nil
	case OpEqual, OpDistinct:
		for _, a := range args[1:] {
			if a.sort != args[0].sort {
				return nil, fmt.Errorf("%s compares terms of one sort, not %v and %v", r.name, args[0].sort, a.sort)
			}
		}
		if args[0].sort == RegLan {
			return nil, fmt.Errorf("%s does not compare regular languages", r.name)
		}
		return Bool, nil
	case OpIte:
		if args[0].sort != Bool {
			return nil, fmt.Errorf("the condition of ite is %v, and has to be Bool", args[0].sort)
		}
		if args[1].sort != args[2].sort {
			return nil, fmt.Errorf("the branches of ite are %v and %v, and have to be of one sort", args[1].sort, args[2].sort)
		}
		return args[1].sort, nil
	case OpSelect, OpStore:
		return sortOfArray(op, args)
	}
	return sortOfBits(op, indices, args)
}

func sortOfArray(op Op, args []*Term) (*Sort, error) {
	array := args[0].sort
	if array.Kind != ArrayKind {
		return nil, fmt.Errorf("%v takes an array first, not %v", op, array)
	}
	if args[1].sort != array.Index {
		return nil, fmt.Errorf("%v of %v takes an index of %v, not %v", op, array, array.Index, args[1].sort)
	}
	if op == OpSelect {
		return array.Element, nil
	}
	if args[2].sort != array.Element {
		return nil, fmt.Errorf("%v into %v takes an element of %v, not %v", op, array, array.Element, args[2].sort)
	}
	return array, nil
}

func sortOfBits(op Op, indices []int, args []*Term) (*Sort, error) {
	if op == OpIntToBv {
		if args[0].sort != Int {
			return nil, fmt.Errorf("int2bv takes an Int, not %v", args[0].sort)
		}
		return width(op, indices[0])
	}
	total := 0
	for _, a := range args {
		if a.sort.Kind != BitVecKind {
			return nil, fmt.Errorf("%v takes bit vectors, not %v", op, a.sort)
		}
		total += a.sort.Width
	}
	switch op {
	case OpConcat:
		return width(op, total)
	case OpExtract:
		if high, low := indices[0], indices[1]; high < low || high >= total {
			return nil, fmt.Errorf("(_ extract %d %d) does not fit a bit vector of %d bits", high, low, total)
		}
		return BitVec(indices[0] - indices[1] + 1), nil
	case OpRepeat:
		return width(op, total*indices[0])
	case OpZeroExtend, OpSignExtend:
		return width(op, total+indices[0])
	}
	return nil, fmt.Errorf("%v is no operation on arguments", op)
}

func width(op Op, n int) (*Sort, error) {
	if n < 1 || n > MaxWidth {
		return nil, fmt.Errorf("%v would give a bit vector of %d bits, which is not between 1 and %d", op, n, MaxWidth)
	}
	return BitVec(n), nil
}

func bySignature(op Op, r row, args []*Term) (*Sort, error) {
	params, result, _ := strings.Cut(r.sig, ":")
	params, more := strings.CutSuffix(params, "+")
	if len(args) < len(params) || len(args) > len(params) && !more {
		least := ""
		if more {
			least = " or more"
		}
		return nil, fmt.Errorf("%s takes %s, not %d", r.name, plural(len(params), "argument"+least, "arguments"+least), len(args))
	}
	var bits *Sort
	for i, a := range args {
		want := params[min(i, len(params)-1)]
		switch {
		case want != 'V' && a.sort != sortOfLetter(want):
			return nil, fmt.Errorf("argument %d of %s is %v, and has to be %v", i+1, r.name, a.sort, sortOfLetter(want))
		case want == 'V' && a.sort.Kind != BitVecKind:
			return nil, fmt.Errorf("argument %d of %s is %v, and has to be a bit vector", i+1, r.name, a.sort)
		case want == 'V' && bits != nil && a.sort != bits:
			return nil, fmt.Errorf("the arguments of %s are %v and %v, and have to be of one width", r.name, bits, a.sort)
		case want == 'V':
			bits = a.sort
		}
	}
	switch result[0] {
	case 'V':
		return bits, nil
	case '1':
		return BitVec(1), nil
	}
	return sortOfLetter(result[0]), nil
}

func sortOfLetter(l byte) *Sort {
	switch l {
	case 'B':
		return Bool
	case 'I':
		return Int
	case 'S':
		return String
	}
	return RegLan
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
