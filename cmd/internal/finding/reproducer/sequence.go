package reproducer

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/internal"
	"parallax/internal/sequence"
)

// Sequence describes sequences of operations (package sequence). The test makes both values, calls
// their methods one after the other, and compares the results like the campaign. Each program has
// its own process, so that an end or a hang is a result. A program that changes the machine runs in
// namespaces of its own, below an empty folder, or not at all.
type Sequence struct {
	Kinds     []sequence.Kind
	Sentinels bool // as in sequence.Table
	Box       bool // the original changes the machine
}

// renderingFile writes results in the form in which they are compared. It is next to the test.
const renderingFile = "rendering_test.go"

// sequenceTest is the template of the test. The rendering next to it needs its types Table, Method
// and argument, and its function other.
//
//go:embed sequence.txt
var sequenceTest string

// rendering returns the library's rendering as a file of the test.
func rendering() []byte {
	all := internal.Files()
	i := slices.IndexFunc(all, func(f internal.File) bool { return f.Path == "sequence/show.go" })
	return []byte(strings.NewReplacer("package sequence", "package discrepancy",
		"// This file needs nothing of parallax: reproducers of findings have it too (Rendering).\n\n", "").Replace(string(all[i].Text)))
}

// sequenceTest writes the test.
func (r *Functions) sequenceTest(f *finding.Finding) ([]byte, error) {
	w := &sequenceWriter{seq: r.Sequence}
	var programs strings.Builder
	for i := range r.Programs {
		body, err := w.program(&r.Programs[i], steps(f, i))
		if err != nil {
			return nil, err
		}
		programs.WriteString(body)
	}
	for _, k := range w.seq.Kinds {
		if slices.Contains(reserved, k.Name) {
			return nil, fmt.Errorf("its variables are called %s, which has another meaning there", k.Name)
		}
	}
	text, err := execute(sequenceTest, struct {
		*Sequence
		Bucket, Programs string
	}{r.Sequence, escape.Text(f.Bucket), programs.String()})
	if err != nil {
		return nil, err
	}
	return goFile(testHead(f), text+show, r.imports()...)
}

// steps returns the lines of a program's transcript. A program whose process ended has none. Its
// steps are the calls, with the objects that the other program's transcript names.
func steps(f *finding.Finding, i int) []string {
	if i < len(f.Programs) && !f.Programs[i].Truncated {
		if lines, ok := sequence.Lines(f.Programs[i].Value); ok && len(lines) > 0 {
			return lines
		}
	}
	lines := strings.Split(f.Drawn, "\n")
	for k := range f.Programs {
		other, ok := sequence.Lines(f.Programs[k].Value)
		for n := 0; ok && n < min(len(other), len(lines)); n++ {
			if call, result := sequence.Split(other[n]); call == lines[n] && result != "is not implemented" {
				lines[n] = other[n]
			}
		}
	}
	return lines
}

// sequenceWriter writes the calls of one program after another.
type sequenceWriter struct {
	seq      *Sequence
	b        strings.Builder
	declared map[string]bool
	number   int // of variables
}

// reserved lists names that the calls use.
var reserved = []string{"argument", "bytes", "context", "err", "fmt", "folder", "io", "make", "nil", "os", "p1", "p2", "plain", "reflect", "rendering", "say", "sort", "strconv", "strings", "syscall", "testing", "thing", "time"}

func (w *sequenceWriter) program(p *Function, lines []string) (string, error) {
	w.b.Reset()
	root := w.seq.Kinds[0].Name
	w.declared, w.number = map[string]bool{root: true}, 0
	fmt.Fprintf(&w.b, "{%s, func(say *transcript) {\n", escape.Quote(escape.Text(p.Name)))
	if p.Last == "error" {
		fmt.Fprintf(&w.b, "%s, err := %s\nif err != nil {\nsay.line(\"the constructor fails: \" + rendering.class(err))\nreturn\n}\n", root, p.Call)
	} else {
		fmt.Fprintf(&w.b, "%s := %s\n", root, p.Call)
	}
	fmt.Fprintf(&w.b, "_ = %s\n", root)
	for _, line := range lines {
		if strings.HasSuffix(line, " is not implemented") {
			break // the model does not have it, and ends the sequence
		}
		call, result := sequence.Split(line)
		if call == "" {
			continue
		}
		if err := w.step(call, result); err != nil {
			return "", err
		}
		if strings.HasPrefix(result, "panics:") {
			break
		}
	}
	w.b.WriteString("}},\n")
	return w.b.String(), nil
}

// step writes a call and the record of its results.
func (w *sequenceWriter) step(call, result string) error {
	receiver, rest, _ := strings.Cut(call, ".")
	name, inside, ok := strings.Cut(strings.TrimSuffix(rest, ")"), "(")
	m := w.method(receiver, name)
	if !ok || m == nil || !w.declared[receiver] {
		return fmt.Errorf("%s is of no value that a call before it returned", call)
	}
	args := splitGo(inside)
	said := make([]string, len(args))
	for i, a := range args {
		said[i] = "{}"
		switch {
		case strings.HasPrefix(a, "make([]byte, "):
			args[i] = w.variable("buffer")
			fmt.Fprintf(&w.b, "%s := %s\n", args[i], a)
			said[i] = fmt.Sprintf("{value: reflect.ValueOf(%s), before: make([]byte, len(%[1]s))}", args[i])
		case a == "new(bytes.Buffer)":
			args[i] = w.variable("writer")
			fmt.Fprintf(&w.b, "%s := new(bytes.Buffer)\n", args[i])
			said[i] = "{written: " + args[i] + "}"
		default:
			if _, err := strconv.Atoi(a); err == nil && i == 0 && strings.HasPrefix(strings.ToLower(m.Name), "readdir") {
				said[i] = fmt.Sprintf("{value: reflect.ValueOf(%s)}", a)
			}
		}
	}
	result, _, _ = strings.Cut(result, "; ")
	parts := splitGo(result)
	var left, shown []string
	fresh := false
	for i, kind := range m.Results {
		v := ""
		if kind >= 0 && i < len(parts) && w.isObject(kind, parts[i]) {
			v = parts[i]
			shown = append(shown, fmt.Sprintf("thing(%q, %s)", v, v))
		} else if v = w.variable("r"); kind >= 0 {
			shown = append(shown, fmt.Sprintf("thing(\"an object\", %s)", v))
		} else {
			shown = append(shown, "plain("+v+")")
		}
		fresh = fresh || !w.declared[v]
		w.declared[v] = true
		left = append(left, v)
	}
	if len(left) > 0 {
		fmt.Fprintf(&w.b, "%s %s ", strings.Join(left, ", "), map[bool]string{true: ":=", false: "="}[fresh])
	}
	fmt.Fprintf(&w.b, "%s.%s(%s)\n", receiver, name, strings.Join(args, ", "))
	given := "nil"
	if slices.ContainsFunc(said, func(s string) bool { return s != "{}" }) {
		given = "[]argument{" + strings.Join(said, ", ") + "}"
	}
	filled := ""
	if m.Filled {
		filled = ", Filled: true"
	}
	fmt.Fprintf(&w.b, "say.that(%s, &Method{Name: %q%s}, %s)\n", escape.Quote(call), name, filled, strings.Join(append([]string{given}, shown...), ", "))
	return nil
}

func (w *sequenceWriter) variable(prefix string) string {
	w.number++
	return fmt.Sprintf("%s_%d", prefix, w.number)
}

// method returns a method of a variable. The variable's name begins with that of its kind.
func (w *sequenceWriter) method(receiver, name string) *sequence.Method {
	for k := range w.seq.Kinds {
		kind := &w.seq.Kinds[k]
		if k == 0 && receiver == kind.Name || w.isObject(k, receiver) {
			for i := range kind.Methods {
				if kind.Methods[i].Name == name {
					return &kind.Methods[i]
				}
			}
		}
	}
	return nil
}

// isObject reports whether a text is the name of an object of a kind.
func (w *sequenceWriter) isObject(kind int, text string) bool {
	n, ok := strings.CutPrefix(text, w.seq.Kinds[kind].Name)
	_, err := strconv.ParseUint(n, 10, 8)
	return ok && err == nil
}

// splitGo splits a list of Go expressions at its commas.
func splitGo(list string) (parts []string) {
	depth, from := 0, 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '"', '`':
			if prefix, err := strconv.QuotedPrefix(list[i:]); err == nil {
				i += len(prefix) - 1
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, strings.TrimSpace(list[from:i])), i+1
			}
		}
	}
	if rest := strings.TrimSpace(list[from:]); rest != "" {
		parts = append(parts, rest)
	}
	return parts
}
