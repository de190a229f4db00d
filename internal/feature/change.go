package feature

// change has a feature per suspicious segment of a change (package impact). A segment is a pair of
// consecutive blocks that both reach a change or are reached from one. It extends DeltaFuzz's
// segments (JCST 37(1), 2022, section 2.3). The paper weighs seeds by them and keeps nothing for
// them.
//
// If the cost of two versions is compared, the ratio of executed blocks between new and old version
// matters. Each doubling of it is a feature (appendCost).
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
