package finding

import (
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/internal"
	"parallax/internal/sequence"
)

// The reproducer of programs that execute sequences of operations (package sequence): a Go test that makes both values, calls the methods one after
// the other and compares what these return, as the campaign does. Each program has a process of its own, so that one that ends or hangs is an answer. What
// acts on the machine runs in namespaces of its own, below an empty folder, or not at all.

// A ReproSequence is what sequences are made of.
type ReproSequence struct {
	Kinds     []sequence.Kind
	Sentinels bool // as sequence.Table has it
	Box       bool // the original acts on the machine
}

// RenderingFile writes results in the form in which they are compared. It stands beside such a reproducer.
const RenderingFile = "rendering_test.go"

// ReproducerMore is what a reproducer has beside it; nil: nothing.
func (f *Finding) ReproducerMore() map[string][]byte {
	if f.Repro == nil || f.Repro.Sequence == nil {
		return nil
	}
	for _, file := range internal.Files() {
		if file.Path == "sequence/show.go" {
			text := strings.Replace(string(file.Text), "package sequence", "package discrepancy", 1)
			text = strings.Replace(text, "// This file needs nothing of parallax: reproducers of findings have it too (Rendering).\n\n", "", 1)
			return map[string][]byte{RenderingFile: []byte(text)}
		}
	}
	return nil
}

// sequenceReproducer writes the test.
func (f *Finding) sequenceReproducer() ([]byte, error) {
	fail := func(format string, args ...any) ([]byte, error) {
		return nil, fmt.Errorf("finding %s: %s", f.Bucket, fmt.Sprintf(format, args...))
	}
	w := &sequenceWriter{seq: f.Repro.Sequence, std: map[string]bool{}}
	if _, err := f.Repro.module(); err != nil {
		return fail("%v", err)
	}
	var programs []string
	for i := range f.Repro.Programs {
		body, err := w.program(i, &f.Repro.Programs[i], f.steps(i))
		if err != nil {
			return fail("%v", err)
		}
		programs = append(programs, body)
	}
	for _, k := range w.seq.Kinds {
		if w.std[k.Name] || slices.Contains(reserved, k.Name) {
			return fail("no reproducer can be written: its variables are called %s, which has another meaning there", k.Name)
		}
	}
	for _, p := range []string{"bytes", "context", "fmt", "os", "os/exec", "reflect", "runtime/debug", "sort", "strconv", "strings", "syscall", "testing", "time"} {
		w.std[p] = true
	}
	box := "\treturn nil\n"
	prepare := ""
	if w.seq.Box {
		w.std["io/fs"], w.std["path/filepath"] = true, true
		box, prepare = boxedProcess, enterBox
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Package discrepancy reproduces a finding of parallax. Run it in this folder:\n//\n//\t%s\npackage discrepancy\n\nimport (\n", ReproducerCommand)
	for _, p := range slices.Sorted(maps.Keys(w.std)) {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	b.WriteString("\n")
	for i, p := range f.Repro.Programs {
		fmt.Fprintf(&b, "\tp%d %q\n", i+1, p.ImportPath)
	}
	fmt.Fprintf(&b, ")\n\n// programs execute the same operations (bucket %s).\nvar programs = []program{\n%s}\n", escape.Text(f.Bucket), strings.Join(programs, ""))
	fmt.Fprintf(&b, "\n// sentinels: errors that no errors.Is distinguishes are one.\nvar rendering = &Table{Sentinels: %t}\n", w.seq.Sentinels)
	b.WriteString(strings.NewReplacer("\tPREPARE\n", prepare, "\tBOX\n", box).Replace(sequenceTest))
	b.WriteString(map[bool]string{true: clearBox, false: clearFolder}[w.seq.Box])
	b.WriteString(reproShow)
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		return fail("the reproducer is not valid Go: %v", err)
	}
	return src, nil
}

// steps are the lines of a program's transcript. A program whose process ended gave none: its steps are the calls, with the objects that the other's
// transcript names.
func (f *Finding) steps(i int) []string {
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

// sequenceWriter writes the calls of one program after the other.
type sequenceWriter struct {
	seq      *ReproSequence
	std      map[string]bool // packages that the calls need
	b        strings.Builder
	declared map[string]bool
	number   int // of variables
}

// reserved are names that the calls' lines use.
var reserved = []string{"argument", "bytes", "context", "err", "folder", "make", "nil", "os", "p1", "p2", "plain", "reflect", "rendering", "say", "strings", "thing", "time"}

func (w *sequenceWriter) program(i int, p *ReproProgram, lines []string) (string, error) {
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

// step writes a call.
func (w *sequenceWriter) step(call, result string) error {
	receiver, rest, _ := strings.Cut(call, ".")
	name, inside, ok := strings.Cut(strings.TrimSuffix(rest, ")"), "(")
	m := w.method(receiver, name)
	if !ok || m == nil || !w.declared[receiver] {
		return fmt.Errorf("no reproducer can be written: %s is of no value that a call before it returned", call)
	}
	args := splitGo(inside)
	said := make([]string, len(args))
	for i, a := range args {
		if strings.HasPrefix(a, "io.") { // the other packages that arguments name are there anyway
			w.std["io"] = true
		}
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

// method is a method of a variable, by the name of its kind.
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

// splitGo takes a list of Go expressions, or of what is like them, apart.
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
