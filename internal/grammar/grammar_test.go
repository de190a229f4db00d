package grammar

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parallax/internal/tape"
)

func load(t testing.TB, name string) *Grammar {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".ebnf"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Parse(name+".ebnf", string(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Warnings) > 0 {
		t.Fatal(g.Warnings)
	}
	return g
}

// realGrammars lists real grammars, each with an independent recognizer of its language.
var realGrammars = []struct {
	name  string
	reads func(string) bool
}{
	{"json", func(s string) bool { return json.Valid([]byte(s)) }},
	{"arithmetic", regexp.MustCompile(`^(?s:[a-z][a-z0-9_]{0,7} = [-a-z0-9_.()+*/ ]+;\n)+$`).MatchString},
	{"xml", func(s string) bool {
		d := xml.NewDecoder(strings.NewReader(s))
		d.Strict = false
		for {
			if _, err := d.RawToken(); err != nil {
				return err == io.EOF
			}
		}
	}},
	{"url", func(s string) bool { u, err := url.Parse(s); return err == nil && u.Scheme != "" || err != nil }},
}

// TestSentences checks that sentences are in the language, differ, and convert back: text, tape,
// text. A tape replays to itself.
func TestSentences(t *testing.T) {
	for _, one := range realGrammars {
		t.Run(one.name, func(t *testing.T) {
			g := load(t, one.name)
			form := g.Form(1 << 12)
			var src tape.Source
			texts, long := map[string]bool{}, 0
			for seed := range uint64(400) {
				src.Random(seed)
				text := string(g.Draw(&src, 1<<12, nil))
				drawn := src.Tape().Clone()
				if !one.reads(text) {
					t.Fatalf("seed %d: %q is not of the language", seed, text)
				}
				texts[text] = true
				if len(text) > 40 {
					long++
				}
				if again, ok := form.Text(drawn, nil); !ok || string(again) != text || form.src.Fresh > 0 || !form.Drawn().Equal(drawn) {
					t.Fatalf("seed %d: %q replays to %q, %v, with %d fresh choices", seed, text, again, ok, form.src.Fresh)
				}
				back, err := form.Tape([]byte(text))
				if err != nil {
					t.Fatalf("seed %d: %q: %v", seed, text, err)
				}
				back = back.Clone()
				if again, ok := form.Text(back, nil); !ok || string(again) != text || form.src.Fresh > 0 {
					t.Fatalf("seed %d: %q was read as %q, with %d fresh choices", seed, text, again, form.src.Fresh)
				}
			}
			t.Logf("%d different texts, %d of more than 40 bytes", len(texts), long)
			if len(texts) < 300 || long < 30 {
				t.Errorf("%d different texts, %d of more than 40 bytes", len(texts), long)
			}
		})
	}
}

// TestMutants checks that any change of a tape makes a sentence, and so do parts of one tape in
// another.
func TestMutants(t *testing.T) {
	for _, one := range realGrammars {
		g := load(t, one.name)
		form, other := g.Form(1<<12), g.Form(1<<12)
		var src tape.Source
		var e tape.Edit
		spliced := 0
		for seed := range uint64(20) {
			src.Random(seed)
			g.Draw(&src, 1<<12, nil)
			a := src.Tape().Clone()
			src.Random(seed + 10000)
			g.Draw(&src, 1<<12, nil)
			b := src.Tape().Clone()
			check := func(m *tape.Tape) {
				m.Rest = seed + 1
				text, ok := form.Text(m, nil)
				if !ok {
					return
				}
				if _, err := other.Tape(text); err != nil {
					t.Fatalf("%s, seed %d: %q: %v", one.name, seed, text, err)
				}
			}
			for i := 0; i < len(a.Choices); i += 1 + len(a.Choices)/8 {
				m := e.Copy(a)
				m.Choices[i].Value = (m.Choices[i].Value + seed) % (m.Choices[i].Bound + 1)
				check(m)
			}
			for i := 1; i < len(a.Spans); i += 1 + len(a.Spans)/8 {
				check(e.TakeOut(a, i))
				check(e.Redraw(a, i))
				check(e.Repeat(a, i, a, i))
				for k := 1; k < len(b.Spans); k++ {
					if b.Spans[k].Site == a.Spans[i].Site {
						check(e.Splice(a, i, b, k))
						spliced++
						break
					}
				}
			}
		}
		if spliced < 20 {
			t.Errorf("%s: only %d parts were exchanged", one.name, spliced)
		}
	}
}

// TestEnds checks that drawing ends for every tape: with endless nesting, and with the most
// repetitions.
func TestEnds(t *testing.T) {
	for _, text := range []string{
		`a ::= "(" a ")" | "x"`,
		`a ::= "<" a a a a ">" | "x"`,
		`a ::= ( "x" a* )+ `,
		`a ::= b{3,9} b ::= "y" | "[" a{2} "]"`,
	} {
		g, err := Parse("g", text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(4) {
			var src tape.Source
			src.Random(seed)
			out := g.Draw(&src, 1<<20, nil)
			if src.Drawn() > 4096 {
				t.Errorf("%s: %d fresh choices", text, src.Drawn())
			}
			drawn := src.Tape().Clone()
			for i := range drawn.Choices {
				c := &drawn.Choices[i]
				c.Value = c.Bound
			}
			drawn.Rest = 1
			form := g.Form(1 << 14)
			if got, ok := form.Text(drawn, nil); ok && len(got) < len(out) {
				t.Errorf("%s: the largest choices make %d bytes of %d", text, len(got), len(out))
			}
			var greedy tape.Source
			greedy.Plain([]byte(strings.Repeat("\xff", 1<<12)), seed)
			g.Draw(&greedy, 1<<16, nil)
		}
	}
}

// TestSimplest checks that the simplest choices take the shortest way.
func TestSimplest(t *testing.T) {
	for name, want := range map[string]string{"json": "true", "arithmetic": "a = a;\n", "xml": "<a/>", "url": "ftp://a"} {
		form := load(t, name).Form(100)
		empty := &tape.Tape{}
		empty.Reset()
		if got, ok := form.Text(empty, nil); !ok || string(got) != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestFiles checks that handwritten files are read and drawn again byte by byte.
func TestFiles(t *testing.T) {
	for name, texts := range map[string][]string{
		"json": {`{"name": "x", "tags": ["a", "b\n", "\u00e9é"], "n": -1.5e+10, "deep": ` + strings.Repeat("[", 90) + strings.Repeat("]", 90) + "}\n",
			`"` + strings.Repeat("long ", 500) + `"`, "[" + strings.Repeat("0, ", 700) + "1]"},
		"xml": {"<?xml version=\"1.0\"?>\n<pom a='1' b=\"&lt;\"><!-- - --><x>&#165;text</x><![CDATA[ <&> ]]><y /></pom >"},
		"url": {"https://user:pa%20ss@example.com:8080/a/b;c?q=1&r=/#top", "x://[0:0:0:0:0:ffff:c0a8:1]", "ftp://127.0.0.255/"},
	} {
		form := load(t, name).Form(1 << 20)
		for _, text := range texts {
			read, err := form.Tape([]byte(text))
			if err != nil {
				t.Errorf("%s: %.80q: %v", name, text, err)
				continue
			}
			if again, ok := form.Text(read.Clone(), nil); !ok || string(again) != text {
				t.Errorf("%s: %.80q was read as %.80q", name, text, again)
			}
		}
	}
}

// TestWayBackOfHardGrammars uses grammars that are hard to parse: ambiguous ones, empty parts, long
// common prefixes.
func TestWayBackOfHardGrammars(t *testing.T) {
	for _, text := range []string{
		`a ::= b c  b ::= "x"*  c ::= "x"* "y"?`,
		`s ::= e ("+" e)*  e ::= "1" | "1" "+" "1" | "(" s ")"`,
		`a ::= "x" a "x" | "x"`,
		`a ::= ("a"? "b"?){0,5} "c"?`,
		`a ::= ("a" | b){2,4} b ::= "" | "a" "a"`,
		`a ::= "" | "(" a ")" a`,
		`a ::= ([a-z] - [aeiou])+ | [a-z]{2} [#x80-#x10FFFF]?`,
		`a ::= ("ab" | "a" | "b")+`,
	} {
		g, err := Parse("g", text)
		if err != nil {
			t.Fatal(err)
		}
		form := g.Form(1 << 10)
		for seed := range uint64(100) {
			var src tape.Source
			src.Random(seed)
			out := g.Draw(&src, 1<<10, nil)
			read, err := form.Tape(out)
			if err != nil {
				t.Fatalf("%s, seed %d: %q: %v", text, seed, out, err)
			}
			if again, ok := form.Text(read.Clone(), nil); !ok || string(again) != string(out) {
				t.Fatalf("%s, seed %d: %q was read as %q", text, seed, out, again)
			}
		}
	}
}

func TestMismatch(t *testing.T) {
	for _, c := range []struct{ grammar, text, want string }{
		{"json", "{\n  \"a\": [1, 2,]\n}", `line 2, column 14: there is "]", and [#x9-#xA#xD#x20], "true", "null", "false", "-", "0", [1-9], '"' and others may stand there`},
		{"json", `{"a"`, `line 1, column 5: the text ends, and [#x9-#xA#xD#x20], ":" may stand there`},
		{"json", `1 2`, `line 1, column 3: there is "2", and [#x9-#xA#xD#x20] may stand there`},
		{"json", "\"\xff\"", `line 1, column 2: there is "\xff", and [#x20-!#x23-[#x5D-#xD7FF#xE000-#x10FFFF], "\", '"' may stand there`},
		{"xml", "", `line 1, column 1: the text ends, and `},
		{"arithmetic", "a = (b + é);\n", `line 1, column 10: there is "é", and `},
	} {
		_, err := load(t, c.grammar).Form(100).Tape([]byte(c.text))
		var m *Mismatch
		if !errors.As(err, &m) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s of %q:\n%v, want\n%s", c.grammar, c.text, err, c.want)
		}
	}
	form := load(t, "json").Form(100)
	if _, err := form.Tape([]byte(strings.Repeat("[", 400) + strings.Repeat("]", 400))); err == nil || !strings.Contains(err.Error(), "nests too deep") {
		t.Errorf("a deep text: %v", err)
	}
	g, err := Parse("g", `a ::= ("x" | "xx" | "xxx")+ "y" b* b ::= a | "x"`)
	if err != nil {
		t.Fatal(err)
	}
	form = g.Form(100)
	form.match.most = 2000
	if _, err := form.Tape([]byte(strings.Repeat("xy", 200))); err == nil || !strings.Contains(err.Error(), "too many ways") {
		t.Errorf("a text that can be read in very many ways: %v", err)
	}
}

func ExampleParse() {
	_, err := Parse("sum.ebnf", "sum ::= sum \"+\" num | num\nnum ::= [0-9]+\n")
	fmt.Println(err)
	// Output:
	// sum.ebnf:1:9: rule sum is left-recursive, it may begin with itself: sum → sum. Write what repeats behind what it begins with, as in  sum ::= term ("+" term)*
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "g:1:1: there is no rule: a grammar begins with its start, such as  start ::= \"text\""},
		{"a", "g:1:1: a rule is expected here, such as  name ::= \"text\""},
		{"a ::= \"x\" )", "g:1:11: a rule is expected here, such as  name ::= \"text\""},
		{"a ::= ", "g:1:7: nothing is here: write \"\" for nothing"},
		{"a ::= \"x\" |\nb ::= \"y\"", "g:2:1: nothing is here: write \"\" for nothing"},
		{"a ::= \"x\nb ::= \"", "g:1:7: the text does not end on its line: \" is missing"},
		{"a ::= (\"x\" ", "g:1:7: the parenthesis does not end: ) is missing"},
		{"a ::= [a-", "g:1:7: the class does not end on its line: ] is missing"},
		{"a ::= [z-a]", "g:1:8: the range is empty: z-a"},
		{"a ::= []", "g:1:7: the class has no characters (] is written #x5D)"},
		{"a ::= #x", "g:1:7: #x is no character: they are #x0 to #xD7FF and #xE000 to #x10FFFF"},
		{"a ::= #xD800", "g:1:7: #xD800 is no character: they are #x0 to #xD7FF and #xE000 to #x10FFFF"},
		{"a ::= #41", "g:1:7: a character by its number is #x and hexadecimal digits, such as #x41"},
		{"a ::= \"x\"{3,2}", "g:1:10: from 3 to 2 repetitions are none"},
		{"a ::= \"x\"{0}", "g:1:10: from 0 to 0 repetitions are none"},
		{"a ::= \"x\"{a}", "g:1:10: a number of repetitions is {2}, {2,} or {2,4}"},
		{"a ::= \"x\"{99999999}", "g:1:11: 99999999 repetitions are too many: 65534 is the limit"},
		{"a ::= \"x\" /* never", "g:1:11: the comment does not end: */ is missing"},
		{"a ::= %", "g:1:7: '%' has no meaning here: a part is \"text\", [a-z], #x41, a name or ( )"},
		{"a = \"x\"", "g:1:1: a rule is expected here, such as  name ::= \"text\""},
		{"a ::= b = \"x\"", "g:1:9: '=' has no meaning here: a part is \"text\", [a-z], #x41, a name or ( )"},
		{"a ::= \"é\" \xff", "g:1:11: this is not UTF-8"},
		{strings.Repeat("(", 300), "g:1:1: a rule is expected here, such as  name ::= \"text\""},
		{"a ::= " + strings.Repeat("(", 300), "g:1:207: parentheses nest more than 200 deep"},
		{"a ::= b c\nd ::= e", "g:1:7: there is no rule b\ng:1:9: there is no rule c\ng:2:7: there is no rule e"},
		{"a ::= \"x\"\na ::= \"y\"", "g:2:1: there is another rule a, at 1:1: join them with |"},
		{"a ::= \"(\" a \")\"", "g:1:1: rule a makes no text: each way through it needs a rule that never ends"},
		{"a ::= \"x\" | b\nb ::= \"y\" c\nc ::= \"z\" b", "g:2:1: rule b makes no text: each way through it needs a rule that never ends\ng:3:1: rule c makes no text: each way through it needs a rule that never ends"},
		{"a ::= b? c \"x\" | \"y\"\nb ::= \"b\"\nc ::= (\"u\" | a) \"v\"", "g:1:10: rule a is left-recursive, it may begin with itself: a → c → a. Write what repeats behind what it begins with, as in  sum ::= term (\"+\" term)*"},
		{"a ::= a", "g:1:7: rule a is left-recursive, it may begin with itself: a → a. Write what repeats behind what it begins with, as in  sum ::= term (\"+\" term)*"},
		{"a ::= (b?)* \"x\"\nb ::= \"b\"", "g:1:8: what is repeated without bound may be empty: then it could be repeated for ever. Take the ? or * or \"\" out of it"},
		{"a ::= \"x\" | [0-9] | 'x'", "g:1:21: the alternative \"x\" is at 1:7 too: the grammar is ambiguous"},
		{"a ::= \"x\" - [x]", "g:1:7: - takes all characters away"},
		{"a ::= b - \"x\"\nb ::= \"x\" \"y\"", "g:1:7: - takes characters away from characters, such as  [a-z] - [xyz]: a side here is more than one character"},
		{"a ::= a - a", "g:1:7: - takes characters away from characters, such as  [a-z] - [xyz]: a side here is more than one character"},
		{"a ::= [a-z] -", "g:1:13: what - takes away is missing"},
	} {
		_, err := Parse("g", c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%.60q:\n%v, want\n%s", c.text, err, c.want)
		}
	}
	deep := &strings.Builder{}
	for i := range 500 {
		fmt.Fprintf(deep, "r%d ::= \"(\" r%d \")\"\n", i, i+1)
	}
	if _, err := Parse("g", deep.String()+"r500 ::= \"x\""); err == nil || !strings.Contains(err.Error(), "nests 500 deep: 400 is the limit") {
		t.Errorf("a deep grammar: %v", err)
	}
	g, err := Parse("g", "a ::= \"x\"\nb ::= c\nc ::= \"y\"")
	if err != nil || g.Warnings.Error() != "g:2:1: rule b is not used: the start is a, the first rule\ng:3:1: rule c is not used: the start is a, the first rule" {
		t.Errorf("%v, %v", g.Warnings, err)
	}
}

// FuzzParse checks that no grammar makes the parser panic or hang, and that accepted grammars can
// read their own sentences.
func FuzzParse(f *testing.F) {
	for _, one := range realGrammars {
		text, err := os.ReadFile(filepath.Join("testdata", one.name+".ebnf"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`a ::= ("a"? "b"?){0,5} "c"? | [^a-z] - "B" {2}`)
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse("g", text)
		if err != nil || g.Shortest() > 1<<12 {
			return
		}
		var src tape.Source
		src.Random(1)
		out := g.Draw(&src, 1<<8, nil)
		if len(out) > 1<<10 {
			return
		}
		form := g.Form(1 << 12)
		read, err := form.Tape(out)
		if err != nil {
			if strings.Contains(err.Error(), "too many ways") {
				return
			}
			t.Fatalf("%q: %v", out, err)
		}
		if again, ok := form.Text(read.Clone(), nil); !ok || string(again) != string(out) {
			t.Fatalf("%q was read as %q", out, again)
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	g := load(b, "json")
	var src tape.Source
	var out []byte
	n := 0
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		src.Random(uint64(i))
		out = g.Draw(&src, 1<<12, out[:0])
		n += len(out)
	}
	b.SetBytes(int64(n / b.N))
}

func BenchmarkTape(b *testing.B) {
	form := load(b, "json").Form(1 << 20)
	text := []byte(`{"name": "x", "tags": ["a", "b\n", "\u00e9é"], "n": -1.5e+10, "deep": [[[1, 2, 3], {"a": null}]]}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, err := form.Tape(text); err != nil {
			b.Fatal(err)
		}
	}
}
