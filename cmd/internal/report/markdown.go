package report

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Page is what report.md shows beyond the finding's own record.
type Page struct {
	Source     func(file string) ([]byte, error) // reads a source file; nil: os.ReadFile
	Reproducer string                            // the reproducer's text; "": none
	GoMod      string                            // the go.mod beside it
}

// Markdown is report.md: the finding as an issue for the programs' authors. Nothing in it depends on the machine it was
// found on.
func (f *Finding) Markdown(page Page) []byte {
	if page.Source == nil {
		page.Source = os.ReadFile
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n", f.title())
	fmt.Fprintf(&b, "Found by parallax in target %s: %s, bucket %s.\n\n",
		orNone(Code(f.Target)), f.what(), orNone(Code(f.Bucket)))

	if f.single() {
		b.WriteString("## What it did\n\n")
	} else {
		b.WriteString("## What each program did\n\n")
	}
	f.table(&b)
	if len(f.Odd) > 0 {
		fmt.Fprintf(&b, "\nOdd one out: %s.\n", codes(f.Odd))
	}
	for _, p := range f.Programs {
		if p.Stack != "" {
			fmt.Fprintf(&b, "\nThe stack of %s:\n\n%s", Code(p.Name), Fence("", Cut(strings.TrimLeft(shortStack(p.Stack), "\n"), shown)))
		}
		if p.Output != "" {
			fmt.Fprintf(&b, "\nWhat %s logged:\n\n%s", Code(p.Name), Fence("", Cut(strings.TrimRight(p.Output, "\n"), shown)))
		}
	}

	fmt.Fprintf(&b, "\n## Input\n\nMinimised%s:\n\n", f.sized(" to ", f.Minimized))
	f.showInput(&b, f.Minimized)
	if !bytes.Equal(f.Input, f.Minimized) {
		fmt.Fprintf(&b, "\nAs it was found%s:\n\n", f.sized(", ", f.Input))
		f.showInput(&b, f.Input)
	}
	f.origin(&b)
	f.decided(&b, page)

	b.WriteString("\n## How to replay\n\n")
	if f.Replay != "" {
		b.WriteString(Fence("sh", f.Replay))
	}
	if page.Reproducer != "" && f.Fuzz != nil {
		fmt.Fprintf(&b, "\nWithout parallax: put this into %s, a new file in the folder of package %s, and run %s there.\n\n",
			Code(f.Fuzz.file(f.Bucket)), Code(f.Fuzz.ImportPath), Code(f.fuzzCommand("")))
		b.WriteString(Fence("go", page.Reproducer))
	} else if page.Reproducer != "" {
		fmt.Fprintf(&b, "\nWithout parallax: put this into `%s`", ReproducerFile)
		if page.GoMod != "" {
			b.WriteString(" beside this `go.mod`")
		}
		fmt.Fprintf(&b, " and run `%s`.\n\n", ReproducerCommand)
		if page.GoMod != "" {
			b.WriteString(Fence("", page.GoMod) + "\n")
		}
		b.WriteString(Fence("go", page.Reproducer))
	}
	return b.Bytes()
}

// Single reports whether there is nothing that the program could be compared with.
func (f *Finding) single() bool { return len(f.Programs) == 1 }

// ShortStack is a stack without the folders of the machine.
func shortStack(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text := strings.TrimLeft(line, " \t")
		if strings.HasPrefix(text, "/") {
			b.WriteString(line[:len(line)-len(text)])
			text = ShortPath(text)
		} else {
			text = line
		}
		b.WriteString(text)
	}
	return b.String()
}

func (f *Finding) title() string {
	var names []string
	for _, p := range f.Programs {
		names = append(names, p.Name)
	}
	switch {
	case f.Kind == "crash" || f.Kind == "timeout" || f.Kind == "oom" || f.Kind == "failure":
		for _, p := range f.Programs {
			if p.Outcome != "crashed" && p.Outcome != "timeout" && p.Outcome != "oom" {
				continue
			}
			what := map[string]string{"timeout": "does not return", "oom": "runs out of memory"}[p.Outcome]
			switch {
			case what != "":
			case f.Kind == "failure":
				what = "fails"
			default:
				what = "crashes"
			}
			if m := firstLine(p.Message); m != "" {
				what += ": " + Plain(Cut(m, 100))
			}
			return Code(p.Name) + " " + what
		}
	case f.Kind == "change":
		return codes(names) + " differ"
	}
	if f.Layer == "value" {
		return codes(names) + " accept the same input with different values"
	}
	if f.Layer == "class" {
		return codes(names) + " reject the same input for different reasons"
	}
	return codes(names) + " disagree"
}

func (f *Finding) what() string {
	if f.Layer != "" {
		return Plain(f.Kind) + " (" + Plain(f.Layer) + ")"
	}
	return Plain(f.Kind)
}

func (f *Finding) table(b *bytes.Buffer) {
	at := "decided at"
	if f.single() {
		at = "at"
	}
	fmt.Fprintf(b, "| program | outcome | result | %s |\n|---|---|---|---|\n", at)
	for _, p := range f.Programs {
		result := Cell(f.Excerpt(&p, 400, 500))
		if p.Error != "" && p.ErrorType != "" {
			result += " of type " + Cell(p.ErrorType)
		}
		if p.Truncated {
			result += " (cut)"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", Cell(p.Name), Plain(Outcome(f.Kind, p.Outcome)), result, Cell(ShortPath(p.Deciding)))
	}
}

// Sized is the size of an input that is one string of bytes; that of several arguments says nothing.
func (f *Finding) sized(before string, flat []byte) string {
	if !f.Shape.Raw() {
		return ""
	}
	return before + size(len(flat))
}

func (f *Finding) showInput(b *bytes.Buffer, flat []byte) {
	values := unpack(f.Shape, flat)
	if values == nil {
		values = []any{flat}
	}
	var lines []string
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			lines = append(lines, "[]byte("+QuoteCut(string(v), shown)+")")
		case string:
			lines = append(lines, QuoteCut(v, shown))
		default:
			lines = append(lines, literal(v))
		}
	}
	b.WriteString(Fence("go", strings.Join(lines, "\n")))
	for i, v := range values {
		var data []byte
		switch v := v.(type) {
		case []byte:
			data = v
		case string:
			data = []byte(v)
		}
		if d := HexDump(data, 1024); d != "" {
			if len(values) > 1 {
				fmt.Fprintf(b, "\nArgument %d:\n", i+1)
			}
			b.WriteString("\n" + Fence("", d))
		}
	}
}

func (f *Finding) origin(b *bytes.Buffer) {
	if f.Parent == nil && len(f.Operators) == 0 {
		return
	}
	b.WriteString("\n## Where it came from\n\n")
	by := ""
	if len(f.Operators) > 0 {
		by = " by " + codes(f.Operators)
	}
	if f.Parent == nil {
		fmt.Fprintf(b, "A fresh input%s.\n", by)
		return
	}
	fmt.Fprintf(b, "From corpus input %s%s. What differs is marked:\n\n", orNone(Code(f.hash(f.Parent))), by)
	b.WriteString(Fence("", Difference(f.Parent, f.Input)))
}

// Decided shows the source around each program's deciding line.
func (f *Finding) decided(b *bytes.Buffer, page Page) {
	first := true
	for _, p := range f.Programs {
		if p.Deciding == "" {
			continue
		}
		if first {
			if f.single() {
				b.WriteString("\n## Where\n")
			} else {
				b.WriteString("\n## Where they part\n")
			}
			first = false
		}
		fmt.Fprintf(b, "\n%s at %s\n", Code(p.Name), Code(ShortPath(p.Deciding)))
		if lines := SourceLines(page.Source, p.Deciding, 2); lines != "" {
			b.WriteString("\n" + Fence("", lines))
		}
	}
}

// SourceLines are the lines around a file:line position, numbered, that line marked; empty when it cannot be read.
func SourceLines(read func(string) ([]byte, error), position string, around int) string {
	file, number, ok := cutLine(position)
	if !ok {
		return ""
	}
	src, err := read(file)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(src), "\n")
	if number < 1 || number > len(lines) {
		return ""
	}
	var b strings.Builder
	for n := max(1, number-around); n <= min(len(lines), number+around); n++ {
		mark := " "
		if n == number {
			mark = ">"
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %5d  %s", mark, n, Cut(lines[n-1], 200)), " \t\r") + "\n")
	}
	return b.String()
}

// CutLine splits file:line or file:line:column.
func cutLine(position string) (file string, line int, ok bool) {
	part := strings.Split(position, ":")
	for i := 1; i < len(part); i++ {
		if n, err := strconv.Atoi(part[i]); err == nil {
			return strings.Join(part[:i], ":"), n, true
		}
	}
	return position, 0, false
}

// Difference shows two inputs as Go text one above the other, with what differs between their common ends marked.
func Difference(parent, child []byte) string {
	p := 0
	for p < len(parent) && p < len(child) && parent[p] == child[p] {
		p++
	}
	s := 0
	for s < len(parent)-p && s < len(child)-p && parent[len(parent)-1-s] == child[len(child)-1-s] {
		s++
	}
	const context = 40 // bytes of the common ends that are shown
	var b strings.Builder
	for _, side := range []struct {
		name string
		data []byte
	}{{"parent", parent}, {"input", child}} {
		head, middle, tail := side.data[:p], side.data[p:len(side.data)-s], side.data[len(side.data)-s:]
		before, after := `"`, `"`
		if len(head) > context {
			before = fmt.Sprintf("…(%s) ", size(len(head)-context))
			head = head[len(head)-context:]
		}
		if len(tail) > context {
			after = fmt.Sprintf(" (%s)…", size(len(tail)-context))
			tail = tail[:context]
		}
		before = fmt.Sprintf("%-6s  %s", side.name, before) + inner(string(head))
		marked := inner(prefix(string(middle), 200))
		if len(middle) > 200 {
			marked += "…"
		}
		fmt.Fprintf(&b, "%s%s%s%s\n", before, marked, inner(string(tail)), after)
		fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", cells(before)), strings.Repeat("^", max(1, cells(marked))))
		if len(middle) > 200 {
			fmt.Fprintf(&b, " %s", size(len(middle)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Inner is Quote without the quotes.
func inner(s string) string { q := Quote(s); return q[1 : len(q)-1] }

func codes(names []string) string {
	var c []string
	for _, n := range names {
		c = append(c, Code(n))
	}
	switch len(c) {
	case 0:
		return ""
	case 1:
		return c[0]
	}
	return strings.Join(c[:len(c)-1], ", ") + " and " + c[len(c)-1]
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func orNone(s string) string { return cmp.Or(s, "(none)") }

func plural[N uint64 | int](n N, noun string) string {
	s := Thousands(uint64(n)) + " " + noun
	if n != 1 {
		s += "s"
	}
	return s
}
