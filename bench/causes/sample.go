package main

import (
	"strings"

	"parallax/bench/internal/origin"
)

// sample is one campaign: a mutant and a seed, or a puzzle and a seed.
type sample struct {
	Name    string   `json:"name"` // of the mutant or puzzle
	Mutant  *mutant  `json:"mutant,omitempty"`
	Version string   `json:"version,omitempty"`
	Seed    int      `json:"seed"`
	Budget  int      `json:"budget_inputs"`
	Inputs  uint64   `json:"inputs"`
	Limit   bool     `json:"limit,omitempty"` // ended before its budget: the mutant hangs, or fails on every seed
	Buckets []bucket `json:"buckets"`
	Ranks   []rank   `json:"ranks"` // of Buckets
	Seconds float64  `json:"cpu_seconds"`
	Load    string   `json:"loadavg"`
	origin.Origin
}

// rank counts the place of a cause in the lists of a bucket from 1. 0 means that a list lacks it.
type rank struct {
	Changed  int `json:"changed"`  // in the list of the program with the cause
	Original int `json:"original"` // in that of the other
	// Certain counts first places that end the failed check; Right counts those on the line.
	Certain int `json:"certain,omitempty"`
	Right   int `json:"right,omitempty"`
}

// either is the better of both.
func (r rank) either() int {
	if r.Original == 0 || r.Changed != 0 && r.Changed < r.Original {
		return r.Changed
	}
	return r.Original
}

// rankOf returns the rank of places that cover the cause in a bucket's lists. The name of the
// original's program says so.
func rankOf(b bucket, covers func(place) bool) (r rank) {
	for program, places := range b.Ranked {
		for i, p := range places {
			if !covers(p) {
				continue
			}
			if strings.Contains(program, "original") {
				r.Original = i + 1
			} else {
				r.Changed = i + 1
			}
			break
		}
	}
	return r
}

// largest is the index of the discrepancy that most inputs showed, the first of equals; -1: there
// is none.
func (s *sample) largest() int {
	best := -1
	for i, b := range s.Buckets {
		if b.Kind == "discrepancy" && (best < 0 || b.Count > s.Buckets[best].Count) {
			best = i
		}
	}
	return best
}

// discrepancies counts them.
func (s *sample) discrepancies() (n int) {
	for _, b := range s.Buckets {
		if b.Kind == "discrepancy" {
			n++
		}
	}
	return n
}
