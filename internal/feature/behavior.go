package feature

// The configurations of BeDivFuzz (Nguyen, Grunske: BeDivFuzz: Integrating Behavioral Diversity
// into Generator-based Fuzzing, ICSE 2022, section 4.1). source.Behavior mutates the inputs
// (Algorithm 2). Schedule zest decides how often.
var (
	// behavior is BeDivFuzz-SIMPLE. It keeps inputs for Zest's reasons, and only valid ones.
	behavior = Domain{
		Name: Behavior, Text: "of generators: BeDivFuzz, structure and values apart, by which of the two shows new traces", Number: Unstored,
		Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest", Accepted: true},
	}
	// behaviorLifetime is BeDivFuzz-SIMPLE with scores that each seed keeps, as in later public
	// code.
	behaviorLifetime = Domain{
		Name: Lifetime, Text: "the same, and a seed keeps what is known of it", Number: Unstored,
		Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest", Accepted: true},
	}
	// behaviorStructure is BeDivFuzz-STRUCTURE: line 15 of Algorithm 1.
	behaviorStructure = Domain{
		Name: Structure, Text: "the same, and only new structures are kept", Number: Unstored,
		Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest", Accepted: true, Structures: true},
	}
)
