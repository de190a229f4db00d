package scope

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
)

// Options say how the scope is found. Zeros mean the defaults.
type Options struct {
	Samples   int     // calls; DefaultSamples
	Threshold float64 // DefaultThreshold
	Seed      uint64
	Seeds     []call.Call // calls to begin with, as a solver gives them for paths
	Compare   call.Comparator
	Declared  string // what the model's authors say of its scope: see Declare; "": nothing
	Source    string // where they say it; or ""
	Telling   bool   // of Around: other paths agree on another result than 0 (Scope.Tells)
	// Proofs are what is known of paths beside samples, by their keys.
	Proofs map[uint64]*Proof
	// Progress is called before each call that Find samples, with the number of those before and of all. nil: nobody is told.
	Progress func(done, all int)
}

// RelationalSamples are fewer, for models that a solver has to be asked about: a call takes it from a millisecond to seconds.
const RelationalSamples = 600

// The defaults. The threshold is a choice: agreement has no gap there (docs/guides/model.md).
const (
	DefaultSamples   = 6000
	DefaultThreshold = 0.4
	enough           = 400 // calls of one path: more say nothing new
	wanted           = 100 // of each path, before those that have fewer are looked for no longer
	seeds            = 4   // of a path in scope, for the campaign
	hopeless         = 60  // calls for which C defines nothing, where there are no others: each may take all the instructions that a call has
	around           = 800 // calls that are made to find some of one path
	few              = 8   // calls by which a path is decided about, at least, unless there are no more
	kept             = 16  // inputs of a path from which others are made
)

// sampler makes calls and counts what comes of them.
type sampler struct {
	o         *original.Original
	model     Model
	opts      Options
	r         *rand.Rand
	sig       *call.Signature
	scope     *Scope
	seen      map[string]bool
	declared  Declared         // nil: all calls
	deviating map[Key][][]byte // calls on which the model deviates
	pools     map[Key][][]byte
	size      int
}

// Find samples calls and decides which paths are in scope.
func Find(ctx context.Context, o *original.Original, m Model, opts Options) (*Scope, error) {
	s, err := newSampler(o, m, opts)
	if err != nil {
		return nil, err
	}
	return s.find(ctx)
}

// Around decides about the path of one call, which Find has not seen or not often, by calls like it. It is nil where C does not define the call.
func Around(ctx context.Context, o *original.Original, m Model, c call.Call, opts Options) (*Path, error) {
	s, err := newSampler(o, m, opts)
	if err != nil {
		return nil, err
	}
	if err := s.try(ctx, s.padded(s.sig.Encode(c))); err != nil || len(s.scope.Paths) == 0 {
		return nil, err
	}
	p := s.scope.Paths[0]
	for range min(around, s.opts.Samples) {
		pool := s.pools[p.Key]
		if err := s.try(ctx, s.mutate(slices.Clone(pool[s.r.IntN(len(pool))]))); err != nil {
			return nil, err
		}
		if p.Runs >= wanted {
			break
		}
	}
	s.scope.Decide()
	return p, nil
}

// newSampler is a sampler that has done nothing yet.
func newSampler(o *original.Original, m Model, opts Options) (*sampler, error) {
	if opts.Samples == 0 {
		opts.Samples = DefaultSamples
	}
	if opts.Threshold == 0 {
		opts.Threshold = DefaultThreshold
	}
	if opts.Compare == "" {
		opts.Compare = o.Signature.Comparator()
	}
	s := &sampler{
		o: o, model: m, opts: opts, r: rand.New(rand.NewPCG(opts.Seed, 0x5c09e)), sig: o.Signature, size: o.Signature.Size(),
		scope: &Scope{Version: Version, Function: o.Signature.Function, Compare: opts.Compare, Threshold: opts.Threshold},
		seen:  map[string]bool{}, pools: map[Key][][]byte{}, deviating: map[Key][][]byte{},
	}
	s.scope.SetTelling(opts.Telling)
	if s.scope.Declared, s.scope.Source = opts.Declared, opts.Source; opts.Declared != "" {
		var err error
		if s.declared, err = Declare(o.Signature, opts.Declared); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// find is Find.
func (s *sampler) find(ctx context.Context) (*Scope, error) {
	opts := s.opts
	for _, c := range opts.Seeds {
		if err := s.try(ctx, s.padded(s.sig.Encode(c))); err != nil {
			return nil, err
		}
	}
	if err := s.try(ctx, make([]byte, s.size)); err != nil {
		return nil, err
	}
	for i := range opts.Samples {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if opts.Progress != nil {
			opts.Progress(i, opts.Samples)
		}
		if err := s.try(ctx, s.propose(i)); err != nil {
			return nil, err
		}
		if len(s.scope.Paths) == 0 && s.scope.Undefined >= hopeless {
			break
		}
	}
	for _, p := range slices.Clone(s.scope.Paths) { // those that few calls took
		if err := s.enrich(ctx, p); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.scope.Paths, func(a, b *Path) int {
		if a.Runs != b.Runs {
			return b.Runs - a.Runs
		}
		return strings.Compare(a.Agreed+a.Deviating, b.Agreed+b.Deviating)
	})
	for _, p := range s.scope.Paths {
		p.Proof = opts.Proofs[uint64(p.Key)]
	}
	s.scope.Decide()
	for _, p := range s.scope.Paths {
		n := 1
		if p.InScope {
			n = seeds
			s.scope.inputs = append(s.scope.inputs, s.deviating[p.Key]...)
		}
		s.scope.inputs = append(s.scope.inputs, s.pools[p.Key][:min(n, len(s.pools[p.Key]))]...)
	}
	return s.scope, nil
}

// enrich looks for more calls of a path that has too few to be decided about.
func (s *sampler) enrich(ctx context.Context, p *Path) error {
	for tries := 0; tries < around/4 && p.Runs+p.Declined < few; tries++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pool := s.pools[p.Key]
		if err := s.try(ctx, s.mutate(slices.Clone(pool[s.r.IntN(len(pool))]))); err != nil {
			return err
		}
	}
	return nil
}

func (s *sampler) padded(flat []byte) []byte {
	return append(flat, make([]byte, s.size-len(flat))...)
}

// try runs a call on both sides, unless it was run before.
func (s *sampler) try(ctx context.Context, flat []byte) error {
	if s.seen[string(flat)] {
		return nil
	}
	s.seen[string(flat)] = true
	s.scope.Samples++
	s.scope.sampled = append(s.scope.sampled, flat)
	c := s.sig.Decode(flat)
	if s.declared != nil {
		if in, _, err := s.declared(c); !in {
			return err
		}
	}
	run, err := s.o.Run(c)
	if err != nil {
		return err
	}
	if run.Undefined != "" {
		s.scope.Undefined++
		return nil
	}
	p := s.scope.Find(run.Path)
	if p == nil {
		p = &Path{Key: Key(run.Path), Deviations: map[Kind]int{}, Lines: s.o.Lines(run.Trace), Steps: slices.Clone(run.Steps)}
		s.scope.Paths = append(s.scope.Paths, p)
		s.scope.index[p.Key] = p
	}
	switch pool := s.pools[p.Key]; {
	case len(pool) < kept:
		s.pools[p.Key] = append(pool, flat)
	case p.Runs+p.Declined >= enough:
		return nil
	case s.r.IntN(8) == 0:
		pool[s.r.IntN(kept)] = flat
	}
	answer, err := s.model(ctx, c)
	if err != nil {
		return err
	}
	if answer.Kind == formula.Declined {
		p.Declined++
		return nil
	}
	p.Runs++
	telling := !s.sig.Trivial(c, &run.Effect)
	if telling {
		p.Telling++
	}
	kind := Compare(s.sig, s.opts.Compare, c, &run, &answer)
	if kind == Agrees {
		p.Agree++
		if telling {
			p.AgreeTell++
		}
		if text := s.sig.Quote(c); telling && p.AgreeTell == 1 || telling == (p.AgreeTell > 0) && shorter(text, p.Agreed) {
			p.Agreed = text
		}
		return nil
	}
	if len(s.deviating[p.Key]) < seeds {
		s.deviating[p.Key] = append(s.deviating[p.Key], flat)
	}
	p.Deviations[kind]++
	if text := s.sig.Quote(c); shorter(text, p.Deviating) {
		p.Deviating, p.Original, p.Model = text, s.sig.Text(c, &run.Effect, s.opts.Compare), string(kind)
		if kind == Wrong {
			p.Model = s.sig.Text(c, &answer.Effect, s.opts.Compare)
		}
	}
	return nil
}

// shorter reports whether a call is a better example than another one, which may be "" for none: it has fewer characters or, of as many, smaller ones.
func shorter(call, than string) bool {
	return than == "" || len(call) < len(than) || len(call) == len(than) && call < than
}

// propose makes a call: a new one, or one like those of a path that has few.
func (s *sampler) propose(i int) []byte {
	if i%4 == 0 || len(s.scope.Paths) == 0 {
		return s.fresh()
	}
	var poorest *Path
	for _, p := range s.scope.Paths { // in the order in which they were found
		if poorest == nil || p.Runs+p.Declined < poorest.Runs+poorest.Declined {
			poorest = p
		}
	}
	from := poorest
	if i%4 == 1 || poorest.Runs >= wanted {
		from = s.scope.Paths[s.r.IntN(len(s.scope.Paths))]
	}
	pool := s.pools[from.Key]
	return s.mutate(slices.Clone(pool[s.r.IntN(len(pool))]))
}

// letters are bytes that functions of strings and of characters treat in ways of their own.
const letters = "abzAZ019 \t\n-+xX.,%/\x00\x00\x00\x7f\x80\xff"

func (s *sampler) byte() byte {
	if s.r.IntN(4) == 0 {
		return byte(s.r.Uint32())
	}
	return letters[s.r.IntN(len(letters))]
}

// fresh is a call from nothing.
func (s *sampler) fresh() []byte {
	flat := make([]byte, s.size)
	few := s.r.IntN(2) == 0 // of few different letters, so that parts are alike
	a, b := s.byte(), s.byte()
	s.sig.Fields(func(arg *extract.Argument, at, n int) {
		if arg.Kind == "scalar" {
			s.number(flat[at:at+n], arg, flat)
			return
		}
		for k := range n {
			switch {
			case !few:
				flat[at+k] = s.byte()
			case s.r.IntN(3) == 0:
				flat[at+k] = b
			default:
				flat[at+k] = a
			}
		}
		if arg.Kind == "string" && n > 0 && s.r.IntN(2) == 0 {
			flat[at+s.r.IntN(n)] = 0
		}
	})
	return flat
}

// number writes a number: small, a character, at a border, or any.
func (s *sampler) number(to []byte, arg *extract.Argument, flat []byte) {
	var n uint64
	switch s.r.IntN(8) {
	case 0, 1:
		n = uint64(s.r.IntN(18))
	case 2:
		n = -uint64(s.r.IntN(4))
	case 3:
		n = uint64(s.byte())
	case 4:
		n = uint64(flat[s.r.IntN(len(flat))])
	case 5:
		n = 1<<s.r.IntN(max(arg.Bits, 1)) + uint64(s.r.IntN(3)) - 1
	case 6:
		n = uint64(s.r.IntN(300)) - 20
	default:
		n = s.r.Uint64()
	}
	for k := range to {
		to[k] = byte(n >> (8 * k))
	}
}

// mutate changes a call a little.
func (s *sampler) mutate(flat []byte) []byte {
	if len(flat) == 0 {
		return flat
	}
	type field struct {
		arg   *extract.Argument
		at, n int
	}
	var fields []field
	s.sig.Fields(func(arg *extract.Argument, at, n int) {
		if n > 0 {
			fields = append(fields, field{arg, at, n})
		}
	})
	for range 1 + s.r.IntN(3) {
		f := fields[s.r.IntN(len(fields))]
		own := flat[f.at : f.at+f.n]
		if f.arg.Kind == "scalar" {
			if s.r.IntN(3) == 0 {
				own[0] += byte(s.r.IntN(3) - 1)
			} else {
				s.number(own, f.arg, flat)
			}
			continue
		}
		switch s.r.IntN(6) {
		case 0: // as another argument has it
			other := fields[s.r.IntN(len(fields))]
			copy(own, flat[other.at:other.at+other.n])
		case 1: // shifted
			copy(own[1:], own[:len(own)-1])
			own[0] = s.byte()
		case 2:
			copy(own, own[1:])
			own[len(own)-1] = 0
		case 3:
			own[s.r.IntN(len(own))] += byte(s.r.IntN(3) - 1)
		default:
			own[s.r.IntN(len(own))] = s.byte()
		}
	}
	return flat
}
