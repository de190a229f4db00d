package feature

// zest is Zest (Padhye, Lemieux, Sen, Papadakis, Le Traon: Semantic Fuzzing with Zest, ISSTA 2019)
// as in its public code, which BeDivFuzz is compared with. It has one channel. It keeps inputs,
// also invalid ones, for a new hit-count bucket, a new block, or a new block of a valid input
// (ZestGuidance.java, checkSavingCriteriaSatisfied). source.Zest mutates the inputs. Schedule zest
// decides how often.
var zest = Domain{
	Name: Zest, Text: "of generators: Zest's, all choices alike", Number: Unstored, Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest"},
}
