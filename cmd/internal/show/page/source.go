package page

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strings"

	"parallax/cmd/internal/base/escape"
)

// longest limits the bytes of a source line that are shown.
const longest = 240

// code is a Go source file by lines: their tokens, and whether they hold code.
type code struct {
	lines [][]Run
	busy  []bool // by line, from 0: whether it has tokens other than closing brackets
}

// readCode splits a file into lines. Files in other languages are shown without colors.
func readCode(src []byte) *code {
	n := bytes.Count(src, []byte{'\n'}) + 1
	c := &code{lines: make([][]Run, n), busy: make([]bool, n)}
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	at, line := 0, 0
	put := func(end int, class string) {
		for at < end {
			stop := end
			if i := bytes.IndexByte(src[at:end], '\n'); i >= 0 {
				stop = at + i
			}
			if stop > at {
				text := string(src[at:stop])
				c.lines[line] = append(c.lines[line], Run{Text: text, Class: class})
			}
			at = stop
			if at < end { // end of a line
				at++
				line++
			}
		}
	}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		start := file.Offset(pos)
		if tok == token.SEMICOLON && lit == "\n" || start < at {
			continue
		}
		put(start, "")
		first := line
		end := start + max(len(lit), len(tok.String()))
		if tok.IsLiteral() || tok == token.COMMENT {
			end = start + len(lit)
			if tok == token.COMMENT || lit != "" && lit[0] == '`' {
				end = start + raw(src[start:], lit) // lit has no carriage returns
			}
		}
		put(min(end, len(src)), classOf(tok))
		if tok != token.COMMENT && tok != token.RBRACE && tok != token.RPAREN && tok != token.COMMA {
			for l := first; l <= line; l++ {
				c.busy[l] = true
			}
		}
	}
	put(len(src), "")
	for i := range c.lines {
		c.lines[i] = shorten(c.lines[i])
	}
	return c
}

// raw returns the length of a literal in the source. The scanner removes carriage returns from the
// literal.
func raw(src []byte, lit string) int {
	n := 0
	for i := 0; i < len(lit) && n < len(src); n++ {
		if src[n] == lit[i] {
			i++
		} else if src[n] != '\r' {
			break
		}
	}
	return n
}

func classOf(t token.Token) string {
	switch {
	case t == token.COMMENT:
		return "comment"
	case t == token.STRING || t == token.CHAR:
		return "string"
	case t.IsKeyword():
		return "keyword"
	}
	return ""
}

// shorten escapes a line, joins runs of one class and cuts an overlong line.
func shorten(line []Run) []Run {
	var out []Run
	room := longest
	for _, r := range line {
		if len(r.Text) > room {
			r.Text = strings.ToValidUTF8(r.Text[:room], "") + "…"
			room = 0
		} else {
			room -= len(r.Text)
		}
		r.Text = escapeSource(r.Text)
		if n := len(out); n > 0 && (out[n-1].Class == r.Class || strings.TrimSpace(r.Text) == "") {
			out[n-1].Text += r.Text
		} else {
			out = append(out, r)
		}
		if room == 0 {
			break
		}
	}
	return out
}

// escapeSource escapes like escape.Text, but keeps tabs.
func escapeSource(s string) string {
	parts := strings.Split(strings.TrimSuffix(s, "\r"), "\t")
	for i := range parts {
		parts[i] = escape.Text(parts[i])
	}
	return strings.Join(parts, "\t")
}
