package feature

// Two domains as in NEZHA's public code, which differs from the paper.
var (
	// publishedCoarse sums hit-count buckets instead of counting blocks.
	publishedCoarse = Domain{
		Name: PublishedCoarse, Text: "path-coarse as NEZHA's public code has it", Number: Unstored, Measure: tuple(PublishedCoarseTuple),
	}
	// publishedFine is the list of blocks in the order of their first execution.
	publishedFine = Domain{
		Name: PublishedFine, Text: "path-fine as NEZHA's public code has it", Number: Unstored, Needs: Order, Measure: tuple(PublishedFineTuple),
	}
)

// PublishedCoarseTuple hashes the coarse tuple of NEZHA's public code.
func PublishedCoarseTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].PublishedLength())
	}
	return h
}

// PublishedFineTuple hashes the fine tuple of NEZHA's public code. It needs traces with recorded
// order.
func PublishedFineTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].Order)
	}
	return h
}
