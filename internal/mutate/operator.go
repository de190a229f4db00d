package mutate

import "fmt"

// Op identifies a mutation operator. Yields are counted and shown per operator.
type Op uint8

// The operators. The first seven are NEZHA's five. Splice is one. Insert and erase add or remove a
// byte. Bit and byte are randomized, a subset of the bytes is shuffled, and ASCII digits are
// randomized.
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
	// OpElement, OpContent, OpType and OpLength work on elements of DER, in the set "der".
	OpElement
	OpContent
	OpType
	OpLength
	OpScalar
	OpArgument
	OpFresh
	// OpCmpLog marks mutants with a replaced operand of a comparison. The engine makes them
	// (package operand).
	OpCmpLog
	// OpTrim marks inputs that the engine shortened before it kept them.
	OpTrim
	// OpRepair marks mutants changed by the user's repair function, which the engine calls.
	OpRepair
	// OpCustom marks mutants made by the program's own mutator.
	OpCustom
	// OpStructural, OpValue, OpPart, OpRedraw and OpChoices mark mutants of tapes. They change
	// choices of a channel; exchange, repeat, drop or swap parts; redraw a part; or change choices
	// of either channel. Package source makes them.
	OpStructural
	OpValue
	OpPart
	OpRedraw
	OpChoices
	// NumOps is the number of operators.
	NumOps
)

// operator mutates b in place and may lengthen it up to m.limit. It reports whether it applied. If
// not, b is unchanged.
type operator func(m *Mutator, r *Rand, b []byte) ([]byte, bool)

// operators holds every operator's name, function and weight in the full set. A nil function means
// that the operator works on tuples (tuple.go) or outside this package. The weights follow the
// common features of textual and binary formats: blocks and tokens change most often, single bits
// least. Those of DER make seven of eight changes in the set that has them.
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
	OpElement:     {"element", derMove, 372},
	OpContent:     {"content", derContent, 326},
	OpType:        {"type", derType, 30},
	OpLength:      {"length", derHeader, 15},
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

// onDER reports whether an operator belongs to the set "der" alone.
func (o Op) onDER() bool { return OpElement <= o && o <= OpLength }

// picksOf lists every operator of a set as often as its weight, so that one random index chooses
// one.
func picksOf(withDictionary, withDER bool) []Op {
	var picks []Op
	for op := Op(0); op < NumOps; op++ {
		if op == OpDictionary && !withDictionary || op.onDER() && !withDER {
			continue
		}
		for i := 0; i < operators[op].weight; i++ {
			picks = append(picks, op)
		}
	}
	return picks
}
