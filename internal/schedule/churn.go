package schedule

import "math"

// churnRow is AFLChurn's schedule (Zhu, Böhme: Regression Greybox Fuzzing, CCS 2021, section 3.3,
// and its code). It multiplies AFL's score by 2^(3(2e-1)) with e = w(1-0.3^k) + 0.3^k/2. It anneals
// by k, the number of the seed's turns, and not by a clock. w is the changed fraction of a seed's
// blocks, scaled to 0 to 1 between the queue's extremes. AFLChurn weighs lines by the age and
// number of their changes. Here there is one change, so that a block weighs 1 if it holds a part of
// it, and else 0.
var churnRow = Row{Name: "churn", Text: "AFLChurn: seeds with more changed blocks, the more the oftener they were picked", Needs: Impact, New: func(e Environment) Schedule {
	c := &churn{environment: e, least: math.Inf(1), most: math.Inf(-1)}
	q := newQueue(constant)
	q.scale = c
	return q
}}

type churn struct {
	environment Environment
	least, most float64
}

func (c *churn) near(s Seed) float64 {
	w := c.environment.Impact.Share(s.Traces)
	c.least, c.most = min(c.least, w), max(c.most, w)
	return w
}

func (c *churn) factor(near float64, picks int) float64 {
	w := 0.0
	if c.most > c.least {
		w = (near - c.least) / (c.most - c.least)
	}
	cool := math.Pow(0.3, float64(picks))
	return math.Exp2(3 * (2*(w*(1-cool)+0.5*cool) - 1))
}
