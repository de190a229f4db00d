// Package method parses times of day as in 11:59pm into the receiver, a zero value.
//
// Obstacle: what is compared is the receiver after the call; noon and midnight are one hour of
// twelve.
package method

import "errors"

var errTime = errors.New("not a time of day")

// Clock is minutes since midnight.
type Clock struct{ Minutes int }

// UnmarshalText knows that 12am comes before 1am.
func (c *Clock) UnmarshalText(text []byte) error {
	h, m, pm, ok := split(text)
	if !ok {
		return errTime
	}
	if h == 12 {
		h = 0
	}
	if pm {
		h += 12
	}
	c.Minutes = h*60 + m
	return nil
}

// ParseText adds twelve hours in the afternoon.
func (c *Clock) ParseText(text []byte) error {
	h, m, pm, ok := split(text)
	if !ok {
		return errTime
	}
	if pm && h < 12 {
		h += 12
	}
	c.Minutes = h*60 + m // planted
	return nil
}

func split(b []byte) (h, m int, pm, ok bool) {
	if len(b) != 7 {
		return 0, 0, false, false
	}
	if b[2] != ':' {
		return 0, 0, false, false
	}
	if b[6] != 'm' {
		return 0, 0, false, false
	}
	if b[5] == 'p' {
		pm = true
	} else if b[5] != 'a' {
		return 0, 0, false, false
	}
	for _, i := range []int{0, 1, 3, 4} {
		if b[i] < '0' || b[i] > '9' {
			return 0, 0, false, false
		}
	}
	h, m = int(b[0]-'0')*10+int(b[1]-'0'), int(b[3]-'0')*10+int(b[4]-'0')
	return h, m, pm, h >= 1 && h <= 12 && m < 60
}
