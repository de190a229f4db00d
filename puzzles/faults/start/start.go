// Package start panics before main begins.
package start

import "os"

var table = load()

func load() map[string]bool {
	if os.Getenv("PARALLAX_PUZZLE_CONFIG") == "" {
		panic("start: PARALLAX_PUZZLE_CONFIG is not set")
	}
	return map[string]bool{}
}

// A looks the input up.
func A(data []byte) bool { return table[string(data)] }

// B does too.
func B(data []byte) bool { return table[string(data)] }
