package schedule

// DeltaFuzz's schedules (Zhang et al., JCST 37(1), 2022, section 2.4). They multiply AFL's score by
// Fit + c, where Fit is the fraction of a seed's segments that a change impacts. The paper does not
// define c. The ratio between the most and the least favored seeds is (1 + c)/c: 11 with 0.1.
var (
	deltaRow       = deltaFuzz("delta", "DeltaFuzz: AFL's score times how much of a path a change impacts", delta{c: 0.1})
	deltaVisitsRow = deltaFuzz("delta-visits", "delta, each visit of a segment counted", delta{c: 0.1, visits: true})
	delta05Row     = deltaFuzz("delta-0.05", "delta with c = 0.05", delta{c: 0.05})
	delta5Row      = deltaFuzz("delta-0.5", "delta with c = 0.5", delta{c: 0.5})
	delta10Row     = deltaFuzz("delta-1", "delta with c = 1", delta{c: 1})
)

func deltaFuzz(name, text string, d delta) Row {
	return Row{Name: name, Text: text, Needs: Impact, New: func(e Environment) Schedule {
		d := d
		d.environment = e
		q := newQueue(constant)
		q.scale = &d
		return q
	}}
}

type delta struct {
	environment Environment
	c           float64
	visits      bool
}

func (d *delta) near(s Seed) float64 { return d.environment.Impact.Fitness(s.Traces, d.visits) }

func (d *delta) factor(near float64, _ int) float64 { return near + d.c }
