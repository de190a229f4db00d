package smt

import "maps"

// opNames maps the names in the theories of SMT-LIB 2.6 and 2.7 to operations. The number of
// arguments distinguishes the unary minus.
var opNames = func() map[string]Op {
	names := map[string]Op{}
	for op := OpReNone; op < opCount; op++ {
		if op != OpConstArray && op != OpNeg {
			names[rows[op].name] = op
		}
	}
	maps.Copy(names, map[string]Op{
		"ubv_to_int": OpBvToNat, "int_to_bv": OpIntToBv,
		// Earlier names, of SMT-LIB's drafts, z3 and CVC4.
		"bv2int": OpBvToNat, "nat2bv": OpIntToBv, "implies": OpImplies, "if": OpIte,
		"bvudiv_i": OpBvUdiv, "bvurem_i": OpBvUrem, "bvsdiv_i": OpBvSdiv, "bvsrem_i": OpBvSrem, "bvsmod_i": OpBvSmod,
		"int.to.str": OpStrFromInt, "str.from-int": OpStrFromInt, "str.to.int": OpStrToInt, "str.to-int": OpStrToInt,
		"str.to.re": OpReFromStr, "str.in.re": OpStrInRe, "str.replaceall": OpStrReplaceAll, "str.code": OpStrToCode,
		"re.nostr": OpReNone, "re.complement": OpReComp,
	})
	return names
}()

// dialect is a function of Z3-str and its successors, z3str2 and z3str3, as in scripts of tools
// made for them. A script may declare these names itself.
type dialect struct {
	op   Op
	swap bool // SMT-LIB has the two arguments in the other order
	zero bool // a 0 follows the two arguments
}

var dialects = map[string]dialect{
	"CharAt": {op: OpStrAt}, "Substring": {op: OpStrSubstr}, "Concat": {op: OpStrConcat}, "Length": {op: OpStrLen},
	"Contains": {op: OpStrContains}, "StartsWith": {op: OpStrPrefixOf, swap: true}, "EndsWith": {op: OpStrSuffixOf, swap: true},
	"Indexof": {op: OpStrIndexOf, zero: true}, "IndexOf": {op: OpStrIndexOf, zero: true}, "Indexof2": {op: OpStrIndexOf},
	"Replace": {op: OpStrReplace}, "ReplaceAll": {op: OpStrReplaceAll},
	"RegexIn": {op: OpStrInRe}, "Str2Reg": {op: OpReFromStr}, "RegexConcat": {op: OpReConcat}, "RegexUnion": {op: OpReUnion},
	"RegexStar": {op: OpReStar}, "RegexPlus": {op: OpRePlus}, "RegexCharRange": {op: OpReRange},
}

// unsupported returns the theory of a name that has a meaning elsewhere.
func unsupported(name string) string {
	switch name {
	case "forall", "exists", "lambda":
		return "quantifiers"
	case "match", "declare-datatype", "declare-datatypes":
		return "datatypes"
	case "Real", "/", "to_real", "to_int", "is_int":
		return "reals"
	case "RoundingMode", "Float16", "Float32", "Float64", "Float128", "FloatingPoint", "fp", "to_fp", "to_fp_unsigned", "NaN", "RNE", "RNA", "RTP", "RTN", "RTZ":
		return "floating-point numbers"
	case "declare-sort", "define-sort":
		return "sorts of one's own"
	case "define-fun-rec", "define-funs-rec":
		return "recursive functions"
	case "Seq", "Set", "Bag", "Tuple", "Relation", "FiniteField":
		return name + " sorts"
	}
	for _, theory := range []struct{ prefix, of string }{
		{"fp.", "floating-point numbers"}, {"seq.", "sequences"}, {"set.", "sets"}, {"bag.", "bags"}, {"ff.", "finite fields"},
	} {
		if len(name) > len(theory.prefix) && name[:len(theory.prefix)] == theory.prefix {
			return theory.of
		}
	}
	return ""
}
