package lockstep

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// TestCellsOfSilentPrograms checks that programs without coverage have cells, and others have none.
func TestCellsOfSilentPrograms(t *testing.T) {
	shout := func(_ context.Context, in []byte, o *program.Observation) error {
		if bytes.Contains(in, []byte("!")) {
			o.Outcome, o.Message = oracle.Rejected, "no marks in "+string(in)
			return nil
		}
		o.Outcome, o.Value = oracle.Accepted, append(o.Value, bytes.ToUpper(in)...)
		return nil
	}
	spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{
		{Name: "telling"}, {Name: "silent"}, {Name: "lower", Normalize: []Step{{Builtin: "case"}}},
	}}
	c := processOf(t, spec, &scripted{features: 26, batch: 64, run: echo}, &scripted{batch: 64, run: shout}, &scripted{batch: 64, run: shout})
	inputs := []string{"some words", "some!", "more words", "some words"}
	all := runAll(t, c, inputs...)
	for i, j := range all {
		if len(j.Cells) != 3 || j.Cells[0] != nil {
			t.Fatalf("%q: cells %d", inputs[i], j.Cells)
		}
		accepted := inputs[i] != "some!"
		said := strings.ToUpper(inputs[i])
		if !accepted {
			said = "no marks in some!"
		}
		if want := feature.AppendCells(nil, accepted, []byte(said), []byte(inputs[i])); !slices.Equal(j.Cells[1], want) {
			t.Errorf("%q: cells %d, want %d", inputs[i], j.Cells[1], want)
		}
		if accepted {
			said = inputs[i] // normalized
		}
		if want := feature.AppendCells(nil, accepted, []byte(said), []byte(inputs[i])); !slices.Equal(j.Cells[2], want) {
			t.Errorf("%q normalized: cells %d, want %d", inputs[i], j.Cells[2], want)
		}
	}
	if all[0].OutputDiff == 0 || all[0].OutputDiff != all[3].OutputDiff {
		t.Errorf("the outputs of one input are apart by %x and %x", all[0].OutputDiff, all[3].OutputDiff)
	}
	if got := fmt.Sprintf("%q", c.Words()); got != `["SOME" "WORDS" "no" "marks" "in"]` {
		t.Errorf("words %s", got)
	}
	if c.Words() != nil {
		t.Error("words are told again")
	}
}

// TestNoCellsOfTypedPrograms checks that typed values of Go functions are not texts.
func TestNoCellsOfTypedPrograms(t *testing.T) {
	spec := &Spec{Values: true, MaxFlat: 100, Programs: []Program{{Name: "one"}, {Name: "two"}}}
	c := processOf(t, spec, &scripted{batch: 64, run: accept}, &scripted{batch: 64, run: accept})
	for _, j := range runAll(t, c, "a", "b") {
		if j.Cells != nil || j.OutputDiff != 0 {
			t.Errorf("cells %d, apart %x", j.Cells, j.OutputDiff)
		}
	}
}

func TestVocabulary(t *testing.T) {
	tests := []struct{ text, input, want string }{
		{`{"protocol":"http:","host":"example"}`, "http://example", `["protocol" "host"]`},
		{"about:blank", "javascript:x", `["about" "blank" "about:blank"]`},
		{"a&amp;b", "a&b", `["amp" "a&amp;b"]`},
		{"expected ',' or '}' after x1", "x1", `["expected" "or" "after"]`},
		{"a b c", "", `[]`},
	}
	for _, test := range tests {
		v := &vocabulary{}
		v.learn([]byte(test.text), []byte(test.input))
		if got := fmt.Sprintf("%q", v.words); got != test.want {
			t.Errorf("%q of %q: %s, want %s", test.text, test.input, got, test.want)
		}
	}
	v := &vocabulary{}
	for i := range 1000 {
		v.learn(fmt.Appendf(nil, "word%d and other%d", i, i), nil)
	}
	if len(v.words) != mostWords {
		t.Errorf("%d words", len(v.words))
	}
}
