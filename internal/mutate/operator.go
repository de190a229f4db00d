package mutate

import "fmt"

// Op names a mutation operator. Yields are counted and shown by operator.
type Op uint8

// The operators. The first seven are NEZHA's five: splice; add (insert) or remove (erase) a byte; randomize a bit or a
// byte; shuffle a subset of the bytes; randomize ASCII digits.
const (
	OpSplice Op = iota
	OpInsert
	OpErase
	OpBit
	OpByte
	OpShuffle
	OpDigits
	OpArith
	OpInteresting
	OpNumber
	OpDelete
	OpDuplicate
	OpCopy
	OpRepeat
	OpToken
	OpDictionary
	OpCase
	OpClass
	OpUTF8
	OpScalar
	OpArgument
	OpFresh
	// OpCmpLog marks mutants that replace an operand of a comparison; the engine makes them (package operand).
	OpCmpLog
	// OpTrim marks inputs that were made smaller before they were kept; the engine does that.
	OpTrim
	// OpRepair marks mutants that the user's repair function has changed; the engine calls it.
	OpRepair
	// OpCustom marks mutants that the program's own mutator has made.
	OpCustom
	// OpStructural, OpValue, OpPart, OpRedraw and OpChoices mark mutants of tapes: choices of a channel were changed, parts exchanged, repeated,
	// left out or swapped, a part is drawn anew, or choices of either channel were changed. Package source makes them.
	OpStructural
	OpValue
	OpPart
	OpRedraw
	OpChoices
	// NumOps is the number of operators: every Op is below it.
	NumOps
)

// operator mutates b in place, may lengthen it up to m.limit, and reports whether it applied. An operator that does not
// apply leaves b as it was.
type operator func(m *Mutator, r *Rand, b []byte) ([]byte, bool)

// operators holds the name of every operator, what it does to bytes (nil: it works on tuples, see tuple.go), and how often
// the full set picks it. The weights follow what textual and binary formats have in common: blocks and tokens move
// most often, single bits least.
var operators = [NumOps]struct {
	name   string
	apply  operator
	weight int
}{
	OpSplice:      {"splice", splice, 12},
	OpInsert:      {"insert", insertByte, 8},
	OpErase:       {"erase", eraseByte, 6},
	OpBit:         {"bit", flipBit, 4},
	OpByte:        {"byte", randomByte, 6},
	OpShuffle:     {"shuffle", shuffle, 3},
	OpDigits:      {"digits", digits, 3},
	OpArith:       {"arith", arith, 4},
	OpInteresting: {"interesting", interesting, 4},
	OpNumber:      {"number", number, 10},
	OpDelete:      {"delete", deleteBlock, 7},
	OpDuplicate:   {"duplicate", duplicateBlock, 6},
	OpCopy:        {"copy", copyBlock, 5},
	OpRepeat:      {"repeat", repeatBlock, 3},
	OpToken:       {"token", token, 8},
	OpDictionary:  {"dictionary", dictionary, 12},
	OpCase:        {"case", letterCase, 3},
	OpClass:       {"class", class, 5},
	OpUTF8:        {"utf8", insertRune, 3},
	OpScalar:      {"scalar", nil, 0},
	OpArgument:    {"argument", nil, 0},
	OpFresh:       {"fresh", nil, 0},
	OpCmpLog:      {"operand", nil, 0},
	OpTrim:        {"trim", nil, 0},
	OpRepair:      {"repair", nil, 0},
	OpCustom:      {"custom", nil, 0},
	OpStructural:  {"structural", nil, 0},
	OpValue:       {"value", nil, 0},
	OpPart:        {"part", nil, 0},
	OpRedraw:      {"redraw", nil, 0},
	OpChoices:     {"choices", nil, 0},
}

// String returns the operator's short name.
func (o Op) String() string {
	if o < NumOps {
		return operators[o].name
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// fullPicks lists every operator of the full set as often as its weight says, so that one random index picks one.
func fullPicks(withDictionary bool) []Op {
	var picks []Op
	for op := Op(0); op < NumOps; op++ {
		if op == OpDictionary && !withDictionary {
			continue
		}
		for i := 0; i < operators[op].weight; i++ {
			picks = append(picks, op)
		}
	}
	return picks
}
