// Package rounding rounds amounts to whole units.
//
// Obstacle: only amounts that lie halfway, above an even number, separate the programs; no branch
// sees them.
package rounding

import "math"

// A rounds half away from zero.
func A(amount float64) int64 { return clamp(math.Round(amount)) }

// B rounds half to even.
func B(amount float64) int64 { return clamp(math.RoundToEven(amount)) } // planted

func clamp(f float64) int64 {
	if !(math.Abs(f) < 1<<53) {
		return 0
	}
	return int64(f)
}
