package feature

// Two domains as NEZHA's public code has them, which differs from the paper.
var (
	// publishedCoarse sums hit-count buckets instead of counting blocks.
	publishedCoarse = Domain{
		Name: PublishedCoarse, Text: "path-coarse as NEZHA's public code has it", Number: Unstored, Measure: tuple(PublishedCoarseTuple),
	}
	// publishedFine is the ordered list of first hits.
	publishedFine = Domain{
		Name: PublishedFine, Text: "path-fine as NEZHA's public code has it", Number: Unstored, Needs: Order, Measure: tuple(PublishedFineTuple),
	}
)

// PublishedCoarseTuple is the coarse tuple of NEZHA's public code.
func PublishedCoarseTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].PublishedLength())
	}
	return h
}

// PublishedFineTuple is the fine tuple of NEZHA's public code. It needs traces with recorded order.
func PublishedFineTuple(j *Joint) uint64 {
	h := uint64(0)
	for i := range j.Traces {
		h = Chain(h, j.Traces[i].Order)
	}
	return h
}
