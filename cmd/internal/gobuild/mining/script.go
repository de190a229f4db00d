package mining

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ScriptWords returns the literals of files of Python and JavaScript, for a dictionary. They are
// strings, literal parts of regular expressions, and bytes given by number. sources has the files
// of each program. Words that only some programs have come first. If they are few, they are
// repeated, up to a quarter of all. Between versions, these words belong to the change.
func ScriptWords(sources [][]string) [][]byte {
	var perProgram [][]string
	in := map[string]int{} // programs that have the word
	for _, files := range sources {
		var words []string
		seen := map[string]bool{}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil || len(text) > maxSource {
				continue
			}
			for _, w := range scriptLiterals(string(text), filepath.Ext(name) == ".py") {
				if !seen[w] {
					seen[w] = true
					in[w]++
					words = append(words, w)
				}
			}
		}
		perProgram = append(perProgram, words)
	}
	var all [][]byte
	only := 0 // words that not all programs have
	taken := map[string]bool{}
	for _, common := range []bool{false, true} {
		for row := 0; ; row++ {
			any := false
			for _, words := range perProgram {
				if row >= len(words) {
					continue
				}
				any = true
				if w := words[row]; (in[w] == len(sources)) == common && !taken[w] && len(all) < maxWords {
					taken[w] = true
					all = append(all, []byte(w))
				}
			}
			if !any {
				break
			}
		}
		if !common {
			only = len(all)
		}
	}
	for list, n := all[:only], len(all); only > 0 && 4*(len(all)-n+only) < n; {
		all = append(all, list...)
	}
	return all
}

const (
	maxSource      = 1 << 20 // bytes of a file
	maxScriptWord  = 32      // bytes
	maxScriptSpace = 1       // spaces in a word: more is prose
)

// scriptLiterals returns the literals of a source in their order, with repetitions. It is a scanner
// and no parser: where it takes a comment or a division for something else, words are missing or
// too many.
func scriptLiterals(src string, python bool) []string {
	l := lexer{src: src, python: python}
	for l.at < len(src) {
		l.step()
	}
	return l.words
}

type lexer struct {
	src    string
	at     int
	python bool
	last   byte   // the last byte that is no space, outside of literals and comments
	name   string // the last name, if nothing but spaces came after it
	called string // the name before the last bracket that opens
	words  []string
}

func (l *lexer) step() {
	c, rest := l.src[l.at], l.src[l.at:]
	switch {
	case l.python && c == '#', !l.python && strings.HasPrefix(rest, "//"):
		l.skipTo("\n")
		return
	case !l.python && strings.HasPrefix(rest, "/*"):
		l.skipTo("*/")
		return
	case c == '"' || c == '\'' || c == '`' && !l.python:
		l.text(c)
		l.last, l.name = c, ""
		return
	case c == '/' && !l.python && l.expectsValue():
		if end := regexpEnd(rest); end > 0 {
			l.expression(rest[1:end])
			l.at += end + 1
			l.last, l.name = '/', ""
			return
		}
	case isDigitByte(c):
		l.number()
		l.last, l.name = c, ""
		return
	case isNameByte(c):
		end := l.at
		for end < len(l.src) && (isNameByte(l.src[end]) || isDigitByte(l.src[end])) {
			end++
		}
		l.name, l.last = l.src[l.at:end], l.src[end-1]
		l.at = end
		return
	}
	if c == '(' {
		l.called = l.name
	}
	if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
		l.last, l.name = c, ""
	}
	l.at++
}

func (l *lexer) skipTo(end string) {
	n := strings.Index(l.src[l.at+1:], end)
	if n < 0 {
		l.at = len(l.src)
		return
	}
	l.at += 1 + n + len(end)
}

// expectsValue reports whether a slash here begins a regular expression: behind a name, a number or
// a bracket that closes, it divides.
func (l *lexer) expectsValue() bool {
	switch l.name {
	case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do":
		return true
	}
	return l.name == "" && !isDigitByte(l.last) && !strings.ContainsRune(")]}\"'`", rune(l.last))
}

// text takes a string literal.
func (l *lexer) text(quote byte) {
	prefix := ""
	if l.python && l.at > 0 && isNameByte(l.src[l.at-1]) {
		prefix = strings.ToLower(l.name)
	}
	raw := strings.Contains(prefix, "r")
	open := l.src[l.at : l.at+1]
	if l.python && strings.HasPrefix(l.src[l.at:], strings.Repeat(open, 3)) {
		open = strings.Repeat(open, 3)
	}
	begin := l.at + len(open)
	end := begin
	for end < len(l.src) && !strings.HasPrefix(l.src[end:], open) {
		if l.src[end] == '\n' && len(open) == 1 && quote != '`' {
			break // it was no string
		}
		if l.src[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(l.src))
	body := l.src[begin:end]
	documentation := len(open) == 3 && (l.last == 0 || l.last == ':' || isNameByte(l.last) || strings.ContainsRune(")\"'", rune(l.last)))
	l.at = min(end+len(open), len(l.src))
	if l.last == '(' && l.called == "require" || l.name == "import" || l.name == "from" {
		return // a module
	}
	switch {
	case documentation:
	case raw, l.python && strings.ContainsAny(body, "^$") && strings.Contains(body, `\`):
		l.expression(body)
	default:
		l.add(unescape(body))
	}
}

// add keeps a word that may occur in an input.
func (l *lexer) add(word string) {
	if len(word) == 0 || len(word) > maxScriptWord || strings.Count(word, " ") > maxScriptSpace && strings.TrimSpace(word) != "" {
		return
	}
	l.words = append(l.words, word)
}

// number takes a number: by its text, and, where it is one of a byte that may be meant, as that
// byte.
func (l *lexer) number() {
	end := l.at
	for end < len(l.src) && (isNameByte(l.src[end]) || isDigitByte(l.src[end]) || l.src[end] == '.') {
		end++
	}
	text := l.src[l.at:end]
	after := l.at > 0 && (isNameByte(l.src[l.at-1]) || l.src[l.at-1] == '.')
	l.at = end
	n, err := strconv.ParseInt(text, 0, 32)
	if err != nil || after {
		return
	}
	if hexadecimal := strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X"); n < 256 && (hexadecimal || n > 8) {
		l.add(string([]byte{byte(n)}))
	}
	if n > 16 {
		l.add(strconv.FormatInt(n, 10))
	}
}

// expression takes what a regular expression matches literally: runs of characters, and the
// characters of small classes.
func (l *lexer) expression(body string) {
	var run []byte
	flush := func() {
		if len(run) > 0 {
			l.add(string(run))
		}
		run = nil
	}
	for i := 0; i < len(body); {
		c := body[i]
		switch {
		case c == '\\' && i+1 < len(body):
			one, size := escape(body[i:])
			i += size
			if one == "" { // a class: \d, \s
				flush()
				continue
			}
			run = append(run, one...)
		case c == '[':
			flush()
			i = l.class(body, i+1)
		case c == '(':
			flush()
			i++
			if strings.HasPrefix(body[i:], "?") { // (?:, (?=, (?<name>
				for i < len(body) && strings.IndexByte("?:=!<>P", body[i]) >= 0 {
					i++
				}
			}
		case strings.IndexByte(")|^$.", c) >= 0:
			flush()
			i++
		case strings.IndexByte("*+?{", c) >= 0:
			if len(run) > 0 && c != '+' { // what comes before may be missing
				last := run[len(run)-1]
				run = run[:len(run)-1]
				flush()
				l.add(string([]byte{last}))
			}
			flush()
			i++
			if c == '{' {
				for i < len(body) && body[i-1] != '}' {
					i++
				}
			}
		default:
			run = append(run, c)
			i++
		}
	}
	flush()
}

// class takes the characters of a class that are named one by one, and returns where it ends.
func (l *lexer) class(body string, i int) int {
	if i < len(body) && body[i] == '^' {
		i++
	}
	for first := true; i < len(body) && (body[i] != ']' || first && l.python); first = false {
		one, size := body[i:i+1], 1
		if body[i] == '\\' && i+1 < len(body) {
			one, size = escape(body[i:])
		}
		i += size
		if one != "" {
			l.add(one)
		}
		if i+1 < len(body) && body[i] == '-' && body[i+1] != ']' {
			i++
		}
	}
	return i + 1
}

// regexpEnd returns the end of the regular expression at the beginning of text, at its second
// slash, or 0 if there is none.
func regexpEnd(text string) int {
	class := false
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i
			}
		}
	}
	return 0
}

// unescape resolves escapes.
func unescape(body string) string {
	if !strings.Contains(body, `\`) {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			i++
			continue
		}
		one, size := escape(body[i:])
		if one == "" {
			one = body[i+1 : i+size]
		}
		b.WriteString(one)
		i += size
	}
	return b.String()
}

// escape reads an escape. It returns the text that it represents, "" for a class of characters, and
// the length.
func escape(text string) (string, int) {
	switch c := text[1]; c {
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't':
		return "\t", 2
	case 'f':
		return "\f", 2
	case 'v':
		return "\v", 2
	case '0':
		return "\x00", 2
	case 'd', 'D', 's', 'S', 'w', 'W', 'b', 'B', 'p', 'P', 'k', 'A', 'Z':
		return "", 2
	case 'x', 'u', 'U':
		from, to := 2, 2+map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if c == 'u' && len(text) > 2 && text[2] == '{' {
			from, to = 3, 2+max(strings.IndexByte(text[2:], '}'), 1)
		}
		if to > len(text) {
			return "", 2
		}
		n, err := strconv.ParseUint(text[from:to], 16, 32)
		if err != nil {
			return "", 2
		}
		if text[from-1] == '{' {
			to++
		}
		if c == 'x' {
			return string([]byte{byte(n)}), to
		}
		if !utf8.ValidRune(rune(n)) {
			return "", to
		}
		return string(rune(n)), to
	default:
		return text[1:2], 2
	}
}

func isDigitByte(c byte) bool { return '0' <= c && c <= '9' }

func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}

// isScript reports whether a file is one that ScriptWords reads.
func isScript(name string) bool {
	return slices.Contains([]string{".py", ".js", ".mjs", ".cjs"}, filepath.Ext(name))
}
