package page

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strings"

	"parallax/cmd/internal/base/escape"
)

// longest is how many bytes of one line of source are shown.
const longest = 240

// A code is a Go source file by lines: how they are shown, and which of them hold something that can be executed.
type code struct {
	lines [][]Run
	busy  []bool // by line, from 0: tokens other than closing brackets
}

// readCode takes a file apart. What is no Go is shown as it is.
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
			if at < end { // a line ends
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
				end = start + raw(src[start:], lit) // carriage returns are not in lit
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

// raw is the length in the source of a literal from which the scanner has taken carriage returns.
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

// shorten escapes a line, joins what looks alike and cuts it where it is too long to be read.
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

// escapeSource is escape.Text, but tabs stay.
func escapeSource(s string) string {
	parts := strings.Split(strings.TrimSuffix(s, "\r"), "\t")
	for i := range parts {
		parts[i] = escape.Text(parts[i])
	}
	return strings.Join(parts, "\t")
}
