package feature

// fine is NEZHA's fine path delta-diversity (section III-A): the tuple of path sets.
var fine = Domain{
	Name: PathFine, Text: "new tuples of path sets", Number: 1, Key: "fine", Always: 2, Needs: Sets, Measure: tuple(FineTuple),
	Plural: "fine paths", Counts: "distinct tuples of the blocks that each program executes",
}

// FineTuple hashes the tuple of path sets.
func FineTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].Set)
	}
	return h
}
