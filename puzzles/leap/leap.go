// Package leap validates dates as in 2024-02-29.
//
// Obstacle: ten characters in a fixed form, then a day. According to one program it exists in one
// year of a hundred, and according to the other in none of them.
package leap

// A knows the Gregorian rule.
func A(s string) bool {
	y, m, d, ok := fields(s)
	if !ok {
		return false
	}
	leap := y%4 == 0 && (y%100 != 0 || y%400 == 0)
	return valid(m, d, leap)
}

// B knows the Julian one.
func B(s string) bool {
	y, m, d, ok := fields(s)
	if !ok {
		return false
	}
	leap := y%4 == 0 // planted
	return valid(m, d, leap)
}

func fields(s string) (y, m, d int, ok bool) {
	if len(s) != 10 {
		return 0, 0, 0, false
	}
	if s[4] != '-' {
		return 0, 0, 0, false
	}
	if s[7] != '-' {
		return 0, 0, 0, false
	}
	if y, ok = number(s[:4]); !ok {
		return 0, 0, 0, false
	}
	if m, ok = number(s[5:7]); !ok {
		return 0, 0, 0, false
	}
	d, ok = number(s[8:])
	return y, m, d, ok
}

func number(s string) (n int, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

func valid(m, d int, leap bool) bool {
	if d < 1 {
		return false
	}
	switch m {
	case 1, 3, 5, 7, 8, 10, 12:
		return d <= 31
	case 4, 6, 9, 11:
		return d <= 30
	case 2:
		if leap {
			return d <= 29
		}
		return d <= 28
	}
	return false
}
