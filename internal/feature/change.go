package feature

// change is new suspicious segments of a change (package impact): pairs of consecutive blocks that both reach a change or are reached from
// one. It goes on from DeltaFuzz's segments (JCST 37(1), 2022, section 2.3), which the paper weighs seeds by and keeps nothing for.
//
// Where the cost of two versions is compared, it is also each doubling of how many times the blocks of the old version the new one executes
// (appendCost).
var change = Domain{
	Name: Change, Text: "new segments of paths that a change impacts", Number: 5, Key: "change", Plural: "segments", Bounded: true, Changed: true,
	Measure: func(s Setting) Measure {
		return func(j *Joint, out []uint64) []uint64 {
			if s.Segments == nil {
				return out
			}
			if s.Costs {
				out = appendCost(j, out)
			}
			return s.Segments(j.Traces, out)
		}
	},
}
