// Package formula computes models of functions that are SMT-LIB scripts: what a model says that a call does. Package extract gets such models
// out of engines, one script a path; a user's own model is one script.
//
// A script is put into causal order (model/smt/dataflow) and computed from the arguments, without a solver. What the order leaves open, relations between
// symbols that nothing defines, is asked of a solver: is there a result, and is there another one. A call that several paths allow has to have
// one effect on all of them.
//
// It knows nothing of originals and of scope.
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

// Kind is what a model says of a call.
type Kind uint8

// The kinds.
const (
	Returned      Kind = iota // it has an effect
	Dropped                   // no path of the model has such a call
	Unconstrained             // its results may be anything, or one of several
	Undefined                 // it divides by zero
	Unknown                   // the solver does not know in time
	Crashed                   // a model that is code does what C leaves undefined, fails, or does not end
	Declined                  // the model says itself that it does not have the call, or does not speak of null pointers
)

func (k Kind) String() string {
	return [...]string{"returned", "dropped", "unconstrained", "undefined", "unknown", "crashed", "declined"}[k]
}

// Answer is what a model says of a call.
type Answer struct {
	Kind   Kind
	Effect call.Effect // of Returned
	Path   int         // of the model, where it is Returned
	Detail string      // of Unknown and Crashed; of other kinds of a model that is code, what says so
	Asked  bool        // a solver was needed
}

// Model is a model. It and all that is made of it is for one goroutine.
type Model struct {
	Signature *call.Signature
	Context   *smt.Context
	Paths     []*Path
	Compare   call.Comparator // what has to be fixed of a result: New takes the signature's
	nulls     []nulls         // what is said of null pointers, by argument
}

// nulls is whether a model's scripts have constants of what an argument points to, and one of its address. Without an address they cannot tell a null
// pointer from another one.
type nulls struct{ content, address bool }

// Path is one path of a model, a script.
type Path struct {
	Assertions []*smt.Term
	Ret        string // as extract.Path has it
	Inputs     []Input
	results    []result
	silent     bool // nothing is said of the result
	recovered  *dataflow.Model
	runner     *dataflow.Runner
	values     []smt.Value
	always     *always // of a path without inputs, once it was asked
}

// always is what a solver says of a path that no argument makes a difference to.
type always struct {
	Answer
	values []smt.Value // of results
}

// Input is a constant of a script that an argument fixes.
type Input struct {
	Term *smt.Term
	from source
}

type source struct {
	kind sourceKind
	arg  int
	at   int // of a byte
}

type sourceKind uint8

const (
	numberOf  sourceKind = iota // the number, as bits or an integer
	byteOf                      // a byte of what it points to
	textOf                      // the string that it points to
	addressOf                   // its address
	addressOfFresh
)

// result is a constant of a script that the call's effect has.
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

// New reads a model of scripts.
func New(s *call.Signature, paths []extract.Path, name string) (*Model, error) {
	m := &Model{Signature: s, Context: smt.NewContext(), Compare: s.Comparator(), nulls: make([]nulls, len(s.Arguments))}
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
		n := Named(c.Name())
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
				return nil, missorted(c)
			}
			if out.kind = kind; kind >= outByte {
				m.nulls[n.Arg].content = true
			}
			p.results, roles.Results = append(p.results, out), append(roles.Results, c)
			continue
		}
		if in.from.kind = sourceKinds[n.Form]; n.Form == ArgumentForm && c.Sort() == smt.String {
			in.from.kind = textOf
		}
		if !m.sorted(in) {
			return nil, missorted(c)
		}
		switch in.from.kind {
		case byteOf, textOf:
			m.nulls[n.Arg].content = true
		case addressOf:
			m.nulls[n.Arg].address = true
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
		p.runner, err = nil, nil // for the solver
	}
	p.values = make([]smt.Value, len(p.Inputs))
	return p, err
}

// sorted reports whether there is a value of an input's sort for each call. A String is what lies before the first zero, in bytes: of what does not end
// there, or has wider elements, it would be another value.
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

func missorted(c *smt.Term) error {
	return fmt.Errorf("the constant %s is of sort %s, and its counterpart is not", c.Name(), c.Sort())
}

// Text reports whether what an argument points to is a String.
func Text(a *extract.Argument) bool { return a.Kind == "string" && a.Bits == 8 }

// inside reports whether there is a byte at an offset of what an argument points to, guard bytes included.
func (m *Model) inside(arg, at int) bool {
	a := &m.Signature.Arguments[arg]
	return a.Kind != "scalar" && at >= -a.Before && at < a.Bytes+a.Behind
}

// Recovered is the path in causal order.
func (p *Path) Recovered() *dataflow.Model { return p.recovered }

// Results are the constants of the effect.
func (p *Path) Results() (terms []*smt.Term) {
	for _, r := range p.results {
		terms = append(terms, r.term)
	}
	return terms
}

// Ground reports whether no call needs a solver.
func (m *Model) Ground() bool {
	return !slices.ContainsFunc(m.Paths, func(p *Path) bool { return p.runner == nil || !p.recovered.Ground() })
}

// Asks reports whether calls need a solver, each anew.
func (m *Model) Asks() bool {
	return slices.ContainsFunc(m.Paths, func(p *Path) bool { return len(p.Inputs) > 0 && (p.runner == nil || !p.recovered.Ground()) })
}

// Where arguments lie for what a model computes with addresses: far from each other.
const (
	base, stride = 0x2B5A91C40000, 0x100000
	freshAddress = 0xC0000000
)

// address is the one of what an argument points to.
func address(arg int) uint64 { return base + uint64(arg)*stride }

// Address is what a pointer is for what a model computes with addresses: 0 for a null pointer.
func Address(arg int, v call.Value) uint64 {
	if v.Data == nil {
		return 0
	}
	return address(arg)
}

// Value is what a call gives an input of a path.
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

// Evaluate says what the model says of a call. s may be nil: what needs a solver is Unknown then.
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

// null says which null pointer of a call the model cannot tell from another pointer, though it speaks of what that points to; "": none.
func (m *Model) null(c call.Call) string {
	for i := range m.Signature.Arguments {
		if a := &m.Signature.Arguments[i]; a.Nullable && c[i].Data == nil && m.nulls[i].content && !m.nulls[i].address {
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
	case outcome != dataflow.Returned: // Open too: what is left out may still have no solution
		return m.ask(ctx, p, c, s)
	}
	return Answer{Kind: Returned, Effect: m.effect(p, c, values)}, nil
}

// ask has a solver say what the results are, and whether there are others. What no argument makes a difference to it is asked once.
func (m *Model) ask(ctx context.Context, p *Path, c call.Call, s *solver.Solver) (Answer, error) {
	if s == nil {
		return Answer{Kind: Unknown, Detail: "only a solver can say", Asked: true}, nil
	}
	said := p.always
	if said == nil {
		answer, values, err := m.solve(ctx, p, c, s)
		if err != nil {
			return Answer{}, err
		}
		said = &always{answer, values}
		if said.Asked = true; len(p.Inputs) == 0 {
			p.always = said
		}
	}
	answer := said.Answer
	if answer.Kind == Returned {
		answer.Effect = m.effect(p, c, said.values)
	}
	return answer, nil
}

// solve is ask: the kind of the answer and, where it is Returned, the values of the results.
func (m *Model) solve(ctx context.Context, p *Path, c call.Call, s *solver.Solver) (Answer, []smt.Value, error) {
	query := solver.Query{Assertions: append(m.Given(p, c), m.held(p, m.Compare)), Values: p.Results()}
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
	var other []*smt.Term // that the results are others
	for i, v := range first.Values {
		if v.Sort() == nil {
			return Answer{Kind: Unknown, Detail: "the solver does not write out " + query.Values[i].Name()}, nil, nil
		}
		other = append(other, m.Context.Not(m.Context.Must(smt.OpEqual, query.Values[i], m.Context.ValueTerm(v))))
	}
	if m.coarse() {
		e := m.effect(p, c, first.Values)
		like, err := m.Like(p, c, &e, m.Compare)
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

// coarse reports whether results are alike that are not equal.
func (m *Model) coarse() bool {
	return m.Compare == call.Sign || m.Compare == call.Truth || m.Compare == call.None
}

// silent reports whether a path says nothing of a result that is compared.
func (m *Model) silent(p *Path) bool { return p.silent && m.Compare != call.None }

// String says what is known of the model before it is computed.
func (m *Model) String() string {
	var parts []string
	if len(m.Paths) == 1 {
		parts = append(parts, "1 path")
	} else {
		parts = append(parts, fmt.Sprintf("%d paths", len(m.Paths)))
	}
	if m.Asks() {
		parts = append(parts, "some calls need a solver")
	}
	return strings.Join(parts, ", ")
}
