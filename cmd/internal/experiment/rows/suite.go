package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/model/call"
)

// readSuite reads calls as C, one per line, by function. Text after # is a comment.
func readSuite(file string) (map[string][]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	calls := map[string][]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		name, _, ok := strings.Cut(line, "(")
		if !ok {
			return nil, fmt.Errorf("%s: %q is no call", file, line)
		}
		calls[name] = append(calls[name], line)
	}
	return calls, nil
}

// parseCall parses a call: numbers, characters and strings as in C, NULL, and _ for a pointer whose
// target does not matter. fits is false if a buffer or a number is too large for the model.
func parseCall(s *call.Signature, line string) (c call.Call, fits bool, err error) {
	bad := func(why string) (call.Call, bool, error) { return nil, false, fmt.Errorf("the call %s: %s", line, why) }
	rest := line[strings.Index(line, "(")+1:]
	fits = true
	for i := range s.Arguments {
		a := &s.Arguments[i]
		rest = strings.TrimLeft(rest, " ,")
		var v call.Value
		switch {
		case strings.HasPrefix(rest, `"`):
			text, after, why := literal(rest)
			if why != "" {
				return bad(why)
			}
			rest = after
			if a.Kind != "string" && a.Kind != "bytes" {
				return bad(fmt.Sprintf("argument %d is no buffer", i))
			}
			if len(text) > s.Content(i) {
				fits = false
			} else {
				v.Data = append(text, make([]byte, a.Bytes-len(text))...)
			}
		case strings.HasPrefix(rest, "NULL"):
			rest = rest[4:]
			fits = fits && (a.Nullable || a.Null)
		case strings.HasPrefix(rest, "_"):
			rest = rest[1:]
			if a.Kind == "scalar" {
				return bad(fmt.Sprintf("argument %d is a number", i))
			}
			v.Data = make([]byte, a.Bytes)
		case strings.HasPrefix(rest, "'"):
			end := strings.Index(rest[1:], "'")
			if end < 1 {
				return bad("a character has no end")
			}
			r, _, _, err := strconv.UnquoteChar(rest[1:1+end], '\'')
			if err != nil {
				return bad(err.Error())
			}
			v.Int, rest = uint64(r), rest[end+2:]
		default:
			end := strings.IndexAny(rest, ",)")
			if end < 1 {
				return bad(fmt.Sprintf("argument %d is missing", i))
			}
			n, err := strconv.ParseInt(strings.TrimSpace(rest[:end]), 0, 64)
			if err != nil {
				return bad(err.Error())
			}
			v.Int, rest = uint64(n), rest[end:]
			if a.Bits < 64 {
				v.Int &= 1<<a.Bits - 1
			}
			fits = fits && (a.Assumed == 0 || v.Int <= uint64(a.Assumed))
		}
		c = append(c, v)
	}
	if rest = strings.TrimSpace(rest); !strings.HasPrefix(rest, ")") {
		return bad("there is more than " + s.Function + " takes")
	}
	if !fits {
		return nil, false, nil
	}
	// The call may have another value than the model's fixed one.
	for i, v := range s.Decode(s.Encode(c)) {
		if v.Int != c[i].Int || !slices.Equal(v.Data, c[i].Data) {
			return nil, false, nil
		}
	}
	return c, true, nil
}

// literal parses a string literal at the start of a text.
func literal(text string) (value []byte, rest, why string) {
	for at := text[1:]; at != ""; {
		if at[0] == '"' {
			return value, at[1:], ""
		}
		if strings.HasPrefix(at, `\0`) { // Go lacks this escape
			value, at = append(value, 0), at[2:]
			continue
		}
		r, _, after, err := strconv.UnquoteChar(at, '"')
		if err != nil {
			return nil, "", err.Error()
		}
		value, at = append(value, byte(r)), after
	}
	return nil, "", "a string has no end"
}
