package callgraph

import (
	"encoding/binary"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// callbacks finds which callbacks a call passes to other packages. They are methods of the types of
// its arguments and their contents, and function values of types that occur there. The call graph
// does not distinguish the calls of one function. Without this, each call of fmt.Sprint would call
// every String method.
//
// For a value in an interface with methods, only methods and the contents of the standard library's
// values count as used. Values that initializers and init functions pass stay with the receiver, as
// package image keeps decoders. Values that are passed later and kept in a package's variable are
// missed.
type callbacks struct {
	x       *extractor
	methods map[*types.TypeName][]int // callbacks by type of the receiver
	byType  typeutil.Map              // []int, callbacks by signature
	ofTypes typeutil.Map              // *callbackSet, by type
	// *heldType, by type: for values, and for those that are used only by their methods
	heldTypes [2]typeutil.Map
	faces     typeutil.Map // []*heldType, by interface: the types that it may contain
	round     int          // number of visits to held types
	always    map[int]bool // kept since initialization
	pending   []pendingSite
	numbered  map[string]int
}

// pendingSite is a site without a list yet.
type pendingSite struct {
	site *site
	callbackUnion
}

// callbackSet holds the callbacks that are reachable from a value.
type callbackSet struct {
	all    bool
	some   map[int]bool
	number int
}

func (h *callbackSet) add(ids ...int) {
	for _, i := range ids {
		h.some[i] = true
	}
}

// callbackUnion holds the callbacks that are reachable from several values, and single callbacks.
type callbackUnion struct {
	all   bool
	parts []*callbackSet
	ids   []int
}

func (g *callbackUnion) join(h *callbackSet) {
	g.all = g.all || h.all
	if !g.all && len(h.some) > 0 && !slices.Contains(g.parts, h) {
		g.parts = append(g.parts, h)
	}
}

func newCallbacks(x *extractor) *callbacks {
	h := &callbacks{x: x, methods: map[*types.TypeName][]int{}, always: map[int]bool{}, numbered: map[string]int{}}
	static := map[int]bool{}
	for _, f := range x.program.functions {
		from := x.id(f)
		node := x.calls.Nodes[f]
		if node == nil {
			continue
		}
		for _, e := range node.Out {
			to := x.id(e.Callee.Func)
			switch {
			case e.Site == nil || to == none || e.Site.Common().StaticCallee() == nil:
			case strings.HasPrefix(f.Synthetic, "wrapper"):
				// wraps an interface's method, which calls it as such only
			case from == none || x.graph.functions[from].pkg != x.graph.functions[to].pkg:
				static[to] = true
			}
		}
	}
	for _, f := range x.program.functions {
		i := x.id(f)
		if i == none || static[i] || yields(f) {
			continue
		}
		recv := f.Signature.Recv()
		if recv == nil {
			x.graph.functions[i].callback = true
			h.signature(f.Signature, i)
			continue
		}
		n, ok := types.Unalias(pointed(recv.Type())).(*types.Named)
		if !ok {
			continue
		}
		x.graph.functions[i].callback = true
		o := n.Origin().Obj()
		h.methods[o] = append(h.methods[o], i)
	}
	for _, f := range x.program.functions {
		if x.id(f) == none && (strings.HasPrefix(f.Synthetic, "bound") || strings.HasPrefix(f.Synthetic, "thunk")) {
			s := &site{}
			x.enter(s, f) // a method value or expression
			for _, i := range s.callees {
				h.signature(f.Signature, i)
			}
		}
	}
	return h
}

func (h *callbacks) signature(t *types.Signature, i int) {
	t = types.NewSignatureType(nil, nil, nil, t.Params(), t.Results(), t.Variadic())
	ids, _ := h.byType.At(t).([]int)
	h.byType.Set(t, append(ids, i))
}

func pointed(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// site records the values that a call of another package's function passes.
func (h *callbacks) site(s *site, call ssa.CallInstruction, callees []*ssa.Function) {
	common := call.Common()
	var got callbackUnion
	if common.StaticCallee() == nil && !common.IsInvoke() {
		got.all = true // the contents of the function value are unknown
	}
	if common.IsInvoke() {
		for _, c := range callees {
			if recv := c.Signature.Recv(); recv != nil {
				got.join(h.value(recv.Type()))
			} else {
				got.all = true
			}
		}
	}
	h.trace(common.Args, &got)
	h.pending = append(h.pending, pendingSite{s, got})
	if k := h.x.graph.functions[h.x.id(call.Parent())].kind; k == startup || k == initializer {
		for _, i := range got.ids {
			h.always[i] = true
		}
		for _, p := range got.parts {
			for i := range p.some {
				h.always[i] = true
			}
		}
	}
}

// trace follows arguments to values of known types.
func (h *callbacks) trace(args []ssa.Value, got *callbackUnion) {
	seen := map[ssa.Value]bool{}
	var follow func(v ssa.Value)
	follow = func(v ssa.Value) {
		if v == nil || seen[v] || got.all {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Const: // the zero value of a struct is one too
			if !v.IsNil() {
				got.join(h.value(v.Type()))
			} else if n, ok := types.Unalias(pointed(v.Type())).(*types.Named); ok {
				// it holds nothing, but may have methods
				got.ids = append(got.ids, h.methods[n.Origin().Obj()]...)
			}
		case *ssa.Function:
			h.function(v, got)
		case *ssa.MakeClosure:
			fn := v.Fn.(*ssa.Function)
			h.function(fn, got)
			if h.x.id(fn) == none { // a method value
				for _, b := range v.Bindings {
					follow(b)
				}
			}
		case *ssa.MakeInterface:
			follow(v.X)
		case *ssa.ChangeInterface:
			follow(v.X)
		case *ssa.Phi:
			for _, e := range v.Edges {
				follow(e)
			}
		case *ssa.Call:
			if !wraps(v.Call.StaticCallee()) {
				got.join(h.value(v.Type()))
				return
			}
			for _, a := range v.Call.Args {
				follow(a)
			}
		case *ssa.Slice:
			if a, ok := v.X.(*ssa.Alloc); ok && variadic(a) {
				stored(a, follow)
				return
			}
			got.join(h.value(v.Type()))
		default:
			got.join(h.value(v.Type()))
		}
	}
	for _, a := range args {
		follow(a)
	}
}

// wraps reports whether a function of the standard library returns an interface that holds only its
// arguments.
func wraps(f *ssa.Function) bool {
	if f == nil || f.Pkg == nil {
		return false
	}
	switch f.Pkg.Pkg.Path() + "." + f.Name() {
	case "sort.Reverse", "io.LimitReader", "io.MultiReader", "io.MultiWriter", "io.NopCloser", "io.TeeReader":
		return f.Signature.Recv() == nil
	}
	return false
}

// variadic reports whether a variable is the array of variadic arguments. Only stores fill it.
func variadic(a *ssa.Alloc) bool { return a.Comment == "varargs" }

// function adds a function that is passed, or the functions that a wrapper calls.
func (h *callbacks) function(f *ssa.Function, got *callbackUnion) {
	if i := h.x.id(f); i != none {
		got.ids = append(got.ids, i)
		// its free variables may hold any value
		if !h.x.graph.packages[h.x.graph.functions[i].pkg].own {
			for _, v := range f.FreeVars {
				got.join(h.value(v.Type()))
			}
		}
		return
	}
	s := &site{}
	h.x.enter(s, f)
	got.ids = append(got.ids, s.callees...)
}

// value returns the callbacks that are reachable from a value of a type.
func (h *callbacks) value(t types.Type) *callbackSet {
	if got, ok := h.ofTypes.At(t).(*callbackSet); ok {
		return got
	}
	got := &callbackSet{some: map[int]bool{}, number: h.ofTypes.Len()}
	h.gather(h.kept(t), got)
	h.ofTypes.Set(t, got)
	return got
}

// closed reports whether a type of the standard library holds no values of other packages, whatever
// its fields are.
func closed(o *types.TypeName) bool {
	if o.Pkg() == nil {
		return false
	}
	switch o.Pkg().Path() + "." + o.Name() {
	case "reflect.Type", "reflect.rtype", "internal/abi.Type", "sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once", "sync.noCopy",
		"testing.T", "testing.F", "testing.B", "testing.common", "strings.Builder", "bytes.Buffer", "time.Location", "time.Time", "os.File", "os.file", "regexp.Regexp", "math/big.Int":
		return true
	}
	return false
}

// finish sets the lists of sites. Several calls at one position share a list.
func (h *callbacks) finish() {
	bySite := map[*site]*callbackUnion{}
	for i := range h.pending {
		p := &h.pending[i]
		got := bySite[p.site]
		if got == nil {
			bySite[p.site] = &p.callbackUnion
			continue
		}
		got.all = got.all || p.all
		got.ids = append(got.ids, p.ids...)
		for _, part := range p.parts {
			got.join(part)
		}
	}
	known := map[string]int{} // by contents
	for i := range h.pending {
		p := &h.pending[i]
		if got := bySite[p.site]; !got.all && p.site.only == 0 {
			slices.SortFunc(got.parts, func(a, b *callbackSet) int { return a.number - b.number })
			slices.Sort(got.ids)
			numbers := append(slices.Clone(got.ids), none)
			for _, part := range got.parts {
				numbers = append(numbers, part.number)
			}
			key := keyOf(numbers)
			if known[key] == 0 {
				known[key] = h.list(got)
			}
			p.site.only = known[key]
		}
	}
}

// keyOf encodes a list of numbers as a map key.
func keyOf(list []int) string {
	var b []byte
	for _, n := range list {
		b = binary.AppendVarint(b, int64(n))
	}
	return string(b)
}

// list returns the number of a list, from 1.
func (h *callbacks) list(got *callbackUnion) int {
	all := map[int]bool{}
	for i := range h.always {
		all[i] = true
	}
	for _, i := range got.ids {
		all[i] = true
	}
	for _, part := range got.parts {
		for i := range part.some {
			all[i] = true
		}
	}
	list := make([]int, 0, len(all))
	for i := range all {
		if h.x.graph.functions[i].callback {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	key := keyOf(list)
	if _, ok := h.numbered[key]; !ok {
		h.x.graph.lists = append(h.x.graph.lists, list)
		h.numbered[key] = len(h.x.graph.lists)
	}
	return h.numbered[key]
}
