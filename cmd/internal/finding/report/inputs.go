package report

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/internal/oracle"
)

// What a finding's page shows of inputs: the smallest, the one that was found, and what that was mutated from.

// inputs shows the smallest input, its general form, and what was found.
func (f *Finding) inputs(d *document, page Page) {
	d.add(headingBlock{2, []span{say("Input")}})
	head := paragraphBlock{say("Minimized")}
	if limit := f.limit(); limit != "" {
		head = paragraphBlock{say("As found, not minimized: each run takes %s", limit)}
		if page.Minimize != "" {
			head = append(head, say(" ("), named(page.Minimize), say(" tries smaller ones)"))
		}
	}
	waits := page.Waits && f.limit() == "" && bytes.Equal(f.Input, f.Minimized)
	if waits {
		head = paragraphBlock{say("As found, not minimized yet")}
		if page.Minimize != "" {
			head = append(head, say(" ("), named(page.Minimize), say(" tries smaller ones)"))
		}
	}
	switch {
	case f.call():
		d.add(append(head, say(":")), codeText(f.callLanguage(), f.Drawn), paragraphBlock{say("As bytes of an input%s:", f.sized(", ", f.Minimized))})
	case f.Drawn != "":
		d.add(append(head, say(":")), codeText("go", f.Drawn), paragraphBlock{say("It is drawn from this tape%s:", f.sized(" of ", f.Minimized))})
	case waits || f.limit() != "":
		d.add(append(head, say("%s:", f.sized("; ", f.Minimized))))
	default:
		d.add(append(head, say("%s:", f.sized(" to ", f.Minimized))))
	}
	f.showInput(d, page, f.Minimized, "minimized")
	if form := f.GeneralForm(shown); form != "" {
		d.add(paragraphBlock{say("General form, with any text of the named kind in %s%s:", holeOpen, holeClose)}, codeText("", form))
	}
	if !bytes.Equal(f.Input, f.Minimized) {
		d.add(paragraphBlock{say("As found%s:", f.sized(", ", f.Input))})
		f.showInput(d, page, f.Input, "input")
	}
}

// limit is what each run of an input takes that triage has left as it was found; "": it was made smaller, or may have been.
func (f *Finding) limit() string {
	if !bytes.Equal(f.Input, f.Minimized) {
		return "" // by the command
	}
	return map[string]string{oracle.KindTimeout: "the time limit", oracle.KindOOM: "the memory limit"}[f.Kind]
}

// call reports whether the input is a call of a function, that Drawn has in words, and no tape.
func (f *Finding) call() bool {
	return f.Drawn != "" && tapeOf(f.Minimized) == nil
}

// FromTape reports whether Minimized is a tape of choices, and Drawn what a generator makes of it.
func (f *Finding) FromTape() bool { return f.Drawn != "" && !f.call() }

// callLanguage is that of the calls: of functions of one build Go, of drivers JavaScript, and else C.
func (f *Finding) callLanguage() string {
	for i := range f.Programs {
		switch f.Programs[i].Kind {
		case "":
		case "persistent":
			return "js"
		default:
			return "c"
		}
	}
	return "go"
}

// sized is the size of an input that is one string of bytes; that of several arguments says nothing.
func (f *Finding) sized(before string, flat []byte) string {
	if !f.Shape.Raw() {
		return ""
	}
	return before + escape.Size(len(flat))
}

// dumped is how many bytes of an argument a page has in hexadecimal.
const dumped = 256

// showInput shows an input; what is too long is cut, and file, in the finding's folder, has all of it.
func (f *Finding) showInput(d *document, page Page, flat []byte, file string) {
	values := unpack(f.Shape, flat)
	if values == nil {
		values = []any{flat}
	}
	var lines []string
	for i, v := range values {
		switch v := v.(type) {
		case []byte:
			lines = append(lines, "[]byte("+escape.QuoteCut(string(v), shown)+")")
		case string:
			lines = append(lines, escape.QuoteCut(v, shown))
		default:
			lines = append(lines, literal(v))
		}
		lines[i] += f.argumentComment(i)
	}
	d.add(codeText("go", strings.Join(lines, "\n")))
	if f.FromTape() {
		return // nobody reads the bytes of a tape
	}
	cut := false
	for i, v := range values {
		data, _ := textOf(v)
		if dump := escape.HexDump([]byte(data), dumped); dump != "" {
			if len(values) > 1 {
				d.add(paragraphBlock{say("%s:", f.argument(i))})
			}
			c := codeText("", dump)
			c.wrap = false
			d.add(c)
			cut = cut || len(data) > dumped
		}
		cut = cut || len(data) > shown
	}
	switch {
	case !cut:
	case !page.markdown && page.Folder != "":
		d.add(paragraphBlock{say("All of it: "), named(filepath.Join(page.Folder, file))})
	default:
		d.add(paragraphBlock{say("All of it is in the file "), named(file), say(" in the finding's folder.")})
	}
}

// textOf is an argument that is text or bytes.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case []byte:
		return string(v), true
	case string:
		return v, true
	}
	return "", false
}

// origin shows how the input differs from the one that it was mutated from.
func (f *Finding) origin(d *document, page Page) {
	if f.Parent == nil && len(f.Operators) == 0 {
		return
	}
	d.add(headingBlock{2, []span{say("Origin")}})
	var by []span
	if len(f.Operators) > 0 {
		by = append([]span{say(" by ")}, enumerate(f.Operators)...)
	}
	if f.Parent == nil {
		d.add(append(append(paragraphBlock{say("A new input")}, by...), say(".")))
		return
	}
	p := append(paragraphBlock{say("From corpus input "), named(cmp.Or(f.hash(f.Parent), "(none)"))}, by...)
	if bytes.Equal(f.Parent, f.Input) {
		d.add(append(p, say(", which is the same.")))
		return
	}
	if f.Drawn != "" { // bytes of tapes say nothing
		d.add(append(p, say(".")))
		return
	}
	d.add(append(p, say(". Differences are marked:")))
	before, after := unpack(f.Shape, f.Parent), unpack(f.Shape, f.Input)
	if len(before) < 2 || len(before) != len(after) {
		before, after = []any{f.Parent}, []any{f.Input}
		if f.Shape.Raw() || len(f.Shape) == 0 {
			before, after = []any{string(f.Parent)}, []any{string(f.Input)}
		}
	}
	for i := range before {
		a, text := textOf(before[i])
		b, _ := textOf(after[i])
		if !text {
			a, b = literal(before[i]), literal(after[i])
		}
		if a == b {
			continue
		}
		if len(before) > 1 {
			d.add(paragraphBlock{say("%s:", f.argument(i))})
		}
		switch {
		case !text:
			d.add(codeBlock{lines: markedRows([]row{{"parent", a}, {"input", b}}, rowOptions{width: page.width, always: true})})
		case lined(a) && lined(b):
			d.add(codeBlock{language: "diff", lines: lineDifference(a, b)})
		default:
			d.add(codeBlock{lines: parentRows(a, b, page.width)})
		}
	}
}

// lined reports whether a text is read line by line: it has several, and nothing in them that would be escaped.
func lined(s string) bool {
	return strings.Count(strings.TrimSuffix(s, "\n"), "\n") >= 2 && escape.HexDump([]byte(strings.ReplaceAll(s, "\t", " ")), 1) == ""
}
