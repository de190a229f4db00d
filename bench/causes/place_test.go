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
		{place{File: "p.go", Line: 3, Branch: "entry"}, "..xxxx........................."},
		{place{File: "p.go", Line: 6, Branch: "and"}, "....xx........................."},
		{place{File: "p.go", Line: 6, Branch: "then"}, "....xxxx......................."},
		{place{File: "p.go", Line: 9, Branch: "else"}, "....xx..x......................"},
		{place{File: "p.go", Line: 9, Branch: "then"}, "........xx....................."},
		{place{File: "p.go", Line: 11, Branch: "else"}, "........x.xx..................."},
		{place{File: "p.go", Line: 14, Branch: "body"}, ".............xxx..............."},
		{place{File: "p.go", Line: 16, Branch: "then"}, "...............xx.............."},
		{place{File: "p.go", Line: 16, Branch: "implicit-else"}, "...............x..............."},
		{place{File: "p.go", Line: 19, Branch: "join"}, "..................x............"},
		{place{File: "p.go", Line: 21, Branch: "join"}, "....................xx........."},
		{place{File: "p.go", Line: 23, Branch: "case"}, ".....................xxx......."},
		{place{File: "p.go", Line: 22, Branch: "implicit-default"}, ".....................x........."},
		{place{File: "p.go", Line: 28, Branch: "join"}, "...........................x..."},
		{place{File: "p.go", Line: 31, Branch: "join"}, "..............................x"},
		{place{File: "p.go", Line: 16, Branch: ""}, "...............xx.............."},
		{place{File: "p.go", Line: 7, Branch: "then"}, "......x........................"}, // no such block: the line itself
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
		{"/home/x/m/parse.go:12", "not then", place{File: "parse.go", Line: 12, Branch: "then"}},
		{"example.com/m/parse.go:12", "case", place{File: "parse.go", Line: 12, Branch: "case"}},
		{"parse.go:7", "", place{File: "parse.go", Line: 7, Branch: ""}},
		{"", "", place{}},
	}
	for _, test := range tests {
		if got := parsePlace(test.location, test.branch); got != test.want {
			t.Errorf("%q, %q: %v, want %v", test.location, test.branch, got, test.want)
		}
	}
}
