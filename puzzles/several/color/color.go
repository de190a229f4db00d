// Package color reads colors, as in #fa0, #ffaa00, rgb(255,170,0) and orange.
package color

import "errors"

var (
	errSyntax = errors.New("no color")
	errRange  = errors.New("above 255")
)

var names = map[string][3]int{
	"black": {0, 0, 0}, "white": {255, 255, 255}, "red": {255, 0, 0}, "lime": {0, 255, 0}, "blue": {0, 0, 255},
	"teal":   {0, 128, 128}, // counterpart: table
	"orange": {255, 165, 0}, "navy": {0, 0, 128},
}

// Read returns red, green and blue.
func Read(text string) ([3]int, error) {
	if c, ok := names[text]; ok {
		return c, nil
	}
	if len(text) > 0 && text[0] == '#' {
		return digits(text[1:])
	}
	if len(text) > 5 && text[:4] == "rgb(" && text[len(text)-1] == ')' {
		return list(text[4 : len(text)-1])
	}
	return [3]int{}, errSyntax
}

func digits(text string) (c [3]int, err error) {
	switch len(text) {
	case 3:
		for i := range c {
			d, ok := hex(text[i])
			if !ok {
				return [3]int{}, errSyntax
			}
			c[i] = d * 17 // counterpart: short
		}
	case 6:
		for i := range c {
			high, ok := hex(text[2*i])
			low, fine := hex(text[2*i+1])
			if !ok || !fine {
				return [3]int{}, errSyntax
			}
			c[i] = high<<4 | low
		}
	default:
		return [3]int{}, errSyntax
	}
	return c, nil
}

// hex is called for both forms.
func hex(b byte) (int, bool) {
	switch {
	case '0' <= b && b <= '9':
		return int(b - '0'), true
	case 'a' <= b && b <= 'f':
		return int(b-'a') + 10, true
	case 'A' <= b && b <= 'F': // counterpart: capital
		return int(b-'A') + 10, true
	}
	return 0, false
}

func list(text string) (c [3]int, err error) {
	k, n, seen := 0, 0, false
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case '0' <= b && b <= '9':
			n = n*10 + int(b-'0')
			seen = true
			if n > 255 { // counterpart: range
				return [3]int{}, errRange
			}
		case b == ',' && seen && k < 2:
			c[k] = n
			k++
			seen = false
			n = 0 // counterpart: carry
		default:
			return [3]int{}, errSyntax
		}
	}
	if k != 2 || !seen {
		return [3]int{}, errSyntax
	}
	c[k] = n
	return c, nil
}
