package feature

// reference is the tuple of outputs relative to one program's output (NEZHA, section II-B).
var reference = Domain{
	Name: Reference, Text: "new tuples of outputs relative to one program's", Number: Unstored, Programs: 2,
	Measure: func(s Setting) Measure { return tuple(ReferenceTuple(s.Reference))(s) },
}

// ReferenceTuple returns a hash of every program's output relative to that of program ref: equal,
// or the different output.
func ReferenceTuple(ref int) func(*Joint) uint64 {
	return func(j *Joint) uint64 {
		h := uint64(0)
		for i := range j.Obs {
			switch {
			case i == ref:
				h = Chain(h, uint64(j.Obs[i].Outcome))
			case j.Obs[i] == j.Obs[ref]:
				h = Chain(h, 1)
			default:
				h = Chain(Chain(Chain(Chain(h, 2), uint64(j.Obs[i].Outcome)), j.Obs[i].Class), j.Obs[i].Value)
			}
		}
		return h
	}
}
