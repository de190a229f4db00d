package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/cmd/internal/finding/history"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// fullFinding returns a finding and a page with all parts that a report can have.
func fullFinding() (*finding.Finding, finding.Page) {
	f := findingtest.SemverFinding()
	mod, lib := "/go/pkg/mod/golang.org/x/mod@v0.30.0/semver/semver.go", "/home/u/project/lib/version.go"
	f.Holes = []finding.Hole{{Start: 0, End: 1, Of: "digit"}, {Start: 7, End: 8, Of: "digit"}}
	f.Odd = []string{"x/mod/semver.IsValid"}
	f.Programs[0].Ranked = []finding.Place{
		{Location: mod + ":6", Function: "golang.org/x/mod/semver.parse", Branch: "then", Score: 0.9, With: 1200, Without: 0},
		{Location: mod + ":3", Function: "golang.org/x/mod/semver.IsValid", Branch: "not else", Score: 0.8, With: 1200, Without: 3},
		{Location: mod + ":40", Function: "golang.org/x/mod/semver.IsValid", Branch: "entry", Score: 0.7, With: 1, Without: 3},
		{Location: mod + ":41", Score: 0.6},
	}
	f.Programs[1].Deciding = lib + ":3"
	page := finding.Page{
		Source: func(file string) ([]byte, error) {
			var b bytes.Buffer
			for i := range 50 {
				fmt.Fprintf(&b, "\tline %d of %s\n", i+1, file[strings.LastIndex(file, "/")+1:])
			}
			return b.Bytes(), nil
		},
		Dir: "/home/u/project", Here: "/home/u/project/lib", Folder: ".parallax/semver/findings/3f2a9c1b04de/1",
		Reproducer: "package discrepancy\n\nfunc TestDiscrepancy(t *testing.T) {}\n", GoMod: "module discrepancy\n",
		Similar: []finding.Related{
			{Similar: finding.Similar{ID: "a81c55e09f27", Score: 87, Why: "input and place"}, Kind: "crash", Input: `"1.0.0-02"`},
			{Similar: finding.Similar{ID: "b81c55e09f27", Score: 62, Why: "input"}, Kind: "discrepancy", Input: `"1.0.0-|02"`},
			{Similar: finding.Similar{ID: "c81c55e09f27", Score: 3, Why: "place"}, Kind: "discrepancy", Input: `"x"`},
		},
		Life: &finding.Life{
			Count: 12, FirstSeen: 3438, First: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Last: time.Date(2026, 1, 2, 5, 4, 5, 0, time.UTC),
			Now: time.Date(2026, 1, 2, 5, 5, 0, 0, time.UTC), Acceptance: finding.Acceptance{Accepted: true, Reason: "known"}, Gone: true,
		},
	}
	return f, page
}

func TestFullReport(t *testing.T) {
	f, page := fullFinding()
	md := Markdown(f, page)
	goldentest.Compare(t, "full.md", md)
	harmless(t, string(md))
	for _, bad := range []string{"/home/", "/go/pkg"} {
		if strings.Contains(string(md), bad) {
			t.Errorf("%s is of this machine", bad)
		}
	}
	for _, width := range []int{80, 100, 160} {
		text := Terminal(f, page, TextOptions{Width: width})
		goldentest.Compare(t, fmt.Sprintf("full-%d.txt", width), text)
		harmless(t, string(text))
		for l := range strings.Lines(string(text)) {
			if w := columns.Width(strings.TrimRight(l, "\n")); w > width && !strings.Contains(l, "/") && !strings.Contains(l, "parallax ") {
				t.Errorf("%d columns, %d wanted: %s", w, width, l)
			}
		}
	}
	if text := Terminal(f, page, TextOptions{Color: true}); stripped(text) != string(Terminal(f, page, TextOptions{})) {
		t.Error("colors change more than colors")
	}
}

func stripped(b []byte) string {
	var out strings.Builder
	for s := string(b); s != ""; {
		if strings.HasPrefix(s, "\x1b[") {
			s = s[strings.IndexByte(s, 'm')+1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		out.WriteRune(r)
		s = s[n:]
	}
	lines := strings.Split(out.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestOrigin(t *testing.T) {
	typed := input.Shape{input.String, input.Int8, input.Bytes}
	for _, tt := range []struct {
		name          string
		shape         input.Shape
		parent, found []byte
		want, not     []string
	}{
		{"one text", input.Shape{input.String}, []byte("1.0.0"), []byte("1.0.01"), []string{"parent  \"1.0.0\"\n              ^\ninput   \"1.0.01\"\n              ^"}, nil},
		{"lines", input.Shape{input.String}, []byte("a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"), []byte("a = 1\nb = 2\nc = 3\nd = 4\ne = \t6"),
			[]string{"```diff\n@@ line 3 @@\n c = 3\n d = 4\n-e = 5\n+e =     6\n\\ No newline at the end\n```"}, []string{"a = 1"}},
		{"arguments", typed, findingtest.Pack(typed, "abc", int8(1), []byte("x")), findingtest.Pack(typed, "abd", int8(2), []byte("x")),
			[]string{"Argument 1:", "\"abd\"\n           ^", "Argument 2:", "int8(2)\n             ^"}, []string{"Argument 3"}},
		{"the same", input.Shape{input.String}, []byte("a"), []byte("a"), []string{"which is the same"}, []string{"marked"}},
		{"hostile", input.Shape{input.Bytes}, []byte("```\x1b[2J\xff"), []byte("```\x1b[3J\xff"), []string{`\x1b[3J\xff`}, nil},
	} {
		f := &finding.Finding{Shape: tt.shape, Parent: tt.parent, Input: tt.found, Minimized: tt.found, Operators: []string{"x"}}
		page := string(Markdown(f, finding.Page{Source: noSource}))
		harmless(t, page)
		got := section(page, "Origin")
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", tt.name, want, got)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q is in\n%s", tt.name, not, got)
			}
		}
	}
}

func TestExcerpts(t *testing.T) {
	page := finding.Page{Source: func(string) ([]byte, error) { return []byte(strings.Repeat("x\n", 30)), nil }}
	for _, tt := range []struct {
		places []string
		want   string
	}{
		{[]string{"f:1"}, "[1-3]"},
		{[]string{"f:10", "f:20"}, "[8-12 18-22]"},
		{[]string{"f:10", "f:20", "f:15"}, "[8-22]"},
		{[]string{"f:10", "g:10", "f:11"}, "[8-12 8-13]"},
		{[]string{"f:99", "f:0", "", "f"}, "[]"},
		{[]string{"f:31"}, "[29-31]"},
	} {
		var places []finding.Place
		for _, l := range tt.places {
			places = append(places, finding.Place{Location: l})
		}
		var got []string
		for _, lines := range excerpts(paper{Page: page}, places) {
			fields := func(l []span) string { f := strings.Fields(l[0].text); return f[len(f)-1] }
			got = append(got, fields(lines[0])+"-"+fields(lines[len(lines)-1]))
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%v: %v, want %s", tt.places, got, tt.want)
		}
	}
}

func TestShortFunction(t *testing.T) {
	for in, want := range map[string]string{
		"github.com/Masterminds/semver/v3.comparePrePart": "semver.comparePrePart",
		"golang.org/x/mod/semver.(*V).parse":              "semver.(*V).parse",
		"main.f":                                          "main.f",
		"v3.f":                                            "v3.f",
		"":                                                "",
	} {
		if got := finding.ShortFunction(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestAgesOfBuckets(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		first, last time.Duration // before now
		want        string
	}{
		{0, 0, "first just now"},
		{90 * time.Second, 90 * time.Second, "first 1m ago"},
		{50 * time.Hour, 3 * time.Hour, "first 2d ago, last 3h ago"},
		{-time.Hour, -time.Hour, "first just now"}, // a clock that was put back
	} {
		if got := Ages(now.Add(-tt.first), now.Add(-tt.last), now); got != tt.want {
			t.Errorf("%v %v: %s", tt.first, tt.last, got)
		}
	}
	if got := Ages(time.Time{}, now, now); got != "" {
		t.Error(got)
	}
}

func TestHexLine(t *testing.T) {
	raw := input.Shape{input.Bytes}
	for in, want := range map[string]string{
		"text\n\t": "", "": "", "\x00": "", "\xfe\xff": "", "\xff\xfe日": "", "日本": "", "\ufeff": "ef bb bf", "\ufeff1\xff": "ef bb bf 31 ff",
		"text text text\ufeff": "", strings.Repeat("\x01", 20): "", strings.Repeat("\u200b", 6): "e2 80 8b e2 80 8b e2 80 8b e2 80 8b e2 80 8b e2 … (18 bytes in all)",
	} {
		if got := escape.HexLine(raw, []byte(in), 16); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if got := escape.HexLine(input.Shape{input.Bytes, input.Bool}, []byte("\x00"), 16); got != "" {
		t.Error(got)
	}
}

// hostile has texts that a terminal, Markdown or HTML would act on.
var hostile = []string{
	"\x1b[31mred\x1b[0m", "\x1b]0;title\a", "\x9b2J", "\u009b2J", "\r\noverwritten\r", "\b\b\b", "\x00", "\xff\xfe\xc3", "\u202egnirts\u2066",
	"```\n# heading\n```", "`code`", "|cell|", "\\|", "</script><img src=x onerror=alert(1)>", "[link](javascript:x)", "![i](http://x)", "@user #1",
	"a\tb\n\tc", strings.Repeat("x", 10000), strings.Repeat("日", 3000), strings.Repeat("\x1b", 2000), "é\u0301\u0301", "\U000e0041", "%s%d%!", "",
	"⟨⟩", "---\n===\n***", "1. one\n2. two", "&lt;&#27;", "\ufeff\u00ad\u200b",
}

// TestHostile checks that hostile texts of a finding never reach a terminal or Markdown as they
// are.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("runs reproducers")
	}
	for i, h := range hostile {
		for j := range 6 {
			pick := func(n int) string { return hostile[(i+j*n)%len(hostile)] }
			f := &finding.Finding{
				Bucket: h, Kind: []string{"discrepancy", "crash", "failure", h}[j%4], Layer: []string{"value", "class", "verdict", h}[i%4], Target: pick(1),
				Shape: input.Shape{input.Bytes}, Input: []byte(pick(2)), Minimized: []byte(h), Parent: []byte(pick(3)), Operators: []string{h, pick(4)},
				Holes: []finding.Hole{{Start: 0, End: 1, Of: h}}, Location: h, Odd: []string{h}, Count: 3, Replay: "parallax replay " + h,
				Origin: "seed: " + h, MinimizedOrigin: pick(1),
			}
			for k, outcome := range []string{"accepted", "accepted", "rejected", "crashed", h} {
				f.Programs = append(f.Programs, finding.Program{
					Name: pick(k) + h, Deciding: h + ":3", Message: map[bool]string{true: h + pick(5)}[outcome == "crashed"], Stack: "f()\n\t" + h, Output: pick(k + 1),
					Detail: oracle.Detail{Outcome: outcome, Error: pick(k), ErrorType: h, ErrorClass: h, Value: pick(k + 2)},
					Ranked: []finding.Place{{Location: h + ":2", Function: "a/" + h, Branch: h, With: 1}, {Location: pick(1) + ":5", Branch: "then"}},
				})
			}
			if j%2 == 0 {
				f.Fuzz = &finding.FuzzHarness{Package: h, ImportPath: pick(1), Name: h, Tags: pick(2)}
			}
			page := finding.Page{
				Source: func(string) ([]byte, error) { return []byte("one\n" + h + "\n" + pick(1) + "\n\n\n"), nil },
				Dir:    "/" + h, Here: "/x", Folder: h, Reproducer: h, GoMod: h, Life: &finding.Life{Count: 2, Acceptance: finding.Acceptance{Accepted: true, Reason: h}}, Seed: pick(1),
				Similar: []finding.Related{{Similar: finding.Similar{ID: h, Score: 3, Why: h}, Kind: h, Input: escape.Quote(h)}},
			}
			md := string(Markdown(f, page))
			harmless(t, md)
			balanced(t, md)
			for _, width := range []int{0, 80, 160} {
				harmless(t, string(Terminal(f, page, TextOptions{Width: width})))
				harmless(t, stripped(Terminal(f, page, TextOptions{Width: width, Color: true})))
			}
			row := f.Summarize()
			row.FirstSeenTime, row.Reason, row.Accepted = h, h, true
			var table bytes.Buffer
			if err := Table(&table, []finding.Row{row}, TableOptions{Width: 80, Programs: []string{h}, More: h, Limit: 1, Now: time.Now()}); err != nil {
				t.Fatal(err)
			}
			harmless(t, table.String())
			data, err := f.JSONWith(finding.Beside{Similar: []finding.Similar{{ID: h, Score: 1, Why: h}}, SameCause: []finding.Sharer{{Target: h, ID: h, Quoted: h}}, Owner: h, History: history.Log{{Comment: h}}})
			if err != nil {
				t.Fatal(err)
			}
			harmless(t, string(data))
		}
	}
}

// balanced checks that each fence of a page has its own end, and that nothing untrusted outside of
// fences is markup.
func balanced(t *testing.T, md string) {
	t.Helper()
	open := ""
	for l := range strings.Lines(md) {
		l = strings.TrimRight(l, "\n")
		ticks := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case open == "" && len(ticks) >= 3 && !strings.Contains(l[len(ticks):], "`"):
			open = ticks
		case open != "" && l == open:
			open = ""
		case open == "" && (strings.Contains(withoutCode(l), "<") || strings.Contains(withoutCode(l), "](")):
			if bare := withoutCode(l); strings.Contains(strings.ReplaceAll(bare, `\<`, ""), "<") || strings.Contains(strings.ReplaceAll(bare, `\]\(`, ""), "](") {
				t.Fatalf("markup outside code: %s", l)
			}
		}
	}
	if open != "" {
		t.Fatalf("a fence is not closed:\n%s", md)
	}
}

// withoutCode removes code spans from a line of Markdown.
func withoutCode(l string) string {
	var b strings.Builder
	for i := 0; i < len(l); {
		switch {
		case l[i] == '\\' && i+1 < len(l):
			b.WriteString(l[i : i+2])
			i += 2
		case l[i] == '`':
			n := 0
			for i+n < len(l) && l[i+n] == '`' {
				n++
			}
			tick, rest := l[i:i+n], l[i+n:]
			end := -1
			for k := 0; k+n <= len(rest); k++ {
				if rest[k:k+n] == tick && (k == 0 || rest[k-1] != '`') && (k+n == len(rest) || rest[k+n] != '`') {
					end = k
					break
				}
			}
			if end < 0 {
				b.WriteString(tick)
				i += n
				continue
			}
			i += n + end + n
		default:
			b.WriteByte(l[i])
			i++
		}
	}
	return b.String()
}

// TestLarge checks that pages cut large outputs and inputs, in reasonable time and memory.
func TestLarge(t *testing.T) {
	big := strings.Repeat("0123456789abcdef\n", 8<<20/17)
	other := big[:len(big)/2] + "difference" + big[len(big)/2:]
	f := &finding.Finding{
		Bucket: "b", Kind: "discrepancy", Layer: "value", Shape: input.Shape{input.Bytes}, Input: []byte(other), Minimized: []byte(big), Parent: []byte(big),
		Programs: []finding.Program{
			{Name: "a", Detail: oracle.Detail{Outcome: "accepted", Value: big}, Stack: big, Output: big},
			{Name: "b", Detail: oracle.Detail{Outcome: "accepted", Value: other}, Message: big},
			{Name: "c", Detail: oracle.Detail{Outcome: "rejected", Error: big, ErrorType: big}},
		},
	}
	md := Markdown(f, finding.Page{Source: func(string) ([]byte, error) { return []byte(big), nil }, Reproducer: "x"})
	text := Terminal(f, finding.Page{Source: noSource}, TextOptions{Width: 100})
	for name, out := range map[string][]byte{"Markdown": md, "text": text} {
		if len(out) > 100_000 {
			t.Errorf("%s of %d bytes", name, len(out))
		}
		if !bytes.Contains(out, []byte("difference")) {
			t.Errorf("%s does not show the difference", name)
		}
	}
}

// TestDoubtfulOther checks that a doubtful place of a further input is marked.
func TestDoubtfulOther(t *testing.T) {
	f := findingtest.SemverFinding()
	other := f.Other()
	other.Input, other.Where, other.Doubt = `"2.0.0-02"`, []string{"a/version.go:9", "b/semver.go:7"}, []bool{true, false}
	text := string(Markdown(f, finding.Page{Others: []finding.Other{other}, Source: func(string) ([]byte, error) { return nil, nil }}))
	if !strings.Contains(text, "perhaps `a/version.go:9`") || strings.Contains(text, "perhaps `b/semver.go:7`") {
		t.Errorf("no mark in\n%s", text)
	}
}
