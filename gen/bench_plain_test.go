package gen

import (
	"strconv"
	"testing"
)

// plainScript draws the same text as script, without a tape. It reads bytes as if go test -fuzz had
// made them, and draws at random behind their end. It measures the cost of the generator's text and
// branches alone.
type plainScript struct {
	b     []byte
	bytes []byte
	state uint64
}

func (s *plainScript) choose(n int) int {
	if len(s.bytes) > 1 {
		v := int(s.bytes[0]) | int(s.bytes[1])<<8
		s.bytes = s.bytes[2:]
		return v % n
	}
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}

func (s *plainScript) expression(deep int) {
	which := 0
	if deep < 6 {
		which = s.choose(8)
	}
	switch which {
	case 0, 1:
		s.b = strconv.AppendInt(s.b, int64(s.choose(1001)), 10)
	case 2:
		s.b = append(s.b, 'v')
		s.b = strconv.AppendInt(s.b, int64(s.choose(21)), 10)
	case 3, 4:
		s.b = append(s.b, '(')
		s.expression(deep + 1)
		s.b = append(s.b, ' ')
		s.b = append(s.b, operators[s.choose(len(operators))]...)
		s.b = append(s.b, ' ')
		s.expression(deep + 1)
		s.b = append(s.b, ')')
	case 5:
		s.b = append(s.b, "f("...)
		for i := s.choose(4); i > 0; i-- {
			s.expression(deep + 1)
			s.b = append(s.b, ", "...)
		}
		s.b = append(s.b, ')')
	case 6:
		s.b = append(s.b, '!')
		s.expression(deep + 1)
	case 7:
		s.b = append(s.b, '"')
		for i := s.choose(12); i > 0; i-- {
			s.b = append(s.b, byte('a'+s.choose(26)))
		}
		s.b = append(s.b, '"')
	}
}

func (s *plainScript) statement(deep int) {
	which := 0
	if deep < 4 {
		which = s.choose(4)
	}
	switch which {
	case 0, 1:
		s.b = append(s.b, "var v"...)
		s.b = strconv.AppendInt(s.b, int64(s.choose(21)), 10)
		s.b = append(s.b, " = "...)
		s.expression(0)
		s.b = append(s.b, ";\n"...)
	case 2:
		s.b = append(s.b, "if ("...)
		s.expression(0)
		s.b = append(s.b, ") {\n"...)
		for i := s.choose(5); i > 0; i-- {
			s.statement(deep + 1)
		}
		s.b = append(s.b, "}\n"...)
	case 3:
		s.b = append(s.b, "while ("...)
		s.expression(0)
		s.b = append(s.b, ") {\n"...)
		for i := s.choose(5); i > 0; i-- {
			s.statement(deep + 1)
		}
		s.b = append(s.b, "}\n"...)
	}
}

func (s *plainScript) program() {
	s.b = s.b[:0]
	for i := 0; i < 8; i++ {
		s.statement(0)
	}
}

// BenchmarkPlain measures BenchmarkRandom's work without a tape.
func BenchmarkPlain(b *testing.B) {
	s := &plainScript{}
	size := 0
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		s.state = uint64(i)
		s.program()
		size += len(s.b)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/(float64(size)/1000)/1000, "µs/KB")
}

// BenchmarkBytes measures BenchmarkMutate's work with bytes instead of tapes: it changes some bytes
// of a seed.
func BenchmarkBytes(b *testing.B) {
	s := &plainScript{}
	seed := make([]byte, 8<<10)
	for i := range seed {
		s.bytes = nil
		seed[i] = byte(s.choose(256))
	}
	mutant := make([]byte, len(seed))
	size := 0
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		s.state, s.bytes = uint64(i), nil
		copy(mutant, seed)
		for n := 1 + s.choose(4); n > 0; n-- {
			mutant[s.choose(len(mutant))] = byte(s.choose(256))
		}
		s.bytes = mutant
		s.program()
		size += len(s.b)
		copy(seed, mutant)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/(float64(size)/1000)/1000, "µs/KB")
}
