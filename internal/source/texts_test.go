package source

import (
	"strings"
	"testing"

	"parallax/internal/grammar"
	"parallax/internal/mutate"
	"parallax/internal/schedule"
)

const sums = `
sum  ::= term (("+" | "-") term)*
term ::= [0-9]{1,4} | "(" sum ")"
`

// sumSource returns a source of sums with the given corpus.
func sumSource(t *testing.T, limit int, flats ...string) (*Tapes, *grammar.Grammar) {
	t.Helper()
	g, err := grammar.Parse("sums", sums)
	if err != nil {
		t.Fatal(err)
	}
	row, err := schedule.Find("uniform")
	if err != nil {
		t.Fatal(err)
	}
	corpus := &Corpus{}
	for _, flat := range flats {
		*corpus = append(*corpus, []byte(flat))
	}
	m := &Tapes{Taped: Taped{Corpus: corpus, Rand: mutate.NewRand(1, 0), MaxBytes: limit, Grammar: g.Form(limit), Schedule: row.New(schedule.Environment{Programs: 2})}}
	for _, flat := range flats {
		m.Schedule.Added(schedule.Seed{Len: len(flat), Parent: -1})
	}
	return m, g
}

// TestTexts checks that every input is a text of the grammar within the limit, and that mutants
// share parts with their parent.
func TestTexts(t *testing.T) {
	m, g := sumSource(t, 60, "4711+(4711-(4711-4711))", "", "1+", "0815+0815-0815")
	form := g.Form(60)
	s := &Step{}
	texts, related, parents := map[string]bool{}, 0, map[int]int{}
	for range 2000 {
		s.Reset()
		if !m.Propose(s) {
			t.Fatal("nothing is proposed")
		}
		if _, err := form.Tape(s.Flat); err != nil || len(s.Flat) > 60 || len(s.Ops) != 1 {
			t.Fatalf("%q (%v): %v", s.Flat, s.Ops, err)
		}
		texts[string(s.Flat)] = true
		parents[s.Parent]++
		if s.Parent == 0 && strings.Contains(string(s.Flat), "4711") || s.Parent == 3 && strings.Contains(string(s.Flat), "0815") {
			related++
		}
		s.Done(Result{})
	}
	t.Logf("%d texts, %d have something of their parents", len(texts), related)
	if len(texts) < 1000 || related < 300 || parents[0] < 300 || parents[3] < 300 {
		t.Errorf("%d texts, %d have something of their parents, %v", len(texts), related, parents)
	}
	if texts := m.texts; len(texts) != 4 || len(texts[0]) == 0 || len(texts[1]) > 0 || len(texts[2]) > 0 || len(texts[3]) == 0 {
		t.Errorf("tapes of the corpus: %q", texts)
	}
}

// TestTextsThatAreTooLong checks that the simplest text is proposed if hardly any text is short
// enough.
func TestTextsThatAreTooLong(t *testing.T) {
	m, _ := sumSource(t, 1, "0")
	s := &Step{}
	for range 200 {
		s.Reset()
		if m.Propose(s); len(s.Flat) != 1 {
			t.Fatalf("%q", s.Flat)
		}
	}
}

// TestTextsRepeat checks that the same corpus and seed make the same texts, in any order of
// reading.
func TestTextsRepeat(t *testing.T) {
	a, _ := sumSource(t, 60, "1+2", "3-(4)")
	b, _ := sumSource(t, 60, "1+2", "3-(4)")
	b.tape(1, nil)
	b.tape(0, nil)
	one, two := &Step{}, &Step{}
	for n := range 300 {
		one.Reset()
		two.Reset()
		a.Propose(one)
		b.Propose(two)
		if string(one.Flat) != string(two.Flat) {
			t.Fatalf("input %d: %q and %q", n, one.Flat, two.Flat)
		}
	}
}
