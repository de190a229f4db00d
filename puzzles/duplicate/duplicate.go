// Package duplicate parses pairs as in a=1&b=2 into a map.
//
// Obstacle: the same key twice, with two values.
package duplicate

import "strings"

// A keeps the last value of a key.
func A(s string) (map[string]string, bool) {
	m := map[string]string{}
	for _, pair := range strings.Split(s, "&") {
		k, v, ok := strings.Cut(pair, "=")
		if !ok || k == "" {
			return nil, false
		}
		m[k] = v
	}
	return m, true
}

// B keeps the first one.
func B(s string) (map[string]string, bool) {
	m := map[string]string{}
	for _, pair := range strings.Split(s, "&") {
		k, v, ok := strings.Cut(pair, "=")
		if !ok || k == "" {
			return nil, false
		}
		if _, have := m[k]; !have { // planted
			m[k] = v
		}
	}
	return m, true
}
