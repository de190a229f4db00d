package golang

import (
	"fmt"
	"strings"
	"testing"
)

// limitTests lists function bodies with the number of their records, and some of the records.
var limitTests = []struct {
	name, body string
	count      int
	want       string
}{
	{"a loop of integers", "k := 0; for i := 0; i < 100; i++ { if i == 1000 { k++ } }; return k", 16, "IntEqual.8 Bs 15 1000"},
	{"a loop of strings", "k := 0; for i := 0; i < 100; i++ { if fmt.Sprint(i) == \"x\" { k++ } }; return k", 64, `StringEqual.0 B "63" "x"`},
	{"a loop over a list", "for _, w := range words { if w == text { return w } }; return 0", 40, `StringEqual.0  "word39" "text"`},
	{"a large switch", "k := 0; for i := 0; i < 100; i++ { switch i { " + cases(70) + " } }; return k", 2*64 - 2, "Lookup.8 Bs 0 63; Lookup.8 Bs 1 0"},
	{"a small map", "k := 0; for i := 0; i < 100; i++ { k += small[fmt.Sprint(i)] }; return k", 32, `Lookup.0  "15" "a"; Lookup.0  "15" "b"`},
	{"a larger map", "return larger[\"x\"]", 32, ""},
	{"keys that are found", "return larger[\"key 5\"] + larger[\"key 6\"]", 64, ""},
	{"a huge map", "return huge[3]", 0, ""},
	{"integer keys", "return sparse[3] + sparse[u]", 2, "Lookup.2 A 3 65535; Lookup.2  9 65535"},
	{"a list", "return slices.Contains(words, text)", 32, `Lookup.0  "text" "word31"`},
	{"many sites, late ones too", strings.Repeat("for i := 0; i < 100; i++ { if i == -1 || i == -2 { return 0 } }; ", 100) + "return text == \"late\"",
		// 32 loops fill half of the room, 52 the third quarter.
		1024 + 512 + 16*2 + 1, `StringEqual.0 B "text" "late"`},
}

func cases(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "case %d: k++\n", i)
	}
	return b.String()
}

const limitProlog = `package p

import (
	"fmt"
	"slices"
)

var (
	text          = "text"
	u      uint16 = 9
	words  []string
	small  = map[string]int{"a": 1, "b": 2}
	larger = map[string]int{}
	huge   = map[int]int{}
	sparse = map[uint16]int{0xffff: 1}
)

func init() {
	for i := 0; i < 5000; i++ {
		huge[i] = i
		if i < 40 {
			words = append(words, fmt.Sprintf("word%d", i))
		}
		if i < 200 {
			larger[fmt.Sprintf("key %d", i)] = i
		}
	}
}

var _ = slices.Contains[[]string]
`

// TestCmpLogLimits checks how much is recorded, and that the choice does not depend on the order of
// maps.
func TestCmpLogLimits(t *testing.T) {
	for _, lang := range []string{"1.17", "1.26"} {
		t.Run(lang, func(t *testing.T) {
			var p strings.Builder
			p.WriteString(limitProlog)
			for i, test := range limitTests {
				fmt.Fprintf(&p, "\nfunc T%d() interface{} { %s }\n", i, test.body)
			}
			text := p.String()
			if lang == "1.17" {
				text = strings.ReplaceAll(text, "var _ = slices.Contains[[]string]\n", "")
				text = strings.Replace(text, "\t\"slices\"\n", "", 1)
				text = strings.Replace(text, "return slices.Contains(words, text)", "return 0", 1)
			}
			m := newModule(t, "go.mod", "module x\ngo "+lang+"\n", "p/p.go", text)
			got, again := runOps(t, m, len(limitTests), true), runOps(t, m, len(limitTests), true)
			for i, test := range limitTests {
				if lang == "1.17" && test.name == "a list" {
					continue
				}
				var all []string
				for _, r := range got[i].Ops {
					all = append(all, r.String())
				}
				if len(all) != test.count {
					t.Errorf("%s: %d records, want %d", test.name, len(all), test.count)
				}
				if list := strings.Join(all, "; "); !strings.Contains(list, test.want) {
					t.Errorf("%s: no %s in\n%s", test.name, test.want, list)
				}
				if fmt.Sprint(got[i]) != fmt.Sprint(again[i]) {
					t.Errorf("%s: records depend on chance:\n%v\n%v", test.name, got[i], again[i])
				}
			}
		})
	}
}

// TestCmpLogRace records on several goroutines under the race detector: records are no race, and
// none is torn.
func TestCmpLogRace(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library for the race detector")
	}
	m := newModule(t, "go.mod", "module x\ngo 1.26\n", "p/p.go", `package p

import "strings"

var set = map[string]int{"a": 1}

func F(s string, n int) bool {
	switch n {
	case -1:
		return true
	}
	return s == "none" || n < 0 || strings.HasPrefix(s, "none") || set[s] == n || s < "A"
}
`, "main.go", opsReader+`
func main() {
	done := make(chan bool)
	for i := 0; i < 8; i++ {
		go func(i int) {
			for j := 0; j < 2000; j++ {
				p.F(fmt.Sprint("word ", i), i)
			}
			done <- true
		}(i)
	}
	for i := 0; i < 8; i++ {
		<-done
	}
	_ = json.NewEncoder(os.Stdout).Encode(ops[:opN])
	_ = run
}
`)
	m.env = append(m.env, "CGO_ENABLED=1")
	out := m.run(m.build(recording, []string{"x/p"}, "-race")) // a race makes the exit code 66
	for _, s := range strings.SplitAfter(out, "}") {
		if strings.Contains(s, `"S":"`) && !strings.Contains(s, `"S":""`) && !strings.Contains(s, `"S":"word `) {
			t.Errorf("torn: %s", s)
		}
	}
	if n := strings.Count(out, `"Site"`); n < 7*16/2 {
		t.Errorf("only %d records", n)
	}
}
