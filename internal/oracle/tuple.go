package oracle

// Tuples of observations are hashed in the order of the programs. The paper's Algorithm 3 writes a
// set union, which is a misprint.

// TupleHash hashes the tuple of outputs: outcome, class and value of each program.
func TupleHash(obs []Observation) uint64 {
	h := hash(len(obs)).word(tagTuple)
	for i := range obs {
		h = h.word(uint64(obs[i].Outcome)).word(obs[i].Class).word(obs[i].Value)
	}
	return h.sum()
}

// UniqueDiscrepancy hashes NEZHA's combination: the tuple of outcome and class of each program,
// without values. ok reports whether it is a discrepancy in the paper's sense, with at least one
// acceptance and one rejection.
func UniqueDiscrepancy(obs []Observation) (tuple uint64, ok bool) {
	h := hash(len(obs)).word(tagDiscrepancy)
	for i := range obs {
		h = h.word(uint64(obs[i].Outcome)).word(obs[i].Class)
	}
	return h.sum(), DisagreeLayer(VerdictLayer, obs) != 0
}
