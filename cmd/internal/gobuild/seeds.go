package gobuild

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/gobuild/mining"
)

// maxSeeds bounds the seeds of a target.
const maxSeeds = 300

// seedsFrom is the middle of the note on seeds, before the packages.
const seedsFrom = " taken from the tests of "

// MergeNotes adds the notes of another part of a target. Notes on seeds become one.
func MergeNotes(notes, more []string) []string {
	for _, n := range more {
		count, from, seeds := strings.Cut(n, seedsFrom)
		at := slices.IndexFunc(notes, func(have string) bool { return have == n || seeds && strings.Contains(have, seedsFrom) })
		switch {
		case at < 0:
			notes = append(notes, n)
		case notes[at] == n:
		case strings.HasPrefix(notes[at], count+seedsFrom):
			notes[at] += ", " + from
		default:
			notes[at] += "; " + n
		}
	}
	return notes
}

// mineSeeds fills Seeds from the tests of the packages under test, and Dictionary from their code.
func (p *Plan) mineSeeds() {
	var perPackage [][]corpus.Seed
	seen := map[string]bool{}
	var files, tested []string
	for _, c := range p.calls {
		if seen[c.Package.ImportPath] {
			continue
		}
		seen[c.Package.ImportPath] = true
		name := p.versioned(newProgram(c, ""))
		seeds := mining.Seeds(c.Package, p.Shape, name)
		if perPackage = append(perPackage, seeds); len(seeds) > 0 {
			tested = append(tested, name)
		}
		files = append(append(files, c.Package.GoFiles...), c.Package.CgoFiles...)
	}
	p.Seeds = mining.Deal(perPackage, maxSeeds)
	if n := len(p.Seeds); n > 0 {
		p.root.Note("%d %s%s%s", n, plural(n), seedsFrom, strings.Join(slices.Compact(tested), ", "))
	}
	var others []string
	for _, q := range p.Packages {
		if !q.Standard && !seen[q.ImportPath] {
			others = append(others, q.Files...)
		}
	}
	p.mineDictionary(files, others)
}

// versioned returns a program's import path with the version of its module, or with the folder's
// label.
func (p *Plan) versioned(of Program) string {
	switch {
	case of.Version != "":
		return of.Package + "@" + of.Version
	case p.req.Label != "":
		return of.Package + "@" + p.req.Label
	}
	return of.Package
}

func plural(seeds int) string {
	if seeds == 1 {
		return "seed is"
	}
	return "seeds are"
}

// mineDictionary fills Dictionary with the literals of files: of the packages under test, and of
// their dependencies.
func (p *Plan) mineDictionary(own, others []string) {
	words, err := mining.Words(own, others)
	if err != nil {
		p.root.Note("there is no automatic dictionary: %v", err) // the compiler reports more
	}
	p.Dictionary = words
	p.ReadsClock = p.readsClock()
}
