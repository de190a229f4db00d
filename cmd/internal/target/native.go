package target

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/config"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/instrument/clang"
	"parallax/cmd/internal/lockstep"
	"parallax/cmd/internal/program/c"
	"parallax/cmd/internal/report"
	"parallax/internal/feature"
)

// native says how a C program is run.
func (m *mix) native(o *Options, p *config.Program, env []string) (*lockstep.Native, error) {
	b, err := clang.Open(p.Binary)
	if err != nil {
		return nil, err
	}
	path := p.Binary
	n := &lockstep.Native{
		Shown:  path,
		Config: c.Config{Name: p.Name, Path: path, Args: p.Args, Env: env, Dir: p.Dir, Limits: p.Limits, Box: m.confined(p.Limits)},
	}
	n.Operands, n.Sanitize = b.Variants[clang.Operands], b.Variants[clang.Sanitize]
	if n.Operands != "" {
		if n.Ordered, err = clang.SameBlocks(path, n.Operands); err != nil {
			return nil, exit.Usage("%w", err)
		}
	}
	if feature.NeedsOrder(o.Guidance) {
		switch {
		case n.Operands == "":
			return nil, exit.Usage("%s has no operands build, which tells the order in which blocks are first executed, as guidance nezha-fine needs: %s", path, b.Missing[clang.Operands])
		case !n.Ordered:
			return nil, exit.Usage("the operands build of %s has other blocks than the program, and guidance nezha-fine needs the order of the program's: build both with -O1", path)
		}
		n.Order = true
	}
	if m.builds == nil {
		m.builds = map[string]*clang.Build{}
	}
	m.builds[p.Name] = b
	for _, v := range clang.Variants {
		if why := b.Missing[v]; why != "" {
			m.spec.Notes = append(m.spec.Notes, fmt.Sprintf("%s has no %s build: %s", p.Name, v, why))
		}
	}
	if len(b.Plain) > 0 {
		m.spec.Notes = append(m.spec.Notes, fmt.Sprintf("%s is linked with what parallax cc did not compile, and nothing is known of that: %s",
			p.Name, report.Cut(strings.Join(b.Plain, ", "), 100)))
	}
	if len(b.Shared) > 0 {
		m.spec.Notes = append(m.spec.Notes, fmt.Sprintf("%s has no operands and no sanitizers in its shared libraries, so that most errors of memory in them do not show: link them statically: %s",
			p.Name, report.Cut(strings.Join(b.Shared, ", "), 100)))
	}
	return n, nil
}

// real is a path without symbolic links, as the kernel tells it.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// nativeTable is the block table of a C program or of a library that it loads, with a place for each counter.
func (t *Lockstep) nativeTable(program, file string, counters int) (*flow.Table, error) {
	path := file
	if b := t.mix.builds[program]; file == "" || file == real(b.Variants[clang.Operands]) {
		path = b.Path // which the operands build has the blocks of
	}
	table, err := clang.ReadTable(path)
	if err != nil {
		return nil, exit.Usage("%w", err)
	}
	if len(table.Blocks) > counters {
		return nil, exit.Usage("%s has %d counters and a table of %d blocks: it was changed while it ran; build it again", path, counters, len(table.Blocks))
	}
	table.Package = program
	if t.native == nil {
		t.native = map[string]bool{}
	}
	for _, f := range table.Funcs {
		t.native[f.Name] = true
	}
	if pad := counters - len(table.Blocks); pad > 0 { // numbers between two files, which nobody executes
		table.Funcs = append(table.Funcs, flow.Func{Name: "none", First: len(table.Blocks), Count: pad})
		for range pad {
			table.Blocks = append(table.Blocks, flow.Block{ID: len(table.Blocks), Func: len(table.Funcs) - 1, Kind: flow.Straight})
		}
	}
	if !slices.Contains(t.Plan.Own, program) {
		t.Plan.Own = append(t.Plan.Own, program)
	}
	return table, nil
}
