package main

import (
	"strings"
	"testing"
)

const placed = `package p

func f(s string) (n int) {
	x := len(s) // 4
	if x > 3 && // 5
		s[0] == 'a' { // 6
		n = 1 // 7
		n++
	} else if x == 0 { // 9
		n = 2
	} else { // 11
		n = 3
	}
	for i := 0; i < x; i++ { // 14
		n += i
		if n > 9 { // 16
			return n
		}
		n-- // 19
	}
	y := n // 21
	switch y { // 22
	case 1: // 23
		n = 5
	case 2:
		n = 6 // 26
	}
	if n < 0 { // 28
		n = 0
	}
	return n // 31
}
`

func TestCovers(t *testing.T) {
	b, err := readBlocks("p.go", []byte(placed))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		at     place
		covers string // of the 31 lines: x for those that it represents
	}{
		{place{"p.go", 3, "entry"}, "..xxxx........................."},
		{place{"p.go", 6, "and"}, "....xx........................."},
		{place{"p.go", 6, "then"}, "....xxxx......................."},
		{place{"p.go", 9, "else"}, "....xx..x......................"},
		{place{"p.go", 9, "then"}, "........xx....................."},
		{place{"p.go", 11, "else"}, "........x.xx..................."},
		{place{"p.go", 14, "body"}, ".............xxx..............."},
		{place{"p.go", 16, "then"}, "...............xx.............."},
		{place{"p.go", 16, "implicit-else"}, "...............x..............."},
		{place{"p.go", 19, "join"}, "..................x............"},
		{place{"p.go", 21, "join"}, "....................xx........."},
		{place{"p.go", 23, "case"}, ".....................xxx......."},
		{place{"p.go", 22, "implicit-default"}, ".....................x........."},
		{place{"p.go", 28, "join"}, "...........................x..."},
		{place{"p.go", 31, "join"}, "..............................x"},
		{place{"p.go", 16, ""}, "...............xx.............."},
		{place{"p.go", 7, "then"}, "......x........................"}, // no such block: the line itself
	}
	for _, test := range tests {
		var got strings.Builder
		for line := 1; line <= 31; line++ {
			c := byte('.')
			if b.covers(test.at, line) {
				c = 'x'
			}
			got.WriteByte(c)
		}
		if got.String() != test.covers {
			t.Errorf("%d %s:\n%s, want\n%s", test.at.Line, test.at.Branch, got.String(), test.covers)
		}
	}
}

func TestParsePlace(t *testing.T) {
	tests := []struct {
		location, branch string
		want             place
	}{
		{"/home/x/m/parse.go:12", "not then", place{"parse.go", 12, "then"}},
		{"example.com/m/parse.go:12", "case", place{"parse.go", 12, "case"}},
		{"parse.go:7", "", place{"parse.go", 7, ""}},
		{"", "", place{}},
	}
	for _, test := range tests {
		if got := parsePlace(test.location, test.branch); got != test.want {
			t.Errorf("%q, %q: %v, want %v", test.location, test.branch, got, test.want)
		}
	}
}
