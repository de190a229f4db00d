package gen

import (
	"strconv"
	"testing"

	"parallax/internal/mutate"
	"parallax/internal/schedule"
	"parallax/internal/source"
	"parallax/internal/tape"
)

// script draws JavaScript as a generator of compiler inputs does: rules call each other, and append
// text to one buffer.
type script struct{ b []byte }

var operators = []string{"+", "-", "*", "/", "%", "==", "===", "<", "&&", "||", "in", "instanceof"}

func (s *script) expression(t *T, deep int) {
	t.src.Begin(exprSite)
	which := 0
	if deep < 6 {
		which = t.Choose("which", 8)
	}
	switch which {
	case 0, 1:
		s.b = strconv.AppendInt(s.b, int64(t.IntRange("number", 0, 1000)), 10)
	case 2:
		s.b = append(s.b, 'v')
		s.b = strconv.AppendInt(s.b, int64(t.IntRange("name", 0, 20)), 10)
	case 3, 4:
		s.b = append(s.b, '(')
		s.expression(t, deep+1)
		s.b = append(s.b, ' ')
		s.b = append(s.b, operators[t.Choose("operator", len(operators))]...)
		s.b = append(s.b, ' ')
		s.expression(t, deep+1)
		s.b = append(s.b, ')')
	case 5:
		s.b = append(s.b, "f("...)
		for i := t.Choose("arguments", 4); i > 0; i-- {
			s.expression(t, deep+1)
			s.b = append(s.b, ", "...)
		}
		s.b = append(s.b, ')')
	case 6:
		s.b = append(s.b, '!')
		s.expression(t, deep+1)
	case 7:
		s.b = append(s.b, '"')
		for i := t.Choose("length", 12); i > 0; i-- {
			s.b = append(s.b, byte('a'+t.IntRange("letter", 0, 25)))
		}
		s.b = append(s.b, '"')
	}
	t.src.End()
}

var exprSite, stmtSite = tape.Site(0, "expression"), tape.Site(0, "statement")

func (s *script) statement(t *T, deep int) {
	t.src.Begin(stmtSite)
	which := 0
	if deep < 4 {
		which = t.Choose("which", 4)
	}
	switch which {
	case 0, 1:
		s.b = append(s.b, "var v"...)
		s.b = strconv.AppendInt(s.b, int64(t.IntRange("name", 0, 20)), 10)
		s.b = append(s.b, " = "...)
		s.expression(t, 0)
		s.b = append(s.b, ";\n"...)
	case 2:
		s.b = append(s.b, "if ("...)
		s.expression(t, 0)
		s.b = append(s.b, ") {\n"...)
		for i := t.Choose("statements", 5); i > 0; i-- {
			s.statement(t, deep+1)
		}
		s.b = append(s.b, "}\n"...)
	case 3:
		s.b = append(s.b, "while ("...)
		s.expression(t, 0)
		s.b = append(s.b, ") {\n"...)
		for i := t.Choose("statements", 5); i > 0; i-- {
			s.statement(t, deep+1)
		}
		s.b = append(s.b, "}\n"...)
	}
	t.src.End()
}

func (s *script) program(t *T) {
	s.b = s.b[:0]
	for i := 0; i < 8; i++ {
		s.statement(t, 0)
	}
}

// BenchmarkRandom draws random scripts. It reports the text's size in KB.
func BenchmarkRandom(b *testing.B) {
	src := &tape.Source{}
	t, s := &T{TB: b, src: src}, &script{}
	size, choices := 0, 0
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		src.Random(uint64(i))
		s.program(t)
		size += len(s.b)
		choices += len(src.Tape().Choices)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/(float64(size)/1000)/1000, "µs/KB")
	b.ReportMetric(float64(choices)/(float64(size)/1000), "choices/KB")
}

// BenchmarkMutate mutates a tape and draws its script, with all the work of a campaign: encoding,
// decoding, drawing.
func BenchmarkMutate(b *testing.B) {
	var corpus source.Corpus
	src := &tape.Source{}
	t, s := &T{TB: b, src: src}, &script{}
	for seed := uint64(0); len(corpus) < 100; seed++ {
		src.Random(seed)
		s.program(t)
		if n := len(s.b); n > 300 && n < 3000 {
			corpus = append(corpus, src.Tape().Append(nil))
		}
	}
	row, _ := schedule.Find("uniform")
	sched := row.New(schedule.Environment{Programs: 1})
	for range corpus {
		sched.Added(schedule.Seed{Len: 1})
	}
	m := &source.Tapes{Taped: source.Taped{Corpus: &corpus, Rand: mutate.NewRand(1, 1), Schedule: sched, MaxBytes: 1 << 20}}
	var step source.Step
	size := 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		step.Reset()
		m.Propose(&step)
		if err := src.Load(step.Flat); err != nil {
			b.Fatal(err)
		}
		s.program(t)
		size += len(s.b)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/(float64(size)/1000)/1000, "µs/KB")
}
