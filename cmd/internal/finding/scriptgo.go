package finding

import (
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/internal/input"
)

// A GoCall is a Go function in a program of its own, so that versions of one module and toolchains stand side by side.
type GoCall struct {
	Repro     Repro // of one program
	Import    string
	Shape     input.Shape // of its arguments: bytes where others take a string, or the other way round
	Toolchain string      // "" for the one that is there
	Text      bool        // values are compared as texts: what is no text is JSON
	Ignored   []string    // fields that are not compared, like yaml.Node.Column
}

// Needs implements ScriptRunner.
func (c *GoCall) Needs() ScriptNeeds {
	n := ScriptNeeds{Build: true, Command: []string{"go"}}
	if c != nil {
		_, n.Folders = c.Repro.folders()
	}
	return n
}

// Write implements ScriptRunner: a Go program in a folder, and the lines that build and run it. Without a call there is none.
func (c *GoCall) Write(w *ScriptWriter) error {
	if c == nil {
		w.Printf("cannot \"no Go expression can call it\"\ntold '' \"$box/out\" \"$box/err\"\n")
		return nil
	}
	p := w.Program
	folder := "go-" + safeName(p.Name)
	for _, taken := w.files[folder+"/main.go"]; taken; _, taken = w.files[folder+"/main.go"] {
		folder += "x"
	}
	source, err := w.f.goMain(c)
	if err != nil {
		return err
	}
	mod, err := c.Repro.GoMod()
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
	modules, dirs := c.Repro.folders()
	for i, m := range modules {
		if word := w.Word(dirs[i]); word != ShellText(dirs[i]) {
			lines += "go mod edit -replace=" + ShellText(m) + "=" + word + " &&\n"
		}
	}
	w.Prepare("build", lines+env+"go build -o program .")
	w.Run(fmt.Sprintf(`timeout -s KILL %d ./program "$input"`, w.Limit))
	w.b.WriteString(`if [ "$verdict" != unable ]; then
	case $(head -n 1 "$box/out" | tr -d '\000') in
	accepted|rejected)
		verdict=$(head -n 1 "$box/out")
		tail -c +10 "$box/out" >"$box/value" ;;
	*) case $status in 137) verdict=timeout ;; *) verdict=crashed ;; esac ;;
	esac
fi
told "exit status $status" "$box/value" "$box/err"
`)
	return nil
}

// safeName is a name as a part of a path and of a shell's line.
func safeName(s string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
	return name[:min(len(name), 60)]
}

// goMain is a program that calls a function. It prints the verdict on a line, and then the value, or what an error says.
func (f *Finding) goMain(c *GoCall) ([]byte, error) {
	if len(c.Repro.Programs) != 1 {
		return nil, fmt.Errorf("it has no call")
	}
	p := &c.Repro.Programs[0]
	used, err := mentions(p.Call)
	if err != nil {
		return nil, fmt.Errorf("its call is not a Go expression: %w", err)
	}
	std := map[string]bool{"fmt": true, "os": true}
	var body strings.Builder
	for i, lit := range quote.Literals(c.Shape, f.Minimized) {
		name := argument(c.Shape, i)
		if !used[name] {
			continue
		}
		if c.Shape.Raw() {
			body.WriteString("data, err := os.ReadFile(os.Args[1])\nif err != nil {\nfmt.Fprintln(os.Stderr, err)\nos.Exit(2)\n}\n")
			lit = map[bool]string{true: "string(data)", false: "data"}[c.Shape[0] == input.String]
		}
		fmt.Fprintf(&body, "%s := %s\n", name, lit)
		if strings.HasPrefix(lit, "math.") {
			std["math"] = true
		}
	}
	if used["json"] {
		std["encoding/json"] = true
	}
	var vars []string
	for i := range p.Results {
		vars = append(vars, fmt.Sprintf("r%d", i+1))
	}
	last := map[string]string{"error": "end", "bool": "ok"}[p.Last]
	if all := slices.Concat(vars, nonEmpty(last)); len(all) > 0 {
		fmt.Fprintf(&body, "%s := ", strings.Join(all, ", "))
	}
	body.WriteString(p.Call + "\n")
	switch p.Last {
	case "error":
		body.WriteString("if end != nil {\nfmt.Fprintf(out, \"rejected\\n%s\", end.Error())\nreturn\n}\n")
	case "bool":
		body.WriteString("if !ok {\nfmt.Fprint(out, \"rejected\\n\")\nreturn\n}\n")
	}
	render := ""
	switch {
	case len(vars) == 0:
		body.WriteString("fmt.Fprint(out, \"accepted\\n\")\n")
	case c.Text:
		render = goText
		std["encoding/json"], std["reflect"] = true, true
		fmt.Fprintf(&body, "value := text(%s)\nfmt.Fprintf(out, \"accepted\\n%%s\", value)\n", strings.Join(vars, ", "))
	default:
		render = strings.Replace(reproShow, "for i := range v.NumField() {", "for i := 0; i < v.NumField(); i++ {\nif ignored[v.Type().String()+\".\"+v.Type().Field(i).Name] {\ncontinue\n}", 1)
		render = strings.Replace(render, "for i := range v.Len() {", "for i := 0; i < v.Len(); i++ {", 1)
		render += "\n// What only some versions of a type have is not compared.\nvar ignored = map[string]bool{\n"
		for _, name := range c.Ignored {
			render += escape.Quote(name) + ": true,\n"
		}
		render += "}\n"
		for _, name := range []string{"reflect", "sort", "strings", "time"} {
			std[name] = true
		}
		fmt.Fprintf(&body, "value := show(%s)\nfmt.Fprintf(out, \"accepted\\n%%s\", value)\n", strings.Join(vars, ", "))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Command main calls %s with the input of a finding of parallax. It prints \"accepted\" or \"rejected\" on a line, and then the\n// value or the error.\npackage main\n\nimport (\n", strings.ReplaceAll(escape.Text(p.ImportPath), "\n", " "))
	for _, path := range slices.Sorted(maps.Keys(std)) {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	fmt.Fprintf(&b, "\n\t%s %q\n)\n\nfunc main() {\n", c.Import, p.ImportPath)
	b.WriteString("// What the function prints is not its value.\nout := os.Stdout\nos.Stdout = os.Stderr\n")
	b.WriteString(body.String() + "}\n" + render)
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("its program is not valid Go: %w", err)
	}
	return src, nil
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
