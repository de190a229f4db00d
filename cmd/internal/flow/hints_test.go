package flow

import (
	"strings"
	"testing"
)

func TestCalledName(t *testing.T) {
	for function, want := range map[string]string{
		"": "", "f": "f", "T.Read": "Read", "(*T).Read": "Read", "Map[...]": "Map", "(*T[...]).Next": "Next", "T[...].Next": "Next", "über_2": "über_2",
		"parse": "parse", "parse(int)": "parse", "ns::parse(char const*, unsigned long)": "parse", "(anonymous namespace)::parse()": "parse",
		"ns::T::size() const": "size", "int ns::max<int>(int, int)": "max", "ns::list<int>::add(int)": "add", ")": "", "f()": "f", ">()": "", "()": "",
	} {
		if got := CalledName(function); got != want {
			t.Errorf("%q: %q, want %q", function, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	for _, test := range []struct {
		text, name string
		want       bool
	}{
		{"+x = more ( 1 )\n", "more", true},
		{"-more ( 1 )\n", "more", true},
		{"+a\n+more\n", "more", true},
		{"+x = t . more ( 1 )\n", "more", true},
		{"+x = evermore ( 1 )\n", "more", false},
		{"+x = More ( 1 )\n", "more", false},
		{"+x = \"more\"\n", "more", false},
		{"", "more", false},
		{"-\n+\n", "more", false},
		{"-\n+x + - 1\n", "", false},
	} {
		if (Hunk{Text: test.text}).Mentions(test.name) != test.want {
			t.Errorf("%q, %q: %v", test.text, test.name, !test.want)
		}
	}
}

func TestLarge(t *testing.T) {
	for _, test := range []struct {
		hunk Hunk
		want bool
	}{
		{Hunk{Text: "-a\n+b\n"}, false},
		{Hunk{Text: strings.Repeat("+a\n", largeHunk)}, false},
		{Hunk{Text: strings.Repeat("+a\n", largeHunk+1)}, true},
		{Hunk{Whole: true}, true},
	} {
		if got := test.hunk.Large(); got != test.want {
			t.Errorf("%+v: %v", test.hunk, got)
		}
	}
}

// TestHints checks that a mentioned field counts more than the called function.
func TestHints(t *testing.T) {
	for _, test := range []struct {
		hunk  Hunk
		parts []string
		want  int
	}{
		{Hunk{Function: "Parse", Text: "+o . Len = 1\n"}, nil, 0},
		{Hunk{Function: "Parse", Text: "+o . Len = 1\n"}, []string{"Parse 0.Len"}, 3},
		{Hunk{Function: "count", Text: "+o . Len = 1\n"}, []string{"Parse 0.Text", "Parse 0.Len"}, 2},
		{Hunk{Function: "T.Parse", Text: "+o . Len = 1\n"}, []string{"v.Parse 1"}, 1},
		{Hunk{Function: "Parse", Text: "+x = 0\n"}, []string{"0", "1.Len"}, 0},
	} {
		if got := test.hunk.Hints(test.parts); got != test.want {
			t.Errorf("%+v, %q: %d hints, want %d", test.hunk, test.parts, got, test.want)
		}
	}
}
