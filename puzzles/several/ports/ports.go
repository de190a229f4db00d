// Package ports reads lists of ports and ranges of ports, as in 80,443,1000-2000.
package ports

import "errors"

var (
	errNumber = errors.New("not a number")
	errPort   = errors.New("no such port")
	errRange  = errors.New("range is reversed")
)

// Read returns how many ports the list names.
func Read(text string) (int, error) {
	total := 0
	for len(text) > 0 {
		low, rest, err := port(text)
		if err != nil {
			return 0, err
		}
		high := low
		if len(rest) > 0 && rest[0] == '-' {
			if high, rest, err = port(rest[1:]); err != nil {
				return 0, err
			}
			if high < low { // counterpart: reversed
				return 0, errRange
			}
		}
		total += high - low + 1 // counterpart: ends
		if len(rest) > 0 {
			if rest[0] != ',' { // counterpart: separator
				return 0, errNumber
			}
			rest = rest[1:]
		}
		text = rest
	}
	return total, nil
}

func port(text string) (n int, rest string, err error) {
	i := 0
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		n = n*10 + int(text[i]-'0')
		if n > 65535 { // counterpart: limit
			return 0, "", errPort
		}
		i++
	}
	if i == 0 {
		return 0, "", errNumber
	}
	return n, text[i:], nil
}
