package dynamic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
)

// Options configure the search for the scope. Zero values mean the defaults.
type Options struct {
	Samples   int     // number of calls; default DefaultSamples
	Threshold float64 // default scope.DefaultThreshold
	Seed      uint64
	Telling   bool // for Around: other cells agree on a result besides 0 (scope.Scope.Tells)
}

// DefaultSamples is lower than for C functions, since an engine takes some ten milliseconds per
// call.
const DefaultSamples = 600

const (
	together = 48  // calls per batch
	enough   = 120 // calls of one cell; more add no information
	kept     = 16  // inputs of a cell that are mutated
	seeds    = 4   // seeds of a cell in scope, for the campaign
	around   = 192 // calls made to decide about a cell that samples did not reach
)

// Sampled holds the samples of a function.
type Sampled struct {
	Scope *scope.Scope
	Seeds [][]byte
	Asked []Asked // calls that the model answered
}

type sampler struct {
	f     *Function
	ask   Asker
	r     *rand.Rand
	scope *scope.Scope
	asked []Asked
	seen  map[string]bool
	pools map[scope.Key][][]byte
	wrong map[scope.Key][][]byte
}

// Find samples calls and decides which cells are in scope.
func Find(ctx context.Context, f *Function, ask Asker, o Options) (*Sampled, error) {
	s := newSampler(f, ask, o)
	samples := o.Samples
	if samples == 0 {
		samples = DefaultSamples
	}
	first := [][]byte{nil}
	for n := 0; n < samples; n += together {
		batch := first
		for len(batch) < min(together, samples-n) {
			batch = append(batch, s.propose(len(batch)))
		}
		first = nil
		if err := s.try(ctx, batch); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.scope.Paths, func(a, b *scope.Path) int {
		if a.Runs != b.Runs {
			return b.Runs - a.Runs
		}
		return strings.Compare(a.Lines[0], b.Lines[0])
	})
	s.scope.Decide()
	found := &Sampled{Scope: s.scope, Asked: s.asked}
	for _, p := range s.scope.Paths {
		n := 1
		if p.InScope {
			n = seeds
			found.Seeds = append(found.Seeds, s.wrong[p.Key]...)
		}
		found.Seeds = append(found.Seeds, s.pools[p.Key][:min(n, len(s.pools[p.Key]))]...)
	}
	return found, nil
}

// Around decides about the cell of one call that Find did not reach, by similar calls. It returns
// nil if nothing can be compared.
func Around(ctx context.Context, f *Function, ask Asker, flat []byte, o Options) (*scope.Path, error) {
	s := newSampler(f, ask, o)
	if err := s.try(ctx, [][]byte{flat}); err != nil || len(s.scope.Paths) == 0 {
		return nil, err
	}
	p := s.scope.Paths[0]
	if len(s.pools[p.Key]) == 0 {
		return p, nil
	}
	s.scope.SetTelling(o.Telling)
	for n := 0; n < around && p.Runs < together; n += together {
		var batch [][]byte
		for range together {
			pool := s.pools[p.Key]
			batch = append(batch, s.mutate(pool[s.r.IntN(len(pool))]))
		}
		if err := s.try(ctx, batch); err != nil {
			return nil, err
		}
	}
	s.scope.Decide()
	return p, nil
}

func newSampler(f *Function, ask Asker, o Options) *sampler {
	if o.Threshold == 0 {
		o.Threshold = scope.DefaultThreshold
	}
	decided := &scope.Scope{Version: scope.Version, Function: f.Function, Compare: call.Comparator(cmp.Or(f.Compare, "exact")), Threshold: o.Threshold, Declared: f.Scope, Source: f.Source}
	if m := f.Formula; m != nil {
		decided.Declared, decided.Compare = m.Scope, call.Comparator(cmp.Or(m.Compare, "exact"))
	}
	return &sampler{
		f: f, ask: ask, r: rand.New(rand.NewPCG(o.Seed, 0xd1a)),
		scope: decided,
		seen:  map[string]bool{}, pools: map[scope.Key][][]byte{}, wrong: map[scope.Key][][]byte{},
	}
}

// try runs those calls on both sides that were not run before.
func (s *sampler) try(ctx context.Context, inputs [][]byte) error {
	var flats [][]byte
	var list []json.RawMessage
	for _, flat := range inputs {
		data := s.f.Decode(flat).JSON()
		if !s.seen[string(data)] {
			s.seen[string(data)] = true
			flats, list = append(flats, flat), append(list, data)
		}
	}
	right, err := s.ask.Calls(ctx, s.f.Function, extract.OfOriginal, list)
	if err != nil {
		return err
	}
	var paths []*scope.Path
	var asked []int
	var calls []json.RawMessage
	for i, flat := range flats {
		s.scope.Samples++
		if !Comparable(right[i]) {
			s.scope.Undefined++
			continue
		}
		c := s.f.Decode(flat)
		p := s.path(c, right[i])
		if why := Meant(s.ask, c); why != nil {
			var failed *scope.EvaluationError
			if errors.As(why, &failed) {
				return why
			}
			p.Declined++
			continue
		}
		switch pool := s.pools[p.Key]; {
		case len(pool) < kept:
			s.pools[p.Key] = append(pool, flat)
		case p.Runs >= enough:
			continue
		case s.r.IntN(8) == 0:
			pool[s.r.IntN(kept)] = flat
		}
		paths, asked, calls = append(paths, p), append(asked, i), append(calls, list[i])
	}
	said, err := s.ask.Calls(ctx, s.f.Function, extract.OfModel, calls)
	if err != nil {
		return err
	}
	for k, i := range asked {
		s.asked = append(s.asked, Asked{flats[i], right[i], said[k]})
		s.count(paths[k], flats[i], right[i], said[k])
	}
	return nil
}

// path returns the scope entry of a call's cell.
func (s *sampler) path(c Call, right extract.Said) *scope.Path {
	cell := s.f.Cell(c, right, PathOf(s.ask, c))
	for _, p := range s.scope.Paths {
		if p.Lines[0] == cell {
			return p
		}
	}
	p := &scope.Path{Key: scope.Key(key(cell)), Deviations: map[scope.Kind]int{}, Lines: []string{cell}}
	s.scope.Paths = append(s.scope.Paths, p)
	return p
}

// count counts the model's answer to a call.
func (s *sampler) count(p *scope.Path, flat []byte, right, said extract.Said) {
	p.Runs++
	telling := !trivial(right)
	if telling {
		p.Telling++
	}
	kind := Compare(right, said)
	quoted := s.f.Quote(s.f.Decode(flat))
	if kind == scope.Agrees {
		p.Agree++
		if telling {
			p.AgreeTell++
		}
		if p.Agreed == "" || telling && p.AgreeTell == 1 {
			p.Agreed = quoted
		}
		return
	}
	if (kind == scope.Wrong || kind == scope.Dropped) && len(s.wrong[p.Key]) < seeds {
		s.wrong[p.Key] = append(s.wrong[p.Key], flat)
	}
	if p.Deviations[kind]++; p.Deviating == "" {
		p.Deviating, p.Original, p.Model = quoted, Text(right), string(kind)
		if kind == scope.Wrong || kind == scope.Failed {
			p.Model = Text(said)
		}
	}
}

// Compare returns how the model's answer differs from the original's.
func Compare(right, said extract.Said) scope.Kind {
	switch {
	case said.How == extract.Unknown:
		return scope.Unknown
	case said.How == extract.Failed:
		return scope.Failed
	case said.How == extract.Drops && right.How == extract.Raises: // neither has a result
		return scope.Declined
	case said.How == extract.Drops:
		return scope.Dropped
	case Text(right) == Text(said):
		return scope.Agrees
	case !said.Unique:
		return scope.Unconstrained
	}
	return scope.Wrong
}

// propose makes an input: a new one, or one similar to those of a cell with few calls.
func (s *sampler) propose(i int) []byte {
	if i%3 == 0 || len(s.scope.Paths) == 0 {
		return s.fresh()
	}
	from := s.scope.Paths[s.r.IntN(len(s.scope.Paths))]
	if i%3 == 1 {
		for _, p := range s.scope.Paths { // in the order of discovery
			if p.Runs < from.Runs && len(s.pools[p.Key]) > 0 {
				from = p
			}
		}
	}
	pool := s.pools[from.Key]
	if len(pool) == 0 { // the model is not meant for any call of this cell
		return s.fresh()
	}
	return s.mutate(pool[s.r.IntN(len(pool))])
}

// plain lists characters that string methods often treat specially.
const plain = "abzAZ019 \t\n\r-+_.,%/'\x0b\x1f"

// numbers lists characters of numbers, mostly digits.
const numbers = "0123456789012345678901234567890123456789-+. e"

func (s *sampler) character() byte {
	switch s.r.IntN(5) {
	case 0:
		return byte(s.r.Uint32())
	case 1:
		return byte(small + s.r.IntN(escaped-small))
	}
	return plain[s.r.IntN(len(plain))]
}

// fresh makes an input from scratch.
func (s *sampler) fresh() []byte {
	var flat []byte
	// few different characters, so that parts are equal
	a, b, few := s.character(), s.character(), s.r.IntN(2) == 0
	text := func(length int) {
		if s.f.syntax().numbers && s.r.IntN(4) == 0 {
			for range 1 + s.r.IntN(max(length, 1)) {
				flat = append(flat, numbers[s.r.IntN(len(numbers))])
			}
			flat = append(flat, 0)
			return
		}
		for range s.r.IntN(length + 1) {
			switch {
			case !few:
				flat = append(flat, s.character())
			case s.r.IntN(3) == 0:
				flat = append(flat, b)
			default:
				flat = append(flat, a)
			}
		}
		flat = append(flat, 0)
	}
	for i, p := range s.f.Parameters {
		kind := p.Kinds[0]
		if len(p.Kinds) > 1 || p.Optional {
			k := s.r.IntN(len(p.Kinds) + 1)
			flat = append(flat, byte(k))
			if !p.Optional {
				k++
			}
			kind = p.Kinds[(max(k, 1)-1)%len(p.Kinds)]
		}
		switch {
		case strings.HasPrefix(kind, "list:"):
			n := s.r.IntN(longList)
			flat = append(flat, byte(n))
			for range n {
				text(2)
			}
		case kind == "int" && s.r.IntN(3) == 0:
			flat = append(flat, byte(s.r.Uint32()), byte(s.r.Uint32()))
		case kind == "int":
			flat = append(flat, []byte{0, 1, 2, 3, 4, 8, 9, 0x80, 0x81, 0x82, 0x83, 0x87}[s.r.IntN(12)])
		case kind == "str", kind == "bytes":
			text([]int{s.f.Elements, 2}[min(i, 1)])
		case kind == "float":
			flat = append(flat, byte(s.r.Uint32()), byte(s.r.Uint32()))
		case kind == "bool":
			flat = append(flat, byte(s.r.IntN(2)))
		}
	}
	return flat
}

// mutate makes a few changes to an input.
func (s *sampler) mutate(flat []byte) []byte {
	flat = slices.Clone(flat)
	for range 1 + s.r.IntN(3) {
		if len(flat) == 0 {
			flat = s.fresh()
			continue
		}
		at := s.r.IntN(len(flat))
		switch s.r.IntN(6) {
		case 0:
			flat = slices.Insert(flat, at, s.character())
		case 1:
			flat = slices.Delete(flat, at, at+1)
		case 2:
			flat[at] += byte(s.r.IntN(3) - 1)
		case 3: // a copy of another part
			flat[at] = flat[s.r.IntN(len(flat))]
		default:
			flat[at] = s.character()
		}
	}
	return flat
}
