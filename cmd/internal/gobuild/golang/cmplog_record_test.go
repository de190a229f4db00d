package golang

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A record is a comparison as the reader below prints it.
type record struct {
	Site               uint32
	Kind, Width, Flags uint8
	A, B               uint64
	S, T               string
}

// String writes a record as "Kind.width flags a b", with flags A and B for constants and s for
// signed integers.
func (r record) String() string {
	flags := ""
	for i, c := range "ABs" {
		if r.Flags>>i&1 != 0 {
			flags += string(c)
		}
	}
	names := []string{"?", "IntEqual", "IntOrder", "StringEqual", "StringOrder", "Prefix", "Suffix", "Contains", "Fold", "Lookup"}
	head := fmt.Sprintf("%s.%d %s ", names[r.Kind], r.Width, flags)
	switch {
	case r.Width == 0:
		return head + fmt.Sprintf("%q %q", r.S, r.T)
	case r.Flags&flagSigned != 0:
		return head + fmt.Sprintf("%d %d", int64(r.A), int64(r.B))
	}
	return head + fmt.Sprintf("%d %d", r.A, r.B)
}

// recorded is the result of a test function of package x/p and its records.
type recorded struct {
	Result string
	Ops    []record
}

// opsReader is the begin of a program that reads the records of package x/p by link name.
const opsReader = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	_ "unsafe"

	"x/p"
)

type op struct {
	Site               uint32
	Kind, Width, Flags uint8
	pad                uint8
	A, B               uint64
	S, T               string
}

//go:linkname ops x/p.plxOps
var ops [2048]op

//go:linkname opN x/p.plxOpN
var opN uint32

func run(f func() interface{}) interface{} {
	opN = 0
	v := fmt.Sprint(f())
	return map[string]interface{}{"Result": v, "Ops": append([]op{}, ops[:opN]...)}
}
`

// runOps builds and runs functions T0 to Tn-1 of the package x/p in m, recording or not. Sites are
// never full, if each function has its own.
func runOps(t *testing.T, m *module, n int, recording bool, args ...string) []recorded {
	t.Helper()
	var b strings.Builder
	b.WriteString(opsReader + "\nfunc main() {\n\t_ = json.NewEncoder(os.Stdout).Encode([]interface{}{\n")
	for i := range n {
		fmt.Fprintf(&b, "\t\trun(p.T%d),\n", i)
	}
	b.WriteString("\t})\n}\n")
	m.write("main.go", b.String())
	var pkgs []string
	if recording {
		pkgs = []string{"x/p"}
	}
	var all []recorded
	if err := json.Unmarshal([]byte(m.run(m.build(Options{CmpLog: true}, pkgs, args...))), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// recordTests lists function bodies with their records. Variables of many types are available: see
// recordProlog.
var recordTests = []struct{ name, body, want string }{
	{"int", "return n == 5", "IntEqual.8 Bs 7 5"},
	{"int, constant left", "return 5 != n", "IntEqual.8 As 5 7"},
	{"int, equal operands", "return n == 7", ""},
	{"two variables", "return n < m", "IntOrder.8 s 7 -3"},
	{"orders", "return fmt.Sprint(n < 7, n <= 7, n > 7, n >= 7)",
		"IntOrder.8 Bs 7 7; IntOrder.8 Bs 7 7; IntOrder.8 Bs 7 7; IntOrder.8 Bs 7 7"},
	{"widths", "return fmt.Sprint(i8 == 1, i16 == -1, i32 == 'x', i64 == 1<<40, u8 == 'a', u16 == 0xfffe, u32 == 1<<31, u64 == 1<<63, u == 9, up == 1)",
		"IntEqual.1 Bs -8 1; IntEqual.2 Bs -16 -1; IntEqual.4 Bs -32 120; IntEqual.8 Bs -64 1099511627776; IntEqual.1 B 8 97; " +
			"IntEqual.2 B 16 65534; IntEqual.4 B 32 2147483648; IntEqual.8 B 64 9223372036854775808; IntEqual.8 B 1 9; IntEqual.8 B 2 1"},
	{"signed and unsigned order", "return fmt.Sprint(i8 < 1, u64 > 1<<63, u8 >= 255)",
		"IntOrder.1 Bs -8 1; IntOrder.8 B 64 9223372036854775808; IntOrder.1 B 8 255"},
	{"named", "return kind == second", "IntEqual.1 B 0 1"},
	{"float constant", "return n == 1.0", "IntEqual.8 Bs 7 1"},
	{"not recorded", "var e error; return fmt.Sprint(f == 1, b == true, e == nil, &n == nil, e == io.EOF, c64 == 1, any == any, st == st, any == 5)", ""},
	{"string", "return s == \"IMARANDOMSTRING\"", `StringEqual.0 B "some text" "IMARANDOMSTRING"`},
	{"string order", "return fmt.Sprint(s < \"t\", \"t\" >= s, s > s)",
		`StringOrder.0 B "some text" "t"; StringOrder.0 A "t" "some text"; StringOrder.0  "some text" "some text"`},
	{"named string", "return name != \"x\"", `StringEqual.0 B "ann" "x"`},
	{"converted bytes", "return string(bs[:2]) == \"PN\"", `StringEqual.0 B "by" "PN"`},
	{"long strings", "return strings.Repeat(\"ab\", 200) == s",
		`StringEqual.0  "` + strings.Repeat("ab", 128) + `" "some text"`},
	{"arrays", "return fmt.Sprint(addr == [4]byte{127, 0, 0, 1}, addr == addr, [2]byte{1, 2} != [2]byte{u8, 3})",
		`StringEqual.0 B "\x01\x02\x03\x04" "\x7f\x00\x00\x01"; StringEqual.0 A "\x01\x02" "\b\x03"`},
	{"switch", "switch n { case 1, 2: return 1; case 7: return 7; case m: return 3 }; return 0",
		"Lookup.8 Bs 7 1; Lookup.8 Bs 7 2"},
	{"switch of strings", "switch name { case \"bob\", \"ann\": return 1; default: return 2; case \"\": return 3 }",
		`Lookup.0 B "ann" "bob"; Lookup.0 B "ann" ""`},
	{"switch of words of ours", "switch s { case \"IntEqual\", \"\\nfunc %d\\xff\": return 1 }; return 2", `Lookup.0 B "some text" "IntEqual"; Lookup.0 B "some text" "\nfunc %d?`},
	{"switch of bytes", "switch c := bs[0]; c { case 'x', '\\n', 0xff: return 1 }; return 2", "Lookup.1 B 98 120; Lookup.1 B 98 10; Lookup.1 B 98 255"},
	{"switch without tag", "switch { case n > 9: return 1; case s == \"a\", b && n == 3: return 2 }; return 3",
		`IntOrder.8 Bs 7 9; StringEqual.0 B "some text" "a"; IntEqual.8 Bs 7 3`},
	{"switch of constants", "switch 5 { case n: return 1; case 5: }; switch true { case n == 1: }; return 0", "IntEqual.8 Bs 7 1"},
	{"switch of an interface", "switch any { case 5: return 1; case \"x\": return 2 }; return 3", ""},
	{"switch of kinds", "switch kind { case first, second: return kind }; return third", "Lookup.1 B 0 1"},
	{"strings functions", `return fmt.Sprint(strings.HasPrefix(s, "some"), strings.HasSuffix(s, "x"), strings.Contains(s, "zz"), strings.Index(s, "t"),
		strings.LastIndex(s, "t"), strings.EqualFold(s, "SOME"), strings.Compare(s, "a"), strings.Count(s, "e"), strings.TrimPrefix(s, "so"),
		strings.TrimSuffix(s, "so"), strings.Split(s, " "), strings.SplitN(s, "e", 2))`,
		`Prefix.0 B "some text" "some"; Suffix.0 B "some text" "x"; Contains.0 B "some text" "zz"; Contains.0 B "some text" "t"; Contains.0 B "some text" "t"; ` +
			`Fold.0 B "some text" "SOME"; StringOrder.0 B "some text" "a"; Contains.0 B "some text" "e"; Prefix.0 B "some text" "so"; Suffix.0 B "some text" "so"; ` +
			`Contains.0 B "some text" " "; Contains.0 B "some text" "e"`},
	{"bytes functions", `return fmt.Sprint(bytes.Equal(bs, []byte("PNG")), bytes.HasPrefix(bs, []byte{1, 'P'}), bytes.Equal(bs, bs), bytes.EqualFold(bs, nil),
		subtle.ConstantTimeCompare(bs, []byte{1}), hmac.Equal(bs, bs[1:]), bytes.Split(bs, bs[:1]), bytes.Compare([]byte{'a'}, bs))`,
		`StringEqual.0 B "bytes" "PNG"; Prefix.0 B "bytes" "\x01P"; Fold.0  "bytes" ""; StringEqual.0 B "bytes" "\x01"; StringEqual.0  "bytes" "ytes"; ` +
			`Contains.0  "bytes" "b"; StringOrder.0 A "a" "bytes"`},
	{"long suffix", `return strings.HasSuffix(strings.Repeat("x", 300)+"end", "END")`,
		`Suffix.0 B "` + strings.Repeat("x", 253) + `end" "END"`},
	{"empty", `return fmt.Sprint(strings.HasPrefix(s, ""), strings.Contains(s, ""), strings.HasPrefix("", s), s == "")`,
		`Prefix.0 A "" "some text"; StringEqual.0 B "some text" ""`},
	{"arguments from a call", "return strings.HasPrefix(pair())", ""},
	{"function values", `h := strings.HasPrefix; return h(s, "x")`, ""},
	{"map", `return words["tex"]`, `Lookup.0 A "tex" "text"`},
	{"map, key found", `return words[s[5:]]`, ``},
	{"map of nothing", `return map[string]int{}[s]`, ``},
	{"map, ok", `if v, ok := numbers[n]; ok { return v }; return ""`, "Lookup.8 s 7 -1"},
	{"nested", `return strings.HasPrefix(string(bs[n-7:]), string(name[:len(name)-2])) == (n > 3)`,
		`Prefix.0  "bytes" "a"; IntOrder.8 Bs 7 3`},
	{"length", "return len(s) > 100 || len(bs) == 4", "IntOrder.8 Bs 9 100; IntEqual.8 Bs 5 4"},
	{"loops", "k := 0; for i := 0; i < 20; i++ { if i == 100 { k++ } }; for j := n; j > 5; j-- { k++ }; for k > 0 { k-- }; return k",
		strings.Repeat("IntEqual.8 Bs ? 100; ", 16) + "IntOrder.8 Bs 2 0; IntOrder.8 Bs 1 0; IntOrder.8 Bs 0 0"},
	{"constants", "const k = 1 == 2; var a [len(\"ab\")]int; if k || 5 > 4 { return len(a) == 2 }; return runtime.GOOS == \"none\"", ""},
}

const recordProlog = `package p

import (
	"bytes"
	"crypto/hmac"
	"crypto/subtle"
	"fmt"
	"io"
	"runtime"
	"strings"
)

type Kind uint8

const (
	first Kind = iota
	second
	third
)

type Name string

type Addr [4]byte

type pairs struct{ a, b int }

var (
	n, m         = 7, -3
	i8     int8  = -8
	i16    int16 = -16
	i32    int32 = -32
	i64    int64 = -64
	u8     uint8 = 8
	u16    uint16 = 16
	u32    uint32 = 32
	u64    uint64 = 64
	u      uint   = 1
	up     uintptr = 2
	f      = 1.5
	c64    complex64
	b      = true
	s      = "some text"
	name   Name = "ann"
	bs     = []byte("bytes")
	addr   = Addr{1, 2, 3, 4}
	kind   Kind
	any    interface{} = 4
	st     pairs
	words   = map[string]int{"text": 1}
	numbers = map[int]string{-1: "minus"}
)

func pair() (string, string) { return "a", "b" }

var _ = []interface{}{bytes.Equal, hmac.Equal, subtle.ConstantTimeCompare, fmt.Sprint, io.EOF, runtime.GOOS, strings.Index, third}
`

// genericTests need the language of Go 1.21.
var genericTests = []struct{ name, body, want string }{
	{"parameter", "return equal(n, 5)", "IntEqual.8 s 7 5"},
	{"parameter, string", "return equal(s, \"x\")", `StringEqual.0  "some text" "x"`},
	{"parameter, named type", "return equal(kind, third)", ""},
	{"parameter and constant", "return isOne(u16)", "IntEqual.2 B 16 1"},
	{"parameters in order", "return inOrder(\"a\", s)", `StringOrder.0  "a" "some text"; StringOrder.0  "some text" "a"`},
	{"parameters in order, integers", "return inOrder(i8, 1)", "IntOrder.1 s -8 1; IntOrder.1 s 1 -8"},
	{"slices", `return fmt.Sprint(slices.Contains([]string{"a", "b"}, s), slices.Index(list, 'x'), slices.Equal(bs, []byte("x")))`,
		`Lookup.0 B "some text" "a"; Lookup.0 B "some text" "b"; Lookup.4 As 120 97; StringEqual.0 B "bytes" "x"`},
	{"named keys", "return byName[\"eve\"] + byName[name]", `Lookup.0 A "eve" "ann"`},
	{"keys of kinds", "v, ok := byKind[second]; return v || ok", "Lookup.1 A 1 2"},
	{"cut", "v, ok := strings.CutPrefix(s, \"x\"); w, x, y := strings.Cut(s, \"=\"); return fmt.Sprint(v, ok, w, x, y)",
		`Prefix.0 B "some text" "x"; Contains.0 B "some text" "="`},
}

const genericProlog = `
func equal[T comparable](a, b T) bool { return a == b }

func isOne[T ~int | ~uint16](a T) bool { return a == 1 }

func inOrder[T ~string | ~int8](a, b T) bool { return a <= b && !(b < a) }

var (
	byName = map[Name]int{"ann": 1}
	byKind = map[Kind]bool{third: true}
	list   = []rune("a")
)
`

// TestRecords checks the records at old and new versions of the language.
func TestRecords(t *testing.T) {
	for _, lang := range []string{"1.1", "1.17", "1.18", "1.26"} {
		t.Run(lang, func(t *testing.T) {
			if testing.Short() && lang != "1.26" {
				t.Skip("one version is enough for -short")
			}
			var p strings.Builder
			p.WriteString(recordProlog)
			recordTests := recordTests
			if lang == "1.26" {
				recordTests = slices.Concat(recordTests, genericTests)
				p.Reset()
				p.WriteString(strings.Replace(recordProlog, "(\n", "(\n\t\"slices\"\n", 1) + genericProlog)
			}
			for i, test := range recordTests {
				fmt.Fprintf(&p, "\nfunc T%d() interface{} { %s }\n", i, test.body)
			}
			m := newModule(t, "go.mod", "module x\ngo "+lang+"\n", "p/p.go", p.String())
			plain := runOps(t, m, len(recordTests), false)
			got := runOps(t, m, len(recordTests), true)
			for i, test := range recordTests {
				if got[i].Result != plain[i].Result {
					t.Errorf("%s: returns %s, without recording %s", test.name, got[i].Result, plain[i].Result)
				}
				var ops []string
				for _, r := range got[i].Ops {
					ops = append(ops, r.String())
				}
				if !matches(ops, test.want) {
					t.Errorf("%s: recorded\n%s\nwant\n%s", test.name, strings.Join(ops, "; "), test.want)
				}
			}
		})
	}
}

// matches compares records with a list in which ? is any word.
func matches(ops []string, want string) bool {
	var list []string
	if want != "" {
		list = strings.Split(want, "; ")
	}
	if len(ops) != len(list) {
		return false
	}
	for i, w := range list {
		before, after, any := strings.Cut(w, "?")
		if ops[i] != w && !(any && strings.HasPrefix(ops[i], before) && strings.HasSuffix(ops[i], after)) {
			return false
		}
	}
	return true
}
