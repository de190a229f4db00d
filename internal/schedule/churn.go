package schedule

import "math"

// churnRow is AFLChurn's schedule (Zhu, Böhme: "Regression Greybox Fuzzing", CCS 2021, section 3.3, and its code): AFL's score times
// 2^(3(2e-1)) with e = w(1-0.3^k) + 0.3^k/2. It anneals by k, the turns that a seed has had, and not by a clock. W is how much of what a seed
// executes has changed, made 0 to 1 by the least and the most of the queue. AFLChurn weighs lines by how lately and how often they were
// changed; here one change counts, so that a block weighs 1 if it holds a part of it and 0 if not.
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
