package feature

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Table lists all domains and guidances in display order. Their numbers are those of tuples.log.
var Table = []*Domain{
	&coverage,
	&coarse,
	&fine,
	&output,
	&reference,
	&publishedCoarse,
	&publishedFine,
	&cells,
	&blocks,
	&change,
	&random,
	&ensemble,
	&adaptive,
	&valid,
	&zest,
	&behavior,
	&behaviorStructure,
	&behaviorLifetime,
	&rlcheck,
	&deviation,
	&discrepancy,
}

// TraceNumber is the number of unique traces in tuples.log, with keys of diversity.Key. No domain
// has this number.
const TraceNumber = 9

// Names of the domains that other code refers to.
const (
	Coverage        = "coverage"
	PathCoarse      = "path-coarse"
	PathFine        = "path-fine"
	Output          = "output"
	Reference       = "reference"
	PublishedCoarse = "nezha-coarse"
	PublishedFine   = "nezha-fine"
	Cells           = "cells"
	Blocks          = "blocks"
	Change          = "change"
	Random          = "random"
	Ensemble        = "ensemble"
	Adaptive        = "adaptive"
	Valid           = "valid"
	Zest            = "zest"
	Behavior        = "behaviour"
	Structure       = "behaviour-structure"
	Lifetime        = "behaviour-lifetime"
	RLCheck         = "rlcheck"
	Deviation       = "deviation"
	Discrepancy     = "discrepancy"
)

var (
	random   = Domain{Name: Random, Text: "nothing is kept but the seeds", Number: Unstored, KeepsOnlySeeds: true}
	ensemble = Domain{
		Name: Ensemble, Text: "coverage, path-coarse, path-fine, output and, of programs without blocks, cells", Number: Unstored,
		Union: []string{Coverage, PathCoarse, PathFine, Output, Cells},
	}
	adaptive = Domain{
		Name: Adaptive, Text: "what ensemble keeps, less of a domain that lately yielded little", Number: Unstored,
		Union: []string{Coverage, PathCoarse, PathFine, Output, Cells}, Adapts: true,
	}
	// discrepancy is NEZHA's unique discrepancies (section V): distinct tuples of outcome and class
	// with at least one acceptance and one rejection.
	discrepancy = Domain{Name: Discrepancy, Text: "unique discrepancies", Number: 3, Key: "discrepancy", Programs: 2, Always: 2, Oracle: true}
)

// Find returns the domain with that name, or nil.
func Find(name string) *Domain {
	for _, d := range Table {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Numbered returns the domain with that number, or nil.
func Numbered(number int) *Domain {
	for _, d := range Table {
		if d.Number == number && number >= 0 {
			return d
		}
	}
	return nil
}

// Names returns the guidances for a campaign of so many programs, with or without a known change.
func Names(programs int, changed bool) []string {
	var names []string
	for _, d := range Table {
		if d.Guides() && d.Fits(programs) && (changed || !d.Changed) {
			names = append(names, d.Name)
		}
	}
	return names
}

// Stored returns the domains whose features are announced and kept on disk, in the order of their
// numbers.
func Stored() []*Domain {
	var rows []*Domain
	for _, d := range Table {
		if d.Number != Unstored {
			rows = append(rows, d)
		}
	}
	sort.Slice(rows, func(i, k int) bool { return rows[i].Number < rows[k].Number })
	return rows
}

// UnknownError reports an unknown guidance. Callers that know the campaign add the valid names.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown guidance %q", e.Name) }

// Parse resolves a union of guidances into the guiding domains, in the order of the table. Random
// has none.
func Parse(names []string) ([]string, error) {
	on := map[string]bool{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		d := Find(name)
		if d == nil || !d.Guides() {
			return nil, &UnknownError{Name: name}
		}
		if d.Union == nil || d.Adapts || d.Search != nil {
			on[d.Name] = true
		}
		if d.Adapts && slices.ContainsFunc(names, func(name string) bool { return slices.Contains(d.Union, strings.TrimSpace(name)) }) {
			continue // only the named ones adapt
		}
		for _, part := range d.Union {
			on[part] = true
		}
	}
	var out []string
	search := ""
	for _, d := range Table {
		if !on[d.Name] {
			continue
		}
		if d.Search != nil {
			if search != "" {
				return nil, fmt.Errorf("%s and %s are two ways to search: choose one", search, d.Name)
			}
			search = d.Name
		}
		if d.KeepsOnlySeeds && len(on) > 1 {
			return nil, fmt.Errorf("guidance %s cannot be united with others", d.Name)
		}
		out = append(out, d.Name)
	}
	return out, nil
}

// Fitting returns the domains, of those named, that can guide a campaign with or without programs
// that have no blocks.
func Fitting(names []string, blockless bool) []string {
	var fit []string
	for _, name := range names {
		if d := Find(name); blockless || d == nil || !d.Blockless {
			fit = append(fit, name)
		}
	}
	return fit
}

// Resolve returns the rows of domains whose names Parse accepted.
func Resolve(names []string) []*Domain {
	var rows []*Domain
	for _, name := range names {
		if d := Find(name); d != nil {
			rows = append(rows, d)
		}
	}
	return rows
}

// SearchOf returns the first guidance with a Search, or nil.
func SearchOf(names []string) *Domain {
	for _, d := range Resolve(names) {
		if d.Search != nil {
			return d
		}
	}
	return nil
}

// NeedsOf returns the union of the guidances' needs.
func NeedsOf(names []string) Needs {
	var n Needs
	for _, d := range Resolve(names) {
		n |= d.Needs
	}
	return n
}

// NeedsOrder reports whether a guidance needs programs that record the order of first hits.
func NeedsOrder(names []string) bool { return NeedsOf(names)&Order != 0 }
