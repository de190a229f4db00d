package archive

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

func TestVectorArgs(t *testing.T) {
	shape, err := input.ParseShape("([]byte, string, string, bool, int64, uint8, float64, float32)")
	if err != nil {
		t.Fatal(err)
	}
	flat, err := shape.Pack([]byte{}, "é\x1b[2J", "\xff", true, int64(math.MinInt64), uint8(200), math.NaN(), float32(0.1))
	if err != nil {
		t.Fatal(err)
	}
	data, err := finding.JSON(vectorArgs(shape, flat))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "\x1b") {
		t.Errorf("a control character in %q", data)
	}
	var args []VectorArg
	if err := json.Unmarshal(data, &args); err != nil {
		t.Fatal(err)
	}
	show := func(s *string) string {
		if s == nil {
			return "-"
		}
		return fmt.Sprintf("%q", *s)
	}
	var got []string
	for _, a := range args {
		got = append(got, fmt.Sprintf("%s %s %s %s %s", a.Type, show(a.Base64), show(a.Text), a.Value, a.Bits))
	}
	want := []string{
		`[]byte "" ""  `, `string "w6kbWzJK" "é\x1b[2J"  `, `string "/w==" -  `, `bool - - true `, `int64 - - -9223372036854775808 `, `uint8 - - 200 `,
		`float64 - - NaN 7ff8000000000001`, `float32 - - 0.1 3dcccccd`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestVectorChoice checks that the smallest input of each tuple is chosen, in any order of inputs.
func TestVectorChoice(t *testing.T) {
	type in struct {
		flat, tuple string
		agree       bool
		findings    []VectorFinding
	}
	inputs := []in{
		{"bb", "x", false, []VectorFinding{{ID: "2"}}}, {"a", "x", false, nil}, {"b", "x", false, []VectorFinding{{ID: "1"}}},
		{"", "y", true, nil}, {"longer", "y", true, nil}, {"long", "y", true, nil}, {"aaaa", "z", false, nil},
	}
	for _, all := range []bool{false, true} {
		want := "a x 3 [1 2]; aaaa z 1 []; " + " y 3 []"
		if all {
			want += "; long y 3 []; longer y 3 []"
		}
		for turn := range inputs {
			v := &vectorist{all: all}
			for i := range inputs {
				x := inputs[(i+turn)%len(inputs)]
				v.list = append(v.list, &witness{flat: []byte(x.flat), tuple: x.tuple, agree: x.agree, findings: x.findings})
			}
			var got []string
			for _, w := range v.choose() {
				var ids []string
				for _, f := range w.findings {
					ids = append(ids, f.ID)
				}
				got = append(got, fmt.Sprintf("%s %s %d %v", w.flat, w.tuple, w.inputs, ids))
			}
			if s := strings.Join(got, "; "); s != want {
				t.Errorf("all %v, from %d on: %s, want %s", all, turn, s, want)
			}
		}
	}
}

// TestVectorNamed checks that all named findings become vectors, also two of one tuple.
func TestVectorNamed(t *testing.T) {
	v := &vectorist{named: true, list: []*witness{
		{flat: []byte("b"), tuple: "x", findings: []VectorFinding{{ID: "1"}}}, {flat: []byte("a"), tuple: "x", findings: []VectorFinding{{ID: "2"}}},
	}}
	got := v.choose()
	if len(got) != 2 || got[0].findings[0].ID != "2" || got[1].findings[0].ID != "1" || got[0].inputs != 2 {
		t.Errorf("%d vectors", len(got))
	}
}

// TestVectorTuple checks that a tuple does not depend on numbers, quotes and the input in messages.
func TestVectorTuple(t *testing.T) {
	shape, err := input.ParseShape("([]byte)")
	if err != nil {
		t.Fatal(err)
	}
	v := &vectorist{past: &Campaign{Shape: shape}}
	rejects := func(text string) wire.RunResult {
		return wire.RunResult{Outcome: uint64(oracle.Rejected), Error: text, ErrorType: "*errors.errorString"}
	}
	of := func(flat string, results ...wire.RunResult) string { return v.tuple(results, []byte(flat)) }
	if of("abc", rejects("bad input abc at 3")) != of("wxyz", rejects("bad input wxyz at 4")) {
		t.Error("the input in a message makes another tuple")
	}
	if of("abc", rejects("bad")) == of("abc", rejects("worse")) {
		t.Error("another message makes no other tuple")
	}
	a, b := wire.RunResult{Outcome: uint64(oracle.Accepted), Value: 1}, wire.RunResult{Outcome: uint64(oracle.Accepted), Value: 2}
	if of("x", a, b) == of("x", a, a) {
		t.Error("values that part make no other tuple")
	}
	if of("x", a, a) != of("y", b, b) {
		t.Error("values that are alike make another tuple")
	}
	crash := wire.RunResult{Outcome: uint64(oracle.Crashed), Panic: "index out of range [3] with length 2"}
	failure := crash
	failure.Failure = true
	if of("x", crash) == of("x", failure) {
		t.Error("a failed test and a panic are one tuple")
	}
}

func TestJSONText(t *testing.T) {
	if s, q := jsonText("ok"), quotedText("ok"); s != "ok" || q != "" {
		t.Errorf("%q %q", s, q)
	}
	if s, q := jsonText("a\xffb"), quotedText("a\xffb"); s != "a\ufffdb" || q != `"a\xffb"` {
		t.Errorf("%q %q", s, q)
	}
}
