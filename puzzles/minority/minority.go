// Package minority parses ranges of ports as in 80-443, in three ways.
//
// Obstacle: none but the form of the input; the point is that the odd one out is named.
package minority

import "strings"

// A cuts at the dash and parses.
func A(s string) bool {
	from, to, ok := strings.Cut(s, "-")
	if !ok {
		return false
	}
	a, ok := port(from)
	if !ok {
		return false
	}
	b, ok := port(to)
	return ok && a <= b // counterpart
}

// B splits first.
func B(s string) bool {
	parts := strings.Split(s, "-")
	if len(parts) != 2 {
		return false
	}
	var n [2]int
	for i, p := range parts {
		v, ok := port(p)
		if !ok {
			return false
		}
		n[i] = v
	}
	return n[0] <= n[1] // counterpart
}

// C allows ranges that run backwards.
func C(s string) bool {
	i := strings.IndexByte(s, '-')
	if i < 0 {
		return false
	}
	if _, ok := port(s[:i]); !ok {
		return false
	}
	_, ok := port(s[i+1:])
	return ok // planted
}

func port(s string) (int, bool) {
	if s == "" || len(s) > 5 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, n < 1<<16
}
