package mining

import (
	"bytes"
	"go/constant"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// maxChanged bounds the files whose changed literals are read, in bytes.
const maxChanged = 16 << 20

// A Literal is a literal of a line that only one of two versions has.
type Literal struct {
	Text    string // of a string or a rune
	Number  uint64 // of an integer or a rune
	Integer bool
	At      string // file and line, as in wide.go:7
}

// Changed returns the literals in lines that only one of two versions of a package has. The lines
// of the new version come first. A changed entry of a table gives the values that it is about.
func Changed(old, new []string) (list []Literal) {
	was, is := byName(old), byName(new)
	for _, files := range [][2]map[string]string{{is, was}, {was, is}} {
		for _, name := range slices.Sorted(maps.Keys(files[0])) {
			if other, both := files[1][name]; both {
				list = append(list, alone(files[0][name], other)...)
			}
		}
	}
	return list
}

func byName(files []string) map[string]string {
	names := map[string]string{}
	for _, f := range files {
		names[filepath.Base(f)] = f
	}
	return names
}

// alone returns the literals in lines of a file that the other one does not have.
func alone(file, other string) (list []Literal) {
	text, err := os.ReadFile(file)
	rest, err2 := os.ReadFile(other)
	if err != nil || err2 != nil || len(text)+len(rest) > maxChanged || bytes.Equal(text, rest) {
		return nil
	}
	has := map[string]bool{}
	for line := range bytes.Lines(rest) {
		has[string(bytes.TrimSpace(line))] = true
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 && !has[string(line)] {
			list = append(list, lineLiterals(line, filepath.Base(file)+":"+strconv.Itoa(number))...)
		}
	}
	return list
}

// wording matches a line whose strings are words for people.
var wording = lazyregexp.New(`\b(panic|errors\.New|(fmt|log)\.\w+|\w+\.(Error|Fatal|Log|Skip)f?)\(`)

// lineLiterals returns the literals of a line.
func lineLiterals(line []byte, at string) (list []Literal) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(line)), line, func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return list
		case token.STRING:
			if wording().Match(line) {
				continue
			}
			if text := constant.MakeFromLiteral(lit, tok, 0); text.Kind() == constant.String {
				if value := constant.StringVal(text); value != "" && len(value) <= maxLiteral {
					list = append(list, Literal{Text: value, At: at})
				}
			}
		case token.CHAR:
			if r, ok := constant.Int64Val(constant.MakeFromLiteral(lit, tok, 0)); ok {
				text := string(rune(r))
				if strings.HasPrefix(lit, `'\x`) {
					text = string([]byte{byte(r)})
				}
				list = append(list, Literal{Text: text, Number: uint64(r), Integer: true, At: at})
			}
		case token.INT:
			if n, ok := constant.Uint64Val(constant.MakeFromLiteral(lit, tok, 0)); ok {
				list = append(list, Literal{Number: n, Integer: true, At: at})
			}
		}
	}
}
