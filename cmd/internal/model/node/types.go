package node

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// Types lists the names of basic types. There are also "array of T", "object of T" and "T or U".
var Types = []string{"string", "number", "integer", "boolean", "null", "undefined", "bytes", "any"}

// rules defines the JSON texts of each type (docs/guides/grammars.md). Alternatives have no text in
// common, so parsing is unambiguous.
//
// Strings consist of ASCII characters, escapes that JSON requires, and escapes for halves of
// surrogate pairs. Letters and combining characters of some scripts and characters of two code
// units follow.
var rules = [][2]string{
	{"string", `'"' character* '"'`},
	{"character", `[#x20-#x21#x23-#x5B#x5D-#x7E] | '\' escape | [#xA0-#x24FF] | [#x3040-#x30FF] | [#xAC00-#xD7A3] | [#xF900-#xFFFD] | [#x1D400-#x1D7FF] | [#x1F300-#x1F64F]`},
	{"escape", `["\bfnrt] | "u" ("00" [0-1] hex | "d" [8-9a-f] hex hex)`},
	{"number", `integer fraction? | '{"$":"' special '"}'`},
	{"special", `"NaN" | "Infinity" | "-Infinity"`},
	{"integer", `"-"? ("0" | [1-9] [0-9]{0,15})`},
	{"fraction", `"." [0-9]{1,8} exponent? | exponent`},
	{"exponent", `"e" [-+]? [1-9] [0-9]{0,2}`},
	{"boolean", `"true" | "false"`},
	{"null", `"null"`},
	{"undefined", `'{"$":"undefined"}'`},
	{"bytes", `'{"$bytes":"' (hex hex)* '"}'`},
	{"hex", `[0-9a-f]`},
	{"any", `string | number | boolean | null | undefined | "[" (any ("," any)*)? "]" | "{" (key ":" any ("," key ":" any)*)? "}"`},
	{"key", `'"' [a-z] [a-z0-9_]* '"'`},
}

// grammarOf returns a grammar for the JSON texts of a call's arguments. Strings consist of texts,
// if there are any.
func grammarOf(types, texts []string) (string, error) {
	start := `"["`
	for i, t := range types {
		body, err := body(t)
		if err != nil {
			return "", err
		}
		if i > 0 {
			start += ` ","`
		}
		start += " (" + body + ")"
	}
	list := append([][2]string{{"call", start + ` "]"`}}, rules...)
	if len(texts) > 0 {
		var words []string
		for _, text := range texts {
			words = append(words, literal(text))
		}
		list[1], list[2] = [2]string{"string", `'"' word* '"'`}, [2]string{"word", strings.Join(words, " | ")}
	}
	// Unreachable rules would cause warnings.
	need := []string{"call"}
	bodies := map[string]string{}
	for _, r := range list {
		bodies[r[0]] = r[1]
	}
	for i := 0; i < len(need); i++ {
		for _, name := range names(bodies[need[i]]) {
			if bodies[name] != "" && !slices.Contains(need, name) {
				need = append(need, name)
			}
		}
	}
	var b strings.Builder
	for _, r := range list {
		if slices.Contains(need, r[0]) {
			fmt.Fprintf(&b, "%s ::= %s\n", r[0], r[1])
		}
	}
	return b.String(), nil
}

// token matches a text, a class of characters or a name in a rule.
var token = regexp.MustCompile(`"[^"]*"|'[^']*'|\[[^\]]*\]|#x[0-9A-F]+|[a-z]+`)

// names returns the rules that a rule mentions.
func names(body string) (list []string) {
	for _, t := range token.FindAllString(body, -1) {
		if t[0] >= 'a' && t[0] <= 'z' {
			list = append(list, t)
		}
	}
	return list
}

// body returns the right side of a rule for a type.
func body(t string) (string, error) {
	t = strings.TrimSpace(t)
	if parts := strings.Split(t, " or "); len(parts) > 1 {
		var list []string
		for _, p := range parts {
			one, err := body(p)
			if err != nil {
				return "", err
			}
			list = append(list, one)
		}
		return strings.Join(list, " | "), nil
	}
	for _, of := range []struct{ prefix, begin, one, end string }{{"array of ", `"["`, "", `"]"`}, {"object of ", `"{"`, `key ":" `, `"}"`}} {
		rest, ok := strings.CutPrefix(t, of.prefix)
		if !ok {
			continue
		}
		one, err := body(rest)
		if err != nil {
			return "", err
		}
		one = of.one + "(" + one + ")"
		return fmt.Sprintf(`%s (%s ("," %s)*)? %s`, of.begin, one, one, of.end), nil
	}
	if !slices.Contains(Types, t) {
		return "", exit.Usage("there is no type %q: choose %s, \"array of\" or \"object of\" one of these, or several with \"or\" between them", t, strings.Join(Types, ", "))
	}
	return t, nil
}

// literal returns the JSON form of a part of a string, in the syntax of grammars, which has no
// escapes.
func literal(text string) string {
	var parts []string
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			parts = append(parts, `'\'`, fmt.Sprintf("#x%X", r))
		case r < ' ':
			parts = append(parts, fmt.Sprintf(`'\u%04x'`, r))
		default:
			parts = append(parts, fmt.Sprintf("#x%X", r))
		}
	}
	return strings.Join(parts, " ")
}
