package grammar

import (
	"strings"
	"testing"
	"unicode/utf8"

	"parallax/internal/tape"
)

func ambiguities(t *testing.T, text string, texts ...string) string {
	t.Helper()
	g, err := Parse("g", text)
	if err != nil {
		t.Fatal(err)
	}
	var given [][]byte
	for _, s := range texts {
		given = append(given, []byte(s))
	}
	told := append(append(Problems{}, g.Warnings...), g.Ambiguities(given)...)
	if len(told) == 0 {
		return ""
	}
	return told.Error()
}

// TestAmbiguities checks the reports: the ambiguous part, the shortest text found, and the
// difference of the readings.
func TestAmbiguities(t *testing.T) {
	for _, c := range []struct{ grammar, want string }{
		{`s ::= e ("+" e)*  e ::= "1" | "1" "+" "1" | "(" s ")"`, `g:1:7: rule s is ambiguous: "1+1" can be read in two ways, with "" for the part at 1:10 and with "+1"`},
		{`a ::= id | kw  id ::= [a-z]+  kw ::= "if"`, `g:1:7: rule a is ambiguous: "if" can be read in two ways, by the alternative at 1:7 and by that at 1:12`},
		{`a ::= [a-c] | [b-d]`, `g:1:7: rule a is ambiguous: "c" can be read in two ways, by the alternative at 1:7 and by that at 1:15`},
		{`a ::= "<" ("x" | "xx" | "xxx")+ ">"`, `g:1:12: rule a is ambiguous: "xx" can be read in two ways, with "x" and with "xx" as a repetition`},
		{`a ::= b{1,3} b ::= "x" "x"?`, `g:1:7: rule a is ambiguous: "xx" can be read in two ways, as 1 and as 2 repetitions`},
		{`a ::= b c  b ::= "x"*  c ::= "x"* "y"?`, `g:1:7: rule a is ambiguous: "x" can be read in two ways, with "" for the part at 1:9 and with "x"`},
		{`e ::= "if" s | "x"  s ::= e | e "else" e`, `rule s is ambiguous: "ifxelsex" can be read in two ways`},
		{`a ::= ("a"? "b"?){0,5} "c"?`, "g:1:8: what is repeated may be empty, and so may be none of it: the grammar is ambiguous"},
		{`a ::= "x" (b | c)  b ::= "b"?  c ::= "c"*`, "g:1:16: this alternative may be empty, and that at 1:12 too: the grammar is ambiguous"},
		{`a ::= ("ab" | "a" | "b")+`, `"ab" can be read in two ways, with "b" and with "ab" as a repetition`},
	} {
		if got := ambiguities(t, c.grammar); !strings.Contains(got, c.want) {
			t.Errorf("%s\n%s, want\n%s", c.grammar, got, c.want)
		}
	}
	const rare = `a ::= id | kw  id ::= [a-z]+  kw ::= "ifififif"`
	if got := ambiguities(t, rare, "of"); !strings.Contains(got, `"ifififif"`) {
		t.Errorf("of what is drawn: %s", got)
	}
	const never = `a ::= id | kw  id ::= [a-z]{8}  kw ::= ("i" | "f"){9}  b ::= "x"`
	if got := ambiguities(t, never); strings.Contains(got, "ambiguous") {
		t.Errorf("of a grammar that is not: %s", got)
	}
	if got := ambiguities(t, `a ::= [a-m]{24} | [l-z]{24}`, strings.Repeat("m", 24)); !strings.HasPrefix(got, "g:1:7: rule a is ambiguous: \"mmm") {
		t.Errorf("of a text that is given: %q", got)
	}
}

// ways counts the derivations of a text from a node by exhaustive search.
func ways(n *node, s string, known map[string]int) (all int) {
	key := strings.Join([]string{string(rune(n.id)), s}, " ")
	if w, ok := known[key]; ok {
		return w
	}
	defer func() { known[key] = all }()
	var several func(subs []*node, s string) int
	several = func(subs []*node, s string) (sum int) {
		if len(subs) == 0 {
			if s == "" {
				return 1
			}
			return 0
		}
		for i := 0; i <= len(s); i++ {
			if w := ways(subs[0], s[:i], known); w > 0 {
				sum += w * several(subs[1:], s[i:])
			}
		}
		return sum
	}
	switch n.kind {
	case literal:
		if s == n.text {
			return 1
		}
	case class:
		if c, size := utf8.DecodeRuneInString(s); size > 0 && size == len(s) && n.set.has(c) {
			return 1
		}
	case reference:
		return ways(n.rule.body, s, known)
	case choice:
		for _, sub := range n.subs {
			all += ways(sub, s, known)
		}
	case sequence:
		return several(n.subs, s)
	case repeat:
		var list []*node
		for k := 0; k <= n.max && k <= max(n.min, len(s)); k++ {
			if k >= n.min {
				all += several(list, s)
			}
			list = append(list, n.subs[0])
		}
	}
	return all
}

// TestReadings checks that a text is reported exactly if it has two derivations by count.
func TestReadings(t *testing.T) {
	for _, text := range []string{
		`s ::= e ("+" e)*  e ::= "1" | "1" "+" "1" | "(" s ")"`,
		`a ::= [a-c] | [b-d] a?`,
		`a ::= "<" ("x" | "xx" | "xxx")+ ">"`,
		`a ::= b{1,3} b ::= "x" "x"?`,
		`a ::= b c  b ::= "x"*  c ::= "x"* "y"?`,
		`e ::= "i" s | "x"  s ::= e | e "e" e`,
		`a ::= ("ab" | "a" | "b"){2,4}`,
		`a ::= "x" a "x" | "y"`,
		`a ::= "" | "(" a ")" a`,
		`a ::= ([a-z] - [aeiou])+ | [aeiou] [a-z]?`,
		`a ::= ("x" "y"?){0,4} "z"?`,
		`a ::= b{2} b ::= "x"? | "y" b?`,
	} {
		g, err := Parse("g", text)
		if err != nil {
			t.Fatal(err)
		}
		form := g.Form(64)
		form.match.doubles = map[int32][]pair{}
		one, two := 0, 0
		for seed := range uint64(150) {
			var src tape.Source
			src.Random(seed)
			out := string(g.Draw(&src, 10, nil))
			if len(out) > 12 {
				continue
			}
			if _, err := form.match.read([]byte(out)); err != nil {
				t.Fatal(err)
			}
			n := ways(g.root, out, map[string]int{})
			if got := len(form.match.readings) > 0; got != (n > 1) {
				t.Errorf("%s: %q has %d derivations, and two readings: %v", text, out, n, got)
			}
			for _, r := range form.match.readings {
				if w := ways(r.node, r.text, map[string]int{}); w < 2 {
					t.Errorf("%s: %q has %d derivations from %s", text, r.text, w, r.node)
				}
			}
			if n > 1 {
				two++
			} else {
				one++
			}
		}
		t.Logf("%s: %d texts of one derivation, %d of several", text, one, two)
	}
}

// TestUnambiguous checks that unambiguous grammars have no reports, and that a real one has its
// known ambiguity: an IPv4 address is a name, too.
func TestUnambiguous(t *testing.T) {
	for _, text := range []string{
		`sum ::= term (("+" | "-") term)*  term ::= [0-9]{1,4} | "(" sum ")"`,
		`a ::= "x" a "x" | "y"`,
		`a ::= "a"? "b"? "c"{2,3}`,
		`a ::= ("x" "y"?){0,4} "z"?`,
	} {
		if got := ambiguities(t, text); got != "" {
			t.Errorf("%s\n%s", text, got)
		}
	}
	for _, name := range []string{"json", "arithmetic", "xml"} {
		if got := load(t, name).Ambiguities(nil); len(got) > 0 {
			t.Error(got)
		}
	}
	got := load(t, "url").Ambiguities(nil)
	if len(got) != 2 || got[1].Line != 4 || !strings.Contains(got[1].Text, "rule host is ambiguous: ") {
		t.Error(got)
	}
}
