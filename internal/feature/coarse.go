package feature

// coarse is NEZHA's coarse path delta-diversity (section III-A): the tuple of path cardinalities.
var coarse = Domain{
	Name: PathCoarse, Text: "new tuples of path lengths", Number: 0, Key: "coarse", Always: 2, Measure: tuple(CoarseTuple),
	Plural: "coarse paths", Counts: "distinct tuples of how many blocks each program executes",
}

// CoarseTuple hashes the tuple of path cardinalities.
func CoarseTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].Length)
	}
	return h
}
