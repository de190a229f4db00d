package feature

// The two configurations of BeDivFuzz (Nguyen, Grunske: "BeDivFuzz: Integrating Behavioral Diversity into Generator-based Fuzzing", ICSE 2022, section 4.1).
// What they mutate is source.Behavior (Algorithm 2), how often schedule zest.
var (
	// behavior is BeDivFuzz-SIMPLE: Zest's reasons to keep an input, of valid ones alone.
	behavior = Domain{
		Name: Behavior, Text: "of generators: BeDivFuzz, structure and values apart, by which of the two shows new traces", Number: Unstored,
		Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest", Accepted: true},
	}
	// behaviorLifetime is the same with scores that a seed keeps, as the public code has had them since.
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
