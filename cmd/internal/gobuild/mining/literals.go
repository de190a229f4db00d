package mining

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/gosyntax"
)

const (
	maxTokens   = 512 // more would be drawn too rarely each
	maxTokenLen = 32
)

// literals collects an automatic dictionary from Go files: the values that the code compares its
// input with. The most useful kinds come first: comparisons and cases, then arguments of searching
// functions, map keys, constants, and struct tags. Within a kind, the order is that of the files'
// base names, then positions.
func literals(files []string) (tokens [][]byte, err error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(strings.Compare(filepath.Base(a), filepath.Base(b)), strings.Compare(a, b))
	})
	var found [numRanks][]string
	fset := token.NewFileSet()
	for _, name := range files {
		tree, err := gosyntax.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("reading literals: %w", err)
		}
		collect(tree, &found)
	}
	seen := map[string]bool{}
	for _, rank := range found {
		for _, s := range rank {
			if len(s) == 0 || len(s) > maxTokenLen || seen[s] {
				continue
			}
			if seen[s] = true; len(tokens) < maxTokens {
				tokens = append(tokens, []byte(s))
			}
		}
	}
	return tokens, nil
}

// The ranks of literals, most useful first.
const (
	rankCompared = iota
	rankSearched
	rankKey
	rankConstant
	rankTag
	numRanks
)

// searching lists the functions of strings and bytes that search for an argument in another.
var searching = map[string]bool{"Compare": true, "Contains": true, "ContainsAny": true, "ContainsRune": true, "Count": true,
	"Cut": true, "CutPrefix": true, "CutSuffix": true, "Equal": true, "EqualFold": true, "HasPrefix": true, "HasSuffix": true,
	"Index": true, "IndexAny": true, "IndexByte": true, "IndexRune": true, "LastIndex": true, "LastIndexAny": true,
	"LastIndexByte": true, "Replace": true, "ReplaceAll": true, "Split": true, "SplitAfter": true, "SplitAfterN": true,
	"SplitAfterSeq": true, "SplitN": true, "SplitSeq": true, "Trim": true, "TrimLeft": true, "TrimPrefix": true,
	"TrimRight": true, "TrimSuffix": true}

func collect(tree *ast.File, found *[numRanks][]string) {
	add := func(rank int, e ast.Expr) {
		found[rank] = append(found[rank], spellings(e)...)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch n.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				add(rankCompared, n.X)
				add(rankCompared, n.Y)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				add(rankCompared, e)
			}
		case *ast.CallExpr:
			pkg, name := callee(n)
			if message(pkg, name) {
				return false
			}
			if (pkg == "strings" || pkg == "bytes") && searching[name] {
				for _, a := range n.Args {
					add(rankSearched, a)
				}
			}
		case *ast.CompositeLit:
			if _, isMap := n.Type.(*ast.MapType); isMap {
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						add(rankKey, kv.Key)
					}
				}
			}
		case *ast.GenDecl:
			if n.Tok == token.CONST || n.Tok == token.VAR { // var magic = []byte("...")
				for _, s := range n.Specs {
					for _, v := range s.(*ast.ValueSpec).Values {
						words := spellings(v)
						// small numbers have one spelling
						if _, text := textOf(v); text || n.Tok == token.CONST && len(words) > 1 {
							found[rankConstant] = append(found[rankConstant], words...)
						}
					}
				}
			}
		case *ast.Field:
			if n.Tag != nil {
				found[rankTag] = append(found[rankTag], tagNames(n.Tag.Value)...)
			}
		}
		return true
	})
}

// callee returns the package (or receiver) and name of a called function.
func callee(call *ast.CallExpr) (pkg, name string) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name, f.Sel.Name
		}
	}
	return "", ""
}

// message reports whether a call only words something for people.
func message(pkg, name string) bool {
	return pkg == "fmt" || pkg == "log" || pkg == "errors" && name == "New" || pkg == "" && name == "panic"
}

// spellings returns the byte strings by which an input can contain the value of a literal.
func spellings(e ast.Expr) []string {
	if text, ok := textOf(e); ok {
		return []string{text}
	}
	e, negative := unwrap(e), false
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		e, negative = unwrap(u.X), true
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return nil
	}
	v, ok := constant.Uint64Val(constant.MakeFromLiteral(lit.Value, token.INT, 0))
	if !ok {
		return nil
	}
	digits := strconv.FormatUint(v, 10)
	switch {
	case v <= 9:
		return nil
	case negative:
		return []string{"-" + digits}
	case v <= 0xff:
		return []string{digits}
	}
	width := 8
	if v <= 0xffff {
		width = 2
	} else if v <= 0xffffffff {
		width = 4
	}
	little := binary.LittleEndian.AppendUint64(nil, v)[:width]
	big := binary.BigEndian.AppendUint64(nil, v)[8-width:]
	return []string{digits, string(little), string(big)}
}

// unwrap removes parentheses and conversions.
func unwrap(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.CallExpr:
			if len(x.Args) != 1 {
				return e
			}
			switch f := x.Fun.(type) {
			case *ast.ArrayType: // []byte("...")
			case *ast.Ident:
				switch f.Name {
				case "string", "byte", "rune", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
				default:
					return e
				}
			default:
				return e
			}
			e = x.Args[0]
		default:
			return e
		}
	}
}

// textOf returns the value of a string or rune literal, a concatenation of such strings, or a
// []byte{...} of literals.
func textOf(e ast.Expr) (text string, ok bool) {
	switch x := unwrap(e).(type) {
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(x.Value, x.Kind, 0)
		switch {
		case x.Kind == token.STRING && v.Kind() == constant.String:
			return constant.StringVal(v), true
		case x.Kind == token.CHAR && v.Kind() == constant.Int:
			r, _ := constant.Int64Val(v)
			if strings.HasPrefix(x.Value, `'\x`) || r < 0x80 {
				return string([]byte{byte(r)}), true // a byte rather than a code point
			}
			return string(rune(r)), true
		}
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			left, ok1 := textOf(x.X)
			right, ok2 := textOf(x.Y)
			return left + right, ok1 && ok2
		}
	case *ast.CompositeLit:
		return bytesOf(x)
	}
	return "", false
}

func bytesOf(lit *ast.CompositeLit) (text string, ok bool) {
	array, ok := lit.Type.(*ast.ArrayType)
	if !ok {
		return "", false
	}
	if id, ok := array.Elt.(*ast.Ident); !ok || id.Name != "byte" && id.Name != "uint8" {
		return "", false
	}
	var b []byte
	for _, e := range lit.Elts {
		l, ok := unwrap(e).(*ast.BasicLit)
		if !ok || l.Kind != token.INT && l.Kind != token.CHAR {
			return "", false
		}
		v, exact := constant.Uint64Val(constant.ToInt(constant.MakeFromLiteral(l.Value, l.Kind, 0)))
		if !exact || v > 0xff {
			return "", false
		}
		b = append(b, byte(v))
	}
	return string(b), true
}

// tagNames returns the names that a struct tag gives to a field in text formats.
func tagNames(literal string) []string {
	tag, err := strconv.Unquote(literal)
	if err != nil {
		return nil
	}
	var names []string
	for _, key := range []string{"json", "toml", "yaml", "xml"} {
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get(key), ",")
		if i := strings.LastIndexByte(name, ' '); i >= 0 {
			name = name[i+1:] // XML: name space, then name
		}
		for _, part := range strings.Split(name, ">") {
			if part != "" && part != "-" {
				names = append(names, part)
			}
		}
	}
	return names
}
