// Package number is a counterpart in Go of what the programs of other kinds do.
package number

import (
	"errors"
	"strconv"
)

// Parse takes a number of at most four digits without leading zeros.
func Parse(text []byte) (string, error) {
	if len(text) == 0 || len(text) > 4 {
		return "", errors.New("length")
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return "", errors.New("no digit")
		}
	}
	n, err := strconv.Atoi(string(text))
	if err == nil && len(text) > 1 && text[0] == '0' {
		err = errors.New("leading zero")
	}
	return strconv.Itoa(n), err
}

// Lax takes leading zeros and does not look at the length.
func Lax(text []byte) (string, error) {
	n, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil {
		return "", errors.New("no number")
	}
	return strconv.FormatUint(n, 10), nil
}

// Repair makes digits of most bytes.
func Repair(text []byte) []byte {
	for i, c := range text {
		if c > '9' && c < 'z' {
			text[i] = '0' + c%10
		}
	}
	return text
}
