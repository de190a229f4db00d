package feature

import "parallax/internal/oracle"

// output is NEZHA's output delta-diversity (section III-A): the tuple of outputs.
var output = Domain{
	Name: Output, Text: "new tuples of outputs", Number: 2, Key: "output", Always: 2, Measure: tuple(OutputTuple),
	Plural: "outputs", Counts: "distinct tuples of outcomes and classes of errors",
}

// OutputTuple hashes the tuple of outputs: outcome, error class, canonical value.
func OutputTuple(j *Joint) uint64 { return oracle.TupleHash(j.Obs) }
