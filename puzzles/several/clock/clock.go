// Package clock reads lengths of time, as in 1h30m15s.
package clock

import "errors"

var (
	errSyntax = errors.New("no length of time")
	errOrder  = errors.New("units out of order")
	errUnit   = errors.New("unknown unit")
	errLong   = errors.New("longer than a year")
)

// Read returns seconds.
func Read(text string) (int, error) {
	if text == "" {
		return 0, errSyntax
	}
	total, last := 0, 5
	for i := 0; i < len(text); {
		n, digits := 0, 0
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			n = n*10 + int(text[i]-'0')
			digits++
			i++
		}
		if digits == 0 || digits > 6 { // counterpart: digits
			return 0, errSyntax
		}
		if i == len(text) {
			return 0, errSyntax
		}
		rank, seconds := unit(text[i])
		i++
		if rank == 0 {
			return 0, errUnit
		}
		if rank >= last { // counterpart: twice
			return 0, errOrder
		}
		last = rank
		total += n * seconds
	}
	if total > 365*24*3600 { // counterpart: year
		return 0, errLong
	}
	return total, nil
}

func unit(c byte) (rank, seconds int) {
	switch c {
	case 'd':
		return 4, 24 * 3600
	case 'h':
		return 3, 3600
	case 'm':
		return 2, 60
	case 's':
		return 1, 1
	}
	return 0, 0
}
