// Package formula evaluates models that are SMT-LIB scripts: from a call, it computes the effect
// that the model claims. Package extract gets such models from engines, one script per path. A
// user's own model is one script.
//
// Package model/smt/dataflow puts a script into causal order, so the arguments determine the
// results without a solver. A solver decides relations between symbols that no equation defines:
// whether there is a result, and whether there is another one. If several paths allow a call, all
// must have the same effect.
//
// The package does not know originals or scope.
package formula

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/dataflow"
	"parallax/cmd/internal/model/smt/solver"
)

// Kind classifies a model's answer to a call.
type Kind uint8

// The kinds of answers.
const (
	Returned      Kind = iota // the call has an effect
	Dropped                   // no path of the model has such a call
	Unconstrained             // the results may be anything, or one of several values
	Undefined                 // the model divides by zero
	Unknown                   // the solver does not answer in time
	// a model in code does something undefined in C, fails, or does not end
	Crashed
	// the model itself rejects the call, or does not describe null pointers
	Declined
)

func (k Kind) String() string {
	return [...]string{"returned", "dropped", "unconstrained", "undefined", "unknown", "crashed", "declined"}[k]
}

// Answer is a model's answer to a call.
type Answer struct {
	Kind   Kind
	Effect call.Effect // for Returned
	Path   int         // path of the model, for Returned
	// reason for Unknown and Crashed; for models in code, the source of other kinds
	Detail string
	Asked  bool   // a solver was needed
	Branch uint64 // for models in code that run as blocks: a hash of the steps; else 0
}

// Model holds the paths of a model. The model and its parts must stay on one goroutine.
type Model struct {
	Signature *call.Signature
	Context   *smt.Context
	Paths     []*Path
	// the part of a result that must be determined; New takes the signature's
	Compare  call.Comparator
	pointers []pointerConstants // constants for pointers, by argument
}

// pointerConstants records which constants a model's scripts have for a pointer: its contents and
// its address. Without an address, scripts cannot distinguish null from other pointers.
type pointerConstants struct{ content, address bool }

// Path is one path of a model, in one script.
type Path struct {
	Assertions []*smt.Term
	Ret        string // as in extract.Path
	Inputs     []Input
	results    []result
	silent     bool // the result is not constrained
	recovered  *dataflow.Model
	runner     *dataflow.Runner
	values     []smt.Value
	constant   *constantAnswer // answer of a path without inputs, after the first question
	choices    *choices        // nil before the first call of Branch
}

// constantAnswer holds a solver's answer for a path that has no inputs.
type constantAnswer struct {
	Answer
	values []smt.Value // of the results
}

// Input is a constant of a script that an argument determines.
type Input struct {
	Term *smt.Term
	from source
}

type source struct {
	kind sourceKind
	arg  int
	at   int // byte offset
}

type sourceKind uint8

const (
	numberOf  sourceKind = iota // a number, as bits or as an integer
	byteOf                      // a byte of a buffer
	textOf                      // the string that a pointer points to
	addressOf                   // the address of a buffer
	addressOfFresh
)

// result is a constant of a script that determines part of the effect.
type result struct {
	term *smt.Term
	kind resultKind
	arg  int
	at   int
}

type resultKind uint8

const (
	ret resultKind = iota
	retInto
	outByte
	outPointer
	outInto
)

// New reads a model from scripts.
func New(s *call.Signature, paths []extract.Path, name string) (*Model, error) {
	m := &Model{Signature: s, Context: smt.NewContext(), Compare: s.Comparator(), pointers: make([]pointerConstants, len(s.Arguments))}
	for i, p := range paths {
		script, err := smt.ReadScript(m.Context, p.SMT, smt.Options{Name: name})
		if err != nil {
			return nil, err
		}
		read, err := m.path(p.Ret, script)
		if err != nil {
			return nil, fmt.Errorf("%s, path %d: %w", name, i+1, err)
		}
		m.Paths = append(m.Paths, read)
	}
	return m, nil
}

// path puts a script into causal order.
func (m *Model) path(form string, script *smt.Script) (*Path, error) {
	p := &Path{Assertions: script.Assertions(), Ret: form}
	if p.Ret == "" {
		p.Ret = "scalar"
	}
	var roles dataflow.Roles
	for _, c := range script.Constants() {
		n := ParseName(c.Name())
		in, out := Input{Term: c, from: source{arg: max(n.Arg, 0), at: n.At}}, result{term: c, arg: max(n.Arg, 0), at: n.At}
		switch n.Form {
		case UnnamedForm:
			return nil, fmt.Errorf("nothing says what the constant %s is", c.Name())
		case FreeForm:
			continue
		}
		if n.Arg >= len(m.Signature.Arguments) {
			if n.Form == ArgumentForm || n.Form == ByteForm {
				return nil, fmt.Errorf("there is no argument %s", c.Name())
			}
			return nil, fmt.Errorf("there is no argument for %s", c.Name())
		}
		if (n.Form == ByteForm || n.Form == WrittenForm) && !m.inside(n.Arg, n.At) {
			return nil, fmt.Errorf("argument %d has no byte for %s", n.Arg, c.Name())
		}
		if kind, is := resultKinds[n.Form]; is {
			if k := c.Sort().Kind; k != smt.BitVecKind && k != smt.IntKind && k != smt.BoolKind {
				return nil, sortError(c)
			}
			if out.kind = kind; kind >= outByte {
				m.pointers[n.Arg].content = true
			}
			p.results, roles.Results = append(p.results, out), append(roles.Results, c)
			continue
		}
		if in.from.kind = sourceKinds[n.Form]; n.Form == ArgumentForm && c.Sort() == smt.String {
			in.from.kind = textOf
		}
		if !m.sorted(in) {
			return nil, sortError(c)
		}
		switch in.from.kind {
		case byteOf, textOf:
			m.pointers[n.Arg].content = true
		case addressOf:
			m.pointers[n.Arg].address = true
		}
		p.Inputs, roles.Args = append(p.Inputs, in), append(roles.Args, c)
	}
	has := func(kind resultKind) bool {
		return slices.ContainsFunc(p.results, func(r result) bool { return r.kind == kind })
	}
	p.silent = m.Signature.Result.Kind != "void" && !has(ret)
	if p.Ret == "offset" && has(ret) && !has(retInto) {
		return nil, errors.New("ret is an offset, and there is no ret_into that says into what")
	}
	var err error
	if p.recovered, err = dataflow.Recover(m.Context, p.Assertions, roles); err != nil {
		return nil, err
	}
	if p.runner, err = p.recovered.Compile(); errors.Is(err, smt.ErrUnsupported) {
		p.runner, err = nil, nil // the solver takes over
	}
	p.values = make([]smt.Value, len(p.Inputs))
	return p, err
}

// sorted reports whether the sort of an input has a value for each call. A String ends at the first
// zero byte. It would be wrong for buffers that continue after a zero or have wider elements.
func (m *Model) sorted(in Input) bool {
	sort := in.Term.Sort()
	switch in.from.kind {
	case textOf:
		return Text(&m.Signature.Arguments[in.from.arg])
	case byteOf:
		return sort.Kind == smt.BitVecKind || sort == smt.Int
	case addressOf, addressOfFresh:
		return sort.Kind == smt.BitVecKind
	}
	a := &m.Signature.Arguments[in.from.arg]
	return a.Kind == "scalar" && (sort.Kind == smt.BitVecKind || sort == smt.Int || sort == smt.Bool && a.Bits == 1)
}

func sortError(c *smt.Term) error {
	return fmt.Errorf("the constant %s is of sort %s, and its counterpart is not", c.Name(), c.Sort())
}

// Text reports whether an argument points to a string of bytes, which scripts may treat as a
// String.
func Text(a *extract.Argument) bool { return a.Kind == "string" && a.Bits == 8 }

// inside reports whether an offset is within an argument's buffer, guard bytes included.
func (m *Model) inside(arg, at int) bool {
	a := &m.Signature.Arguments[arg]
	return a.Kind != "scalar" && at >= -a.Before && at < a.Bytes+a.Behind
}

// Recovered returns the path in causal order.
func (p *Path) Recovered() *dataflow.Model { return p.recovered }

// Results returns the constants of the effect.
func (p *Path) Results() (terms []*smt.Term) {
	for _, r := range p.results {
		terms = append(terms, r.term)
	}
	return terms
}

// Ground reports whether all calls can be computed without a solver.
func (m *Model) Ground() bool {
	return !slices.ContainsFunc(m.Paths, func(p *Path) bool { return p.runner == nil || !p.recovered.Ground() })
}

// NeedsSolver reports whether each call needs its own question to a solver.
func (m *Model) NeedsSolver() bool {
	return slices.ContainsFunc(m.Paths, func(p *Path) bool { return len(p.Inputs) > 0 && (p.runner == nil || !p.recovered.Ground()) })
}

// Addresses of arguments in models are far from each other.
const (
	base, stride = 0x2B5A91C40000, 0x100000
	freshAddress = 0xC0000000
)

// address returns the address of an argument's buffer.
func address(arg int) uint64 { return base + uint64(arg)*stride }

// Address returns the address that a pointer has in models, or 0 for a null pointer.
func Address(arg int, v call.Value) uint64 {
	if v.Data == nil {
		return 0
	}
	return address(arg)
}

// Value returns the value of an input in a call.
func (m *Model) Value(in Input, c call.Call) smt.Value {
	sort := in.Term.Sort()
	word := func(n uint64) smt.Value {
		if sort == smt.Int {
			if a := &m.Signature.Arguments[in.from.arg]; a.Signed {
				return smt.Int64Value(call.Signed(n, a.Bits))
			}
			return smt.IntValue(new(big.Int).SetUint64(n))
		}
		if sort == smt.Bool {
			return smt.BoolValue(n != 0)
		}
		return smt.WordValue(n, sort.Width)
	}
	switch in.from.kind {
	case byteOf:
		a, v := &m.Signature.Arguments[in.from.arg], c[in.from.arg]
		if whole := call.Whole(a, v); in.from.at+a.Before >= 0 && in.from.at+a.Before < len(whole) {
			return word(uint64(whole[in.from.at+a.Before]))
		}
		return word(call.Guard)
	case textOf:
		var text []rune
		for _, b := range c[in.from.arg].Data {
			if b == 0 {
				break
			}
			text = append(text, rune(b))
		}
		return smt.TextValue(text)
	case addressOf:
		return word(Address(in.from.arg, c[in.from.arg]))
	case addressOfFresh:
		return word(freshAddress)
	}
	return word(c[in.from.arg].Int)
}

// Evaluate computes the model's answer to a call. If s is nil, the answer is Unknown where a solver
// is needed.
func (m *Model) Evaluate(ctx context.Context, c call.Call, s *solver.Solver) (Answer, error) {
	answer := Answer{Kind: Dropped}
	if why := m.null(c); why != "" {
		return Answer{Kind: Declined, Detail: why}, nil
	}
	text := ""
	for i, p := range m.Paths {
		got, err := m.evaluate(ctx, p, c, s)
		if err != nil {
			return answer, err
		}
		asked := answer.Asked || got.Asked
		switch got.Path = i; {
		case got.Kind == Dropped:
		case got.Kind != Returned:
			got.Asked = asked
			return got, nil
		case answer.Kind == Dropped:
			answer, text = got, m.Signature.Text(c, &got.Effect, m.Compare)
		case m.Signature.Text(c, &got.Effect, m.Compare) != text:
			return Answer{Kind: Unconstrained, Asked: asked}, nil
		}
		answer.Asked = asked
	}
	return answer, nil
}

// null returns why the model cannot distinguish a null pointer of a call from another pointer, or
// "".
func (m *Model) null(c call.Call) string {
	for i := range m.Signature.Arguments {
		if a := &m.Signature.Arguments[i]; a.Nullable && c[i].Data == nil && m.pointers[i].content && !m.pointers[i].address {
			return fmt.Sprintf("it has no constant addr_%d, so that it does not say what a null %s means", i, a.Name)
		}
	}
	return ""
}

func (m *Model) evaluate(ctx context.Context, p *Path, c call.Call, s *solver.Solver) (Answer, error) {
	for i, in := range p.Inputs {
		p.values[i] = m.Value(in, c)
	}
	if p.runner == nil {
		return m.ask(ctx, p, c, s)
	}
	outcome, values, err := p.runner.Run(p.values)
	switch {
	case err != nil:
		return Answer{}, err
	case outcome == dataflow.Dropped:
		return Answer{Kind: Dropped}, nil
	case outcome == dataflow.Undefined:
		return Answer{Kind: Undefined}, nil
	case outcome == dataflow.Ambiguous && !m.coarse(), outcome == dataflow.Returned && m.silent(p):
		return Answer{Kind: Unconstrained}, nil
	case outcome != dataflow.Returned:
		// including Open: the constraints that remain may have no solution
		return m.ask(ctx, p, c, s)
	}
	return Answer{Kind: Returned, Effect: m.effect(p, c, values)}, nil
}

// ask has a solver find the results, and check that there are no others. Paths without inputs are
// asked about once.
func (m *Model) ask(ctx context.Context, p *Path, c call.Call, s *solver.Solver) (Answer, error) {
	if s == nil {
		return Answer{Kind: Unknown, Detail: "only a solver can say", Asked: true}, nil
	}
	known := p.constant
	if known == nil {
		answer, values, err := m.solve(ctx, p, c, s)
		if err != nil {
			return Answer{}, err
		}
		known = &constantAnswer{answer, values}
		if known.Asked = true; len(p.Inputs) == 0 {
			p.constant = known
		}
	}
	answer := known.Answer
	if answer.Kind == Returned {
		answer.Effect = m.effect(p, c, known.values)
	}
	return answer, nil
}

// solve does the work of ask. It returns the values of the results if the answer is Returned.
func (m *Model) solve(ctx context.Context, p *Path, c call.Call, s *solver.Solver) (Answer, []smt.Value, error) {
	query := solver.Query{Assertions: append(m.CallTerms(p, c), m.inRange(p, m.Compare)), Values: p.Results()}
	first, err := s.Check(ctx, query)
	switch {
	case solver.Defect(err):
		return Answer{Kind: Unknown, Detail: err.Error()}, nil, nil
	case err != nil:
		return Answer{}, nil, err
	case first.Answer == solver.Unsat:
		return Answer{Kind: Dropped}, nil, nil
	case first.Answer == solver.Unknown:
		return Answer{Kind: Unknown, Detail: first.Reason}, nil, nil
	case m.silent(p):
		return Answer{Kind: Unconstrained}, nil, nil
	}
	var other []*smt.Term // asserts other results
	for i, v := range first.Values {
		if v.Sort() == nil {
			return Answer{Kind: Unknown, Detail: "the solver does not write out " + query.Values[i].Name()}, nil, nil
		}
		other = append(other, m.Context.Not(m.Context.Must(smt.OpEqual, query.Values[i], m.Context.ValueTerm(v))))
	}
	if m.coarse() {
		e := m.effect(p, c, first.Values)
		like, err := m.EffectTerm(p, c, &e, m.Compare)
		if err != nil {
			return Answer{Kind: Unknown, Detail: err.Error()}, nil, nil
		}
		other = []*smt.Term{m.Context.Not(like)}
	}
	query.Assertions, query.Values = append(query.Assertions, m.Context.Or(other...)), nil
	second, err := s.Check(ctx, query)
	switch {
	case solver.Defect(err):
		return Answer{Kind: Unknown, Detail: err.Error()}, nil, nil
	case err != nil:
		return Answer{}, nil, err
	case second.Answer == solver.Sat:
		return Answer{Kind: Unconstrained}, nil, nil
	case second.Answer == solver.Unknown:
		return Answer{Kind: Unknown, Detail: second.Reason}, nil, nil
	}
	return Answer{Kind: Returned}, first.Values, nil
}

// coarse reports whether the comparator makes different results equal.
func (m *Model) coarse() bool {
	return m.Compare == call.Sign || m.Compare == call.Truth || m.Compare == call.None
}

// silent reports whether a compared result is unconstrained by the path.
func (m *Model) silent(p *Path) bool { return p.silent && m.Compare != call.None }

// String describes the model before any call is computed.
func (m *Model) String() string {
	var parts []string
	if len(m.Paths) == 1 {
		parts = append(parts, "1 path")
	} else {
		parts = append(parts, fmt.Sprintf("%d paths", len(m.Paths)))
	}
	if m.NeedsSolver() {
		parts = append(parts, "some calls need a solver")
	}
	return strings.Join(parts, ", ")
}
