// Package class reports why a key is invalid.
//
// Obstacle: both programs reject; only the classes of their errors differ, and they are compared on
// request.
package class

import "fmt"

// A finds the wrong character first.
func A(key string) error {
	for i := 0; i < len(key); i++ {
		if key[i] < '!' || key[i] > '~' {
			return fmt.Errorf("character %d: %q is not printable", i, key[i])
		}
	}
	if len(key) > 8 {
		return fmt.Errorf("a key of %d characters", len(key))
	}
	return nil
}

// B looks at the length first.
func B(key string) error {
	if len(key) > 8 { // planted
		return fmt.Errorf("a key of %d characters", len(key))
	}
	for i := 0; i < len(key); i++ {
		if key[i] < '!' || key[i] > '~' {
			return fmt.Errorf("character %d: %q is not printable", i, key[i])
		}
	}
	return nil
}
