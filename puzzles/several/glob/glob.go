// Package glob matches names against patterns with *, ? and [a-z].
package glob

import "errors"

var (
	errPattern = errors.New("bad pattern")
	errLong    = errors.New("too long")
)

// Match reports whether a name matches a pattern.
func Match(pattern, name string) (bool, error) {
	if len(pattern) > 24 || len(name) > 24 {
		return false, errLong
	}
	if err := check(pattern); err != nil {
		return false, err
	}
	return match(pattern, name, 0), nil
}

// check finds patterns that are no patterns.
func check(pattern string) error {
	inside := false
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
			if i == len(pattern) { // counterpart: backslash
				return errPattern
			}
		case '[':
			inside = true
		case ']':
			inside = false
		}
	}
	if inside { // counterpart: open
		return errPattern
	}
	return nil
}

func match(pattern, name string, depth int) bool {
	for pattern != "" {
		switch pattern[0] {
		case '*':
			if depth > 3 {
				return false
			}
			for i := 0; i <= len(name); i++ {
				if match(pattern[1:], name[i:], depth+1) {
					return true
				}
				if i < len(name) && name[i] == '/' { // counterpart: slash
					return false
				}
			}
			return false
		case '?':
			if name == "" {
				return false
			}
			pattern = pattern[1:]
		case '[':
			ok, rest := class(pattern[1:], name)
			if !ok {
				return false
			}
			pattern = rest
		case '\\':
			pattern = pattern[1:]
			fallthrough
		default:
			if pattern == "" || name == "" || pattern[0] != name[0] {
				return false
			}
			pattern = pattern[1:]
		}
		name = name[1:]
	}
	return name == ""
}

// class matches the first byte of a name against the list in brackets.
func class(pattern, name string) (ok bool, rest string) {
	if name == "" {
		return false, ""
	}
	not := pattern != "" && pattern[0] == '^'
	if not {
		pattern = pattern[1:]
	}
	for pattern != "" && pattern[0] != ']' {
		low, high := pattern[0], pattern[0]
		if len(pattern) > 2 && pattern[1] == '-' {
			high = pattern[2]
			pattern = pattern[2:]
		}
		if low <= name[0] && name[0] <= high { // counterpart: bound
			ok = true
		}
		pattern = pattern[1:]
	}
	if pattern != "" {
		pattern = pattern[1:]
	}
	return ok != not, pattern
}
