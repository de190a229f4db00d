package minimize

import (
	"bytes"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"parallax/internal/input"
)

// general returns an input's text with its holes.
func general(flat []byte, list []Hole) string {
	var b strings.Builder
	at := 0
	for _, h := range list {
		fmt.Fprintf(&b, "%s<%s*%d>", flat[at:h.Start], h.Of, h.End-h.Start)
		at = h.End
	}
	b.Write(flat[at:])
	return b.String()
}

func TestHolesRaw(t *testing.T) {
	match := func(re string) func([]byte) bool { return regexp.MustCompile(`(?s)` + re).Match }
	cases := []struct {
		name, in string
		test     func([]byte) bool
		want     string
	}{
		{"nothing matters", "00a ", func([]byte) bool { return true }, "<byte*4>"},
		{"everything matters", "00a ", func(b []byte) bool { return string(b) == "00a " }, "00a "},
		{"empty", "", func([]byte) bool { return true }, ""},
		{"digits", "v0.00", match(`^v[0-9]\.[0-9]{2}$`), "v<digit*1>.<digit*2>"},
		{"letters", "<a/>", match(`^<[a-zA-Z]/>$`), "<<letter*1>/>"},
		{"words", "a0=", match(`^[a-zA-Z0-9]{2}=$`), "<letter or digit*2>="},
		{"printable", `"0"`, match(`^"[ -~]"`), `"<printable*1>"`},
		{"printable without the quote", `"0"`, match(`^"[^"\\]"$`), `"<letter or digit*1>"`},
		{"bytes", "ab\x00cd", match(`^ab.cd$`), "ab<byte*1>cd"},
		{"no text", "0", utf8.Valid, "<printable*1>"},
		{"lower case is no class", "a", match(`^[a-z]$`), "a"},
		{"small digits are no class", "0", match(`^[0-4]$`), "0"},
		{"must be equal", "00", func(b []byte) bool { return b[0] == b[1] }, "00"},
		{"padding", "k" + strings.Repeat("0", 300), func(b []byte) bool { return b[0] == 'k' }, "k<byte*300>"},
		{"characters", "k" + strings.Repeat("0", 300), match(`^k.{300}$`), "k<printable*300>"}, // bytes may form one character together
		{"part of padding", "k" + strings.Repeat("0", 300), func(b []byte) bool { return len(b) == 301 && b[100] == '0' }, "<byte*100>0<byte*200>"},
		{"runes", "é", func(b []byte) bool { return string(b) == "é" }, "é"},
	}
	for _, c := range cases {
		calls := 0
		got := Holes(raw, []byte(c.in), 2000, nil, func(b []byte) bool { calls++; return c.test(b) })
		if g := general([]byte(c.in), got); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
		t.Logf("%s: %d calls", c.name, calls)
	}
}

// TestHolesTogether has bytes that can be anything alone, but not together with others.
func TestHolesTogether(t *testing.T) {
	for name, test := range map[string]func([]byte) bool{
		"not both":      func(b []byte) bool { return b[0] == '0' || b[2] == '0' },
		"one is enough": func(b []byte) bool { return bytes.Count(b, []byte("0")) >= 2 },
		"not equal":     func(b []byte) bool { return b[0] == '0' || b[0] != b[1] },
		"a sum":         func(b []byte) bool { return b[0]+b[1]+b[2]+b[3] != '0'+'1'+'2'+'3' },
	} {
		got := Holes(raw, []byte("0000"), 2000, nil, test)
		filled := []byte("0000")
		r := rand.New(rand.NewSource(1))
		failed := 0
		for n := 0; n < 1000; n++ {
			for _, h := range got {
				for at := h.Start; at < h.End; at++ {
					filled[at] = "0123456789"[r.Intn(10)]
				}
			}
			if !test(filled) {
				failed++
			}
		}
		t.Logf("%s: %v, %d of 1000 fillings fail", name, got, failed)
		if failed > 60 { // a sum fails one time in twenty
			t.Errorf("%s: %v: %d of 1000 fillings fail", name, got, failed)
		}
		if len(got) == 0 {
			t.Errorf("%s: no holes", name)
		}
	}
}

func TestHolesShapes(t *testing.T) {
	shape := input.Shape{input.String, input.Int, input.Bool, input.Bytes, input.Float64, input.Uint8}
	flat := pack(t, shape, "v0", 7, true, []byte("0"), 1.5, uint8(3))
	check := func(want string, test func(v []any) bool) {
		t.Helper()
		got := Holes(shape, flat, 1000, nil, func(b []byte) bool {
			values, err := shape.Unpack(b)
			if err != nil {
				t.Fatal(err)
			}
			return test(values)
		})
		spans := shape.Spans(nil, flat)
		var parts []string
		for _, h := range got {
			for i, s := range spans {
				if s.Start <= h.Start && h.End <= s.End {
					parts = append(parts, fmt.Sprintf("%d[%d:%d]%s", i, h.Start-s.Start, h.End-s.Start, h.Of))
				}
			}
		}
		if g := strings.Join(parts, " "); g != want {
			t.Errorf("%s, want %s", g, want)
		}
	}
	check("0[0:2]byte 1[0:8]value 2[0:1]value 3[0:1]byte 4[0:8]value 5[0:1]value", func([]any) bool { return true })
	check("", func(v []any) bool {
		return v[0] == "v0" && v[1] == 7 && v[2] == true && string(v[3].([]byte)) == "0" && v[4] == 1.5 && v[5] == uint8(3)
	})
	check("0[1:2]byte 2[0:1]value 3[0:1]byte 5[0:1]value", func(v []any) bool {
		return v[0].(string)[0] == 'v' && v[1] == 7 && v[4].(float64) > 1
	})
}

func TestHolesProperties(t *testing.T) {
	shapes := []input.Shape{
		{input.Bytes}, {input.String, input.Uint8, input.String, input.Bytes}, {input.Int32, input.Bytes, input.Bool},
	}
	r := rand.New(rand.NewSource(5))
	for n := 0; n < 300; n++ {
		shape := shapes[n%len(shapes)]
		flat := randomFlat(r, shape)
		before := append([]byte{}, flat...)
		test := sparseTest(flat, r.Uint64(), uint64(1+r.Intn(4)))
		budget, calls := r.Intn(400), 0
		counted := func(b []byte) bool {
			if err := shape.Check(b); err != nil || len(b) != len(flat) {
				t.Fatalf("%v: %v", shape, err)
			}
			calls++
			return test(b)
		}
		got := Holes(shape, flat, budget, nil, counted)
		if calls > budget || !bytes.Equal(flat, before) {
			t.Fatalf("%v: %d calls of %d", shape, calls, budget)
		}
		if again := Holes(shape, flat, budget, nil, test); fmt.Sprint(again) != fmt.Sprint(got) {
			t.Fatalf("%v: %v, then %v", shape, got, again)
		}
		end := 0
		for _, h := range got {
			if h.Start < end || h.End <= h.Start || h.End > len(flat) || h.Of == "" {
				t.Fatalf("%v: bad holes %v", shape, got)
			}
			end = h.End
		}
		stopped := 0
		if list := Holes(shape, flat, budget, func() bool { return stopped >= 5 }, func(b []byte) bool { stopped++; return test(b) }); len(list) > 0 || stopped > 5 {
			t.Fatalf("%v: %v after %d calls", shape, list, stopped)
		}
	}
}

// TestHolesTryEveryMember checks that every member of a class is tried if the budget allows.
func TestHolesTryEveryMember(t *testing.T) {
	for c := 0; c < 256; c++ {
		flat := []byte("x0y0z")
		if byte(c) == '0' {
			continue
		}
		got := Holes(raw, flat, 2000, nil, func(b []byte) bool {
			return b[0] == 'x' && b[2] == 'y' && b[4] == 'z' && b[1] != byte(c) && b[3] != byte(c)
		})
		for _, h := range got {
			for _, s := range classes[0] {
				if s.name == h.Of && s.has(byte(c)) {
					t.Errorf("%q: %v", byte(c), got)
				}
			}
		}
		if len(got) == 0 && !isDigit(byte(c)) {
			t.Errorf("%q: no hole", byte(c))
		}
	}
}

func TestHolesOfLargeInputs(t *testing.T) {
	flat := bytes.Repeat([]byte("0a "), 1<<18)
	calls := 0
	Holes(raw, flat, 200, nil, func([]byte) bool { calls++; return true })
	if calls != 200 {
		t.Errorf("%d calls", calls)
	}
	broken := []byte{9, 0, 0, 0}
	if got := Holes(input.Shape{input.Bytes, input.Int}, broken, 100, nil, func([]byte) bool { return true }); got != nil {
		t.Errorf("of what is no flat form: %v", got)
	}
}
