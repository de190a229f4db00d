package text

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/input"
)

// withVariants returns a finding with variants.
func withVariants(list ...finding.VariantRow) finding.Row {
	b := findingtest.TwoBuckets()[0]
	b.Variants = list
	return b
}

// TestTableVariants checks that the variants of a bucket have one line: their number, and the
// inputs of those that have one.
func TestTableVariants(t *testing.T) {
	quoted := func(inputs ...string) (list []finding.VariantRow) {
		for i, in := range inputs {
			list = append(list, finding.VariantRow{ID: fmt.Sprintf("%012d", i), Count: uint64(i), Quoted: in})
		}
		return list
	}
	for _, tt := range []struct {
		name string
		list []finding.VariantRow
		want string
	}{
		{"none", nil, ""},
		{"one", quoted(`"a"`), `and 1 variant: "a"`},
		{"several of one length, in their order", quoted(`"b"`, `"a"`, `"c"`), `and 3 variants: "b", "a", "c"`},
		{"one without an input", quoted(""), "and 1 variant"},
		{"some without", quoted("", `"a"`, ""), `and 3 variants: "a" and 2 more`},
		{"short ones first, long ones cut", quoted(`"`+strings.Repeat("long", 20)+`"`, `":/00"`), `and 2 variants: ":/00", "longlonglonglonglonglo…`},
		{"several that do not fit", quoted(slices.Repeat([]string{`"0123456789"`}, 9)...), `and 9 variants: "0123456789", "0123456789", "0123456789" and 6 more`},
		{"more than fit", quoted(`"` + strings.Repeat("long ", 30) + `"`), `and 1 variant: "long long long long long long long long long long long lon…`},
		{"control characters", quoted("\x1b[2J\r\n\u202e\xff"), `and 1 variant: \x1b[2J\r\n\u202e\xff`},
	} {
		for _, color := range []bool{false, true} {
			var b bytes.Buffer
			if err := Table(&b, []finding.Row{withVariants(tt.list...)}, TableOptions{Width: 80, Color: color}); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			if color {
				text = stripped(b.Bytes())
			}
			harmless(t, text)
			got := ""
			for l := range strings.Lines(text) {
				if l = strings.TrimSpace(l); strings.HasPrefix(l, "and ") {
					got += l
				}
			}
			if got != tt.want {
				t.Errorf("%s, colors %v: %q, want %q in\n%s", tt.name, color, got, tt.want, text)
			}
		}
	}
}

// TestTableVariantsFit checks that any variants take one line, and that no line is wider than the
// terminal.
func TestTableVariantsFit(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 6))
		var list []finding.VariantRow
		for range random.IntN(6) {
			list = append(list, finding.VariantRow{ID: hostile[random.IntN(len(hostile))], Count: random.Uint64(), Quoted: hostile[random.IntN(len(hostile))]})
		}
		width := 60 + random.IntN(100)
		var with, without bytes.Buffer
		for out, b := range map[*bytes.Buffer]finding.Row{&with: withVariants(list...), &without: withVariants()} {
			if err := Table(out, []finding.Row{b}, TableOptions{Width: width}); err != nil {
				t.Fatal(err)
			}
		}
		line, found := strings.CutPrefix(with.String(), without.String())
		if !found || strings.Count(line, "\n") != min(len(list), 1) {
			t.Errorf("seed %d: %q is told of %d variants", seed, line, len(list))
		}
		harmless(t, line)
		if w := columns.Width(strings.TrimRight(line, "\n")); w > width {
			t.Errorf("seed %d: %d columns of %d: %s", seed, w, width, line)
		}
	}
}

func TestTableWithVariants(t *testing.T) {
	list := append(findingtest.TwoBuckets(), findingtest.SixBuckets()[0])
	list[0].Variants = []finding.VariantRow{{ID: "000000000001", Count: 7, Minimized: "findings/a/1/minimized", Quoted: `"1.0.0-02"`, New: true}, {ID: "000000000002", Count: 3, Minimized: "findings/a/2/minimized", Quoted: escape.Quote("\x1b[31m"), New: false}, {ID: "000000000003", Count: 1, Minimized: "", Quoted: "", New: false}}
	list[2].Variants = []finding.VariantRow{{ID: "000000000004", Count: 1, Minimized: "findings/b/1/minimized", Quoted: escape.QuoteCut(strings.Repeat("1.0.0-alpha.", 40), 200), New: false}}
	for _, width := range []int{80, 120} {
		var b bytes.Buffer
		if err := Table(&b, list, TableOptions{Width: width, Programs: findingtest.SixPrograms}); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, fmt.Sprintf("table-variants-%d.txt", width), b.Bytes())
		harmless(t, b.String())
	}
	// Variants survive a round trip through the summary.
	s := findingtest.FullSummary()
	s.Findings.Buckets = list
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	harmless(t, string(data))
	again, err := finding.ParseSummary(data)
	if err != nil || !slices.Equal(again.Findings.Buckets[0].Variants, list[0].Variants) || again.Findings.Buckets[1].Variants != nil {
		t.Errorf("%v, variants %+v", err, again.Findings.Buckets[0].Variants)
	}
}

// ofVariant returns a finding of a variant with further inputs in its bucket.
func ofVariant(variant string, others ...finding.Other) (*finding.Finding, finding.Page) {
	return &finding.Finding{Bucket: "b", Variant: variant, Kind: "discrepancy", Shape: input.Shape{input.String}, Programs: []finding.Program{{Name: "p"}, {Name: "q"}}},
		finding.Page{Source: noSource, Others: others}
}

// TestFurtherInputsByVariant checks that further inputs are listed by variant, each once, and those
// that look like the finding first. If all look alike, the table has no such column.
func TestFurtherInputsByVariant(t *testing.T) {
	of := func(variant, in string, where ...string) finding.Other {
		return finding.Other{Variant: variant, Input: `"` + in + `"`, Where: where}
	}
	for _, tt := range []struct {
		name    string
		variant string
		others  []finding.Other
		want    []string // rows; the first is the head
	}{
		{"one variant", "v1", []finding.Other{of("v1", "b", "f.go:1"), of("v1", "a", "f.go:2", "g.go:3")},
			[]string{"input | decided at", "`\"b\"` | `f.go:1`", "`\"a\"` | `f.go:2`", "| `g.go:3`"}},
		{"several", "v2", []finding.Other{of("v3", "c", "f.go:3"), of("v1", "b", "f.go:1"), of("v2", "a", "f.go:2"), of("v1", "d")},
			[]string{"variant | input | decided at", "`v2` | `\"a\"` | `f.go:2`", "`v1` | `\"b\"` | `f.go:1`", "`v1` | `\"d\"` |", "`v3` | `\"c\"` | `f.go:3`"}},
		{"another one alone", "v2", []finding.Other{of("v1", "a", "f.go:1")}, []string{"variant | input | decided at", "`v1` | `\"a\"` | `f.go:1`"}},
		{"the same ones, once", "v1", []finding.Other{of("v1", "a", "f.go:1"), of("v2", "a", "f.go:1"), of("v1", "a", "f.go:1"), of("v2", "a", "f.go:2")},
			[]string{"variant | input | decided at", "`v1` | `\"a\"` | `f.go:1`", "`v2` | `\"a\"` | `f.go:1`", "`v2` | `\"a\"` | `f.go:2`"}},
		{"the same one, located later", "v1", []finding.Other{of("v1", "a", ""), of("v1", "a", "f.go:1")}, []string{"input | decided at", "`\"a\"` | `f.go:1`"}},
		{"of which nothing is known", "", []finding.Other{of("", "a", "f.go:1")}, []string{"input | decided at", "`\"a\"` | `f.go:1`"}},
		{"some of which nothing is known", "v1", []finding.Other{of("", "b", "f.go:1"), of("v1", "a", "f.go:1")},
			[]string{"variant | input | decided at", "`v1` | `\"a\"` | `f.go:1`", "| `\"b\"` | `f.go:1`"}},
		{"the finding itself", "", []finding.Other{of("v1", "b", "f.go:1"), of("", "a", "f.go:1")},
			[]string{"variant | input | decided at", "| `\"a\"` | `f.go:1`", "`v1` | `\"b\"` | `f.go:1`"}},
	} {
		// Inputs of one variant stay together in any order on disk.
		for turn := range len(tt.others) {
			others := slices.Concat(tt.others[turn:], tt.others[:turn])
			f, page := ofVariant(tt.variant, others...)
			var rows []string
			for l := range strings.Lines(section(string(Markdown(f, page)), "Further inputs of this bucket")) {
				if l = strings.TrimSpace(l); strings.HasPrefix(l, "|") && !strings.HasPrefix(l, "|-") && !strings.HasPrefix(l, "| -") {
					l = strings.Replace(strings.TrimSpace(strings.Trim(l, "|")), "| program | answer ", "", 1)
					rows = append(rows, strings.Replace(l, "|  |  |", "|", 1)) // no answers are known
				}
			}
			want := tt.want
			if turn > 0 {
				rows, want = slices.Sorted(slices.Values(rows)), slices.Sorted(slices.Values(tt.want))
			}
			if !slices.Equal(rows, want) {
				t.Errorf("%s, turned by %d:\n%q, want\n%q", tt.name, turn, rows, want)
			}
			text := string(Terminal(f, page, TextOptions{Width: 100}))
			if strings.Contains(text, "variant") != strings.Contains(tt.want[0], "variant") {
				t.Errorf("%s: on a terminal:\n%s", tt.name, text)
			}
		}
	}
}

// TestFurtherInputs checks the table of further inputs on a terminal and in Markdown.
func TestFurtherInputs(t *testing.T) {
	f, page := fullFinding()
	f.Variant = "3f2a9c1b04de"
	page.Others = []finding.Other{
		{Variant: "c81c55e09f27", Input: `"1.0.0-|02"`, Where: []string{"/home/u/project/lib/version.go:9", ""}, Answers: []finding.Answer{{Program: "a", Outcome: "accepted", Result: `"1.0.0-2"`}, {Program: "b|c", Outcome: "rejected", Result: "leading zero in \\x1b[2J|`1.0.0-02`"}}},
		{Variant: f.Variant, Input: `"1.0.0-03"`, Where: []string{"/home/u/project/lib/version.go:3"}, Answers: []finding.Answer{{Program: "a", Outcome: "accepted"}}},
		{Variant: "b81c55e09f27", Input: escape.Quote("\x1b[2J\xff`"), New: true},
	}
	md := string(Markdown(f, page))
	goldentest.Compare(t, "variants.md", []byte(section(md, "Further inputs of this bucket")+"\n"))
	harmless(t, md)
	balanced(t, md)
	text := string(Terminal(f, page, TextOptions{Width: 80}))
	_, text, _ = strings.Cut(text, "Further inputs of this bucket\n")
	text, _, _ = strings.Cut(text, "\n\n")
	goldentest.Compare(t, "variants-80.txt", []byte(text+"\n"))
	harmless(t, text)
}

// TestVariantsOfOnePlace checks variants with the same deciding places. They differ in a program's
// result, in the branch, or in how well the place separates.
func TestVariantsOfOnePlace(t *testing.T) {
	program := func(outcome, class, branch string, score float64) finding.Program {
		p := finding.Program{Name: "p", Deciding: "f.go:1", Ranked: []finding.Place{{Location: "f.go:1", Branch: branch, Score: score}}}
		p.Outcome, p.ErrorClass = outcome, class
		return p
	}
	base := program("rejected", "no", "then", 0.9)
	for _, c := range []struct {
		name  string
		other finding.Program
		want  [2]string // of base and of other
	}{
		{"outcome", program("accepted", "", "then", 0.9), [2]string{"(rejected: no)", "(accepted)"}},
		{"error", program("rejected", "never", "else", 0.9), [2]string{"(rejected: no)", "(rejected: never)"}},
		{"branch", program("rejected", "no", "else", 0.5), [2]string{"(the condition held)", "(the condition did not hold)"}},
		{"score", program("rejected", "no", "then", 0.5), [2]string{"(separates 90 of 100)", "(separates 50 of 100)"}},
		{"nothing known", base, [2]string{"", ""}},
	} {
		other := func(variant, in string, p finding.Program) finding.Other {
			o := (&finding.Finding{Variant: variant, Programs: []finding.Program{p, {Name: "q"}}}).Other()
			o.Input = in
			return o
		}
		for _, own := range []string{"v1", "v2"} { // the finding itself has one of them, and is not in the list
			f, page := ofVariant(own, other("v1", `"a"`, base), other("v2", `"b"`, c.other))
			for name, text := range map[string]string{"Markdown": string(Markdown(f, page)), "text": string(Terminal(f, page, TextOptions{Width: 200}))} {
				_, text, _ = strings.Cut(text, "Further inputs of this bucket")
				for line := range strings.Lines(text) {
					for i, in := range []string{`"a"`, `"b"`} {
						if strings.Contains(line, in) && (!strings.Contains(line, c.want[i]) || strings.Contains(line, "(") != (c.want[i] != "")) {
							t.Errorf("%s, %s: want %s in %s", c.name, name, c.want[i], line)
						}
					}
				}
			}
		}
	}
}

// TestFurtherInputsOfAccepted checks that further inputs are marked if they came after a bucket was
// accepted. Within one variant, the newest comes first.
func TestFurtherInputsOfAccepted(t *testing.T) {
	for _, later := range []bool{false, true} {
		f, page := ofVariant("v1", finding.Other{Variant: "v1", Input: `"a"`}, finding.Other{Variant: "v2", Input: `"b"`}, finding.Other{Variant: "v3", Input: `"c"`, Count: 3, New: later}, finding.Other{Variant: "v3", Input: `"d"`, Count: 4, New: later})
		page.Life = &finding.Life{Acceptance: finding.Acceptance{Accepted: true}}
		for name, text := range map[string]string{"Markdown": string(Markdown(f, page)), "text": string(Terminal(f, page, TextOptions{Width: 100}))} {
			_, text, _ = strings.Cut(text, "Further inputs of this bucket")
			if newest := strings.Index(text, `"d"`) < strings.Index(text, `"c"`); newest != later {
				t.Errorf("%s, came later %v: the newest is first: %v", name, later, newest)
			}
			for line := range strings.Lines(text) {
				for input, want := range map[string]string{`"a"`: "yes", `"b"`: "yes", `"c"`: "came later", `"d"`: "came later"} {
					if strings.Contains(line, input) && strings.Contains(line, want) != later {
						t.Errorf("%s, came later %v: %s", name, later, line)
					}
				}
			}
		}
	}
}

// TestAcceptedLater checks the state of an accepted finding in all texts. It says whether the input
// is of a later variant, and which failures of a check are accepted, too. Lines break at the width,
// and commands stay whole.
func TestAcceptedLater(t *testing.T) {
	const phrase = "accepted, but this variant came later: known"
	for _, later := range []bool{false, true} {
		k := finding.Row{ID: "0123456789ab", Kind: "failure", Count: 1, Quoted: `"y"`, Outcomes: map[string]string{"a": "crashed"}, Acceptance: finding.Acceptance{Accepted: true, Reason: "known", NewVariant: later}}
		if k.NewVariants = 1; !later {
			k.Accepts = "every failure of a at a_test.go:3 with this message"
		}
		s := &finding.Summary{Target: "t", Programs: []string{"a"}, Findings: finding.Findings{Buckets: []finding.Row{k}}}
		for _, full := range []bool{false, true} {
			for _, width := range []int{60, 80, 100, 160} {
				var b bytes.Buffer
				if err := End(&b, s, EndOptions{Width: width, Full: full, Flags: "--campaign folder "}); err != nil {
					t.Fatal(err)
				}
				flat := finding.Flat(b.String())
				if strings.Contains(flat, phrase) != later && (full || width >= 100) || !strings.Contains(flat, "accepted") {
					t.Errorf("full %v, width %d, later %v: %s", full, width, later, b.String())
				}
				if strings.Contains(flat, "it accepts "+k.Accepts+" ") == later || strings.Contains(flat, "parallax.Diff") == later {
					t.Errorf("full %v, width %d, later %v: what it accepts: %s", full, width, later, b.String())
				}
				if !strings.Contains(b.String(), "(parallax show --campaign folder 0123456789ab)") || !strings.Contains(b.String(), "parallax accept --campaign folder 0123456789ab") {
					t.Errorf("width %d: no commands in %s", width, b.String())
				}
				for line := range strings.Lines(b.String()) {
					if columns.Width(strings.TrimSuffix(line, "\n")) > width {
						t.Errorf("width %d: %q", width, line)
					}
				}
			}
		}
		f, page := ofVariant("v")
		page.Life = &finding.Life{Acceptance: finding.Acceptance{Accepted: true, Reason: "known", NewVariant: later, Accepts: k.Accepts}}
		for _, text := range []string{string(Markdown(f, page)), string(Terminal(f, page, TextOptions{Width: 300}))} {
			text = strings.ReplaceAll(text, `\`, "")
			if strings.Contains(text, "this variant came later") != later || strings.Contains(text, "It accepts every failure of a at a_test.go:3 with this message. To separate") == later {
				t.Errorf("later %v: %s", later, text)
			}
		}
	}
}

// TestHostileVariants checks that hostile texts of variants and further inputs never reach a
// terminal or Markdown as they are.
func TestHostileVariants(t *testing.T) {
	for i, h := range hostile {
		pick := func(n int) string { return hostile[(i+n)%len(hostile)] }
		f, page := ofVariant(pick(1), finding.Other{Variant: h, Input: pick(2), Where: []string{pick(3), h}}, finding.Other{Variant: pick(4), Input: h, Where: []string{h + ":3"}, New: true, Answers: []finding.Answer{{Program: h, Outcome: pick(1), Result: h}}}, finding.Other{Variant: pick(1), Input: pick(5)})
		md := string(Markdown(f, page))
		harmless(t, md)
		balanced(t, md)
		for _, color := range []bool{false, true} {
			harmless(t, stripped(Terminal(f, page, TextOptions{Color: color})))
		}
		var b bytes.Buffer
		if err := Table(&b, []finding.Row{withVariants(finding.VariantRow{ID: h, Count: 1, Minimized: h, Quoted: h, New: true}, finding.VariantRow{ID: h, Count: 2, Minimized: h, Quoted: pick(1), New: false})}, TableOptions{}); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String())
	}
}
