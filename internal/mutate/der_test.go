package mutate

import (
	"bytes"
	"encoding/asn1"
	"math/big"
	"testing"
	"time"

	"parallax/internal/der"
	"parallax/internal/input"
)

// message returns DER with elements of most types, after its length in three bytes.
func message(t testing.TB, number int64, name string) []byte {
	t.Helper()
	type extension struct {
		ID       asn1.ObjectIdentifier
		Critical bool
		Value    []byte
	}
	b, err := asn1.Marshal(struct {
		Version int
		Serial  *big.Int
		Name    string `asn1:"utf8"`
		From    time.Time
		Bits    asn1.BitString
		List    []extension
	}{3, big.NewInt(number), name, time.Unix(1.5e9, 0).UTC(), asn1.BitString{Bytes: []byte(name), BitLength: 8 * len(name)},
		[]extension{{asn1.ObjectIdentifier{1, 2, 3}, true, []byte(name)}, {asn1.ObjectIdentifier{2, 5, 29, 19}, false, []byte{0x30, 0}}}})
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte{byte(len(b) >> 16), byte(len(b) >> 8), byte(len(b))}, b...)
}

// readable reports whether the data is its length and one element with readable elements in it.
func readable(data []byte) bool {
	all := der.Parse(nil, data)
	return len(all) > 1 && all[0].Start == 3 && all[0].End == len(data) && int(data[0])<<16|int(data[1])<<8|int(data[2]) == len(data)-3
}

// TestDER checks that most mutants of DER are readable, where hardly any of the full set are. Each
// operator and each type of element takes part.
func TestDER(t *testing.T) {
	share := func(set string) (part float64, ops [NumOps]int) {
		m, r := newMutator(t, Config{Shape: input.Shape{input.Bytes}, Set: set}), NewRand(1, 2)
		good, changed := 0, 0
		var dst []byte
		for n := int64(0); n < 4000; n++ {
			seed, other := message(t, n*n*n, "a name of some length"), message(t, n, "another name")
			dst = m.Mutate(r, dst, seed, other)
			if bytes.Equal(dst, seed) {
				continue
			}
			changed++
			if readable(dst) {
				good++
			}
			for _, op := range m.Operators() {
				ops[op]++
			}
		}
		return float64(good) / float64(changed), ops
	}
	full, _ := share("full")
	tree, ops := share("der")
	t.Logf("readable: %.2f of the full set, %.2f of der", full, tree)
	if tree < 0.5 || tree < 2*full {
		t.Errorf("%.2f of the mutants are readable, and %.2f of those of the full set", tree, full)
	}
	for _, op := range []Op{OpElement, OpContent, OpType, OpLength, OpSplice, OpBit} {
		if ops[op] < 10 {
			t.Errorf("%v was applied %d times", op, ops[op])
		}
	}
}

// TestDERRoles checks that pieces have the role of the element for which they are chosen. Optional
// elements must be preferred, and a list of messages must stay one.
func TestDERRoles(t *testing.T) {
	m, r := newMutator(t, Config{Shape: input.Shape{input.Bytes}, Set: "der"}), NewRand(5, 6)
	seed, other := message(t, 1, "a name of some length"), message(t, 2, "another name")
	m.elements, m.donor, m.limit = der.Parse(m.elements, seed), other, DefaultMaxLen
	find := func(content string) int {
		for k, e := range m.elements {
			if der.First(m.elements, k) < 0 && string(seed[e.Body:e.End]) == content {
				return k
			}
		}
		t.Fatalf("no element %q", content)
		return 0
	}
	value := find("a name of some length") // the first of three: the name
	for n := 0; n < 100; n++ {
		if m.derPiece(r, seed, value, likeRole) && m.scratch[0] != 0x0c {
			t.Fatalf("%x is no name", m.scratch)
		}
		extension := find("\x2a\x03") - 1 // with its identifier
		if !m.derPiece(r, seed, extension, likeRole) {
			t.Fatal("no other extension")
		}
		if all := der.Parse(nil, m.scratch); len(all) < 3 || m.scratch[all[1].Start] != derIdentifier {
			t.Fatalf("%x is no extension", m.scratch)
		}
		if k := m.derLoose(seed, value); seed[m.elements[k].Start] != der.Sequence {
			t.Fatalf("%x is missing or repeated", seed[m.elements[k].Start:m.elements[k].End])
		}
	}
	list := append(append([]byte{}, seed...), other...)
	more := 0
	for n := 0; n < 2000; n++ {
		b, ok := derMove(m, r, append([]byte{}, list...))
		all := der.Parse(nil, b)
		if !ok || len(all) == 0 || all[0].Start != 3 {
			continue
		}
		outermost := 0
		for _, e := range all {
			if e.Parent < 0 {
				outermost++
			}
		}
		if outermost > 2 {
			more++
		}
	}
	if more < 10 {
		t.Errorf("%d of 2000 lists became longer", more)
	}
}

// TestDERElsewhere checks that the operators do not apply to other data.
func TestDERElsewhere(t *testing.T) {
	m, r := newMutator(t, Config{Shape: input.Shape{input.Bytes}, Set: "der"}), NewRand(1, 2)
	for _, seed := range []string{"", "a text without elements", "\x30\x80"} {
		for n := 0; n < 200; n++ {
			m.Mutate(r, nil, []byte(seed), nil)
			for _, op := range m.Operators() {
				if op.onDER() && len(m.Operators()) == 1 {
					t.Errorf("%v on %q", op, seed)
				}
			}
		}
	}
}

// TestDERNumber checks that boundary values are in the shortest form.
func TestDERNumber(t *testing.T) {
	m, r := newMutator(t, Config{Shape: input.Shape{input.Bytes}, Set: "der"}), NewRand(3, 4)
	short, seen := 0, map[string]bool{}
	for n := 0; n < 4000; n++ {
		m.scratch = append(m.scratch[:0], 0x12, 0x34)
		m.derNumber(r)
		var v *big.Int
		if _, err := asn1.Unmarshal(append(der.AppendHeader(nil, derInteger, len(m.scratch)), m.scratch...), &v); err == nil {
			short++
			seen[v.String()] = true
		}
	}
	if short < 2500 || short == 4000 {
		t.Errorf("%d of 4000 numbers are in the shortest form", short)
	}
	for _, want := range []string{"0", "1", "-1", "127", "128", "-128", "32768", "4294967295", "9223372036854775807", "-9223372036854775808"} {
		if !seen[want] {
			t.Errorf("%s was not made", want)
		}
	}
}

func BenchmarkDER(b *testing.B) {
	m, r := newMutator(b, Config{Shape: input.Shape{input.Bytes}, Set: "der"}), NewRand(1, 2)
	seed, other := message(b, 7, "a name of some length"), message(b, 9, "another name")
	var dst []byte
	b.ReportAllocs()
	for n := 0; n < b.N; n++ {
		dst = m.Mutate(r, dst, seed, other)
	}
}
