// Package original is the program kind of the originals of function models: C functions as clang's
// IR, which run in the lockstep process. An input is a call (package model/call). Undefined
// behavior is declined, since it cannot be compared.
package original

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// Kind is the entry in the table of program kinds.
var Kind = program.Kind{
	Name: "original", Keys: []string{"extraction", "compare"},
	Instead: map[string]string{"timeout": "an original ends after a number of instructions"},
	Parse: func(t *tomldoc.Table, c *program.Common) program.Settings {
		s := &Settings{}
		s.Extraction, s.Compare = Keys(t, c)
		return s
	},
	Open: program.Opener(func(_ context.Context, s Settings) (*executor, error) { return open(&s) }),
}

// Keys reads the keys that an original shares with its model.
func Keys(t *tomldoc.Table, c *program.Common) (extraction string, by call.Comparator) {
	extraction = t.Text("extraction")
	if extraction == "" {
		t.Reportf(t.Position(), `extraction is missing: the file of a model, as parallax model writes it`)
	} else if !filepath.IsAbs(extraction) {
		extraction = filepath.Join(c.Dir, extraction)
	}
	var words []string
	for _, w := range call.Comparators {
		words = append(words, string(w))
	}
	return extraction, call.Comparator(t.OneOf("compare", words...))
}

// Settings holds the configuration of a program.
type Settings struct {
	Extraction string
	Compare    call.Comparator

	function string
	source   string // source of the function
	layout   *minimize.Layout
}

// Runs implements program.Settings.
func (s *Settings) Runs() string { return "original" }

// Traits implements program.Settings.
func (s *Settings) Traits() program.Traits { return program.Traits{Layout: s.layout} }

// Prepare implements program.Settings.
func (s *Settings) Prepare(*program.Common, *program.Preparation) (program.Prepared, error) {
	e, err := open(s)
	if err != nil {
		return nil, err
	}
	s.function, s.source = e.original.Signature.Function, "musl"
	s.layout = &minimize.Layout{Numbers: e.original.Signature.Numbers()}
	if r, err := record.Read(s.Extraction); err == nil && r.Code != nil && r.Code.Original != nil {
		s.source = r.Code.Original.Files()
	}
	return s, nil
}

// Shown implements program.Prepared.
func (s *Settings) Shown() string { return s.function + " of " + s.source }

// Line implements program.Prepared.
func (s *Settings) Line() string { return s.Shown() }

// Load opens the original of an extraction.
func Load(path string) (*original.Original, *record.Record, error) {
	r, err := record.Read(path)
	if err != nil {
		return nil, nil, err
	}
	o, err := r.Original()
	return o, r, err
}

func open(s *Settings) (*executor, error) {
	o, _, err := Load(s.Extraction)
	if err != nil {
		return nil, err
	}
	if s.Compare == "" {
		s.Compare = o.Signature.Comparator()
	}
	if !o.Signature.Valid(s.Compare) {
		return nil, fmt.Errorf("compare = %q does not fit the result of %s, a %s", s.Compare, o.Signature.Function, o.Signature.Result.Kind)
	}
	return &executor{settings: s, original: o, blocks: newBlocks(o)}, nil
}

// executor runs an original.
type executor struct {
	settings *Settings
	original *original.Original
	blocks   *blocks
	counts   []byte
}

func (e *executor) Features() int { return 0 }
func (e *executor) Batch() int    { return 256 }
func (e *executor) Close() error  { return nil }

func (e *executor) Execute(ctx context.Context, inputs [][]byte, obs []program.Observation) error {
	sig := e.original.Signature
	for i, in := range inputs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c := sig.Decode(in)
		run, err := e.original.Run(c)
		if err != nil {
			return err
		}
		o := &obs[i]
		e.count(run.Trace, o)
		if run.Undefined != "" {
			o.Outcome, o.Message = oracle.Declined, run.Undefined
			continue
		}
		o.Outcome = oracle.Accepted
		o.Value = append(o.Value[:0], sig.Text(c, &run.Effect, e.settings.Compare)...)
	}
	return nil
}

// count counts the blocks of a trace.
func (e *executor) count(trace []int, o *program.Observation) {
	if e.counts == nil {
		e.counts = make([]byte, len(e.blocks.numbers))
	}
	for _, n := range trace {
		if k := e.blocks.local[n]; e.counts[k] < 255 {
			e.counts[k]++
		}
	}
	for k, n := range e.counts {
		if n > 0 {
			o.Features, o.Counts = append(o.Features, uint32(k)), append(o.Counts, n)
		}
	}
	clear(e.counts)
}

// Regions implements program.Blocks.
func (e *executor) Regions() []program.Region {
	return []program.Region{{Name: e.blocks.file, Counters: len(e.blocks.numbers)}}
}

// Table implements program.Mapped.
func (s *Settings) Table(_ string, counters int) (*flow.Table, error) {
	o, r, err := Load(s.Extraction)
	if err != nil {
		return nil, err
	}
	b := newBlocks(o)
	if len(b.numbers) != counters {
		return nil, fmt.Errorf("%s has %d blocks, and %d are counted", s.function, len(b.numbers), counters)
	}
	library := "musl"
	if r.Code != nil && r.Code.Original != nil {
		library = "original"
	}
	return b.table(o, library), nil
}

// blocks numbers the blocks of a function and its callees.
type blocks struct {
	functions []*llvmir.Function
	numbers   []int       // in the module
	local     map[int]int // inverse of numbers
	file      string
}

func newBlocks(o *original.Original) *blocks {
	b := &blocks{functions: []*llvmir.Function{o.Function}, local: map[int]int{}, file: o.Function.Place.File}
	for k := 0; k < len(b.functions); k++ {
		f := b.functions[k]
		for i, block := range f.Blocks {
			n := o.Module.Number(f, i)
			b.local[n] = len(b.numbers)
			b.numbers = append(b.numbers, n)
			for _, callee := range o.Module.Callees(f, block) {
				if !slices.Contains(b.functions, callee) {
					b.functions = append(b.functions, callee)
				}
			}
		}
	}
	return b
}

// table returns the block table. library names the source of the functions.
func (b *blocks) table(o *original.Original, library string) *flow.Table {
	t := &flow.Table{Package: library}
	for fi, f := range b.functions {
		first := len(t.Blocks)
		t.Funcs = append(t.Funcs, flow.Func{Name: f.Name, Symbol: f.Name, File: f.Place.File, Line: f.Place.Line, First: first, Count: len(f.Blocks)})
		graph := llvmir.NewGraph(f)
		for i, block := range f.Blocks {
			at := original.Place(f, block)
			k := flow.Block{ID: first + i, Func: fi, Kind: flow.Straight, File: at.File, Line: at.Line, Cond: at.Line, EndLine: at.Line}
			if i == 0 {
				k.Kind = flow.Entry
			}
			for _, p := range graph.Preds[i] {
				if len(graph.Succs[p]) > 1 && i > 0 {
					k.Kind = flow.Branch
					last := f.Blocks[p].Instrs
					if line := last[len(last)-1].Place.Line; line > 0 {
						k.Cond = line
					}
				}
			}
			for _, in := range block.Instrs {
				k.EndLine = max(k.EndLine, in.Place.Line)
			}
			for _, s := range graph.Succs[i] {
				k.Succs = append(k.Succs, first+s)
			}
			slices.Sort(k.Succs)
			k.Exit = len(graph.Succs[i]) == 0
			for _, callee := range o.Module.Callees(f, block) {
				k.Calls = append(k.Calls, callee.Name)
			}
			slices.Sort(k.Calls)
			k.Calls = slices.Compact(k.Calls)
			t.Blocks = append(t.Blocks, k)
		}
	}
	return t
}

// Quote implements program.Quoter.
func (e *executor) Quote(input []byte) string {
	sig := e.original.Signature
	return sig.Quote(sig.Decode(input))
}
