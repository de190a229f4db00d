package subject

import (
	"slices"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/program"
)

// ownTable returns the block table of a program with its own blocks, for one region. The table has
// a block per counter.
func (t *Lockstep) ownTable(name, region string, counters int) (*flow.Table, error) {
	brings, ok := t.assembly.programs[slices.Index(t.Names, name)].(program.Mapped)
	if !ok {
		return nil, exit.Infra("program %s counts blocks but has no block table: this is a bug of parallax", name)
	}
	table, err := brings.Table(region, counters)
	if err != nil {
		return nil, err
	}
	if t.counted == nil {
		t.counted = map[string]bool{}
	}
	for _, f := range table.Funcs {
		t.counted[f.Name] = true
	}
	if pad := counters - len(table.Blocks); pad > 0 { // numbers between two files, which no block has
		table.Funcs = append(table.Funcs, flow.Func{Name: "none", First: len(table.Blocks), Count: pad})
		for range pad {
			table.Blocks = append(table.Blocks, flow.Block{ID: len(table.Blocks), Func: len(table.Funcs) - 1, Kind: flow.Straight})
		}
	}
	if !slices.Contains(t.Plan.Own, name) {
		t.Plan.Own = append(t.Plan.Own, name)
	}
	return table, nil
}
