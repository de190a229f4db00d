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

// Options configure the search for the scope. Zero values mean the defaults.
type Options struct {
	Samples   int     // number of calls; default DefaultSamples
	Threshold float64 // default DefaultThreshold
	Seed      uint64
	Seeds     []call.Call // first calls, such as a solver's for paths
	Compare   call.Comparator
	Declared  string // scope declared by the model's authors, see Declare; empty means none
	Source    string // where the scope is declared, or ""
	// Beside has the function's other paths, for Around. Nil means that none is known.
	Beside *Scope
	// Branch returns the branch of the model that gives an answer, or 0 if it is not known. Nil means
	// that no branch is known.
	Branch func(call.Call, *formula.Answer) (uint64, error)
	// Proofs has the proofs about paths, by key.
	Proofs map[uint64]*Proof
	// Progress is called before each sampled call of Find, with the number of calls before and in
	// total. Nil means no reports.
	Progress func(done, all int)
}

// RelationalSamples is the default for models that need a solver, which takes a millisecond to
// seconds per call.
const RelationalSamples = 600

// The defaults and limits. The threshold is a choice, because the distribution of agreement has no
// gap there (docs/guides/model.md).
const (
	DefaultSamples   = 6000
	DefaultThreshold = 0.4
	enough           = 400 // calls of one path; more add no information
	// calls of each path, before paths with few calls are no longer preferred
	wanted = 100
	seeds  = 4 // seeds of a path in scope, for the campaign
	// undefined calls before sampling stops if none is defined: each may use all instructions of a
	// call
	hopeless = 60
	around   = 800 // calls made to find some of one path
	few      = 8   // minimum calls for a decision about a path, unless there are no more
	kept     = 16  // inputs of a path that are mutated
)

// sampler makes calls and counts their outcomes.
type sampler struct {
	o         *original.Original
	model     Model
	opts      Options
	r         *rand.Rand
	sig       *call.Signature
	scope     *Scope
	seen      map[string]bool
	declared  Declared         // nil means all calls
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

// Around decides about the path of one call that Find saw rarely or never, by similar calls. It
// returns nil if C does not define the call.
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

// newSampler returns a sampler without samples.
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
	s.scope.branches = branches{}
	if opts.Beside != nil {
		s.scope.SetTelling(opts.Beside.AgreesOnResult())
		s.scope.branches = opts.Beside.branches.clone()
	}
	if s.scope.Declared, s.scope.Source = opts.Declared, opts.Source; opts.Declared != "" {
		var err error
		if s.declared, err = Declare(o.Signature, opts.Declared); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// find implements Find.
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
	for _, p := range slices.Clone(s.scope.Paths) { // paths that few calls took
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

// enrich makes more calls of a path that has too few for a decision.
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
	if err := s.branch(p, c, &answer, kind, telling); err != nil {
		return err
	}
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

// branch counts a call for the branch of the model that answers it.
func (s *sampler) branch(p *Path, c call.Call, answer *formula.Answer, kind Kind, telling bool) error {
	if s.opts.Branch == nil {
		return nil
	}
	at, err := s.opts.Branch(c, answer)
	if err != nil || at == 0 {
		return err
	}
	if kind == Agrees {
		if p.taken == nil {
			p.taken = map[uint64]int{}
		}
		p.taken[at]++
	}
	if telling {
		s.scope.branches.add(at, p.Key, kind == Agrees)
	}
	return nil
}

// shorter reports whether a call is a better example than another, which may be "" for none. It has
// fewer characters, or sorts first.
func shorter(call, than string) bool {
	return than == "" || len(call) < len(than) || len(call) == len(than) && call < than
}

// propose makes a call: a new one, or one similar to those of a path with few calls.
func (s *sampler) propose(i int) []byte {
	if i%4 == 0 || len(s.scope.Paths) == 0 {
		return s.fresh()
	}
	var poorest *Path
	for _, p := range s.scope.Paths { // in the order of discovery
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

// letters lists bytes that functions of strings and characters often treat specially.
const letters = "abzAZ019 \t\n-+xX.,%/\x00\x00\x00\x7f\x80\xff"

func (s *sampler) byte() byte {
	if s.r.IntN(4) == 0 {
		return byte(s.r.Uint32())
	}
	return letters[s.r.IntN(len(letters))]
}

// fresh makes a call from scratch.
func (s *sampler) fresh() []byte {
	flat := make([]byte, s.size)
	few := s.r.IntN(2) == 0 // few different letters, so that parts are equal
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

// number writes a number: small, a character, near a boundary, or any.
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

// mutate makes a few changes to a call.
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
		case 0: // the value of another argument
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
