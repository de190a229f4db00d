package feature

// rlcheck is RLCheck (Reddy, Lemieux, Padhye, Sen: Quickly Generating Diverse Valid Test Inputs
// with Reinforcement Learning, ICSE 2020). It is the black-box version that BeDivFuzz is compared
// with. source.RLCheck learns which choices lead to new valid inputs. Nothing is kept.
var rlcheck = Domain{
	Name: RLCheck, Text: "of generators: RLCheck, choices are learned", Number: Unstored, KeepsOnlySeeds: true, Search: &Search{Schedule: "uniform", Guides: true},
}
