package mutate

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"testing"

	"parallax/internal/input"
)

// The reach of the operators, within budgets of tries from fixed random seeds. The budgets are
// several times what is needed. So a change of the random sequence does not break the tests, and a
// lost operator does.

var rawBytes = input.Shape{input.Bytes}

// versionParts holds the steps in which a parser accepts a version with a pre-release.
var versionParts = []*regexp.Regexp{
	regexp.MustCompile(`^[0-9]+`),
	regexp.MustCompile(`^[0-9]+\.`),
	regexp.MustCompile(`^[0-9]+\.[0-9]+`),
	regexp.MustCompile(`^[0-9]+\.[0-9]+\.`),
	regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+`),
	regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+-rc`),
	regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+-rc\.`),
	regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+-rc\.[0-9]+`),
	regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+-rc\.[0-9]+$`),
}

// TestVersionFromNothing grows the empty input into the likes of "1.2.3-rc.1". As a fuzzer with
// coverage would, it keeps the first input that a parser follows further.
func TestVersionFromNothing(t *testing.T) {
	const budget = 50000
	for stream := uint64(0); stream < 5; stream++ {
		m := newMutator(t, Config{Shape: rawBytes, Dictionary: [][]byte{[]byte("-rc"), []byte(".1")}})
		r := NewRand(42, stream)
		corpus := [][]byte{{}}
		reached, tries := 0, 0
		var dst []byte
		for ; reached < len(versionParts) && tries < budget; tries++ {
			dst = m.Mutate(r, dst, corpus[r.Intn(len(corpus))], corpus[r.Intn(len(corpus))])
			before := reached
			for reached < len(versionParts) && versionParts[reached].Match(dst) {
				reached++
			}
			if reached > before {
				corpus = append(corpus, bytes.Clone(dst))
			}
		}
		if reached < len(versionParts) {
			t.Errorf("stream %d: reached %q in %d tries", stream, corpus[len(corpus)-1], tries)
		} else {
			t.Logf("stream %d: %q after %d tries", stream, corpus[len(corpus)-1], tries)
		}
	}
}

// TestNumbersInText checks that one mutation turns a small number into the boundaries that parsers
// treat differently.
func TestNumbersInText(t *testing.T) {
	const budget = 300000
	object := regexp.MustCompile(`^\{"n":(.*)\}$`)
	wanted := map[string]int{"2": 0, "0": 0, "-1": 0, "-0": 0, "01": 0, "1.0": 0, "255": 0, "256": 0, "65536": 0, "2147483648": 0,
		"9223372036854775808": 0, "18446744073709551616": 0, "9007199254740993": 0, "1e5": 0}
	overflow, underflow := 0, 0
	m := newMutator(t, Config{Shape: rawBytes})
	r := NewRand(42, 0)
	seed := []byte(`{"n":1}`)
	var dst []byte
	for i := 0; i < budget; i++ {
		dst = m.Mutate(r, dst, seed, nil)
		match := object.FindSubmatch(dst)
		if match == nil {
			continue
		}
		text := string(match[1])
		if n, ok := wanted[text]; ok {
			wanted[text] = n + 1
		}
		f, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil && math.IsInf(f, 0):
			overflow++
		case err == nil && f == 0 && bytes.ContainsAny(match[1], "123456789") && bytes.ContainsAny(match[1], "eE"):
			underflow++
		}
	}
	for text, n := range wanted {
		if n < 3 {
			t.Errorf("%s: %d times in %d tries", text, n, budget)
		}
	}
	if overflow < 100 || underflow < 20 {
		t.Errorf("%d floats beyond the range and %d below it in %d tries", overflow, underflow, budget)
	}
	t.Log(wanted, overflow, underflow)
}

// TestOperatorsOccur checks that every operator of a set applies, and none of another set.
func TestOperatorsOccur(t *testing.T) {
	tuple := input.Shape{input.String, input.Int, input.String}
	tests := []struct {
		set   string
		shape input.Shape
		want  []Op
	}{
		{"nezha", rawBytes, []Op{OpSplice, OpInsert, OpErase, OpBit, OpByte, OpShuffle, OpDigits}},
		{"nezha", tuple, []Op{OpSplice, OpInsert, OpErase, OpBit, OpByte, OpShuffle, OpDigits}},
		{"nezha", input.Shape{input.Int64}, []Op{OpSplice, OpBit, OpByte, OpShuffle, OpDigits}},
		{"nezha", input.Shape{input.Bool, input.Bool}, []Op{OpBit}},
		{"full", rawBytes, []Op{OpSplice, OpInsert, OpErase, OpBit, OpByte, OpShuffle, OpDigits, OpArith, OpInteresting, OpNumber, OpDelete,
			OpDuplicate, OpCopy, OpRepeat, OpToken, OpDictionary, OpCase, OpClass, OpUTF8}},
		{"full", tuple, []Op{OpSplice, OpInsert, OpErase, OpBit, OpByte, OpShuffle, OpDigits, OpArith, OpInteresting, OpNumber, OpDelete,
			OpDuplicate, OpCopy, OpRepeat, OpToken, OpDictionary, OpCase, OpClass, OpUTF8, OpScalar, OpArgument}},
		{"full", input.Shape{input.Float64}, []Op{OpScalar, OpDictionary}},
	}
	for _, test := range tests {
		m := newMutator(t, Config{Shape: test.shape, Set: test.set, Dictionary: [][]byte{[]byte("dict")}})
		r := NewRand(9, 9)
		values := []any{"ab 12 cd", 0x3132333435, "ef 34 gh"}
		seed, err := tuple.Pack(values...)
		if len(test.shape) == 1 && test.shape.Raw() {
			seed = []byte("ab 12, cd-34 éf")
		} else if len(test.shape) < 3 {
			seed = bytes.Repeat([]byte{1}, len(test.shape.Zero()))
			if test.shape[0] == input.Int64 {
				seed = []byte("12a45b78")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		var count [NumOps]int
		for i := 0; i < 4000; i++ {
			m.Mutate(r, nil, seed, seed)
			for _, op := range m.Operators() {
				count[op]++
			}
		}
		for _, op := range test.want {
			if count[op] < 10 {
				t.Errorf("%s %v: %v occurs %d times", test.set, test.shape, op, count[op])
			}
			count[op] = 0
		}
		for op, n := range count {
			if n > 0 {
				t.Errorf("%s %v: %v occurs %d times", test.set, test.shape, Op(op), n)
			}
		}
	}
}

// TestNezhaCount checks that one to five of the five operators apply, each at most once.
func TestNezhaCount(t *testing.T) {
	m := newMutator(t, Config{Shape: rawBytes, Set: "nezha"})
	r := NewRand(1, 1)
	family := map[Op]Op{OpErase: OpInsert, OpByte: OpBit}
	var sizes [6]int
	first := map[Op]int{}
	for i := 0; i < 5000; i++ {
		m.ops = m.ops[:0]
		m.limit, m.donor = 100, []byte("other input")
		m.stack(r, []byte("some 123 text"))
		seen := map[Op]bool{}
		for k, op := range m.ops {
			if f, ok := family[op]; ok {
				op = f
			}
			if seen[op] {
				t.Fatalf("%v: %v twice", m.ops, op)
			}
			seen[op] = true
			if k == 0 {
				first[op]++
			}
		}
		sizes[len(m.ops)]++
	}
	if len(first) != 5 {
		t.Errorf("first operators: %v, want each of five", first)
	}
	for n := 1; n <= 5; n++ {
		if sizes[n] < 700 {
			t.Errorf("%d operators %d of 5000 times", n, sizes[n])
		}
	}
}

// TestSplice checks that material of the other input arrives, in both sets, for raw and typed
// inputs and for scalars.
func TestSplice(t *testing.T) {
	tuple := input.Shape{input.Int, input.String}
	seed, err := tuple.Pack(0, "aaaa")
	if err != nil {
		t.Fatal(err)
	}
	other, err := tuple.Pack(0x1122334455667788, "XYZXYZ")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"full", "nezha"} {
		m := newMutator(t, Config{Shape: rawBytes, Set: set})
		typed := newMutator(t, Config{Shape: tuple, Set: set})
		r := NewRand(2, 2)
		raw, text, number := 0, 0, 0
		for i := 0; i < 2000; i++ {
			if bytes.Contains(m.Mutate(r, nil, []byte("aaaa"), []byte("XYZXYZ")), []byte("YZ")) {
				raw++
			}
			values, err := tuple.Unpack(typed.Mutate(r, nil, seed, other))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains([]byte(values[1].(string)), []byte("YZ")) {
				text++
			}
			if v := values[0].(int); v>>48 == 0x1122 {
				number++
			}
		}
		if raw < 50 || text < 30 || number < 10 {
			t.Errorf("%s: spliced %d raw inputs, %d strings, %d numbers of 2000", set, raw, text, number)
		}
	}
}

// TestScalars checks that one mutation turns zero into the values that typed code treats specially.
func TestScalars(t *testing.T) {
	tests := []struct {
		kind input.Kind
		want []any
	}{
		{input.Bool, []any{true}},
		{input.Int8, []any{int8(1), int8(-1), int8(127), int8(-128), int8(64)}},
		{input.Int32, []any{int32('a'), int32(0xd800), int32(0x10ffff), int32(0x110000), int32(math.MaxInt32), int32(math.MinInt32)}},
		{input.Int64, []any{int64(math.MaxInt64), int64(math.MinInt64), int64(1 << 31), int64(math.MaxInt32), int64(10)}},
		{input.Uint16, []any{uint16(255), uint16(256), uint16(65535), uint16(32768)}},
		{input.Uint64, []any{uint64(math.MaxUint64), uint64(1 << 63), uint64(1 << 53)}},
		{input.Float32, []any{float32(math.Inf(1)), float32(math.MaxFloat32), float32(0.1), float32(-1)}},
		{input.Float64, []any{math.Inf(1), math.Inf(-1), math.MaxFloat64, 0.1, 9007199254740992.0, math.SmallestNonzeroFloat64, 1.0}},
	}
	for _, test := range tests {
		s := input.Shape{test.kind}
		m := newMutator(t, Config{Shape: s})
		r := NewRand(4, 4)
		seen := map[any]bool{}
		nan, negativeZero := 0, 0
		for i := 0; i < 20000; i++ {
			values, err := s.Unpack(m.Mutate(r, nil, s.Zero(), nil))
			if err != nil {
				t.Fatal(err)
			}
			seen[values[0]] = true
			if f, ok := values[0].(float64); ok && f != f {
				nan++
			} else if ok && f == 0 && math.Signbit(f) {
				negativeZero++
			}
		}
		for _, v := range test.want {
			if !seen[v] {
				t.Errorf("%v: no %v", test.kind, v)
			}
		}
		if test.kind == input.Float64 && (nan < 10 || negativeZero < 10) {
			t.Errorf("%d NaNs, %d negative zeros", nan, negativeZero)
		}
	}
}

// TestSparse checks that long data without the classes that operators search for is still mutated.
func TestSparse(t *testing.T) {
	r := NewRand(8, 8)
	for _, c := range []string{" ", "\x00", "7", "a", "\x80", "{"} {
		for _, limit := range []int{2000, 4096} {
			m := newMutator(t, Config{Shape: rawBytes, MaxLen: limit})
			seed := bytes.Repeat([]byte(c), 2000)
			seed[1999], seed[500] = 'x', '1'
			for i := 0; i < 2000; i++ {
				if dst := m.Mutate(r, nil, seed, seed[:1000]); len(dst) > limit {
					t.Fatalf("%d bytes, limit %d", len(dst), limit)
				}
			}
		}
	}
}

// TestArgumentsMeet checks that unrelated strings become equal, or contained in each other.
func TestArgumentsMeet(t *testing.T) {
	s := input.Shape{input.String, input.String}
	seed, err := s.Pack("haystack", "needle")
	if err != nil {
		t.Fatal(err)
	}
	m := newMutator(t, Config{Shape: s})
	r := NewRand(6, 6)
	equal, within := 0, 0
	for i := 0; i < 5000; i++ {
		values, err := s.Unpack(m.Mutate(r, nil, seed, seed))
		if err != nil {
			t.Fatal(err)
		}
		a, b := []byte(values[0].(string)), []byte(values[1].(string))
		if bytes.Equal(a, b) {
			equal++
		} else if len(b) > 1 && bytes.Contains(a, b) {
			within++
		}
	}
	if equal < 50 || within < 10 {
		t.Errorf("%d equal pairs and %d within each other of 5000", equal, within)
	}
}
