package persistent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/program"
	"parallax/internal/atomicfile"
)

// A driver may declare that its features are blocks of functions, by
// docs/reference/driver-protocol.md.

// entry is a block of a function: its kind as in package flow, its first line, the line of its
// condition, and its last line.
type entry struct {
	kind             flow.Kind
	line, cond, last int
}

// UnmarshalJSON implements json.Unmarshaler. A block is a list.
func (b *entry) UnmarshalJSON(data []byte) error {
	var kind string
	list := []any{&kind, &b.line, &b.cond, &b.last}
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != 4 {
		return errors.New("a block has a kind and three lines")
	}
	if b.kind = flow.KindOf(kind); b.kind == 0 {
		return fmt.Errorf("there is no kind of block %q", kind)
	}
	return nil
}

// readTable reads a driver's table of n blocks.
func readTable(text []byte, n int) (*flow.Table, error) {
	var functions []struct {
		Name   string  `json:"name"`
		File   string  `json:"file"`
		Line   int     `json:"line"`
		Blocks []entry `json:"blocks"`
	}
	if err := json.Unmarshal(text, &functions); err != nil {
		return nil, err
	}
	t := &flow.Table{}
	for _, f := range functions {
		for _, b := range f.Blocks {
			t.Blocks = append(t.Blocks, flow.Block{
				ID: len(t.Blocks), Func: len(t.Funcs), Kind: b.kind, File: f.File, Line: b.line, Cond: b.cond, EndLine: max(b.line, b.last),
			})
		}
		t.Funcs = append(t.Funcs, flow.Func{Name: f.Name, File: f.File, Line: f.Line, First: len(t.Blocks) - len(f.Blocks), Count: len(f.Blocks)})
	}
	if len(t.Blocks) != n {
		return nil, fmt.Errorf("it has %d blocks, and the greeting says features=%d", len(t.Blocks), n)
	}
	return t, nil
}

// mapped is an executor whose features are blocks with a table. They form one region, whatever
// their files.
type mapped struct{ *Executor }

// Regions implements program.Blocks.
func (m mapped) Regions() []program.Region {
	return []program.Region{{Name: region, Counters: m.features}}
}

const region = "its modules"

// Features implements program.Executor: the features are blocks.
func (m mapped) Features() int { return 0 }

// openKind is Kind.Open. The supervisor reads the table from the file that is written here.
func openKind(ctx context.Context, _ program.Opening, settings json.RawMessage) (program.Executor, error) {
	var c Config
	if err := json.Unmarshal(settings, &c); err != nil {
		return nil, err
	}
	e, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	if e.table == nil || c.Blocks == "" {
		return e, nil
	}
	if err := atomicfile.Write(atomicfile.OS, c.Blocks, e.table); err != nil {
		e.Close()
		return nil, e.asError(fmt.Errorf("keeping the table of blocks: %w", err))
	}
	return mapped{e}, nil
}

// Table implements program.Mapped.
func (c *Config) Table(_ string, counters int) (*flow.Table, error) {
	text, err := os.ReadFile(c.Blocks)
	if err != nil {
		return nil, exit.Infra("reading the table of blocks of %s: %w", c.Name, err)
	}
	t, err := readTable(text, counters)
	if err != nil {
		return nil, exit.Infra("the table of blocks of %s: %w", c.Name, err)
	}
	t.Package = c.Name
	return t, nil
}
