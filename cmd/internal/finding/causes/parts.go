package causes

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"parallax/internal/oracle"
)

// maxParts bounds the parts of symptoms. Values that differ in more parts have none.
const maxParts = 32

// Parts returns the parts in which two values differ, sorted. The values are results as triage
// prints them: one call per line, or the results alone. A part is the function that was called, the
// number of its result, and the innermost field: "Parse 1.Name". Elements of a list are one part,
// and so are the values of a map. Names of test files and line numbers are in no part.
//
// A part that only one value has counts only if no other part differs.
func Parts(a, b string) (parts []string) {
	x, y := partsOf(a), partsOf(b)
	var alone []string
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if other, ok := y[name]; !ok {
			alone = append(alone, name)
		} else if other != x[name] {
			parts = append(parts, name)
		}
	}
	for name := range y {
		if _, ok := x[name]; !ok {
			alone = append(alone, name)
		}
	}
	if len(parts) == 0 {
		parts = alone
		slices.Sort(parts)
	}
	if len(parts) > maxParts {
		return nil
	}
	return parts
}

// Ways returns how two values differ in their parts, sorted: in the case of letters, in blanks, in
// numbers, or otherwise. If one lacks characters of the other, it is "less" or "more". Two causes
// often change one part in different ways.
func Ways(a, b string) (ways []string) {
	x, y := partsOf(a), partsOf(b)
	for _, name := range Parts(a, b) {
		if w := way(x[name], y[name]); !slices.Contains(ways, w) {
			ways = append(ways, w)
		}
	}
	slices.Sort(ways)
	return ways
}

func way(a, b string) string {
	number := func(s string) bool {
		_, err := strconv.ParseFloat(strings.Trim(s, "\"\x00"), 64)
		return err == nil
	}
	blank := func(s string) string { return strings.Join(strings.Fields(s), "") }
	switch {
	case strings.EqualFold(a, b):
		return "case"
	case blank(a) == blank(b):
		return "blanks"
	case number(a) && number(b):
		return "number"
	case lacks(a, b):
		return "less"
	case lacks(b, a):
		return "more"
	}
	return "other"
}

// lacks reports whether a is b without some of its bytes.
func lacks(a, b string) bool {
	for i := 0; i < len(b) && a != ""; i++ {
		if a[0] == b[i] {
			a = a[1:]
		}
	}
	return a == ""
}

// partsOf returns the tokens of each part of printed results.
func partsOf(text string) map[string]string {
	p := parser{tokens: map[string]*strings.Builder{}}
	call, rest := "", ""
	flush := func() {
		if rest != "" {
			p.results(call, rest)
		}
	}
	for line := range strings.Lines(text) {
		name, results, ok := cutCall(line)
		if !ok { // the line continues an error
			rest += line
			continue
		}
		flush()
		call, rest = name, results
	}
	flush()
	all := map[string]string{}
	for name, tokens := range p.tokens {
		all[name] = tokens.String()
	}
	return all
}

// cutCall cuts the name of a call, and its place in the test, off a line.
func cutCall(line string) (name, results string, ok bool) {
	before, results, ok := strings.Cut(line, ": ")
	at := strings.LastIndex(before, " (")
	if !ok || at < 0 || !strings.HasSuffix(before, ")") || strings.ContainsAny(before, "\"{`,") {
		return "", "", false
	}
	return before[:at], results, true
}

// parser collects the tokens of printed values by part.
type parser struct {
	tokens map[string]*strings.Builder
	prefix string
	fields []string // innermost field of each open bracket
}

func (p *parser) add(token string) {
	name := strings.TrimSpace(p.prefix)
	if n := len(p.fields); p.fields[n-1] != "" {
		name += "." + p.fields[n-1]
	}
	b := p.tokens[name]
	if b == nil {
		b = new(strings.Builder)
		p.tokens[name] = b
	}
	b.WriteString(token)
	b.WriteByte(0)
}

// results parses the results of a call, separated by commas.
func (p *parser) results(call, text string) {
	number, begin := 0, true
	if call == "" && strings.HasPrefix(text, "(") { // several
		text = strings.TrimSuffix(strings.TrimSpace(text[1:]), ")")
	}
	p.fields = []string{""}
	for i := 0; i < len(text); {
		if begin {
			p.prefix, begin = call+" "+strconv.Itoa(number), false
			if rest := strings.TrimLeft(text[i:], " "); strings.HasPrefix(rest, "error ") {
				p.add(rest)
				return
			}
		}
		n := len(p.fields) - 1
		switch c := text[i]; c {
		case '{', '[', '(':
			p.add(text[i : i+1])
			p.fields = append(p.fields, p.fields[n])
			i++
		case '}', ']', ')':
			if n > 0 {
				p.fields = p.fields[:n]
			}
			i++
		case ',':
			if n == 0 {
				number, begin = number+1, true
			}
			i++
		case ' ', '\n':
			i++
		case '"':
			end := quotedEnd(text, i)
			p.add(text[i:end])
			i = end
		default:
			end := i + 1
			for end < len(text) && !strings.ContainsRune("{}[](),\" \n", rune(text[end])) {
				end++
			}
			if word := text[i:end]; n > 0 && isField(word) {
				p.fields[n] = strings.TrimSuffix(word, ":")
			} else {
				p.add(word)
			}
			i = end
		}
	}
}

// quotedEnd returns the end of the quoted text at i.
func quotedEnd(text string, i int) int {
	for end := i + 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
		case '"':
			return end + 1
		}
	}
	return len(text)
}

// isField reports whether a word is a field's name and a colon. A map's key is quoted or a number.
func isField(word string) bool {
	c := word[0]
	return strings.HasSuffix(word, ":") && len(word) > 1 && (c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80) && word != "true:" && word != "false:"
}

// partsApart reports whether values differ in parts that have nothing in common.
func (s *Symptoms) partsApart(other *Symptoms) bool {
	return len(s.Parts) > 0 && len(other.Parts) > 0 && !slices.ContainsFunc(s.Parts, func(part string) bool { return slices.Contains(other.Parts, part) })
}

// Blind reports whether no function of any program separates inputs with the disagreement from
// others.
func (s *Symptoms) Blind() bool {
	return !slices.ContainsFunc(s.Functions, func(f string) bool { return f != "" })
}

// blanks replaces all blanks and control characters in kinds of bytes by one blank. Code that
// removes one of them usually removes all.
func blanks(kinds []string) (list []string) {
	for _, k := range kinds {
		k = strings.Map(func(r rune) rune {
			if r <= ' ' || r == '^' {
				return ' '
			}
			return r
		}, k)
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// Looks returns what distinguishes variants that no place distinguishes. For values, these are the
// ways in which they differ. With a vague change, these are the parts in which they differ and the
// kinds of bytes without which they do not. Where places separate badly, these are the parts and
// ways for values, and the kinds of bytes for verdicts. Looks returns nil if the change is sure,
// and for other verdicts.
func (s *Symptoms) Looks() (list []string) {
	switch {
	case s == nil || s.Change != "" && !s.Vague:
		return nil
	case s.Weak && s.Layer == oracle.ValueLayer.String():
		return append(slices.Clone(s.Parts), s.Ways...)
	case s.Weak:
	case s.Vague && s.Layer == oracle.ValueLayer.String():
		list = slices.Clone(s.Parts)
	default:
		return slices.Clone(s.Ways)
	}
	edits := minimalKinds(blanks(s.Edits))
	slices.Sort(edits)
	return append(append(list, "edits"), edits...)
}
