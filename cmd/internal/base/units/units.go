// Package units formats numbers, sizes, durations and ratios for people. Lists, the status and
// pages use it.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Thousands formats n with commas: 1,234,567.
func Thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count is a number with its noun.
func Count[N uint64 | int](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(uint64(n)) + " " + many
}

// Plural is a number with a noun whose plural ends in s.
func Plural[N uint64 | int](n N, noun string) string { return Count(n, noun, noun+"s") }

// Some joins the first names of a list, and counts the rest.
func Some(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s, and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Duration formats a duration: 0.8s, 12s, 3m05s, 2h10m, 3d04h.
func Duration(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < 10*time.Second:
		if t := d.Truncate(100 * time.Millisecond); t%time.Second != 0 {
			return fmt.Sprintf("%.1fs", t.Seconds())
		}
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%02dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// Bytes formats a size.
func Bytes(n int64) string {
	const kib = 1 << 10
	switch f := float64(n); {
	case n < kib:
		return fmt.Sprintf("%d B", n)
	case n < kib*kib:
		return fmt.Sprintf("%.1f KiB", f/kib)
	case n < kib*kib*kib:
		return fmt.Sprintf("%.1f MiB", f/(kib*kib))
	default:
		return fmt.Sprintf("%.1f GiB", f/(kib*kib*kib))
	}
}

// Few formats a number with one decimal, unless it is whole or at least 100.
func Few(f float64) string {
	if f >= 100 || f == math.Trunc(f) {
		return Thousands(uint64(max(0, math.Round(f))))
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}

// Percent formats a ratio in percent, with two significant digits.
func Percent(f float64) string {
	switch {
	case !(f > 0): // or NaN
		return "0 %"
	case f >= 1:
		return "100 %"
	case f >= 0.0995:
		return strconv.FormatFloat(100*f, 'f', 0, 64) + " %"
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*f, 'f', int(math.Ceil(-math.Log10(100*f)))+1, 64), ".") + " %"
}
