package main

import (
	"slices"

	"parallax/internal/feature"
)

// row is a method to check models: one of the paper's, or one of ours. Except for the scope and the
// time at which the model runs, each is a configuration of parallax model: --guidance, --schedule
// and seeds.
type row struct {
	name     string
	guidance []string
	schedule string
	scope    kind
	asks     bool // runs the model on every input, and not only on kept ones
	// starts with the calls of the scope's samples and of the solver; samples count for the budget
	seeds bool
	suite bool // runs only the calls of a regression suite
}

// kind selects the paths in scope.
type kind int

const (
	matching  kind = iota // the paper's: a formula of the model's result is the path's
	agreement             // ours
	nothing               // every path
)

var (
	ensemble = []string{feature.Ensemble}
	ours     = []string{feature.Ensemble, feature.Deviation}
	coverage = []string{feature.Coverage}
	feedback = []string{feature.Coverage, feature.Deviation}
)

// rows lists the rows in the order of the tables.
var rows = []row{
	{name: "sediff", guidance: coverage, schedule: "sediff", scope: matching},
	{name: "sediff_nf", guidance: coverage, schedule: "sediff-nf", scope: matching},
	// The paper's other reading: an input that the checker reports is kept too, so the model runs
	// on each.
	{name: "sediff_asks", guidance: feedback, schedule: "sediff", scope: matching, asks: true},
	{name: "sediff_asks_nf", guidance: coverage, schedule: "sediff-nf", scope: matching, asks: true},
	{name: "sediff_afl", guidance: coverage, schedule: "afl-noclock", scope: nothing},
	{name: "xsym", scope: nothing, suite: true},
	{name: "ours", guidance: ours, schedule: "checked", scope: agreement, asks: true, seeds: true},
	{name: "default", guidance: ensemble, schedule: "stratified", scope: agreement, asks: true, seeds: true},
	{name: "unseeded", guidance: ours, schedule: "checked", scope: agreement, asks: true},
}

// trials returns how many of n trials differ. Without randomness, one suffices.
func (r *row) trials(n int) int {
	if r.suite {
		return min(n, 1)
	}
	return n
}

// named returns the rows with some names, in the order of the tables.
func named(names []string) (list []row) {
	for _, r := range rows {
		if slices.Contains(names, r.name) {
			list = append(list, r)
		}
	}
	return list
}
