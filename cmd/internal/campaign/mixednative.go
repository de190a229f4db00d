package campaign

import (
	"path/filepath"

	"parallax/cmd/internal/conduct"
	"parallax/cmd/internal/config"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/instrument/clang"
	"parallax/cmd/internal/native"
	"parallax/internal/feature"
)

// native says how a C program is run.
func (m *mix) native(o *Options, p *config.Program, env []string) (*conduct.Native, error) {
	return m.harness(o, p.Name, p.Binary, p.Args, env, p.Dir, p)
}

func (m *mix) harness(o *Options, name, path string, args, env []string, dir string, p *config.Program) (*conduct.Native, error) {
	b, err := clang.Open(path)
	if err != nil {
		return nil, err
	}
	l := p.Limits
	n := &conduct.Native{
		Shown:  path,
		Config: native.Config{Name: name, Path: path, Args: args, Env: env, Dir: dir, Limits: l, Box: m.confined(l)},
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
	m.builds[name] = b
	return n, nil
}

// nativeTable is the block table of a C program or of a library that it loads, with a place for each counter.
func (t *Target) nativeTable(program, file string, counters int) (*flow.Table, error) {
	path := file
	if b := t.mix.builds[program]; b != nil && (file == "" || filepath.Base(file) == filepath.Base(b.Variants[clang.Operands]) || file == b.Variants[clang.Operands]) {
		path = b.Path
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
		t.funcs[program+"."+f.Name], t.funcs[f.Name] = f, f
		t.native[f.Name] = true
	}
	if pad := counters - len(table.Blocks); pad > 0 { // numbers between two files, which nobody executes
		table.Funcs = append(table.Funcs, flow.Func{Name: "none", First: len(table.Blocks), Count: pad})
		for range pad {
			table.Blocks = append(table.Blocks, flow.Block{ID: len(table.Blocks), Func: len(table.Funcs) - 1, Kind: flow.Straight})
		}
	}
	t.Plan.Own = appendOnce(t.Plan.Own, program)
	return table, nil
}
