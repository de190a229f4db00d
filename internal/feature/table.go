package feature

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Table is all domains and guidances, in the order in which they are listed. Numbers are those of tuples.log.
var Table = []*Domain{
	&coverage,
	&coarse,
	&fine,
	&output,
	&reference,
	&publishedCoarse,
	&publishedFine,
	&cells,
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

// TraceNumber is the number in tuples.log of what is no domain and stands beside them: unique traces, as diversity.Key has them. Domains have
// others.
const TraceNumber = 9

// Names of the domains that code outside of their files speaks of.
const (
	Coverage        = "coverage"
	PathCoarse      = "path-coarse"
	PathFine        = "path-fine"
	Output          = "output"
	Reference       = "reference"
	PublishedCoarse = "nezha-coarse"
	PublishedFine   = "nezha-fine"
	Cells           = "cells"
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
	random   = Domain{Name: Random, Text: "nothing is kept but the seeds", Number: Unstored, Nothing: true}
	ensemble = Domain{
		Name: Ensemble, Text: "coverage, path-coarse, path-fine, output and, of programs without blocks, cells", Number: Unstored,
		Union: []string{Coverage, PathCoarse, PathFine, Output, Cells},
	}
	adaptive = Domain{
		Name: Adaptive, Text: "what ensemble keeps, less of a domain that lately yielded little", Number: Unstored,
		Union: []string{Coverage, PathCoarse, PathFine, Output, Cells}, Adapts: true,
	}
	// discrepancy is NEZHA's unique discrepancies (section V): distinct tuples of outcome and class with at least one acceptance and
	// one rejection.
	discrepancy = Domain{Name: Discrepancy, Text: "unique discrepancies", Number: 3, Key: "discrepancy", Programs: 2, Always: 2, Oracle: true}
)

// Find returns the domain of that name, nil if there is none.
func Find(name string) *Domain {
	for _, d := range Table {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Numbered returns the domain with that number, nil if there is none.
func Numbered(number int) *Domain {
	for _, d := range Table {
		if d.Number == number && number >= 0 {
			return d
		}
	}
	return nil
}

// Names lists the guidances that a campaign of so many programs can have, in which a change is known, or none.
func Names(programs int, changed bool) []string {
	var names []string
	for _, d := range Table {
		if d.Guides() && d.Fits(programs) && (changed || !d.Changed) {
			names = append(names, d.Name)
		}
	}
	return names
}

// Stored returns the domains whose features are announced and kept on disk, in the order of their numbers.
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

// UnknownError is the error for a name that no guidance has. The names that may be chosen instead are for whoever knows of the campaign to add.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown guidance %q", e.Name) }

// Parse resolves a union of guidances into the domains that guide, in the order of the table. Random guides by none.
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
			continue // those that are named adapt, and no others
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
		if d.Nothing && len(on) > 1 {
			return nil, fmt.Errorf("guidance %s cannot be united with others", d.Name)
		}
		out = append(out, d.Name)
	}
	return out, nil
}

// Fitting are those of domains, by their names, that can guide a campaign in which there are programs of which no blocks are known,
// or none.
func Fitting(names []string, blockless bool) []string {
	var fit []string
	for _, name := range names {
		if d := Find(name); blockless || d == nil || !d.Blockless {
			fit = append(fit, name)
		}
	}
	return fit
}

// Resolve returns the rows of domains by their names, which Parse knows.
func Resolve(names []string) []*Domain {
	var rows []*Domain
	for _, name := range names {
		if d := Find(name); d != nil {
			rows = append(rows, d)
		}
	}
	return rows
}

// SearchOf is the way to search that a guidance among some stands for; nil: none does.
func SearchOf(names []string) *Domain {
	for _, d := range Resolve(names) {
		if d.Search != nil {
			return d
		}
	}
	return nil
}

// NeedsOf is what guidances need to be recorded.
func NeedsOf(names []string) Needs {
	var n Needs
	for _, d := range Resolve(names) {
		n |= d.Needs
	}
	return n
}

// NeedsOrder reports whether a guidance needs programs built to record the order of first hits.
func NeedsOrder(names []string) bool { return NeedsOf(names)&Order != 0 }
