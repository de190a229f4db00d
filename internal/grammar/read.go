package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// place is a position in the file.
type place struct{ line, column int }

// reader parses the notation. It stops at the first mistake, by a panic with a Problem.
type reader struct {
	file, text string
	at         int // offset of the next byte
	nest       int
}

func (r *reader) grammar() (rules []*rule, problem *Problem) {
	defer func() {
		if p, ok := recover().(Problem); ok {
			problem = &p
		}
	}()
	switch {
	case len(r.text) > maxText:
		r.fail(0, "the file has %d bytes: a grammar may have %d", len(r.text), maxText)
	case !utf8.ValidString(r.text):
		r.fail(invalid(r.text), "this is not UTF-8")
	}
	for r.space(); r.at < len(r.text); r.space() {
		name, end := r.production()
		if name == "" {
			r.fail(r.at, "a rule is expected here, such as  name ::= \"text\"")
		}
		r.space()
		if r.text[r.at] == '[' { // the number of a production
			r.at += strings.IndexByte(r.text[r.at:], ']') + 1
			r.space()
		}
		at := r.place(r.at)
		r.at = end
		rules = append(rules, &rule{name: name, at: at, body: r.alternatives()})
	}
	if len(rules) == 0 {
		r.fail(0, "there is no rule: a grammar begins with its start, such as  start ::= \"text\"")
	}
	return rules, nil
}

func invalid(text string) int {
	for i, c := range text {
		if c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return 0
}

func (r *reader) place(at int) place {
	before := r.text[:at]
	line := strings.LastIndexByte(before, '\n') + 1
	return place{strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[line:]) + 1}
}

func (r *reader) fail(at int, format string, args ...any) {
	p := r.place(at)
	panic(Problem{r.file, p.line, p.column, fmt.Sprintf(format, args...)})
}

// space skips white space, comments, and the constraints of the W3C next to productions.
func (r *reader) space() {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case strings.HasPrefix(rest, "\ufeff"), rest[0] == ' ', rest[0] == '\t', rest[0] == '\n', rest[0] == '\r':
			_, n := utf8.DecodeRuneInString(rest)
			r.at += n
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				r.fail(r.at, "the comment does not end: */ is missing")
			}
			r.at += end + 2
		case rest[0] == '[' && constraint(rest):
			r.at += strings.IndexByte(rest, ']') + 1
		default:
			return
		}
	}
}

func constraint(rest string) bool {
	inside := strings.TrimSpace(strings.ToLower(rest[1:]))
	return (strings.HasPrefix(inside, "wfc:") || strings.HasPrefix(inside, "vc:")) && strings.IndexByte(rest, ']') > 0
}

// production looks ahead for the begin of a rule. It returns the offset behind ::=.
func (r *reader) production() (name string, end int) {
	before := r.at
	defer func() { r.at = before }()
	if r.skip("[") {
		digits := r.at
		for r.at < len(r.text) && (r.text[r.at] >= '0' && r.text[r.at] <= '9' || r.at > digits && r.text[r.at] >= 'a' && r.text[r.at] <= 'z') {
			r.at++
		}
		if r.at == digits || !r.skip("]") {
			return "", 0
		}
		r.space()
	}
	name = r.name()
	if r.space(); name == "" || !r.skip("::=") {
		return "", 0
	}
	return name, r.at
}

func (r *reader) skip(text string) bool {
	if strings.HasPrefix(r.text[r.at:], text) {
		r.at += len(text)
		return true
	}
	return false
}

// name reads a name, or returns "" if there is none. A hyphen belongs to the name if more of the
// name follows at once.
func (r *reader) name() string {
	begin := r.at
	for i, c := range r.text[begin:] {
		switch {
		case c == '_', unicode.IsLetter(c):
		case i > 0 && (c == '.' || unicode.IsDigit(c)):
		case i > 0 && c == '-' && begin+i+1 < len(r.text) && nameByte(r.text[begin+i+1]):
		default:
			r.at = begin + i
			return r.text[begin:r.at]
		}
	}
	r.at = len(r.text)
	return r.text[begin:]
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (r *reader) alternatives() *node {
	r.space()
	n := &node{kind: choice, at: r.place(r.at)}
	for {
		n.subs = append(n.subs, r.sequence())
		if r.space(); !r.skip("|") {
			break
		}
	}
	if len(n.subs) == 1 {
		return n.subs[0]
	}
	return n
}

func (r *reader) sequence() *node {
	r.space()
	n := &node{kind: sequence, at: r.place(r.at)}
	for {
		r.space()
		if name, _ := r.production(); r.at == len(r.text) || name != "" || strings.IndexByte("|)", r.text[r.at]) >= 0 {
			break
		}
		n.subs = append(n.subs, r.repetition())
	}
	switch len(n.subs) {
	case 0:
		r.fail(r.at, `nothing is here: write "" for nothing`)
	case 1:
		return n.subs[0]
	}
	return n
}

// repetition reads a part with its operators.
func (r *reader) repetition() *node {
	n := r.part()
	for {
		r.space()
		at := r.at
		low, high := 0, endless
		switch {
		case r.skip("?"):
			high = 1
		case r.skip("*"):
		case r.skip("+"):
			low = 1
		case r.skip("{"):
			low, high = r.bounds(at)
		case r.skip("-"):
			r.space()
			if name, _ := r.production(); r.at == len(r.text) || name != "" {
				r.fail(at, "what - takes away is missing")
			}
			n = &node{kind: difference, at: n.at, subs: []*node{n, r.repetition()}}
			continue
		default:
			return n
		}
		n = &node{kind: repeat, at: n.at, subs: []*node{n}, min: low, max: high}
	}
}

// bounds reads n}, n,} or n,m}.
func (r *reader) bounds(at int) (low, high int) {
	number := func() int {
		r.space()
		begin := r.at
		for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
			r.at++
		}
		n, err := strconv.Atoi(r.text[begin:r.at])
		if begin == r.at {
			return -1
		}
		if err != nil || n >= endless {
			r.fail(begin, "%s repetitions are too many: %d is the limit", r.text[begin:r.at], endless-1)
		}
		r.space()
		return n
	}
	low = number()
	if high = low; r.skip(",") {
		if high = number(); high < 0 {
			high = endless
		}
	}
	switch {
	case low < 0 || !r.skip("}"):
		r.fail(at, "a number of repetitions is {2}, {2,} or {2,4}")
	case high == 0 || high < low:
		r.fail(at, "from %d to %d repetitions are none", low, high)
	}
	return low, high
}

// part reads an operand.
func (r *reader) part() *node {
	n := &node{at: r.place(r.at)}
	begin := r.at
	switch c := r.text[r.at]; {
	case c == '"' || c == '\'':
		end := strings.IndexByte(r.text[r.at+1:], c)
		if line := strings.IndexByte(r.text[r.at+1:], '\n'); end < 0 || line >= 0 && line < end {
			r.fail(r.at, "the text does not end on its line: %c is missing", c)
		}
		n.text = r.text[r.at+1 : r.at+1+end]
		r.at += end + 2
	case c == '#':
		n.text = string(r.code())
	case c == '[':
		n.kind, n.set = class, r.class()
	case c == '(':
		if r.nest++; r.nest > maxNest {
			r.fail(r.at, "parentheses nest more than %d deep", maxNest)
		}
		r.at++
		n = r.alternatives()
		if r.space(); !r.skip(")") {
			r.fail(begin, "the parenthesis does not end: ) is missing")
		}
		r.nest--
	default:
		if n.kind, n.name = reference, r.name(); n.name == "" {
			c, _ := utf8.DecodeRuneInString(r.text[r.at:])
			r.fail(r.at, "%q has no meaning here: a part is \"text\", [a-z], #x41, a name or ( )", c)
		}
		if before := r.at; r.skip("=") || r.skip(":=") || r.skip(":") {
			r.fail(before, "a rule is written with ::=, as in  %s ::= ...", n.name)
		}
	}
	return n
}

// code reads #xN.
func (r *reader) code() rune {
	begin := r.at
	if !r.skip("#x") {
		r.fail(begin, "a character by its number is #x and hexadecimal digits, such as #x41")
	}
	digits := r.at
	for r.at < len(r.text) && strings.IndexByte("0123456789abcdefABCDEF", r.text[r.at]) >= 0 {
		r.at++
	}
	n, err := strconv.ParseUint(r.text[digits:r.at], 16, 32)
	if err != nil || n > unicode.MaxRune || n >= surrogateMin && n <= surrogateMax {
		r.fail(begin, "%s is no character: they are #x0 to #xD7FF and #xE000 to #x10FFFF", r.text[begin:r.at])
	}
	return rune(n)
}

// class reads [abc], [a-z] and [^abc].
func (r *reader) class() set {
	begin := r.at
	r.at++
	except := r.skip("^")
	var pairs []rune
	char := func() rune {
		if strings.HasPrefix(r.text[r.at:], "#x") {
			return r.code()
		}
		c, n := utf8.DecodeRuneInString(r.text[r.at:])
		if n == 0 || c == '\n' {
			r.fail(begin, "the class does not end on its line: ] is missing")
		}
		r.at += n
		return c
	}
	for !r.skip("]") {
		at := r.at
		low := char()
		high := low
		if strings.HasPrefix(r.text[r.at:], "-") && !strings.HasPrefix(r.text[r.at:], "-]") {
			r.at++
			if high = char(); high < low {
				r.fail(at, "the range is empty: %s", r.text[at:r.at])
			}
		}
		pairs = append(pairs, low, high)
	}
	all := normal(pairs)
	if except {
		all = set{0, surrogateMin - 1, surrogateMax + 1, unicode.MaxRune}.without(all)
	}
	if len(all) == 0 {
		r.fail(begin, "the class has no characters (] is written #x5D)")
	}
	return all
}
