package text

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
)

// inputs shows the minimized input, its general form, and the input that was found.
func inputs(f *finding.Finding, d *document, page paper) {
	d.add(headingBlock{2, []span{say("Input")}})
	head := paragraphBlock{say("Minimized")}
	if limit := limit(f); limit != "" {
		head = paragraphBlock{say("As found, not minimized: each run takes %s", limit)}
		if page.Minimize != "" {
			head = append(head, say(" ("), named(page.Minimize), say(" tries smaller ones)"))
		}
	}
	waits := page.Waits && limit(f) == "" && bytes.Equal(f.Input, f.Minimized)
	if waits {
		head = paragraphBlock{say("As found, not minimized yet")}
		if page.Minimize != "" {
			head = append(head, say(" ("), named(page.Minimize), say(" tries smaller ones)"))
		}
	}
	switch {
	case f.IsCall():
		d.add(append(head, say(":")), codeText(f.CallLanguage(), f.Drawn), paragraphBlock{say("As bytes of an input%s:", sized(f, ", ", f.Minimized))})
	case f.Drawn != "":
		d.add(append(head, say(":")), codeText("go", f.Drawn), paragraphBlock{say("It is drawn from this tape%s:", sized(f, " of ", f.Minimized))})
	case waits || limit(f) != "":
		d.add(append(head, say("%s:", sized(f, "; ", f.Minimized))))
	default:
		d.add(append(head, say("%s:", sized(f, " to ", f.Minimized))))
	}
	showInput(f, d, page, f.Minimized, "minimized")
	if form := f.GeneralForm(shown); form != "" {
		d.add(paragraphBlock{say("General form, with any text of the named kind in %s%s:", finding.HoleOpen, finding.HoleClose)}, codeText("", form))
	}
	if !bytes.Equal(f.Input, f.Minimized) {
		d.add(paragraphBlock{say("As found%s:", sized(f, ", ", f.Input))})
		showInput(f, d, page, f.Input, "input")
	}
}

// limit names the limit that each run of the input reaches, if triage left the input as it was
// found for that reason. It returns "" for other inputs.
func limit(f *finding.Finding) string {
	if !bytes.Equal(f.Input, f.Minimized) {
		return "" // by the command
	}
	return map[string]string{oracle.KindTimeout: "the time limit", oracle.KindOOM: "the memory limit"}[f.Kind]
}

// sized returns the size of an input that is one string of bytes. It returns "" for several
// arguments, whose size means nothing.
func sized(f *finding.Finding, before string, flat []byte) string {
	if !f.Shape.Raw() {
		return ""
	}
	return before + escape.Size(len(flat))
}

// dumped is the number of bytes of an argument that a page shows in hexadecimal.
const dumped = 256

// showInput shows an input. It cuts long inputs; file, in the finding's folder, has all of it.
func showInput(f *finding.Finding, d *document, page paper, flat []byte, file string) {
	values := quote.Unpack(f.Shape, flat)
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
			lines = append(lines, quote.Literal(v))
		}
		lines[i] += f.ArgumentComment(i)
	}
	d.add(codeText("go", strings.Join(lines, "\n")))
	if f.FromTape() {
		return // bytes of a tape mean nothing to people
	}
	cut := false
	for i, v := range values {
		data, _ := textOf(v)
		if dump := escape.HexDump([]byte(data), dumped); dump != "" {
			if len(values) > 1 {
				d.add(paragraphBlock{say("%s:", argument(f, i))})
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

// textOf returns an argument that is text or bytes.
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
func origin(f *finding.Finding, d *document, page paper) {
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
	p := append(paragraphBlock{say("From corpus input "), named(cmp.Or(f.Hash(f.Parent), "(none)"))}, by...)
	if bytes.Equal(f.Parent, f.Input) {
		d.add(append(p, say(", which is the same.")))
		return
	}
	if f.Drawn != "" { // bytes of tapes say nothing
		d.add(append(p, say(".")))
		return
	}
	d.add(append(p, say(". Differences are marked:")))
	before, after := quote.Unpack(f.Shape, f.Parent), quote.Unpack(f.Shape, f.Input)
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
			a, b = quote.Literal(before[i]), quote.Literal(after[i])
		}
		if a == b {
			continue
		}
		if len(before) > 1 {
			d.add(paragraphBlock{say("%s:", argument(f, i))})
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

// lined reports whether people read a text line by line: it has several lines, and no characters
// that would be escaped.
func lined(s string) bool {
	return strings.Count(strings.TrimSuffix(s, "\n"), "\n") >= 2 && escape.HexDump([]byte(strings.ReplaceAll(s, "\t", " ")), 1) == ""
}

// argument returns the name of an argument for people.
func argument(f *finding.Finding, i int) string {
	if names := f.ArgumentNames(); i < len(names) {
		return fmt.Sprintf("Argument %d, %s", i+1, names[i])
	}
	return fmt.Sprintf("Argument %d", i+1)
}
