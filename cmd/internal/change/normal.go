package change

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strconv"

	"parallax/cmd/internal/flow"
)

// word is a token of normalized code. Formatting, parentheses, the spelling of literals, and the
// names of imports, receivers, parameters, locals and labels do not affect it.
type word struct {
	text  string    // for a local its name, for people
	local int       // 1 + the index of a local in code.locals; 0 for other words
	ref   string    // a declaration of a package: the package's key, a dot and the name
	pos   token.Pos // source position
	block int       // block that executes it; flow.None if there is none
	asks  bool      // part of a type in a type assertion or type switch
}

// normalizer converts syntax to words. Each function or declaration has its own.
type normalizer struct {
	p     *source
	file  *sourceFile
	code  *code
	scope []map[string]int // names of locals, the innermost scope last
	block int              // block of the next words
	iota  int              // value of iota; negative outside of constants
	out   *[]word          // receives the words

	asks    bool           // the next types are those of a type assertion or type switch
	pending []*ast.FuncLit // closures whose bodies follow the statement
	current int            // index in code.lists
	labels  map[string]int // locals that represent labels
	results []int          // locals that a bare return returns
}

func newNormalizer(p *source, file *sourceFile, c *code) *normalizer {
	return &normalizer{p: p, file: file, code: c, block: flow.None, iota: -1, current: -1, labels: map[string]int{}}
}

func (n *normalizer) emit(pos token.Pos, text string) {
	*n.out = append(*n.out, word{text: text, pos: pos, block: n.block})
}

func (n *normalizer) push() { n.scope = append(n.scope, map[string]int{}) }
func (n *normalizer) pop()  { n.scope = n.scope[:len(n.scope)-1] }

// declare adds a local to the innermost scope. Labels are separate: their names begin with a colon.
func (n *normalizer) declare(name string) int {
	n.code.locals = append(n.code.locals, name)
	id := len(n.code.locals)
	if name != "_" && name != "" {
		n.scope[len(n.scope)-1][name] = id
	}
	return id
}

// lookup finds a local. It returns 0 for other names.
func (n *normalizer) lookup(name string) int {
	for _, s := range slices.Backward(n.scope) {
		if id, ok := s[name]; ok {
			return id
		}
	}
	return 0
}

func (n *normalizer) local(pos token.Pos, id int) {
	*n.out = append(*n.out, word{text: n.code.locals[id-1], local: id, pos: pos, block: n.block})
}

func (n *normalizer) ident(id *ast.Ident) {
	switch l := n.lookup(id.Name); {
	case id.Name == "_":
		n.emit(id.Pos(), "_")
	case l > 0:
		n.local(id.Pos(), l)
	case id.Name == "iota" && n.iota >= 0 && !n.p.names["iota"]:
		n.emit(id.Pos(), strconv.Itoa(n.iota))
	case n.p.names[id.Name]:
		n.refer(id.Pos(), n.p.key+"."+id.Name)
	default:
		n.emit(id.Pos(), id.Name)
	}
}

// refer writes the name of a package's declaration, as it is in the new version.
func (n *normalizer) refer(pos token.Pos, ref string) {
	if to, ok := n.p.renamed[ref]; ok {
		ref = to
	}
	*n.out = append(*n.out, word{text: ref, ref: ref, pos: pos, block: n.block, asks: n.asks})
}

func (n *normalizer) exprs(list []ast.Expr) {
	for i, e := range list {
		if i > 0 {
			n.emit(e.Pos(), ",")
		}
		n.expr(e)
	}
}

// expr writes an expression or a type. Each operation has its own parentheses, so those of the user
// do not matter.
func (n *normalizer) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil:
	case *ast.Ident:
		n.ident(e)
	case *ast.BasicLit:
		n.emit(e.Pos(), literal(e))
	case *ast.ParenExpr:
		n.expr(e.X)
	case *ast.SelectorExpr:
		n.selector(e)
	case *ast.BinaryExpr:
		n.emit(e.Pos(), "(")
		n.binary(e)
		n.emit(e.End(), ")")
	case *ast.UnaryExpr:
		n.emit(e.Pos(), e.Op.String())
		n.operand(e.X)
	case *ast.StarExpr:
		n.emit(e.Pos(), "*")
		n.operand(e.X)
	case *ast.CallExpr:
		n.expr(e.Fun)
		n.emit(e.Lparen, "(")
		n.exprs(e.Args)
		if e.Ellipsis.IsValid() {
			n.emit(e.Ellipsis, "...")
		}
		n.emit(e.Rparen, ")")
	case *ast.IndexExpr:
		n.expr(e.X)
		n.emit(e.Lbrack, "[")
		n.expr(e.Index)
		n.emit(e.Rbrack, "]")
	case *ast.IndexListExpr:
		n.expr(e.X)
		n.emit(e.Lbrack, "[")
		n.exprs(e.Indices)
		n.emit(e.Rbrack, "]")
	case *ast.SliceExpr:
		n.expr(e.X)
		n.emit(e.Lbrack, "[")
		n.expr(e.Low)
		n.emit(e.Lbrack, ":")
		n.expr(e.High)
		if e.Slice3 {
			n.emit(e.Lbrack, ":")
			n.expr(e.Max)
		}
		n.emit(e.Rbrack, "]")
	case *ast.TypeAssertExpr:
		n.expr(e.X)
		n.emit(e.Lparen, ".(")
		if e.Type == nil {
			n.emit(e.Lparen, "type")
		}
		n.asks = true
		n.expr(e.Type)
		n.asks = false
		n.emit(e.Rparen, ")")
	case *ast.CompositeLit:
		n.expr(e.Type)
		n.composite(e, e.Type)
	case *ast.KeyValueExpr:
		n.expr(e.Key)
		n.emit(e.Colon, ":")
		n.expr(e.Value)
	case *ast.FuncLit:
		n.emit(e.Pos(), "func")
		n.pending = append(n.pending, e)
	default:
		n.typeExpr(e)
	}
}

// operand writes the operand of a prefix operator. Parentheses around more than a name distinguish
// *x.f from (*x).f.
func (n *normalizer) operand(e ast.Expr) {
	e = ast.Unparen(e)
	if _, name := e.(*ast.Ident); name {
		n.expr(e)
		return
	}
	n.emit(e.Pos(), "(")
	n.expr(e)
	n.emit(e.End(), ")")
}

// binary writes a chain of && or || without parentheses between its operands, so another operand is
// one more word.
func (n *normalizer) binary(e *ast.BinaryExpr) {
	chain := e.Op == token.LAND || e.Op == token.LOR
	if x, ok := ast.Unparen(e.X).(*ast.BinaryExpr); ok && chain && x.Op == e.Op {
		n.binary(x)
	} else {
		n.expr(e.X)
	}
	before := n.block
	if chain {
		kind := flow.And
		if e.Op == token.LOR {
			kind = flow.Or
		}
		n.enter(kind, e.Y.Pos())
	}
	n.emit(e.OpPos, e.Op.String())
	if y, ok := ast.Unparen(e.Y).(*ast.BinaryExpr); ok && chain && y.Op == e.Op {
		n.binary(y)
	} else {
		n.expr(e.Y)
	}
	n.block = before
}

func (n *normalizer) selector(e *ast.SelectorExpr) {
	if x, ok := e.X.(*ast.Ident); ok && n.lookup(x.Name) == 0 {
		if key, ok := n.file.imports[x.Name]; ok {
			n.refer(e.Sel.Pos(), key+"."+e.Sel.Name)
			return
		}
	}
	n.expr(e.X)
	*n.out = append(*n.out, word{text: "." + e.Sel.Name, pos: e.Sel.Pos(), block: n.block})
}

// composite writes the elements of a composite literal. typ is its type, or the type that its
// context implies. It is nil if unknown.
func (n *normalizer) composite(e *ast.CompositeLit, typ ast.Expr) {
	keyed, element := n.p.elements(typ)
	n.emit(e.Lbrace, "{")
	for i, elt := range e.Elts {
		if i > 0 {
			n.emit(elt.Pos(), ",")
		}
		value := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			key, plain := kv.Key.(*ast.Ident)
			switch inner, lit := kv.Key.(*ast.CompositeLit); {
			case plain && !keyed:
				*n.out = append(*n.out, word{text: key.Name, pos: key.Pos(), block: n.block})
			case lit && inner.Type == nil:
				n.composite(inner, nil)
			default:
				n.expr(kv.Key)
			}
			n.emit(kv.Colon, ":")
			value = kv.Value
		}
		if inner, ok := value.(*ast.CompositeLit); ok && inner.Type == nil {
			n.composite(inner, element)
			continue
		}
		n.expr(value)
	}
	n.emit(e.Rbrace, "}")
}

// literal returns the value of a literal, independent of its spelling.
func literal(e *ast.BasicLit) string {
	switch v := constant.MakeFromLiteral(e.Value, e.Kind, 0); {
	case v.Kind() == constant.Unknown:
	case e.Kind == token.STRING:
		return strconv.Quote(constant.StringVal(v))
	case e.Kind == token.CHAR:
		if r, exact := constant.Int64Val(v); exact {
			return strconv.QuoteRune(rune(r))
		}
	case e.Kind == token.FLOAT:
		return "float " + v.ExactString()
	default:
		return v.ExactString()
	}
	return e.Value
}

// typeExpr writes a type.
func (n *normalizer) typeExpr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ArrayType:
		n.emit(e.Pos(), "[")
		n.expr(e.Len)
		n.emit(e.Pos(), "]")
		n.expr(e.Elt)
	case *ast.Ellipsis:
		n.emit(e.Pos(), "...")
		n.expr(e.Elt)
	case *ast.MapType:
		n.emit(e.Pos(), "map[")
		n.expr(e.Key)
		n.emit(e.Pos(), "]")
		n.expr(e.Value)
	case *ast.ChanType:
		text := "chan"
		switch e.Dir {
		case ast.SEND:
			text = "chan<-"
		case ast.RECV:
			text = "<-chan"
		}
		n.emit(e.Pos(), text)
		n.expr(e.Value)
	case *ast.FuncType:
		n.emit(e.Pos(), "func")
		n.fieldTypes(e.Params)
		n.fieldTypes(e.Results)
	case *ast.StructType:
		n.emit(e.Pos(), "struct{")
		for _, f := range e.Fields.List {
			for _, part := range n.fields(f) {
				*n.out = append(*n.out, part...)
				n.emit(f.Pos(), ";")
			}
		}
		n.emit(e.End(), "}")
	case *ast.InterfaceType:
		n.interfaceType(e)
	case *ast.BadExpr:
		n.emit(e.Pos(), "bad")
	}
}

// fields writes a line of a struct, each field separately.
func (n *normalizer) fields(f *ast.Field) (parts [][]word) {
	names := []*ast.Ident{nil} // embedded
	if len(f.Names) > 0 {
		names = f.Names
	}
	out := n.out
	for _, name := range names {
		var part []word
		n.out = &part
		if name != nil {
			n.emit(name.Pos(), name.Name)
		} else {
			n.emit(f.Pos(), "embedded")
		}
		n.expr(f.Type)
		if f.Tag != nil {
			n.emit(f.Tag.Pos(), "tag "+literal(f.Tag))
		}
		parts = append(parts, part)
	}
	n.out = out
	return parts
}

// interfaceType writes the methods and unions of an interface sorted by text, since their order
// does not matter.
func (n *normalizer) interfaceType(e *ast.InterfaceType) {
	if len(e.Methods.List) == 0 {
		n.emit(e.Pos(), "any")
		return
	}
	out := n.out
	var parts [][]word
	for _, f := range e.Methods.List {
		for i := range max(len(f.Names), 1) {
			var part []word
			n.out = &part
			if len(f.Names) > 0 {
				n.emit(f.Names[i].Pos(), f.Names[i].Name)
			}
			n.expr(f.Type)
			parts = append(parts, part)
		}
	}
	n.out = out
	slices.SortStableFunc(parts, func(a, b []word) int { return compareTexts(a, b) })
	n.emit(e.Pos(), "interface{")
	for _, part := range parts {
		*n.out = append(*n.out, part...)
		n.emit(e.Pos(), ";")
	}
	n.emit(e.End(), "}")
}

// fieldTypes writes the types of parameters or results, one for each.
func (n *normalizer) fieldTypes(list *ast.FieldList) {
	if list == nil {
		n.emit(token.NoPos, "()")
		return
	}
	n.emit(list.Pos(), "(")
	for _, f := range list.List {
		for range max(len(f.Names), 1) {
			n.expr(f.Type)
			n.emit(f.Pos(), ",")
		}
	}
	n.emit(list.End(), ")")
}
