package harness

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"parallax/cmd/internal/buildroot"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/signature"
	"parallax/internal/input"
)

// wrapperFolder is the folder of the file that unsupported proposes.
const wrapperFolder = "harness"

// unsupported says what parallax cannot pass to which function, and prints a file of wrappers to start from and the
// command to run then.
func unsupported(where *buildroot.Root, calls []*signature.Function, problems []*signature.Problem) error {
	w := &wrapper{generator: generator{aliases: map[string]string{}}, std: map[string]bool{}, taken: map[string]bool{}}
	var why, get []string
	command := "parallax diff"
	folder := wrapperPath(where, calls)
	for i, c := range calls {
		if problems[i] == nil {
			command += " " + shellQuote(c.Func.Written)
			continue
		}
		why = append(why, fmt.Sprintf("%s: %s: %s\n\tit is %s", c.Func.Written, problems[i].Where, problems[i].Why, c.Signature()))
		command += " " + folder + "." + w.function(c)
		if m := c.Package.Module; m != nil && !m.Main && (c.Func.Version != "" || where.Kind != buildroot.User) {
			if arg := "go get " + gomod.At(c.Package.ImportPath, m.Version); !slices.Contains(get, arg) {
				get = append(get, arg)
			}
		}
	}
	var steps []string
	if !where.Env.InModule() {
		steps = append(steps, "mkdir fuzz && cd fuzz && go mod init example.com/fuzz")
	}
	steps = append(append(steps, get...), command)
	return exit.Usage("%s\n\nstart from this file, %s/%s.go, in your own module:\n\n%s\nthen:\n\n\t%s", strings.Join(why, "\n"), strings.TrimPrefix(folder, "./"), wrapperFolder, indent(w.file()), strings.Join(steps, "\n\t"))
}

// wrapperPath is the folder of the proposed file as the user reaches it: one that may import what the functions need.
func wrapperPath(where *buildroot.Root, calls []*signature.Function) string {
	path, deepest := "./"+wrapperFolder, ""
	for _, c := range calls {
		root, hidden := gocommand.InternalRoot(c.Package.ImportPath)
		if m := c.Package.Module; !hidden || m == nil || !m.Main || len(root) <= len(deepest) {
			continue
		} else if rel, err := filepath.Rel(where.Dir, filepath.Join(m.Dir, filepath.FromSlash(strings.TrimPrefix(root, m.Path)), wrapperFolder)); err == nil {
			deepest, path = root, filepath.ToSlash(rel)
			if !strings.HasPrefix(path, "../") {
				path = "./" + path
			}
		}
	}
	return path
}

func shellQuote(s string) string {
	if strings.ContainsAny(s, "(*)") {
		return "'" + s + "'"
	}
	return s
}

func indent(text string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		if strings.TrimSpace(line) != "" {
			b.WriteByte('\t')
		}
		b.WriteString(line)
	}
	return b.String()
}

// wrapper writes functions that adapt what parallax cannot call to what it can.
type wrapper struct {
	generator
	std    map[string]bool // packages of the standard library that the adapting code uses
	taken  map[string]bool // names of wrappers
	params []string        // of the last one, each a name and a type
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

// writers make a parameter that takes what the function writes: a variable of this type, whose String is then a value.
var writers = map[string]string{
	"io.Writer":        "bytes.Buffer",
	"io.ByteWriter":    "bytes.Buffer",
	"io.StringWriter":  "bytes.Buffer",
	"*strings.Builder": "strings.Builder",
}

// destinations are names of a *bytes.Buffer that is written to and not read, such as that of json.Indent.
var destinations = map[string]bool{"dst": true, "dest": true, "out": true, "output": true, "w": true}

// function writes the wrapper of one function and returns its name.
func (w *wrapper) function(c *signature.Function) string {
	name := c.Func.Receiver + c.Func.Name
	for i := 2; w.taken[name]; i++ {
		name = fmt.Sprintf("%s%s%d", c.Func.Receiver, c.Func.Name, i)
	}
	w.taken[name] = true

	sig, instance := c.Type, ""
	if n := sig.TypeParams().Len(); n > 0 {
		sig, instance = w.instantiate(sig)
	}
	pkg := w.alias(c.Package.ImportPath)
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
				arg = fmt.Sprintf("%s(%s)", w.typeName(p.Type()), arg)
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
		case constants[text].expr != "":
			w.use(constants[text].imports)
			arg = constants[text].expr
		case c.Writable(p.Type()):
			body = append(body, fmt.Sprintf("var %s %s // what should it be, and which part of it from the input?", arg, w.typeName(p.Type())))
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
			results = append(results, w.typeName(t))
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
	w.params = params
	w.printf("// %s adapts %s:\n//\n//\t%s\nfunc %s(%s) (%s) {\n", name, c.FullName(), c.Signature(), name, strings.Join(params, ", "), strings.Join(results, ", "))
	for _, line := range append(body, call) {
		w.printf("%s\n", line)
	}
	w.printf("}\n\n")
	return name
}

// resultNames are variables for a function's results: the last one err or ok when it is the verdict.
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

// unread is a comment for a function that only makes something which reads or writes later, such as csv.NewReader: a
// wrapper that stops there compares nothing. Empty for others.
func unread(c *signature.Function, sig *types.Signature, w *wrapper, reads, writes bool) string {
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
		return fmt.Sprintf("// A %s alone compares nothing: call the method that does the work (%s)\n// and return what it gives.", w.typeName(t), strings.Join(work, ", "))
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

// instantiate gives type parameters the first simple types that their constraints, which may name each other, allow.
func (w *wrapper) instantiate(sig *types.Signature) (*types.Signature, string) {
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

func (w *wrapper) use(imports string) {
	for _, name := range strings.Fields(imports) {
		w.std[name] = true
	}
}

// file returns the whole file.
func (w *wrapper) file() string {
	body := w.b.String()
	w.b.Reset()
	w.printf("// Package %s adapts functions to what parallax can call.\npackage %s\n\nimport (\n", wrapperFolder, wrapperFolder)
	var std []string
	for name := range w.std {
		std = append(std, name)
	}
	sort.Strings(std)
	for _, name := range std {
		w.printf("%q\n", name)
	}
	w.printf("\n")
	for _, path := range w.paths {
		w.printf("%s %q\n", w.aliases[path], path)
	}
	w.printf(")\n\n%s", body)
	text, err := format.Source([]byte(w.b.String()))
	if err != nil {
		return w.b.String()
	}
	return string(text)
}
