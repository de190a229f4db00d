package text

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
)

// Cost returns the cost of a program in words, or "" if the finding is not of cost.
func Cost(f *finding.Finding, p *finding.Program) string {
	if f.Layer != finding.CostLayer {
		return ""
	}
	return p.Cost()
}

// costs returns the cost of each version, in the measure that the finding is of.
func costs(f *finding.Finding) string { return Costs(f.Programs) }

// Costs returns the costs of two versions in the measure in which one is too high, the new version
// first. An example is `blocks executed 1,204,331 beside 8,210`.
func Costs(programs []finding.Program) string {
	var blocks, bytes []string
	for _, p := range programs {
		blocks, bytes = append(blocks, units.Thousands(p.Blocks)), append(bytes, units.Thousands(p.Allocated))
	}
	if dear(programs) == oracle.Bytes {
		return "bytes allocated " + strings.Join(bytes, " beside ")
	}
	return "blocks executed " + strings.Join(blocks, " beside ")
}

// dear returns the measure in which the first of two programs costs too much.
func dear(programs []finding.Program) oracle.Measures {
	if len(programs) != 2 { // not what parallax wrote
		return oracle.Blocks
	}
	of := func(p *finding.Program) oracle.Cost { return oracle.Cost{Blocks: p.Blocks, Bytes: p.Allocated} }
	return oracle.Dearer(of(&programs[0]), of(&programs[1])).First()
}

// differInCost shows the costs of the versions.
func differInCost(f *finding.Finding, d *document) {
	d.add(headingBlock{2, []span{say("Where the costs differ")}})
	t := tableBlock{head: []string{"program", "blocks executed", "bytes allocated"}}
	for _, p := range f.Programs {
		allocated := "not counted"
		if p.Allocated > 0 {
			allocated = units.Thousands(p.Allocated)
		}
		t.rows = append(t.rows, [][]span{{named(p.Name)}, {say("%s", units.Thousands(p.Blocks))}, {say("%s", allocated)}})
	}
	d.add(t)
	if text := times(f); text != "" {
		d.add(paragraphBlock{named(f.Programs[0].Name), say(" %s as ", text), named(f.Programs[1].Name), say(" does, and both do the same otherwise.")})
	}
}

// times returns how many times as much the first program does as the second, in the measure that
// the finding is of. It returns "" if the second does nothing.
func times(f *finding.Finding) string {
	if len(f.Programs) != 2 {
		return ""
	}
	a, b, verb, what := f.Programs[0].Blocks, f.Programs[1].Blocks, "executes", "blocks"
	if dear(f.Programs) == oracle.Bytes {
		a, b, verb, what = f.Programs[0].Allocated, f.Programs[1].Allocated, "allocates", "bytes"
	}
	if b == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s times as many %s", verb, units.Thousands(a/b), what)
}
