// Package money reads amounts, as in -1,234.50.
package money

import "errors"

var (
	errSyntax = errors.New("no amount")
	errGroup  = errors.New("digits are grouped wrongly")
	errCents  = errors.New("two digits after the point")
	errLarge  = errors.New("amount too large")
)

// Read returns cents.
func Read(text string) (int64, error) {
	negative := false
	if len(text) > 0 && text[0] == '-' {
		negative = true
		text = text[1:]
	}
	units, rest, err := whole(text)
	if err != nil {
		return 0, err
	}
	cents := units * 100
	if len(rest) > 0 {
		fraction, err := part(rest[1:])
		if err != nil {
			return 0, err
		}
		cents += fraction
	}
	if negative {
		cents = -cents // counterpart: sign
	}
	return cents, nil
}

// whole reads the part before the point.
func whole(text string) (n int64, rest string, err error) {
	digits, grouped := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case '0' <= c && c <= '9':
			n = n*10 + int64(c-'0')
			digits++
			if n > 1_000_000_000 {
				return 0, "", errLarge
			}
		case c == ',':
			if digits == 0 || digits > 3 || grouped && digits != 3 { // counterpart: group
				return 0, "", errGroup
			}
			digits, grouped = 0, true
		case c == '.':
			if grouped && digits != 3 {
				return 0, "", errGroup
			}
			if digits == 0 { // counterpart: point
				return 0, "", errSyntax
			}
			return n, text[i:], nil
		default:
			return 0, "", errSyntax
		}
	}
	if digits == 0 || grouped && digits != 3 {
		return 0, "", errGroup
	}
	return n, "", nil
}

func part(text string) (int64, error) {
	if len(text) != 2 {
		return 0, errCents
	}
	tens, ones := text[0]-'0', text[1]-'0'
	if tens > 9 || ones > 9 { // counterpart: cents
		return 0, errCents
	}
	return int64(tens)*10 + int64(ones), nil
}
