package text

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/base/quote"
)

// A row is a text with a name before it.
type row struct{ label, text string }

// rowOptions say how rows are shown.
type rowOptions struct {
	reference int  // the row with which the others are compared
	quoted    bool // as Go strings; else escaped
	always    bool // mark what differs, however little the texts have in common
	width     int  // columns of a line
}

// rowWidth is the width of rows in Markdown, where pages are wide and code does not wrap.
const rowWidth = 110

// markedRows shows texts one below the other, and under each text marks for its differences from
// the reference. It shows long texts only around the differences.
func markedRows(rows []row, o rowOptions) [][]span {
	label := 0
	for _, r := range rows {
		label = max(label, min(columns.Width(escape.Text(r.label)), o.width/3))
	}
	all := make([][]parting.Piece, len(rows))
	for i, r := range rows {
		if i == o.reference {
			continue
		}
		var first []parting.Piece
		first, all[i] = parting.Compare(rows[o.reference].text, r.text)
		if !o.always && strangers(first, all[i]) {
			first, all[i] = []parting.Piece{{Text: rows[o.reference].text}}, []parting.Piece{{Text: r.text}}
		}
		if len(rows) == 2 {
			first, all[i] = lacking(first, all[i]), lacking(all[i], first)
		}
		if all[o.reference] == nil || !anyMarked(all[o.reference]) {
			all[o.reference] = first
		}
	}
	if len(rows) == 1 {
		all[0] = []parting.Piece{{Text: rows[0].text}}
	}
	var lines [][]span
	for i, r := range rows {
		name := columns.Pad(columns.CutStart(escape.Text(r.label), label), label)
		text, marks := shownPieces(all[i], max(20, o.width-label-4), o.quoted)
		lines = append(lines, append([]span{{name + "  ", asQuiet}}, text...))
		if strings.Contains(marks, "^") {
			lines = append(lines, []span{{strings.Repeat(" ", label+2) + strings.TrimRight(marks, " "), asMark}})
		}
	}
	return lines
}

// lacking marks a text that only lacks something that the other has. The mark is at the first place
// where it lacks something.
func lacking(list, other []parting.Piece) []parting.Piece {
	if anyMarked(list) || !anyMarked(other) {
		return list
	}
	at := 0
	for _, p := range other {
		if p.Marked {
			break
		}
		at += len(p.Text)
	}
	text := ""
	for _, p := range list {
		text += p.Text
	}
	return []parting.Piece{{Text: text[:at]}, {Marked: true}, {Text: text[at:]}}
}

func anyMarked(list []parting.Piece) bool {
	for _, p := range list {
		if p.Marked {
			return true
		}
	}
	return false
}

// strangers reports whether two texts have so little in common that marks would say nothing.
func strangers(a, b []parting.Piece) bool {
	same, all := 0, 0
	for _, p := range a {
		all += len(p.Text)
		if !p.Marked {
			same += len(p.Text)
		}
	}
	other := 0
	for _, p := range b {
		other += len(p.Text)
	}
	return same < 3 || 3*same < max(all, other)
}

// shownPieces returns pieces within about width columns, and a line of marks for below them. A text
// that only lacks something is marked at that place.
func shownPieces(list []parting.Piece, width int, quoted bool) (text []span, marks string) {
	form := escape.Text
	if quoted {
		form = quote.Inner
	}
	around := max(8, width/4) // columns of what is the same, on each side of a difference
	if full := fullWidth(list, form); full+2 <= width {
		around = full
	}
	var under strings.Builder
	column, ahead := 0, 0 // of the text; how far the marks are ahead of it
	put := func(s string, st style) {
		text = append(text, span{s, st})
		n := columns.Width(s)
		mark := " "
		if st == asMark {
			mark = "^"
		}
		skip := min(n, ahead)
		ahead -= skip
		under.WriteString(strings.Repeat(mark, n-skip))
		column += n
	}
	if quoted && (len(list) == 0 || list[0].Marked || len(list[0].Text) <= around) {
		put(`"`, asPlain)
	}
	for i, p := range list {
		first, last := i == 0, i == len(list)-1
		switch {
		case p.Marked && p.Text == "":
			under.WriteByte('^')
			ahead = 1
		case p.Text == "":
		case p.Marked:
			s := p.Text
			if len(s) > width {
				s = escape.Prefix(s, width)
			}
			put(form(s), asMark)
			if len(s) < len(p.Text) {
				put(fmt.Sprintf("…(%s)", escape.Size(len(p.Text))), asQuiet)
			}
		case len(p.Text) <= around || len(p.Text) <= 2*around && !first && !last:
			put(form(p.Text), asPlain)
		default:
			head, tail := escape.Prefix(p.Text, around), suffix(p.Text, around)
			switch {
			case first && last: // it has nothing in common with the others
				head = escape.Prefix(p.Text, 2*around)
			case first:
				head = ""
			}
			if last {
				tail = ""
			}
			if left := len(p.Text) - len(head) - len(tail); first && !last {
				put(fmt.Sprintf("…(%s) ", escape.Size(left)), asQuiet)
				put(form(tail), asPlain)
			} else {
				put(form(head), asPlain)
				put(fmt.Sprintf(" …(%s)", escape.Size(left)), asQuiet)
				if !last {
					put("… ", asQuiet)
					put(form(tail), asPlain)
				}
			}
		}
		if column > 3*width { // many differences: the first of them will do
			put(" …", asQuiet)
			return text, under.String()
		}
	}
	if last := len(list) - 1; quoted && (last < 0 || list[last].Marked || len(list[last].Text) <= around) {
		put(`"`, asPlain)
	}
	return text, under.String()
}

func fullWidth(list []parting.Piece, form func(string) string) int {
	n := 0
	for _, p := range list {
		if len(p.Text) > 4096 {
			return 4096
		}
		n += columns.Width(form(p.Text))
	}
	return n
}

// suffix returns at most n bytes from the end of s, whole characters if s is UTF-8.
func suffix(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for cut := len(s) - n; cut < len(s) && cut < len(s)-n+4; cut++ {
		if s[cut]&0xc0 != 0x80 {
			return s[cut:]
		}
	}
	return s[len(s)-n:]
}

// parentRows shows an input below the one that it was made from.
func parentRows(parent, child string, width int) [][]span {
	return markedRows([]row{{"parent", parent}, {"input", child}}, rowOptions{quoted: true, always: true, width: width})
}

// lineContext is the number of lines shown around those that differ.
const lineContext = 2

// lineDifference shows texts of several lines in the form of diff -u, so that Markdown colors them.
// Line numbers are those of the second text.
func lineDifference(a, b string) [][]span {
	la, lb := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	if la[len(la)-1] == "" {
		la = la[:len(la)-1]
	}
	if lb[len(lb)-1] == "" {
		lb = lb[:len(lb)-1]
	}
	ma, mb := parting.Unlike(la, lb)
	var lines [][]span
	put := func(sign, line string, st style) {
		text, ended := strings.CutSuffix(line, "\n")
		lines = append(lines, lineOf(sign+escape.Source(escape.Cut(text, 200)), st))
		if !ended {
			lines = append(lines, lineOf(`\ No newline at the end`, asQuiet))
		}
	}
	i, j, shownTo := 0, 0, 0
	for i < len(la) || j < len(lb) {
		if i < len(la) && j < len(lb) && !ma[i] && !mb[j] {
			i, j = i+1, j+1
			continue
		}
		from := max(shownTo, j-lineContext)
		if from > shownTo || shownTo == 0 {
			lines = append(lines, lineOf(fmt.Sprintf("@@ line %d @@", from+1), asQuiet))
		}
		for ; from < j; from++ {
			put(" ", lb[from], asPlain)
		}
		for ; i < len(la) && ma[i]; i++ {
			put("-", la[i], asGone)
		}
		for ; j < len(lb) && mb[j]; j++ {
			put("+", lb[j], asFresh)
		}
		// Add the lines up to the next difference.
		for n := 0; n < lineContext && i < len(la) && j < len(lb) && !ma[i] && !mb[j]; n++ {
			put(" ", lb[j], asPlain)
			i, j = i+1, j+1
		}
		shownTo = j
		if len(lines) > 60 {
			return append(lines, lineOf("… and more", asQuiet))
		}
	}
	return lines
}
