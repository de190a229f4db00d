package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/myers"
	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// Run is an escaped part of a text with its class. Classes are "" for plain text, "esc" for an
// escape, "mark" for a difference and "hole" for bytes that may vary. Go has the classes "comment",
// "keyword" and "string".
type Run struct {
	Text  string
	Class string
	Title string
}

// shown limits the bytes of one text on the page. A file in the finding's folder has all of it.
const shown = 2400

// escapes appends s to runs, with escapes for invisible characters. With quote, it also escapes
// backslashes and quotes, as in Go.
func escapes(runs []Run, s, class, title string, quote bool) []Run {
	var plain, odd strings.Builder
	flush := func(b *strings.Builder, c string) {
		if b.Len() > 0 {
			runs = append(runs, Run{b.String(), c, title})
			b.Reset()
		}
	}
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		one := s[:n]
		s = s[n:]
		text := escape.Text(one)
		if quote {
			q := escape.Quote(one)
			text = q[1 : len(q)-1]
		}
		if text == one {
			flush(&odd, strings.TrimSpace("esc "+class))
			plain.WriteString(text)
		} else {
			flush(&plain, class)
			odd.WriteString(text)
		}
	}
	flush(&plain, class)
	flush(&odd, strings.TrimSpace("esc "+class))
	return runs
}

// pieces converts the parts of a compared text. It keeps at most shown bytes, starting near the
// first marked part.
func pieces(list []parting.Piece) []Run {
	const context = 200
	total, first := 0, -1
	for _, p := range list {
		if p.Marked && first < 0 {
			first = total
		}
		total += len(p.Text)
	}
	start := 0
	if total > shown && first > context {
		start = first - context
	}
	end := min(total, start+shown)
	var runs []Run
	if start > 0 {
		runs = append(runs, Run{Text: fmt.Sprintf("… %s before ", units.Bytes(int64(start))), Class: "cut"})
	}
	at := 0
	for _, p := range list {
		from, to := max(at, start)-at, min(at+len(p.Text), end)-at
		if from < to {
			text := strings.ToValidUTF8(p.Text[from:to], "")
			if from == 0 && to == len(p.Text) {
				text = p.Text // shows its own invalid bytes
			}
			class := ""
			if p.Marked {
				class = "mark"
			}
			runs = escapes(runs, text, class, "", false)
		}
		at += len(p.Text)
	}
	if end < total {
		runs = append(runs, Run{Text: fmt.Sprintf(" … %s more", units.Bytes(int64(total-end))), Class: "cut"})
	}
	return runs
}

// Argument is one argument of an input.
type Argument struct {
	Kind string
	Text bool // in quotes
	Runs []Run
	Hex  string
	Size string
}

// arguments shows an input, and marks the bytes that may vary.
func arguments(shape input.Shape, flat []byte, holes []finding.Hole) []Argument {
	if len(shape) == 0 || shape.Check(flat) != nil {
		return []Argument{bytesOf("", flat, 0, holes)}
	}
	var args []Argument
	for i, span := range shape.Spans(nil, flat) {
		kind := shape[i]
		if kind == input.Bytes || kind == input.String {
			args = append(args, bytesOf(kind.String(), flat[span.Start:span.End], span.Start, holes))
			continue
		}
		run := Run{Text: scalar(shape, flat, i)}
		for _, h := range holes {
			if h.Start < span.End && h.End > span.Start {
				run.Class, run.Title = "hole", "any "+kind.String()
			}
		}
		args = append(args, Argument{Kind: kind.String(), Runs: []Run{run}})
	}
	return args
}

// name prefixes the kinds of arguments with the names of their parameters.
func name(args []Argument, names []string) {
	if len(args) < 2 || len(names) != len(args) {
		return
	}
	for i := range args {
		args[i].Kind = escape.Text(names[i]) + " " + args[i].Kind
	}
}

func scalar(shape input.Shape, flat []byte, i int) string {
	values, err := shape.Unpack(flat)
	if err != nil || i >= len(values) {
		return "?"
	}
	return fmt.Sprint(values[i])
}

// bytesOf shows an argument of bytes. base is its offset in the flat form, to which holes refer.
func bytesOf(kind string, data []byte, base int, holes []finding.Hole) Argument {
	a := Argument{Kind: kind, Text: true, Hex: escape.HexDump(data, 512)}
	if len(data) != 1 {
		a.Size = units.Thousands(uint64(len(data))) + " bytes"
	} else {
		a.Size = "1 byte"
	}
	rest := min(len(data), shown)
	at := 0
	for _, h := range holes {
		from, to := max(h.Start-base, at), min(h.End-base, rest)
		if from >= to {
			continue
		}
		a.Runs = escapes(a.Runs, string(data[at:from]), "", "", true)
		a.Runs = escapes(a.Runs, string(data[from:to]), "hole", "any "+escape.Text(h.Of), true)
		at = to
	}
	a.Runs = escapes(a.Runs, string(data[at:rest]), "", "", true)
	if rest < len(data) {
		a.Runs = append(a.Runs, Run{Text: fmt.Sprintf(" … %s more", units.Bytes(int64(len(data)-rest))), Class: "cut"})
	}
	return a
}

// Change is one argument before and after.
type Change struct {
	Kind          string
	Same          bool
	Before, After []Run
}

// changes compares two inputs argument by argument.
func changes(shape input.Shape, parent, child []byte) []Change {
	if len(shape) == 0 || shape.Check(parent) != nil || shape.Check(child) != nil {
		a, b := compare(string(parent), string(child))
		return []Change{{Before: pieces(a), After: pieces(b)}}
	}
	from, to := shape.Spans(nil, parent), shape.Spans(nil, child)
	var list []Change
	for i, kind := range shape {
		x, y := string(parent[from[i].Start:from[i].End]), string(child[to[i].Start:to[i].End])
		if kind != input.Bytes && kind != input.String {
			x, y = scalar(shape, parent, i), scalar(shape, child, i)
		}
		a, b := compare(x, y)
		list = append(list, Change{Kind: kind.String(), Same: x == y, Before: pieces(a), After: pieces(b)})
	}
	return list
}

// compare calls parting.Compare for the shown part of the texts, which begins shortly before the
// first difference.
func compare(a, b string) (pa, pb []parting.Piece) {
	const most = 8 * shown
	same, _ := myers.Ends([]byte(a), []byte(b))
	for same > 0 && same < len(a) && !utf8.RuneStart(a[same]) {
		same--
	}
	cut := func(s string) (head, tail string) { return s[same:min(len(s), same+most)], s[min(len(s), same+most):] }
	headA, tailA := cut(a)
	headB, tailB := cut(b)
	pa, pb = parting.Compare(headA, headB)
	around := func(list []parting.Piece, tail string) []parting.Piece {
		return slices.Concat([]parting.Piece{{Text: a[:same]}}, list, []parting.Piece{{Text: tail}})
	}
	return wholeEscapes(around(pa, tailA)), wholeEscapes(around(pb, tailB))
}

// wholeEscapes extends marks to whole escapes of a quoted value, such as \x00. It also extends
// marks in texts that only look like escapes.
func wholeEscapes(list []parting.Piece) []parting.Piece {
	var text strings.Builder
	for _, p := range list {
		text.WriteString(p.Text)
	}
	all := text.String()
	if !strings.Contains(all, `\`) {
		return list
	}
	marked := make([]bool, 0, len(all))
	for _, p := range list {
		marked = append(marked, slices.Repeat([]bool{p.Marked}, len(p.Text))...)
	}
	for i := 0; i < len(all); {
		n := escapeLen(all[i:])
		if slices.Contains(marked[i:i+n], true) {
			for k := i; k < i+n; k++ {
				marked[k] = true
			}
		}
		i += n
	}
	var out []parting.Piece
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && marked[end] == marked[i] {
			end++
		}
		out = append(out, parting.Piece{Text: all[i:end], Marked: marked[i]})
		i = end
	}
	return out
}

// escapeLen returns the length of the Go escape at the beginning of a text, or 1 without one.
func escapeLen(s string) int {
	if len(s) < 2 || s[0] != '\\' {
		return 1
	}
	n, digits := 2, "0123456789abcdefABCDEF"
	switch s[1] {
	case 'x':
		n = 4
	case 'u':
		n = 6
	case 'U':
		n = 10
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n, digits = 4, "01234567"
	}
	if len(s) < n || strings.Trim(s[2:n], digits) != "" {
		return 2
	}
	return n
}
