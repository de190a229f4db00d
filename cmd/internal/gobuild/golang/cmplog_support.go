package golang

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"parallax/internal/cmplog"
)

// The contract with the reader. It finds these variables of a recording package in the symbol table
// of its own executable. Their names are PKG.plxOps, PKG.plxOpN and PKG.plxOpSeen (PKG is escaped
// as in object files). A package has all three. It has none if it contains no comparison, could not
// be checked, or is not reachable in the program.
//
//	var plxOps [2048]plxOp   // plxOps[:plxOpN] holds the records in temporal order
//	var plxOpN uint32        // to be set to 0 before a run
//	var plxOpSeen [N]uint8   // N is the number of sites; to be cleared before a run, if plxOpN was not 0; no other meaning
//
//	type plxOp struct {      // 56 bytes on 64-bit machines
//		site  uint32         // comparison of the package, below N
//		kind  uint8          // cmplog.Kind
//		width uint8          // integers: bytes of the source's type, 1, 2, 4 or 8; strings: 0
//		flags uint8          // bit 0: a or s is a constant in the source; bit 1: b or t is; bit 2: integers are signed
//		_     uint8
//		a, b  uint64         // integers, extended by their sign
//		s, t  string         // strings and bytes, copied and cut to 256 bytes: the first, for cmplog.Suffix the last
//	}
//
// Equal operands are not recorded, except for the kinds of order. cmplog.Lookup has three uses. A
// switch's tag is recorded against each of its constants (64 at most). A key is recorded against 32
// keys of the map at most, chosen by a hash that depends on the key. It is not recorded if the map
// has more than 4096. The argument of slices.Contains and Index is recorded against the elements.
// The counter of a counting loop is not recorded in the loop's condition.
//
// A site is recorded 16 times per run, with strings 64 times. With more than eight constants or
// keys, it is recorded 128 times divided by their number (at least twice). When half of plxOps is
// full, the limit is a quarter of that, and in the last quarter one sixteenth. So sites that a run
// reaches last have records, too. Concurrent goroutines may lose records; strings are never torn. A
// goroutine that is still running after a run can add records to the next.

const maxText = 256

// support returns the file that declares the functions for the inserted calls. It compiles at the
// language version of the package, and the race detector does not see its functions.
func (u *cmplogUnit) support() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "//line plx_ops.go:1:1\npackage %s\n", u.pkg.Name())
	fmt.Fprintf(&b, "\nvar plxOpSeen [%d]uint8\n", u.sites)
	put := supportPut
	if bare(u.pkg.Path()) {
		put = supportPutBare
	}
	fmt.Fprintf(&b, kindNumbers.Replace(supportCore), put)
	if u.needs["map"] || u.needs["list"] || slices.ContainsFunc(u.needed(), isKey) {
		b.WriteString(supportKeys)
	}
	for _, part := range u.needed() {
		name, what, _ := strings.Cut(part, " ")
		switch name {
		case "map":
			b.WriteString(supportMaps)
		case "list":
			b.WriteString(supportLists)
		case "parameter":
			b.WriteString(supportParameters())
		case "array":
			fmt.Fprintf(&b, supportArray, what)
		case "key":
			letter, basic, _ := strings.Cut(what, " ")
			b.WriteString(supportKey(letter, basic))
		}
	}
	for i, shape := range u.shapes {
		b.WriteString(supportCall(i, shape))
	}
	for _, t := range u.tables {
		fmt.Fprintf(&b, "\n%s\n", t)
	}
	text := b.String()
	if u.race {
		text = strings.ReplaceAll(text, "\nfunc ", "\n//go:norace\nfunc ")
	}
	return []byte(text)
}

// needed returns the optional parts in a fixed order.
func (u *cmplogUnit) needed() []string {
	var parts []string
	for p := range u.needs {
		parts = append(parts, p)
	}
	slices.Sort(parts)
	return parts
}

func isKey(part string) bool { return strings.HasPrefix(part, "key ") }

// kindNumbers puts numbers in the place of the kinds' names in supportCore.
var kindNumbers = strings.NewReplacer("IntEqual", number(cmplog.IntEqual), "StringOrder", number(cmplog.StringOrder),
	"PrefixKind", number(cmplog.Prefix), "SuffixKind", number(cmplog.Suffix), "ContainsKind", number(cmplog.Contains))

func number(k cmplog.Kind) string { return strconv.Itoa(int(k)) }

// supportPut adds a record. The channel is a lock that needs no import. If the lock is taken, or
// not made yet, nothing is recorded.
const supportPut = `var plxLock = make(chan uint8, 1)

func plxPut(site, meta uint32, a, b uint64, s, t string) {
	select {
	case plxLock <- 1:
	default:
		return
	}
	if n := plxOpN; n < 2048 {
		plxOps[n] = plxOp{site: site, kind: uint8(meta), width: uint8(meta >> 8), flags: uint8(meta >> 16), a: a, b: b, s: s, t: t}
		plxOpN = n + 1
	}
	<-plxLock
}`

// supportPutBare adds a record in packages that may record nothing but integers (see bare): no
// pointer is written and nothing is locked.
const supportPutBare = `func plxPut(site, meta uint32, a, b uint64, s, t string) {
	if n := plxOpN; n < 2048 {
		op := &plxOps[n]
		op.site, op.kind, op.width, op.flags, op.a, op.b = site, uint8(meta), uint8(meta>>8), uint8(meta>>16), a, b
		plxOpN = n + 1
	}
}`

// supportCore is part of every recording package, with its plxPut.
const supportCore = `
type plxI int64
type plxU uint64
type plxT string

type plxOp struct {
	site               uint32
	kind, width, flags uint8
	_                  uint8
	a, b               uint64
	s, t               string
}

var plxOps [2048]plxOp
var plxOpN uint32

func plxRoom(site uint32, most uint8) bool {
	n := plxOpN
	if n >= 2048 {
		return false
	}
	if n >= 1536 {
		most = most>>4 | 1
	} else if n >= 1024 {
		most = most>>2 | 1
	}
	return plxOpSeen[site] < most
}

%s

func plxInt(site, meta uint32, a, b uint64) {
	if a == b && uint8(meta) == IntEqual || !plxRoom(site, 16) {
		return
	}
	plxOpSeen[site]++
	plxPut(site, meta, a, b, "", "")
}

func plxCmpI(site, meta uint32, x, y plxI) int8 {
	if plxOpSeen[site] < 16 {
		plxInt(site, meta, uint64(x), uint64(y))
	}
	if x < y {
		return -1
	}
	if x > y {
		return 1
	}
	return 0
}

func plxCmpU(site, meta uint32, x, y plxU) int8 {
	if plxOpSeen[site] < 16 {
		plxInt(site, meta, uint64(x), uint64(y))
	}
	if x < y {
		return -1
	}
	if x > y {
		return 1
	}
	return 0
}

func plxCmpT(site, meta uint32, x, y plxT) int8 {
	if plxOpSeen[site] < 64 {
		plxText(site, meta, string(x), string(y))
	}
	if x == y {
		return 0
	}
	if x < y {
		return -1
	}
	return 1
}

func plxKeep(s string, kind uint8) string {
	if kind == SuffixKind && len(s) > 256 {
		s = s[len(s)-256:]
	}
	var kept [256]uint8
	n := 0
	for n < len(s) && n < 256 {
		kept[n] = s[n]
		n++
	}
	return string(kept[:n])
}

func plxKeepBytes(s []uint8, kind uint8) string {
	if kind == SuffixKind && len(s) > 256 {
		s = s[len(s)-256:]
	}
	var kept [256]uint8
	n := 0
	for n < len(s) && n < 256 {
		kept[n] = s[n]
		n++
	}
	return string(kept[:n])
}

func plxTold(kind uint8, equal bool, n int) bool {
	return equal && kind != StringOrder || n == 0 && (kind == PrefixKind || kind == SuffixKind || kind == ContainsKind)
}

func plxText(site, meta uint32, s, t string) {
	kind := uint8(meta)
	if plxTold(kind, s == t, len(t)) || !plxRoom(site, 64) {
		return
	}
	plxOpSeen[site]++
	plxPut(site, meta, 0, 0, plxKeep(s, kind), plxKeep(t, kind))
}

func plxBytes(site, meta uint32, s, t []uint8) {
	kind := uint8(meta)
	if plxTold(kind, string(s) == string(t), len(t)) || !plxRoom(site, 64) {
		return
	}
	plxOpSeen[site]++
	plxPut(site, meta, 0, 0, plxKeepBytes(s, kind), plxKeepBytes(t, kind))
}

func plxShare(n int) uint8 {
	if n <= 8 {
		return 16
	}
	if n <= 64 {
		return uint8(128 / n)
	}
	return 2
}

func plxTagI(site, meta uint32, v plxI, cases []plxI) plxI {
	if plxRoom(site, plxShare(len(cases))) {
		more := uint8(0)
		for i := range cases {
			if cases[i] != v {
				more = 1
				plxPut(site, meta, uint64(v), uint64(cases[i]), "", "")
			}
		}
		plxOpSeen[site] += more
	}
	return v
}

func plxTagU(site, meta uint32, v plxU, cases []plxU) plxU {
	if plxRoom(site, plxShare(len(cases))) {
		more := uint8(0)
		for i := range cases {
			if cases[i] != v {
				more = 1
				plxPut(site, meta, uint64(v), uint64(cases[i]), "", "")
			}
		}
		plxOpSeen[site] += more
	}
	return v
}

func plxTagT(site, meta uint32, v plxT, cases []plxT) plxT {
	if plxRoom(site, plxShare(len(cases))) {
		more := uint8(0)
		for i := range cases {
			if cases[i] != v {
				more = 1
				plxPut(site, meta, 0, 0, plxKeep(string(v), 0), string(cases[i]))
			}
		}
		plxOpSeen[site] += more
	}
	return v
}
`

// supportArray compares arrays of bytes of one length.
const supportArray = `
func plxA%[1]s(site, meta uint32, x, y [%[1]s]uint8) int8 {
	if x == y {
		return 0
	}
	plxBytes(site, meta, x[:], y[:])
	return 1
}
`

// parameterFunctions maps operators to functions that compare operands of a type parameter's type.
// Their results are 0 if the comparison does not hold; plxAnyEqual's is 0 if it does.
var parameterFunctions = map[token.Token]string{token.EQL: "plxAnyEqual", token.NEQ: "plxAnyEqual", token.LSS: "plxAnyLess",
	token.LEQ: "plxAnyAtMost", token.GTR: "plxAnyMore", token.GEQ: "plxAnyAtLeast"}

// supportParameters compares operands whose type is a type parameter. Named types behind it are not
// recorded.
func supportParameters() string {
	var b strings.Builder
	b.WriteString(`
func plxAny(site, meta uint32, x, y interface{}) {
	switch x := x.(type) {
	case string:
		if y, ok := y.(string); ok {
			plxText(site, meta+2, x, y)
		}
`)
	for _, t := range []struct {
		name  string
		width int
		flags int
	}{
		{"int", 8, flagSigned}, {"int8", 1, flagSigned}, {"int16", 2, flagSigned}, {"int32", 4, flagSigned}, {"int64", 8, flagSigned},
		{"uint", 8, 0}, {"uint8", 1, 0}, {"uint16", 2, 0}, {"uint32", 4, 0}, {"uint64", 8, 0}, {"uintptr", 8, 0},
	} {
		fmt.Fprintf(&b, "\tcase %[1]s:\n\t\tif y, ok := y.(%[1]s); ok {\n\t\t\tplxInt(site, meta|%[2]d, uint64(x), uint64(y))\n\t\t}\n",
			t.name, t.width<<8|t.flags<<16)
	}
	b.WriteString(`	}
}

type plxOrdered interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~string
}

func plxAnyEqual[T comparable](site, meta uint32, x, y T) int8 {
	if x == y {
		return 0
	}
	plxAny(site, meta, x, y)
	return 1
}
`)
	for _, op := range []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ} {
		fmt.Fprintf(&b, `
func %s[T plxOrdered](site, meta uint32, x, y T) int8 {
	plxAny(site, meta, x, y)
	if x %s y {
		return 1
	}
	return 0
}
`, parameterFunctions[op], op)
	}
	return b.String()
}

// supportCall passes on the call of a function of two strings or byte slices.
func supportCall(i int, shape string) string {
	params, results, _ := strings.Cut(shape, " ")
	types := strings.Split(params, ",")
	record := "plxText"
	if types[0] != "string" {
		record = "plxBytes"
	}
	decls, args := "s, t "+types[0], "s, t"
	for k, t := range types[2:] {
		decls += fmt.Sprintf(", n%d %s", k, t)
		args += fmt.Sprintf(", n%d", k)
	}
	return fmt.Sprintf("\nfunc plxF%d(site, meta uint32, f func(%s) (%s), %s) (%s) {\n\t%s(site, meta, s, t)\n\treturn f(%s)\n}\n",
		i, params, results, decls, results, record, args)
}
