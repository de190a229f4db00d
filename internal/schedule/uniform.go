package schedule

import "parallax/internal/mutate"

var uniformRow = Row{Name: "uniform", Text: "each seed as likely (NEZHA)", New: func(Environment) Schedule { return &uniform{} }}

// uniform is NEZHA's choice (Algorithm 1, line 4): all inputs of the corpus are equally likely.
type uniform struct{ n int }

func (u *uniform) Added(Seed) { u.n++ }

func (u *uniform) Next(r *mutate.Rand) int { return r.Intn(u.n) }

func (u *uniform) Ran(Result) {}
