package worker

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"parallax/internal/cmplog"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// A second build of the programs records the operands of comparisons instead of counting blocks. A
// fuzzing worker starts a process of that build (cmplogClient) and sends it inputs of the corpus.
// This file has the server in that process.

// operandRecord is the layout of a record. Contract relied on: the instrumentation with
// Options.CmpLog gives each package
//
//	var plxOps [2048]plxOp, var plxOpN uint32 and var plxOpSeen [SITES]uint8
//
// with a plxOp of exactly these fields in this order.
type operandRecord struct {
	site  uint32
	kind  uint8
	width uint8
	flags uint8
	_     uint8
	a, b  uint64
	s, t  string
}

// Bits of recorded.flags.
const (
	flagConstA = 1 << iota
	flagConstB
	flagSigned
)

const maxRecorded = 2048

// recorder holds the records of one package.
type recorder struct {
	pkg  uint64 // hash of its path
	ops  *[maxRecorded]operandRecord
	n    *uint32
	seen []uint8
}

// findRecorders locates the records of every package, as findCounters does counters.
func findRecorders() ([]recorder, error) {
	symbols, base, err := ownSymbols(".plxOps", ".plxOpN", ".plxOpSeen")
	if err != nil {
		return nil, err
	}
	found := map[string]*recorder{}
	var order []string
	at := func(name string) *recorder {
		r := found[name]
		if r == nil {
			r = &recorder{pkg: hashString(oracle.Unescape(name))}
			found[name] = r
			order = append(order, name)
		}
		return r
	}
	for _, s := range symbols {
		addr := base + s.Value
		if pkg, ok := strings.CutSuffix(s.Name, ".plxOps"); ok {
			if s.Size != uint64(unsafe.Sizeof([maxRecorded]operandRecord{})) {
				return nil, fmt.Errorf("package %s has records of an unknown layout", pkg)
			}
			at(pkg).ops = (*[maxRecorded]operandRecord)(pointer(addr))
		} else if pkg, ok := strings.CutSuffix(s.Name, ".plxOpN"); ok && s.Size == 4 {
			at(pkg).n = (*uint32)(pointer(addr))
		} else if pkg, ok := strings.CutSuffix(s.Name, ".plxOpSeen"); ok {
			at(pkg).seen = unsafe.Slice((*uint8)(pointer(addr)), int(s.Size))
		}
	}
	var list []recorder
	for _, name := range order {
		if r := found[name]; r.ops != nil && r.n != nil {
			list = append(list, *r)
		}
	}
	return list, nil
}

// clear removes the records.
func (r *recorder) clear() {
	if *r.n == 0 {
		return
	}
	clear(r.ops[:min(int(*r.n), maxRecorded)])
	clear(r.seen)
	*r.n = 0
}

// append adds the records to ops. Strings alias the records.
func (r *recorder) append(ops []cmplog.Comparison) []cmplog.Comparison {
	for i := range r.ops[:min(int(*r.n), maxRecorded)] {
		rec := &r.ops[i]
		if rec.kind == 0 {
			continue
		}
		ops = append(ops, cmplog.Comparison{
			Site: feature.Chain(r.pkg, uint64(rec.site)), Kind: cmplog.Kind(rec.kind), Width: rec.width,
			ConstA: rec.flags&flagConstA != 0, ConstB: rec.flags&flagConstB != 0, Signed: rec.flags&flagSigned != 0,
			A: rec.a, B: rec.b, S: rec.s, T: rec.t,
		})
	}
	return ops
}

// cmplogServer runs inputs and collects the operands of their comparisons.
type cmplogServer struct {
	runner    *runner
	recorders []recorder
	trace     feature.Trace
	ops       []cmplog.Comparison
}

// serveCmpLog answers a fuzzing worker until it closes the socket.
func serveCmpLog(t Target) error {
	setLimits()
	recorders, err := findRecorders()
	if err != nil {
		return err
	}
	const small = 1 << 10 // the slots and the ring are not used
	mem := wire.NewMemory(make([]byte, wire.MemorySize(small)-wire.MapBytes), small)
	c := &cmplogServer{runner: newRunner(t, mem, &feature.Counters{NoSet: true}), recorders: recorders}
	var gc collector // whether a sync.Pool is empty affects operands, too
	gc.off()
	socket := os.NewFile(cmplogFile, "socket")
	in := bufio.NewReader(socket)
	var answer []byte
	for {
		kind, flat, err := wire.Receive(in)
		if err != nil || kind != wire.Compare {
			return nil // the worker has ended
		}
		if err := t.Shape.Check(flat); err != nil {
			return err
		}
		c.run(flat)
		answer = answer[:0]
		for i := range c.ops {
			answer = appendOp(answer, &c.ops[i])
		}
		if err := wire.Send(socket, wire.Comparisons, answer); err != nil {
			return nil
		}
		gc.tick()
	}
}

// run executes the input on every program, each in its own goroutine, which the program may end.
func (c *cmplogServer) run(flat []byte) {
	c.ops = c.ops[:0]
	for p := range c.runner.target.Programs {
		for i := range c.recorders {
			c.recorders[i].clear()
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer c.runner.abandon()
			c.runner.Run(p, flat, &c.trace)
		}()
		<-done
		c.runner.takeDead()
		for i := range c.recorders {
			c.ops = c.recorders[i].append(c.ops)
		}
	}
}

func appendOp(b []byte, o *cmplog.Comparison) []byte {
	flags := uint64(0)
	for i, set := range []bool{o.ConstA, o.ConstB, o.Signed} {
		if set {
			flags |= 1 << i
		}
	}
	for _, v := range []uint64{o.Site, uint64(o.Kind), uint64(o.Width), flags, o.A, o.B} {
		b = wire.AppendUint(b, v)
	}
	return wire.AppendBytes(wire.AppendBytes(b, o.S), o.T)
}

func readOps(payload []byte) ([]cmplog.Comparison, error) {
	var ops []cmplog.Comparison
	r := wire.NewReader(payload)
	for r.More() {
		o := cmplog.Comparison{Site: r.Uint(), Kind: cmplog.Kind(r.Int(255)), Width: uint8(r.Int(8))}
		flags := r.Uint()
		o.ConstA, o.ConstB, o.Signed = flags&flagConstA != 0, flags&flagConstB != 0, flags&flagSigned != 0
		o.A, o.B, o.S, o.T = r.Uint(), r.Uint(), r.String(), r.String()
		ops = append(ops, o)
	}
	return ops, r.Err()
}
