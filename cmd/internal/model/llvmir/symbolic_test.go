package llvmir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
)

// symbolicCall is a call with constants of a context for numbers and bytes.
type symbolicCall struct {
	s      *Symbolic
	args   []Argument
	inputs []*smt.Term
	words  []uint64 // values of the inputs for the arguments that it was made from
	sizes  []int
}

func symbolicArguments(m *Module, ctx *smt.Context, f *Function, args []argument) *symbolicCall {
	c := &symbolicCall{s: NewSymbolic(m, ctx)}
	input := func(name string, width int, word uint64) *smt.Term {
		t := ctx.Const(name, smt.BitVec(width))
		c.inputs, c.words = append(c.inputs, t), append(c.words, word&mask(uint8(width)))
		return t
	}
	var buffers []Argument
	for i, a := range args {
		switch {
		case a.kind == 'b':
			b := Buffer{Name: fmt.Sprint("buffer ", len(buffers)), Align: int(a.align)}
			if a.holds > 0 {
				b.Points = &buffers[a.holds-1]
			}
			for j, v := range a.data {
				b.Bytes = append(b.Bytes, input(fmt.Sprintf("b%d_%d", i, j), 8, uint64(v)))
			}
			buffers = append(buffers, c.s.Buffer(b))
			c.args = append(c.args, buffers[len(buffers)-1])
			c.sizes = append(c.sizes, len(a.data))
		case a.kind == 'o':
			c.args = append(c.args, buffers[a.which].Offset(uint64(a.offset)))
		default:
			c.args = append(c.args, Number(input(fmt.Sprint("n", i), f.Params[i].Type.width(), a.number)))
		}
	}
	zero := ctx.Bits(0, 8)
	c.s.Externals["___errno_location"] = c.s.Buffer(Buffer{Name: "errno", Bytes: []*smt.Term{zero, zero, zero, zero}})
	c.s.Externals["__uflow"] = Known(0xffffffff)
	return c
}

// compiled is an execution with compiled terms.
type compiled struct {
	x       *Execution
	machine *smt.Machine
	bytes   [][]int // the roots of the bytes of buffers: -1 without a number
	wrote   [][]int // of whether they were written
	result  int
}

func compileExecution(t *testing.T, ctx *smt.Context, c *symbolicCall, x *Execution) *compiled {
	t.Helper()
	roots := []*smt.Term{ctx.And(x.Condition...), ctx.And(x.Defined...)}
	p := &compiled{x: x, result: -1}
	if x.Result != nil && x.Result.Term != nil {
		p.result = len(roots)
		roots = append(roots, x.Result.Term)
	}
	for i := range c.sizes {
		var at, wrote []int
		for _, w := range x.Wrote[i] {
			wrote = append(wrote, len(roots))
			roots = append(roots, w)
		}
		p.wrote = append(p.wrote, wrote)
		for _, o := range x.Buffers[i] {
			if o.Term == nil {
				at = append(at, -1)
				continue
			}
			at = append(at, len(roots))
			roots = append(roots, o.Term)
		}
		p.bytes = append(p.bytes, at)
	}
	program, err := smt.Compile(c.inputs, roots...)
	if err != nil {
		t.Fatal(err)
	}
	p.machine = program.Machine()
	return p
}

// check compares an execution's results for an input with a run. same reports whether the run took
// the path.
func (p *compiled) check(t *testing.T, call string, words []uint64, m *Machine, got *Result, at []uint64, same bool) {
	t.Helper()
	for i, w := range words {
		p.machine.SetWord(i, w)
	}
	if err := p.machine.Run(); err != nil {
		t.Fatal(call, err)
	}
	holds := p.machine.Bool(0) && p.machine.Bool(1)
	if got.Outcome == Returned && holds != same {
		t.Errorf("%s: condition %v, defined %v, and the run takes the path: %v", call, p.machine.Bool(0), p.machine.Bool(1), same)
	}
	if got.Outcome.Undefined() && holds {
		t.Errorf("%s: the condition holds, and the run ends with %v", call, got)
	}
	if !same || !holds || got.Outcome != Returned {
		return
	}
	pointer := func(o Output, root int) uint64 {
		if o.Buffer > 0 {
			return at[o.Buffer-1] + p.machine.Word(root)
		}
		return p.machine.Word(root)
	}
	if p.result >= 0 {
		if v := pointer(*p.x.Result, p.result); v != got.Values[0] {
			t.Errorf("%s: the term of the result is %d, and the run gives %d", call, v, got.Values[0])
		}
	}
	for i, roots := range p.bytes {
		data := m.Contents(at[i])
		for j, root := range roots {
			if w := p.machine.Bool(p.wrote[i][j]); w != m.Wrote(at[i], j) {
				t.Errorf("%s: byte %d of buffer %d was written: %v, and the term says %v", call, j, i, !w, w)
				return
			}
			switch o := p.x.Buffers[i][j]; {
			case root < 0:
			case o.Width == 64:
				if v := pointer(o, root); v != binary.LittleEndian.Uint64(data[j:]) {
					t.Errorf("%s: buffer %d holds %#x, not %#x", call, i, binary.LittleEndian.Uint64(data[j:]), v)
				}
			case byte(p.machine.Word(root)) != data[j]:
				t.Errorf("%s: byte %d of buffer %d is %d, not %d", call, j, i, data[j], p.machine.Word(root))
			}
		}
	}
}

// TestSymbolicAsRun checks paths that runs of musl's functions take. The condition holds exactly
// for the inputs that take the path. The terms of results and buffers agree with the run.
func TestSymbolicAsRun(t *testing.T) {
	const paths, others = 4, 12
	m := readMusl(t)
	machine, errno := muslMachine(m)
	names := slices.Sorted(maps.Keys(signatures))
	checked, beyond, samePath := 0, map[string]bool{}, 0
	for _, name := range names {
		letters, _, _ := strings.Cut(signatures[name], ":")
		f := m.Function(name)
		r := rand.New(rand.NewPCG(11, uint64(len(name))))
		run := func(args []argument) (*Result, []uint64) { return callMusl(t, machine, errno, f, args) }
		for range paths {
			args := generate(r, letters)
			got, at := run(args)
			if got.Outcome != Returned {
				continue
			}
			path, err := m.PathOf(f, got.Trace)
			if err != nil {
				t.Fatal(err)
			}
			ctx := smt.NewContext()
			call := symbolicArguments(m, ctx, f, args)
			x, err := call.s.Execute(path, call.args...)
			if err != nil {
				if !errors.As(err, new(*Beyond)) {
					t.Errorf("%s(%v): %v", name, args, err)
				}
				beyond[fmt.Sprintf("%s: %v", name, err)] = true
				continue
			}
			checked++
			c := compileExecution(t, ctx, call, x)
			c.check(t, fmt.Sprintf("%s(%v)", name, args), call.words, machine, got, at, true)
			for range others {
				more := neighbor(r, args, generate(r, letters))
				got, at := run(more)
				same := got.Outcome == Returned && slices.Equal(got.Trace, path.Blocks)
				if same {
					samePath++
				}
				c.check(t, fmt.Sprintf("%s(%v) on the path of %v", name, more, args), symbolicArguments(m, smt.NewContext(), f, more).words, machine, got, at, same)
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d paths checked, each on %d more inputs, of which %d took it; %d beyond: %v", checked, others, samePath, len(beyond), beyond)
	if checked < 150 || len(beyond) > 5 {
		t.Errorf("%d paths were checked, and %d are beyond", checked, len(beyond))
	}
}

// neighbor returns a call with some bytes and numbers from another one. Alignments and offsets
// stay, since they are not symbolic.
func neighbor(r *rand.Rand, args, other []argument) []argument {
	result := slices.Clone(args)
	change := r.IntN(4) // 0: all
	for i := range result {
		if result[i].kind == 'i' && r.IntN(1+change) == 0 {
			result[i].number = other[i].number
		}
		data := slices.Clone(result[i].data)
		for j := range data {
			if j < len(other[i].data)-1 && r.IntN(1+change*8) == 0 {
				data[j] = other[i].data[j]
			}
		}
		result[i].data = data
	}
	return result
}
