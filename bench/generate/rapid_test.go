// Package generate measures what rapid takes to make the inputs of gen/bench_test.go. It is a
// module of its own, since nothing else needs rapid.
package generate

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// script is that of gen/bench_test.go, with rapid's draws.
type script struct{ b []byte }

var operators = []string{"+", "-", "*", "/", "%", "==", "===", "<", "&&", "||", "in", "instanceof"}

var numbers = map[int]*rapid.Generator[int]{}

func choose(t *rapid.T, label string, n int) int {
	g := numbers[n]
	if g == nil {
		g = rapid.IntRange(0, n-1)
		numbers[n] = g
	}
	return g.Draw(t, label)
}

func (s *script) expression(t *rapid.T, deep int) {
	which := 0
	if deep < 6 {
		which = choose(t, "which", 8)
	}
	switch which {
	case 0, 1:
		s.b = strconv.AppendInt(s.b, int64(choose(t, "number", 1001)), 10)
	case 2:
		s.b = append(s.b, 'v')
		s.b = strconv.AppendInt(s.b, int64(choose(t, "name", 21)), 10)
	case 3, 4:
		s.b = append(s.b, '(')
		s.expression(t, deep+1)
		s.b = append(s.b, ' ')
		s.b = append(s.b, operators[choose(t, "operator", len(operators))]...)
		s.b = append(s.b, ' ')
		s.expression(t, deep+1)
		s.b = append(s.b, ')')
	case 5:
		s.b = append(s.b, "f("...)
		for i := choose(t, "arguments", 4); i > 0; i-- {
			s.expression(t, deep+1)
			s.b = append(s.b, ", "...)
		}
		s.b = append(s.b, ')')
	case 6:
		s.b = append(s.b, '!')
		s.expression(t, deep+1)
	case 7:
		s.b = append(s.b, '"')
		for i := choose(t, "length", 12); i > 0; i-- {
			s.b = append(s.b, byte('a'+choose(t, "letter", 26)))
		}
		s.b = append(s.b, '"')
	}
}

func (s *script) statement(t *rapid.T, deep int) {
	which := 0
	if deep < 4 {
		which = choose(t, "which", 4)
	}
	switch which {
	case 0, 1:
		s.b = append(s.b, "var v"...)
		s.b = strconv.AppendInt(s.b, int64(choose(t, "name", 21)), 10)
		s.b = append(s.b, " = "...)
		s.expression(t, 0)
		s.b = append(s.b, ";\n"...)
	case 2:
		s.b = append(s.b, "if ("...)
		s.expression(t, 0)
		s.b = append(s.b, ") {\n"...)
		for i := choose(t, "statements", 5); i > 0; i-- {
			s.statement(t, deep+1)
		}
		s.b = append(s.b, "}\n"...)
	case 3:
		s.b = append(s.b, "while ("...)
		s.expression(t, 0)
		s.b = append(s.b, ") {\n"...)
		for i := choose(t, "statements", 5); i > 0; i-- {
			s.statement(t, deep+1)
		}
		s.b = append(s.b, "}\n"...)
	}
}

func (s *script) program(t *rapid.T) {
	s.b = s.b[:0]
	for i := 0; i < 8; i++ {
		s.statement(t, 0)
	}
}

// BenchmarkRapid has rapid draw scripts by chance.
func BenchmarkRapid(b *testing.B) {
	s := &script{}
	programs := rapid.Custom(func(t *rapid.T) int {
		s.program(t)
		return len(s.b)
	})
	size := 0
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		size += programs.Example(i)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/(float64(size)/1000)/1000, "µs/KB")
}
