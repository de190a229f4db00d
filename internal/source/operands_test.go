package source

import (
	"fmt"
	"slices"
	"testing"

	"parallax/internal/cmplog"
	"parallax/internal/mutate"
	"parallax/internal/tape"
)

// comparisons is a program with given comparisons per input.
type comparisons func(t *tape.Tape) []cmplog.Comparison

func (comparisons) Ready() bool { return true }

func (c comparisons) Compare(flat []byte) []cmplog.Comparison {
	var t tape.Tape
	if err := t.Decode(flat); err != nil {
		panic(err)
	}
	return c(&t)
}

// mixed returns a tape with a number from zero on, a signed one, one from 100 to 200, and a text.
func mixed(n uint64, signed int64, ranged uint64, text string) []byte {
	var s tape.Source
	s.Random(1)
	s.Record(1, tape.Value, 1000, n)
	s.Record(2, tape.Value, 1<<63, zigzag(signed))
	s.Record(3, tape.Value, 100, ranged-100)
	s.Record(4, tape.Structural, 1000, n) // not a value
	s.Begin(10)
	s.Record(5, tape.Structural, 20, uint64(len(text)))
	for _, r := range text {
		s.Begin(11)
		s.Record(6, tape.Value, tape.Runes, tape.RunePlace(r))
		s.End()
	}
	s.End()
	return s.Tape().Append(nil)
}

// shown returns the content of such a tape.
func shown(t *tape.Tape) string {
	word := ""
	for _, l := range t.Lists(nil, tape.Runes) {
		word = textOf(&l)
	}
	signed := t.Choices[1].Value
	n := -int64(signed / 2)
	if signed&1 == 1 {
		n = int64(signed/2) + 1
	}
	return fmt.Sprintf("%d %d %d %d %s", t.Choices[0].Value, n, t.Choices[2].Value+100, t.Choices[3].Value, word)
}

func TestOperands(t *testing.T) {
	tests := []struct {
		name string
		c    cmplog.Comparison
		want []string // among the proposals
		not  []string
	}{
		{"equal", cmplog.Comparison{Kind: cmplog.IntEqual, Width: 8, A: 7, B: 900}, []string{"900 -3 150 7 abc"}, []string{"900 -3 150 900 abc"}},
		{"the other way round", cmplog.Comparison{Kind: cmplog.IntEqual, Width: 8, A: 900, B: 7}, []string{"900 -3 150 7 abc"}, nil},
		{"ordered", cmplog.Comparison{Kind: cmplog.IntOrder, Width: 4, A: 7, B: 900}, []string{"900 -3 150 7 abc", "901 -3 150 7 abc", "899 -3 150 7 abc"}, nil},
		{"beyond the bound", cmplog.Comparison{Kind: cmplog.IntEqual, Width: 8, A: 7, B: 1001}, nil, []string{"1001 -3 150 7 abc"}},
		{"of either sign", cmplog.Comparison{Kind: cmplog.IntEqual, Width: 4, Signed: true, A: 0xfffffffd, B: 123456}, []string{"7 123456 150 7 abc"}, nil},
		{"to a negative one", cmplog.Comparison{Kind: cmplog.IntEqual, Width: 2, Signed: true, A: 0xfffd, B: 0x8000}, []string{"7 -32768 150 7 abc"}, nil},
		{"of a range", cmplog.Comparison{Kind: cmplog.IntEqual, Width: 8, A: 150, B: 177}, []string{"7 -3 177 7 abc"}, nil},
		{"text", cmplog.Comparison{Kind: cmplog.StringEqual, S: "abc", T: "open"}, []string{"7 -3 150 7 open"}, nil},
		{"text, the other way round", cmplog.Comparison{Kind: cmplog.StringEqual, S: "no", T: "abc"}, []string{"7 -3 150 7 no"}, nil},
		{"too long", cmplog.Comparison{Kind: cmplog.StringEqual, S: "abc", T: "one that has more than twenty"}, nil, []string{"7 -3 150 7 one that has more than twenty"}},
	}
	for _, test := range tests {
		corpus := Corpus{mixed(7, -3, 150, "abc")}
		o := &Operands{Taped: taped(&corpus, &ordered{}), From: comparisons(func(*tape.Tape) []cmplog.Comparison { return []cmplog.Comparison{test.c} })}
		o.Added(0, false)
		var got []string
		var s Step
		for s.Reset(); o.Propose(&s); s.Reset() {
			var out tape.Tape
			if err := out.Decode(s.Flat); err != nil {
				t.Fatal(err)
			}
			if out.Rest != 0 || !s.Determined || s.Parent != 0 || !slices.Equal(s.Ops, []mutate.Op{mutate.OpCmpLog}) {
				t.Fatalf("%s: proposed by chance or by another: %+v", test.name, s)
			}
			if slices.Contains(got, shown(&out)) {
				t.Errorf("%s: %s is proposed twice", test.name, shown(&out))
			}
			got = append(got, shown(&out))
		}
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q is not among %q", test.name, want, got)
			}
		}
		for _, not := range test.not {
			if slices.Contains(got, not) {
				t.Errorf("%s: %q is proposed", test.name, not)
			}
		}
		if o.Ready() {
			t.Errorf("%s: there is more to propose", test.name)
		}
	}
}

// TestOperandsDeadly checks that an input that ended a process is not proposed again, and that an
// earlier process's inputs come last.
func TestOperandsDeadly(t *testing.T) {
	corpus := Corpus{mixed(7, -3, 150, "abc"), mixed(8, -3, 150, "abc"), []byte("no tape")}
	o := &Operands{Taped: taped(&corpus, &ordered{}), From: comparisons(func(tp *tape.Tape) []cmplog.Comparison {
		return []cmplog.Comparison{{Kind: cmplog.StringEqual, S: "abc", T: "open"}}
	})}
	o.Added(0, true)
	o.Added(1, false)
	o.Added(2, false)
	var s Step
	s.Reset()
	if !o.Propose(&s) || s.Parent != 1 {
		t.Errorf("the first is of %d", s.Parent)
	}
	o.Deadly = map[string]bool{string(mixed(7, -3, 150, "open")): true}
	s.Reset()
	if o.Propose(&s) {
		t.Error("a deadly input is proposed")
	}
}
