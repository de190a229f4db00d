package feature

// The two configurations of BeDivFuzz (Nguyen, Grunske: "BeDivFuzz: Integrating Behavioral Diversity into Generator-based Fuzzing", ICSE 2022, section 4.1).
// What they mutate is source.Behaviour (Algorithm 2), how often schedule zest.
var (
	// behaviour is BeDivFuzz-SIMPLE: Zest's reasons to keep an input, of valid ones alone.
	behaviour = Domain{
		Name: Behaviour, Text: "of generators: BeDivFuzz, structure and values apart, by which of the two shows new traces", Number: Unstored,
		Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest", Accepted: true},
	}
	// behaviourLifetime is the same with scores that a seed keeps, as the public code has had them since.
	behaviourLifetime = Domain{
		Name: Lifetime, Text: "the same, and a seed keeps what is known of it", Number: Unstored,
		Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest", Accepted: true},
	}
	// behaviourStructure is BeDivFuzz-STRUCTURE: line 15 of Algorithm 1.
	behaviourStructure = Domain{
		Name: Structure, Text: "the same, and only new structures are kept", Number: Unstored,
		Union: []string{Coverage, Valid}, Search: &Search{Schedule: "zest", Accepted: true, Structures: true},
	}
)
