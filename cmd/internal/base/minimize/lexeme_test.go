package minimize

import (
	"bytes"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
)

func TestLexemes(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"key = value":                   "key| |=| |value",
		`say "a b\" c" now`:             `say| |"a b\" c"| |now`,
		`it's "open`:                    `it|'|s| |"|open`,
		"'a\nb'":                        "'|a|\n|b|'",
		"1 -2 +3.5 .5 1e-9 0x1F":        "1| |-2| |+3.5| |.5| |1e-9| |0x1F",
		"1.2.3":                         "1.2.3",
		"1..2":                          "1|.|.2",
		"a-b":                           "a|-|b",
		"<!DOCTYPE html>":               "<|!|DOCTYPE| |html|>",
		"snake_case2 é\xff{[":           "snake_case2| |é\xff|{|[",
		"--0":                           "-|-0",
		"\"" + strings.Repeat("x", 300): "\"|" + strings.Repeat("x", 300),
	} {
		m := minimizer{shape: raw, args: [][]byte{[]byte(in)}}
		starts := m.lexemes(0)
		var parts []string
		for n := 1; n < len(starts); n++ {
			parts = append(parts, in[starts[n-1]:starts[n]])
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestWholeLexemes has text that can only be removed in whole lexemes, at any offset.
func TestWholeLexemes(t *testing.T) {
	long := regexp.MustCompile(`^([a-z]{10} = "[a-z ]{20}";)*$`)
	var in strings.Builder
	for n := 0; n < 9; n++ {
		fmt.Fprintf(&in, `%s = "%s";`, strings.Repeat(string(rune('a'+n)), 10), strings.Repeat("x ", 10))
	}
	cases := []struct {
		name, in string
		test     func([]byte) bool
		want     string
	}{
		{"statements", in.String(), func(b []byte) bool { return long.Match(b) && bytes.Contains(b, []byte("ffff")) }, `ffffaaaaaa = "aaaaaaaaaaaaaaaaaaaa";`},
		{"a word becomes a letter", "select alpha from beta", regexp.MustCompile(`^select [a-z]+ from [a-z]+$`).Match, "select a from a"},
		{"a number becomes a digit", "x=-12.75e+10;", regexp.MustCompile(`^x=-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?;$`).Match, "x=0;"},
		{"a text becomes empty", `f("some text")`, regexp.MustCompile(`^f\("[a-z ]*"\)$`).Match, `f("")`},
	}
	for _, c := range cases {
		if got, _, done := Run(raw, []byte(c.in), plenty, nil, c.test); string(got) != c.want || !done {
			t.Errorf("%s: %q, want %q; done %v", c.name, got, c.want, done)
		}
	}
}

// TestDone checks that a finished run has nothing smaller to find.
func TestDone(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	done := 0
	for n := 0; n < 300; n++ {
		flat := randomFlat(r, raw)
		test := sparseTest(flat, r.Uint64(), uint64(2+r.Intn(20)))
		budget := r.Intn(600)
		got, runs, end := Run(raw, flat, budget, nil, test)
		if !end {
			if runs < budget {
				t.Fatalf("%q: ended after %d runs of %d", flat, runs, budget)
			}
			continue
		}
		done++
		if again, _, _ := Run(raw, got, budget, nil, test); !bytes.Equal(again, got) {
			t.Fatalf("%q: %q, then %q", flat, got, again)
		}
	}
	if done < 50 {
		t.Errorf("%d ends", done)
	}
	if _, _, end := Run(raw, []byte("x"), 10, func() bool { return true }, func([]byte) bool { return true }); end {
		t.Error("stopped, and done")
	}
}
