// Package verdicts has a fuzz test with a case for every way in which an execution can end. An
// input is the name of a case: what go test says of it as a seed is what a worker must say,
// whatever was executed before.
package verdicts

// Secret is found by what it is compared with, or not at all.
func Secret(s string) bool { return s == "a rather long secret" }
