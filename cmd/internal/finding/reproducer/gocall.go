package reproducer

import (
	"errors"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/shell"
	"parallax/internal/input"
)

// GoCall is a program of a Script: a Go function, which is built as a command. So versions of one
// module and several toolchains can take part. A nil GoCall is a function that no expression can
// call.
type GoCall struct {
	Functions Functions   // only one
	Import    string      // the package's name in Call
	Shape     input.Shape // of its arguments; it may have bytes where other programs have a string
	Toolchain string      // empty for the installed one
	Text      bool        // values are compared as texts; JSON, unless they are texts
	Ignored   []string    // fields that are not compared, like yaml.Node.Column
}

// WriteScript implements Runner. It writes a Go command in a folder, and the lines that build and
// run it.
func (c *GoCall) WriteScript(w *Writer) error {
	if c == nil {
		w.Needs(Needs{Command: []string{"go"}})
		w.Unable("no Go expression can call it")
		return nil
	}
	modules, dirs := c.Functions.folders()
	w.Needs(Needs{Command: []string{"go"}, Folders: dirs})
	folder := "go-" + safeName(w.Program.Name)
	for _, taken := w.files[folder+"/main.go"]; taken; _, taken = w.files[folder+"/main.go"] {
		folder += "x"
	}
	source, err := c.main(w.Flat())
	if err != nil {
		return err
	}
	mod, err := c.Functions.goMod()
	if err != nil {
		return err
	}
	w.File(folder+"/main.go", source)
	w.File(folder+"/go.mod", mod)
	env := "GOWORK=off GOFLAGS=-mod=mod "
	if c.Toolchain != "" {
		env += "GOTOOLCHAIN=go" + strings.TrimPrefix(c.Toolchain, "go") + " "
	}
	lines := `cp "$here/` + folder + `/"* . &&` + "\n"
	for i, m := range modules {
		if word := w.Word(dirs[i]); word != shell.Text(dirs[i]) {
			lines += "go mod edit -replace=" + shell.Text(m) + "=" + word + " &&\n"
		}
	}
	w.Prepare("build", lines+env+"go build -o program .")
	w.Run(fmt.Sprintf(`timeout -s KILL %d ./program "$input"`, w.Limit))
	w.Printf("[ \"$verdict\" = unable ] || answered || case $status in 137) verdict=timeout ;; *) verdict=crashed ;; esac\n")
	w.Compare("value")
	return nil
}

// safeName returns a name that can be a part of a path and of a shell's line.
func safeName(s string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
	return name[:min(len(name), 60)]
}

// main returns a command that calls the function. It prints the verdict on a line, and then the
// value or the error.
func (c *GoCall) main(flat []byte) ([]byte, error) {
	if len(c.Functions.Programs) != 1 {
		return nil, errors.New("it has no call")
	}
	p := &c.Functions.Programs[0]
	used, err := mentions(p.Call)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("func main() {\n// What the function prints is not its value.\nout := os.Stdout\nos.Stdout = os.Stderr\n")
	for i, lit := range quote.Literals(c.Shape, flat) {
		name := argument(c.Shape, i)
		if !used[name] {
			continue
		}
		if c.Shape.Raw() {
			b.WriteString("data, err := os.ReadFile(os.Args[1])\nif err != nil {\nfmt.Fprintln(os.Stderr, err)\nos.Exit(2)\n}\n")
			lit = map[bool]string{true: "string(data)", false: "data"}[c.Shape[0] == input.String]
		}
		fmt.Fprintf(&b, "%s := %s\n", name, lit)
	}
	call, vars := p.statement("end")
	b.WriteString(call)
	switch p.Last {
	case "error":
		b.WriteString("if end != nil {\nfmt.Fprintf(out, \"rejected\\n%s\", end.Error())\nreturn\n}\n")
	case "bool":
		b.WriteString("if !ok {\nfmt.Fprint(out, \"rejected\\n\")\nreturn\n}\n")
	}
	switch {
	case len(vars) == 0:
		b.WriteString("fmt.Fprint(out, \"accepted\\n\")\n}\n")
	case c.Text:
		fmt.Fprintf(&b, "value := text(%s)\nfmt.Fprintf(out, \"accepted\\n%%s\", value)\n}\n%s", strings.Join(vars, ", "), goText)
	default: // in a language that older toolchains have
		render := strings.Replace(show, "for i := range v.NumField() {", "for i := 0; i < v.NumField(); i++ {\nif ignored[v.Type().String()+\".\"+v.Type().Field(i).Name] {\ncontinue\n}", 1)
		render = strings.Replace(render, "for i := range v.Len() {", "for i := 0; i < v.Len(); i++ {", 1)
		fmt.Fprintf(&b, "value := show(%s)\nfmt.Fprintf(out, \"accepted\\n%%s\", value)\n}\n%s", strings.Join(vars, ", "), render)
		b.WriteString("\n// ignored holds fields that only some versions of a type have. They are not compared.\nvar ignored = map[string]bool{\n")
		for _, name := range c.Ignored {
			b.WriteString(escape.Quote(name) + ": true,\n")
		}
		b.WriteString("}\n")
	}
	head := fmt.Sprintf("// Command main calls %s with the input of a finding of parallax. It prints \"accepted\" or \"rejected\" on a line, and then the\n"+
		"// value or the error.\npackage main", strings.ReplaceAll(escape.Text(p.ImportPath), "\n", " "))
	return goFile(head, b.String(), p.imports(c.Import)...)
}

const goText = `
// text is a value as it is compared with those of programs in other languages: a text as it is, everything else as JSON.
func text(values ...interface{}) string {
	for i, v := range values {
		v := reflect.ValueOf(v)
		switch {
		case v.Kind() == reflect.String:
			values[i] = v.String()
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
			values[i] = string(v.Bytes())
		}
	}
	var data []byte
	var err error
	if len(values) > 1 {
		data, err = json.Marshal(values)
	} else if s, ok := values[0].(string); ok {
		return s
	} else {
		data, err = json.Marshal(values[0])
	}
	if err != nil {
		return "(no text: " + err.Error() + ")"
	}
	return string(data)
}
`
