package main

import (
	"slices"

	"parallax/internal/feature"
)

// row is a way to check models: one of the paper's, or one of ours. But for how scope is found and when the model is asked, each is a configuration of
// parallax model: --guidance, --schedule and seeds.
type row struct {
	name     string
	guidance []string
	schedule string
	scope    kind
	asks     bool // the model about every input, and not only about those that are kept
	seeds    bool // begins with the calls of the scope's samples and of the solver; the samples are part of the budget
	suite    bool // runs the calls of a regression suite, and nothing else
}

// kind is which paths are in scope.
type kind int

const (
	matching  kind = iota // the paper's: a formula of the model's result is the path's
	agreement             // ours
	nothing               // every path is
)

var (
	ensemble = []string{feature.Ensemble}
	ours     = []string{feature.Ensemble, feature.Deviation}
	coverage = []string{feature.Coverage}
	feedback = []string{feature.Coverage, feature.Deviation}
)

// rows in the order of the tables.
var rows = []row{
	{name: "sediff", guidance: coverage, schedule: "sediff", scope: matching},
	{name: "sediff_nf", guidance: coverage, schedule: "sediff-nf", scope: matching},
	// The paper's other reading: an input is also kept if the checker reports it, for which the model is asked about each.
	{name: "sediff_asks", guidance: feedback, schedule: "sediff", scope: matching, asks: true},
	{name: "sediff_asks_nf", guidance: coverage, schedule: "sediff-nf", scope: matching, asks: true},
	{name: "sediff_afl", guidance: coverage, schedule: "afl-culled-noclock", scope: nothing},
	{name: "xsym", scope: nothing, suite: true},
	{name: "ours", guidance: ours, schedule: "checked", scope: agreement, asks: true, seeds: true},
	{name: "default", guidance: ensemble, schedule: "stratified", scope: agreement, asks: true, seeds: true},
	{name: "unseeded", guidance: ours, schedule: "checked", scope: agreement, asks: true},
}

// trials is how many of so many trials differ: where nothing is random there is one.
func (r *row) trials(n int) int {
	if r.suite {
		return min(n, 1)
	}
	return n
}

// named are the rows of some names, in the order of the tables.
func named(names []string) (list []row) {
	for _, r := range rows {
		if slices.Contains(names, r.name) {
			list = append(list, r)
		}
	}
	return list
}
