package feature

// rlcheck is RLCheck (Reddy, Lemieux, Padhye, Sen: "Quickly Generating Diverse Valid Test Inputs with Reinforcement Learning", ICSE 2020), blackbox as
// BeDivFuzz is compared with it: source.RLCheck learns from which choices valid inputs follow that were not there before. Nothing is kept.
var rlcheck = Domain{
	Name: RLCheck, Text: "of generators: RLCheck, choices are learned", Number: Unstored, Nothing: true, Search: &Search{Schedule: "uniform", Guides: true},
}
