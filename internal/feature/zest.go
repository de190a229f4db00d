package feature

// zest is Zest (Padhye, Lemieux, Sen, Papadakis, Le Traon: "Semantic Fuzzing with Zest", ISSTA 2019), as its public code is, which BeDivFuzz is compared
// with: one channel, and an input is kept for a new hit-count bucket, a new block, or a new block of a valid input, invalid ones too (ZestGuidance.java,
// checkSavingCriteriaSatisfied). What it mutates is source.Zest, how often schedule zest.
var zest = Domain{
	Name: Zest, Text: "of generators: Zest's, all choices alike", Number: Unstored, Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest"},
}
