package smt

// Op is the operation at the root of a term.
type Op uint8

// The operations: leaves first, then the theories in the order of SMT-LIB.
const (
	_          Op = iota
	OpConst       // a declared constant, called a variable in other languages
	OpApply       // an uninterpreted function
	OpTrue        // true
	OpFalse       // false
	OpNumeral     // an integer
	OpBits        // a bit vector
	OpText        // a string
	OpReNone      // re.none
	OpReAll       // re.all
	OpReAnyOne    // re.allchar

	OpNot
	OpImplies
	OpAnd
	OpOr
	OpXor
	OpEqual
	OpDistinct
	OpIte

	OpNeg
	OpSub
	OpAdd
	OpMul
	OpDiv
	OpMod
	OpAbs
	OpLe
	OpLt
	OpGe
	OpGt

	OpConcat
	OpExtract
	OpBvNot
	OpBvNeg
	OpBvAnd
	OpBvOr
	OpBvXor
	OpBvNand
	OpBvNor
	OpBvXnor
	OpBvAdd
	OpBvSub
	OpBvMul
	OpBvUdiv
	OpBvUrem
	OpBvSdiv
	OpBvSrem
	OpBvSmod
	OpBvShl
	OpBvLshr
	OpBvAshr
	OpBvComp
	OpBvUlt
	OpBvUle
	OpBvUgt
	OpBvUge
	OpBvSlt
	OpBvSle
	OpBvSgt
	OpBvSge
	OpRepeat
	OpZeroExtend
	OpSignExtend
	OpRotateLeft
	OpRotateRight
	OpBvToNat
	OpIntToBv

	OpSelect
	OpStore
	OpConstArray

	OpStrConcat
	OpStrLen
	OpStrLt
	OpStrLe
	OpStrAt
	OpStrSubstr
	OpStrPrefixOf
	OpStrSuffixOf
	OpStrContains
	OpStrIndexOf
	OpStrReplace
	OpStrReplaceAll
	OpStrReplaceRe
	OpStrReplaceReAll
	OpStrIsDigit
	OpStrToCode
	OpStrFromCode
	OpStrToInt
	OpStrFromInt
	OpStrInRe

	OpReFromStr
	OpReConcat
	OpReUnion
	OpReInter
	OpReStar
	OpReComp
	OpReDiff
	OpRePlus
	OpReOpt
	OpReRange
	OpRePower
	OpReLoop

	opCount
)

// row describes an operation.
type row struct {
	name    string // as SMT-LIB 2.6 writes it
	indices int    // numerals in (_ name ...)

	// sig has a letter for each argument and, after the colon, one for the result. B, I, S and R
	// are sorts, V a bit vector (all of one width), 1 a bit vector of one bit. A plus means that
	// more arguments of the last kind may follow. It is empty for operations with a rule in sortOf.
	sig string

	// many is the meaning of more than two arguments.
	many folding
}

// folding is the meaning of an operation on two arguments for more.
type folding uint8

const (
	never folding = iota
	left          // f(f(a, b), c)
	right         // f(a, f(b, c))
	chain         // f(a, b) and f(b, c)
	pairs         // f of every two
)

var rows = [opCount]row{
	OpTrue: {name: "true"}, OpFalse: {name: "false"},
	OpReNone: {name: "re.none"}, OpReAll: {name: "re.all"}, OpReAnyOne: {name: "re.allchar"},

	OpNot:      {name: "not", sig: "B:B"},
	OpImplies:  {name: "=>", sig: "BB+:B", many: right},
	OpAnd:      {name: "and", sig: "BB+:B", many: left},
	OpOr:       {name: "or", sig: "BB+:B", many: left},
	OpXor:      {name: "xor", sig: "BB+:B", many: left},
	OpEqual:    {name: "=", many: chain},
	OpDistinct: {name: "distinct", many: pairs},
	OpIte:      {name: "ite"},

	OpNeg: {name: "-", sig: "I:I"},
	OpSub: {name: "-", sig: "II+:I", many: left},
	OpAdd: {name: "+", sig: "II+:I", many: left},
	OpMul: {name: "*", sig: "II+:I", many: left},
	OpDiv: {name: "div", sig: "II+:I", many: left},
	OpMod: {name: "mod", sig: "II:I"},
	OpAbs: {name: "abs", sig: "I:I"},
	OpLe:  {name: "<=", sig: "II+:B", many: chain},
	OpLt:  {name: "<", sig: "II+:B", many: chain},
	OpGe:  {name: ">=", sig: "II+:B", many: chain},
	OpGt:  {name: ">", sig: "II+:B", many: chain},

	OpConcat:      {name: "concat", many: left},
	OpExtract:     {name: "extract", indices: 2},
	OpBvNot:       {name: "bvnot", sig: "V:V"},
	OpBvNeg:       {name: "bvneg", sig: "V:V"},
	OpBvAnd:       {name: "bvand", sig: "VV+:V", many: left},
	OpBvOr:        {name: "bvor", sig: "VV+:V", many: left},
	OpBvXor:       {name: "bvxor", sig: "VV+:V", many: left},
	OpBvNand:      {name: "bvnand", sig: "VV:V"},
	OpBvNor:       {name: "bvnor", sig: "VV:V"},
	OpBvXnor:      {name: "bvxnor", sig: "VV:V"},
	OpBvAdd:       {name: "bvadd", sig: "VV+:V", many: left},
	OpBvSub:       {name: "bvsub", sig: "VV:V"},
	OpBvMul:       {name: "bvmul", sig: "VV+:V", many: left},
	OpBvUdiv:      {name: "bvudiv", sig: "VV:V"},
	OpBvUrem:      {name: "bvurem", sig: "VV:V"},
	OpBvSdiv:      {name: "bvsdiv", sig: "VV:V"},
	OpBvSrem:      {name: "bvsrem", sig: "VV:V"},
	OpBvSmod:      {name: "bvsmod", sig: "VV:V"},
	OpBvShl:       {name: "bvshl", sig: "VV:V"},
	OpBvLshr:      {name: "bvlshr", sig: "VV:V"},
	OpBvAshr:      {name: "bvashr", sig: "VV:V"},
	OpBvComp:      {name: "bvcomp", sig: "VV:1"},
	OpBvUlt:       {name: "bvult", sig: "VV:B"},
	OpBvUle:       {name: "bvule", sig: "VV:B"},
	OpBvUgt:       {name: "bvugt", sig: "VV:B"},
	OpBvUge:       {name: "bvuge", sig: "VV:B"},
	OpBvSlt:       {name: "bvslt", sig: "VV:B"},
	OpBvSle:       {name: "bvsle", sig: "VV:B"},
	OpBvSgt:       {name: "bvsgt", sig: "VV:B"},
	OpBvSge:       {name: "bvsge", sig: "VV:B"},
	OpRepeat:      {name: "repeat", indices: 1},
	OpZeroExtend:  {name: "zero_extend", indices: 1},
	OpSignExtend:  {name: "sign_extend", indices: 1},
	OpRotateLeft:  {name: "rotate_left", indices: 1, sig: "V:V"},
	OpRotateRight: {name: "rotate_right", indices: 1, sig: "V:V"},
	OpBvToNat:     {name: "bv2nat", sig: "V:I"},
	OpIntToBv:     {name: "int2bv", indices: 1},

	OpSelect:     {name: "select"},
	OpStore:      {name: "store"},
	OpConstArray: {name: "const"},

	OpStrConcat:       {name: "str.++", sig: "SS+:S", many: left},
	OpStrLen:          {name: "str.len", sig: "S:I"},
	OpStrLt:           {name: "str.<", sig: "SS+:B", many: chain},
	OpStrLe:           {name: "str.<=", sig: "SS+:B", many: chain},
	OpStrAt:           {name: "str.at", sig: "SI:S"},
	OpStrSubstr:       {name: "str.substr", sig: "SII:S"},
	OpStrPrefixOf:     {name: "str.prefixof", sig: "SS:B"},
	OpStrSuffixOf:     {name: "str.suffixof", sig: "SS:B"},
	OpStrContains:     {name: "str.contains", sig: "SS:B"},
	OpStrIndexOf:      {name: "str.indexof", sig: "SSI:I"},
	OpStrReplace:      {name: "str.replace", sig: "SSS:S"},
	OpStrReplaceAll:   {name: "str.replace_all", sig: "SSS:S"},
	OpStrReplaceRe:    {name: "str.replace_re", sig: "SRS:S"},
	OpStrReplaceReAll: {name: "str.replace_re_all", sig: "SRS:S"},
	OpStrIsDigit:      {name: "str.is_digit", sig: "S:B"},
	OpStrToCode:       {name: "str.to_code", sig: "S:I"},
	OpStrFromCode:     {name: "str.from_code", sig: "I:S"},
	OpStrToInt:        {name: "str.to_int", sig: "S:I"},
	OpStrFromInt:      {name: "str.from_int", sig: "I:S"},
	OpStrInRe:         {name: "str.in_re", sig: "SR:B"},

	OpReFromStr: {name: "str.to_re", sig: "S:R"},
	OpReConcat:  {name: "re.++", sig: "RR+:R", many: left},
	OpReUnion:   {name: "re.union", sig: "RR+:R", many: left},
	OpReInter:   {name: "re.inter", sig: "RR+:R", many: left},
	OpReStar:    {name: "re.*", sig: "R:R"},
	OpReComp:    {name: "re.comp", sig: "R:R"},
	OpReDiff:    {name: "re.diff", sig: "RR+:R", many: left},
	OpRePlus:    {name: "re.+", sig: "R:R"},
	OpReOpt:     {name: "re.opt", sig: "R:R"},
	OpReRange:   {name: "re.range", sig: "SS:R"},
	OpRePower:   {name: "re.^", indices: 1, sig: "R:R"},
	OpReLoop:    {name: "re.loop", indices: 2, sig: "R:R"},
}

// String returns the operation's name in SMT-LIB.
func (o Op) String() string {
	if o == OpConst || o == OpApply || o == OpNumeral || o == OpBits || o == OpText {
		return [...]string{OpConst: "constant", OpApply: "function", OpNumeral: "numeral", OpBits: "bit vector", OpText: "string"}[o]
	}
	return rows[o].name
}
