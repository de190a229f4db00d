package codegen

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// Wrapper writes functions that adapt what parallax cannot call to what it can.
type Wrapper struct {
	Writer
	Std    map[string]bool // packages of the standard library that the adapting code uses
	Taken  map[string]bool // names of wrappers, and those that they may not have
	Params []string        // of the last one, each a name and a type
}

// NewWrapper starts with nothing written. Choose names packages as in Writer.
func NewWrapper(choose func(path string) (alias string)) *Wrapper {
	return &Wrapper{Writer: Writer{Choose: choose}, Std: map[string]bool{}, Taken: map[string]bool{}}
}

// readers make a parameter of an input called data.
var readers = map[string]struct{ expr, imports string }{
	"io.Reader":       {"bytes.NewReader(data)", "bytes"},
	"io.ReadSeeker":   {"bytes.NewReader(data)", "bytes"},
	"io.ReaderAt":     {"bytes.NewReader(data)", "bytes"},
	"io.ByteReader":   {"bytes.NewReader(data)", "bytes"},
	"io.ByteScanner":  {"bytes.NewReader(data)", "bytes"},
	"io.RuneReader":   {"bytes.NewReader(data)", "bytes"},
	"io.RuneScanner":  {"bytes.NewReader(data)", "bytes"},
	"*bytes.Reader":   {"bytes.NewReader(data)", "bytes"},
	"*bytes.Buffer":   {"bytes.NewBuffer(data)", "bytes"},
	"*strings.Reader": {"strings.NewReader(string(data))", "strings"},
	"*bufio.Reader":   {"bufio.NewReader(bytes.NewReader(data))", "bufio bytes"},
	"io.ReadCloser":   {"io.NopCloser(bytes.NewReader(data))", "io bytes"},
	"[]string":        {`strings.Split(string(data), "\n")`, "strings"},
	"[]rune":          {"[]rune(string(data))", ""},
	"[]int32":         {"[]rune(string(data))", ""},
	"[]uint16":        {"utf16.Encode([]rune(string(data)))", "unicode/utf16"},
}

// constants make a parameter that no input decides.
var constants = map[string]struct{ expr, imports string }{
	"context.Context": {"context.Background()", "context"},
}

// writers make a parameter that takes what the function writes: a variable of this type, whose
// String is then a value.
var writers = map[string]string{
	"io.Writer":        "bytes.Buffer",
	"io.ByteWriter":    "bytes.Buffer",
	"io.StringWriter":  "bytes.Buffer",
	"*strings.Builder": "strings.Builder",
}

// destinations are names of a *bytes.Buffer that is written to and not read, such as that of
// json.Indent.
var destinations = map[string]bool{"dst": true, "dest": true, "out": true, "output": true, "w": true}

// Function writes the wrapper of one function and returns its name.
func (w *Wrapper) Function(c *signature.Function) string {
	name := c.Func.Receiver + c.Func.Name
	for i := 2; w.Taken[name]; i++ {
		name = fmt.Sprintf("%s%s%d", c.Func.Receiver, c.Func.Name, i)
	}
	w.Taken[name] = true

	sig, instance := c.Type, ""
	if n := sig.TypeParams().Len(); n > 0 {
		sig, instance = w.instantiate(sig)
	}
	pkg := w.Alias(c.Package.ImportPath)
	var params, body, args []string
	used := map[string]bool{"data": true, "x": true, "err": true, "ok": true, "out": true, "bytes": true, "strings": true, pkg: true}
	data := false
	var written []string // what the function writes
	n := sig.Params().Len()
	if sig.Variadic() {
		n--
	}
	for i := 0; i < n; i++ {
		p := sig.Params().At(i)
		arg := p.Name()
		if !token.IsIdentifier(arg) || arg == "_" || used[arg] || types.Universe.Lookup(arg) != nil {
			arg = fmt.Sprintf("a%d", i+1)
		}
		used[arg] = true
		text := types.TypeString(types.Unalias(p.Type()), func(p *types.Package) string { return p.Path() })
		kind, native := signature.KindOf(p.Type())
		_, named := types.Unalias(p.Type()).(*types.Named)
		switch {
		case native && (!named || c.Writable(p.Type())):
			params = append(params, arg+" "+kind.String())
			if named && kind != input.Bytes {
				arg = fmt.Sprintf("%s(%s)", w.TypeName(p.Type()), arg)
			}
		case readers[text].expr != "" && !(text == "*bytes.Buffer" && destinations[p.Name()]):
			data = true
			w.use(readers[text].imports)
			arg = readers[text].expr
		case writers[text] != "" || text == "*bytes.Buffer":
			out := "out"
			for i := 2; len(written) > 0 && used[out]; i++ {
				out = fmt.Sprintf("out%d", i)
			}
			used[out] = true
			kind := writers[text]
			if kind == "" {
				kind = "bytes.Buffer"
			}
			from, _, _ := strings.Cut(kind, ".")
			w.use(from)
			body = append(body, fmt.Sprintf("var %s %s", out, kind))
			written = append(written, out+".String()")
			arg = "&" + out
		case text == "time.Time":
			w.use("time")
			params = append(params, arg+" int64")
			arg = fmt.Sprintf("time.Unix(0, %s).UTC()", arg)
		case constants[text].expr != "":
			w.use(constants[text].imports)
			arg = constants[text].expr
		case c.Writable(p.Type()):
			body = append(body, fmt.Sprintf("var %s %s // what should it be, and which part of it from the input?", arg, w.TypeName(p.Type())))
		default:
			body = append(body, fmt.Sprintf("// %s: a value of type %s, which cannot be named outside its package", arg, text))
		}
		args = append(args, arg)
	}
	if data || len(params) == 0 {
		params = append([]string{"data []byte"}, params...)
		if !data {
			body = append([]string{"_ = data // make the arguments of this"}, body...)
		}
	}

	var results []string
	for i := 0; i < sig.Results().Len(); i++ {
		t := sig.Results().At(i).Type()
		if c.Writable(t) {
			results = append(results, w.TypeName(t))
		} else {
			results = append(results, "any")
		}
	}
	call := fmt.Sprintf("%s.%s%s(%s)", pkg, c.Func.Name, instance, strings.Join(args, ", "))
	switch {
	case c.Variable:
		call = fmt.Sprintf("%s.%s.%s(%s)", pkg, c.Func.Receiver, c.Func.Name, strings.Join(args, ", "))
	case c.Receiver != nil:
		body = append(body, fmt.Sprintf("x := new(%s.%s)", pkg, c.Func.Receiver))
		call = fmt.Sprintf("x.%s(%s)", c.Func.Name, strings.Join(args, ", "))
	}
	if hint := unread(c, sig, w, data, len(written) > 0); hint != "" {
		body = append(body, hint)
	}
	switch {
	case len(written) > 0:
		vars := resultNames(sig)
		if len(vars) > 0 {
			call = strings.Join(vars, ", ") + " := " + call
		}
		body = append(body, call)
		call = "return " + strings.Join(append(written, vars...), ", ")
		for range written {
			results = append([]string{"string"}, results...)
		}
	case len(results) > 0:
		call = "return " + call
	}
	w.Params = params
	w.Printf("// %s adapts %s:\n//\n//\t%s\nfunc %s(%s) (%s) {\n", name, c.FullName(), c.Signature(), name, strings.Join(params, ", "), strings.Join(results, ", "))
	for _, line := range append(body, call) {
		w.Printf("%s\n", line)
	}
	w.Printf("}\n\n")
	return name
}

// resultNames are variables for a function's results: the last one err or ok when it is the
// verdict.
func resultNames(sig *types.Signature) []string {
	var vars []string
	n := sig.Results().Len()
	for i := 0; i < n; i++ {
		name := fmt.Sprintf("r%d", i+1)
		if i == n-1 {
			switch sig.Results().At(i).Type().String() {
			case "error":
				name = "err"
			case "bool":
				name = "ok"
			}
		}
		vars = append(vars, name)
	}
	return vars
}

// unread returns a comment for a function that only makes a value which reads or writes later, such
// as csv.NewReader. A wrapper that stops there compares nothing. The comment is empty for other
// functions.
func unread(c *signature.Function, sig *types.Signature, w *Wrapper, reads, writes bool) string {
	maker := strings.HasPrefix(c.Func.Name, "New") || strings.HasPrefix(c.Func.Name, "Open")
	for i := 0; i < sig.Results().Len(); i++ {
		t := types.Unalias(sig.Results().At(i).Type())
		base := t
		if p, ok := t.(*types.Pointer); ok {
			base = types.Unalias(p.Elem())
		}
		named, ok := base.(*types.Named)
		if !ok || !c.Writable(t) {
			continue
		}
		var work []string
		for _, m := range signature.Methods(t) {
			if reads && hasAny(strings.HasPrefix, m, "Read", "Decode", "Next", "Scan", "Token", "Parse", "Unmarshal") ||
				writes && hasAny(strings.HasPrefix, m, "Write", "Encode", "Flush", "Close") {
				work = append(work, m)
			}
		}
		if len(work) == 0 || !maker && !hasAny(strings.HasSuffix, named.Obj().Name(), "Reader", "Decoder", "Scanner", "Parser", "Lexer", "Tokenizer", "Iterator", "Writer", "Encoder") {
			continue
		}
		if len(work) > 4 {
			work = append(work[:4:4], "...")
		}
		return fmt.Sprintf("// A %s alone compares nothing: call the method that does the work (%s)\n// and return what it gives.", w.TypeName(t), strings.Join(work, ", "))
	}
	return ""
}

func hasAny(test func(s, part string) bool, s string, parts ...string) bool {
	for _, part := range parts {
		if test(s, part) {
			return true
		}
	}
	return false
}

// arguments are the types that type parameters are tried with, in this order.
var arguments = []types.Type{
	types.Typ[types.String], types.NewSlice(types.Typ[types.Byte]), types.Typ[types.Int], types.Typ[types.Float64],
	types.NewSlice(types.Typ[types.String]), types.NewMap(types.Typ[types.String], types.Typ[types.String]),
	types.NewInterfaceType(nil, nil),
}

// instantiate gives type parameters the first simple types that their constraints, which may name
// each other, allow.
func (w *Wrapper) instantiate(sig *types.Signature) (*types.Signature, string) {
	n := sig.TypeParams().Len()
	chosen := make([]int, n)
	targs := make([]types.Type, n)
	for tries := 0; tries < 1<<12; tries++ {
		var names []string
		for i, k := range chosen {
			targs[i] = arguments[k]
			names = append(names, targs[i].String())
		}
		if inst, err := types.Instantiate(nil, sig, targs, true); err == nil {
			return inst.(*types.Signature), "[" + strings.Join(names, ", ") + "]"
		}
		i := n - 1
		for ; i >= 0; i-- { // count on, the last parameter fastest
			if chosen[i]++; chosen[i] < len(arguments) {
				break
			}
			chosen[i] = 0
		}
		if i < 0 {
			break
		}
	}
	return sig, ""
}

func (w *Wrapper) use(imports string) {
	for _, name := range strings.Fields(imports) {
		w.Std[name] = true
	}
}

// File returns the whole file, of a package of this name.
func (w *Wrapper) File(name string) string {
	body := w.Flush()
	w.Printf("// Package %s adapts functions to what parallax can call.\npackage %s\n\nimport (\n", name, name)
	var std []string
	for path := range w.Std {
		std = append(std, path)
	}
	sort.Strings(std)
	for _, path := range std {
		w.Printf("%q\n", path)
	}
	w.Printf("\n")
	w.Imports()
	w.Printf(")\n\n%s", body)
	written := w.Flush()
	text, err := format.Source([]byte(written))
	if err != nil {
		return written
	}
	return string(text)
}
