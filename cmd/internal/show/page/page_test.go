package page

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/text"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// nasty has ends of elements, attributes, comments, templates, escapes of terminals and bytes that
// are no text.
const nasty = "</script></style></title><!--<img src=x onerror=\"document.title='broken'\">\"'`{{.}}\x00\x1b[31m\xff\xc3\u202e\u2028${alert(1)}javascript:alert(1)"

const program = `package p

import "strings"

// Parse is long.
func Parse(s string) bool {
	if s == "" && !strings.Contains(s, "</script>") {
		return false
	}
	for range s {
		println("x")
	}
	return true
}
`

// document returns a page about a campaign with all features.
func document(text string, findings int) *Document {
	c := &Campaign{
		Summary: &finding.Summary{
			Mode: "diff", Target: "a" + text + "+b", Programs: []string{"a" + text, "b"}, Inputs: 1234567, Executions: 2469134, ElapsedSeconds: 61.5,
			ExecutionsPerSecond: 40000, Corpus: finding.Corpus{Size: 3, Bytes: 99}, Diversity: sample.Diversity{{Key: "coarse", N: 10}, {Key: "fine", N: 20}, {Key: "output", N: 3}},
			Coverage: []finding.Coverage{{Program: "a" + text, Blocks: 6, Covered: 5}, {Program: "b", Blocks: 6, Covered: 0}},
			Notes:    []string{text}, UniqueDiscrepancies: 2,
		},
		Folder: ".parallax/" + text, Dir: "/src",
		Programs: []Program{{"a" + text, "example.com/p.A" + text, "example.com/p", "v1.0.0" + text}, {"b", "example.com/p.B", "", ""}},
		Settings: []Setting{{"guidance", text}},
	}
	for i := range 50 {
		c.Samples = append(c.Samples, sample.Sample{
			Elapsed: float64(i) * 1.25, Inputs: uint64(i) * 20000, Executions: uint64(i) * 40000, Corpus: min(i, 3),
			Diversity: sample.Diversity{{Key: "coarse", N: uint64(i)}, {Key: "fine", N: uint64(2 * i)}, {Key: "output", N: 3}}, Unique: i / 20, Buckets: i / 10, Covered: []int{min(i, 5), 0},
		})
	}
	for i := range findings {
		c.Findings = append(c.Findings, example(text, i))
		c.Summary.Findings.Buckets = append(c.Summary.Findings.Buckets, c.Findings[i].Row)
	}
	c.Coverage = &Coverage{
		Inputs: 3, Of: 3,
		Files: []File{
			{Folder: "example.com/p" + text, Name: "p.go", Path: "/src/p.go", Owners: []bool{true, true}, Blocks: blocks()},
			{Folder: "example.com/p" + text, Name: "gone.go", Path: "/src/gone.go", Owners: []bool{true, false}, Blocks: blocks()},
			{Folder: "example.com/q", Name: "cold.go", Path: "/src/p.go", Owners: []bool{false, true}, Blocks: []Block{{Kind: "entry", Line: 6, EndLine: 7, Hits: make([]Hit, 2)}}},
		},
		Examples: []Example{
			{Hash: "0011223344556677", Quoted: escape.Quote(text), Hex: escape.HexDump([]byte(text), 64), Size: len(text), Outcomes: []string{"accepted", "rejected"}, Replay: "parallax replay '" + escape.Text(text) + "'"},
			{Hash: "1111223344556677", Quoted: `"x"`, Size: 1, Outcomes: []string{"crashed", "timeout"}, Parent: "0011223344556677", Operators: []string{"insert"}},
		},
	}
	source := func(file string) ([]byte, error) {
		if file == "/src/p.go" {
			return []byte(strings.Replace(program, "is long", "is long"+text, 1)), nil
		}
		return nil, os.ErrNotExist
	}
	return &Document{
		Made: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Tool: "v1" + text, Problems: []string{text}, Campaigns: []*Campaign{c}, Source: source,
	}
}

// blocks returns the blocks of program, where an empty string is never tried with b.
func blocks() []Block {
	one := func(kind string, line, end, n, example int) Block {
		return Block{Kind: kind, Line: line, EndLine: end, Hits: []Hit{{Inputs: n, Example: example}, {}}}
	}
	list := []Block{
		one("entry", 6, 7, 3, 0), one("and", 7, 7, 1, 1), one("then", 7, 8, 0, 0), one("implicit-else", 7, 7, 3, 0),
		one("body", 10, 11, 2, 1), one("join", 13, 13, 3, 0),
	}
	list[2].Hits[0].Ever = true
	return list
}

func example(text string, i int) Shown {
	id := fmt.Sprintf("%012x", 0xabc000+i)
	kind, layer := "discrepancy", "value"
	a := finding.Program{Name: "a" + text, Detail: oracle.Detail{Outcome: "accepted", Value: `p.T{A: 1, B: []int{1, 2}, C: ` + escape.Quote(text) + "}"}, Deciding: "p.go:7", Ranked: []finding.Place{
		{Location: "/src/p.go:7", Function: "example.com/p" + text + ".Parse", Branch: "then" + text, Score: .93, With: 4, Without: 1}, {Location: "/src/gone.go:3"},
	}}
	b := finding.Program{Name: "b", Detail: oracle.Detail{Outcome: "accepted", Value: `p.T{A: 1, B: []int{1, 3}, C: ` + escape.Quote(text) + "}"}}
	switch i % 3 {
	case 1:
		layer = "verdict"
		b.Detail = oracle.Detail{Outcome: "rejected", Error: "bad " + text, ErrorType: "*errors" + text}
	case 2:
		kind, layer = "crash", ""
		b.Detail, b.Message, b.Stack, b.Output = oracle.Detail{Outcome: "crashed"}, "panic: "+text, "p.F(...)\n\t/home/x/go/pkg/mod/p.go:12\n"+text, "logged\n"+text
	}
	shape := input.Shape{input.String, input.Int8}
	pack := func(s string, n int8) []byte {
		flat, err := shape.Pack(s, n)
		if err != nil {
			panic(err)
		}
		return flat
	}
	r := &finding.Finding{
		Bucket: id, Kind: kind, Layer: layer, Target: "t", Shape: shape, Programs: []finding.Program{a, b},
		Input: pack("longer "+text, 3), Minimized: pack("12"+text, 3), Parent: pack("longer", 3), Operators: []string{"insert" + text},
		Holes: []finding.Hole{{Start: 4, End: 6, Of: "digit"}}, Odd: []string{"b"}, Location: "/src/p.go:7", Count: uint64(i + 1), Replay: "parallax replay " + id + text,
	}
	row := r.Summarize()
	if i%7 == 6 {
		row.Accepted, row.Reason = true, text
	}
	row.FirstSeen, row.LastSeen, row.FirstSeenTime = uint64(1000-i%100), 5000, "2026-01-01T10:00:00Z"
	row.Similar = []finding.Similar{{ID: fmt.Sprintf("%012x", 0xabc000), Score: 87, Why: "input and place" + text}, {ID: "gone" + text, Why: "place"}}
	return Shown{Entry: finding.Entry{Row: row, Record: r, Page: finding.Page{Folder: "f" + text, Reproducer: "package x // " + text, GoMod: "module x"}}}
}

func write(t testing.TB, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHostile checks that all content of campaigns stays text. Elements, attributes and addresses
// are those of the templates, and no text acts on terminals or editors.
func TestHostile(t *testing.T) {
	page := write(t, document(nasty, 12))
	if !utf8.ValidString(page) {
		t.Error("not UTF-8")
	}
	for _, r := range page {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2028' {
			t.Errorf("%U is on the page", r)
			break
		}
	}
	tags := map[string]int{}
	for _, m := range regexp.MustCompile(`<[/!]?[a-zA-Z]+`).FindAllString(page, -1) {
		tags[strings.ToLower(m)]++
	}
	for tag, want := range map[string]int{"<script": 1, "</script": 1, "<style": 1, "<img": 0, "<iframe": 0, "<link": 0, "<base": 0, "<form": 0, "<object": 0} {
		if tags[tag] != want {
			t.Errorf("%s is there %d times, want %d", tag, tags[tag], want)
		}
	}
	body := page[strings.Index(page, "<body>"):strings.LastIndex(page, "<script>")]
	body = regexp.MustCompile(`"[^"]*"`).ReplaceAllString(body, `""`)
	for _, m := range regexp.MustCompile(`(?i)<[a-z][^>]*\s(on[a-z]+|src|srcset|action|style|xlink:href)\s*=`).FindAllString(body, -1) {
		t.Errorf("attribute in %s", m)
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(m[1], "#") {
			t.Errorf("a link leads to %q", m[1])
		}
	}
}

// TestAcceptedLater checks that the state of an accepted finding shows whether its input came
// later, and what else it accepts. The blocks are those of the tested code.
func TestAcceptedLater(t *testing.T) {
	for _, later := range []bool{false, true} {
		d := document("text", 1)
		row := &d.Campaigns[0].Findings[0].Row
		row.Accepted, row.Gone, row.Flaky, row.Reason, row.NewVariant = true, false, false, "known", later
		if !later {
			row.Accepts = "every failure of FuzzX"
		}
		cov := &d.Campaigns[0].Summary.Coverage[0]
		cov.Covered, cov.Blocks, cov.OwnCovered, cov.OwnBlocks = 27, 7902, 26, 905
		html := write(t, d)
		for text, want := range map[string]bool{
			`<span class="status">accepted, but this variant came later</span>`: later, "Accepted, but this variant came later: known": later, "Accepted: known": !later,
			"accepts every failure of FuzzX": !later, text.Separate: !later, "26 of 905": true, "7,902": false,
		} {
			if strings.Contains(html, text) != want {
				t.Errorf("later %v: %q is in the page: %v", later, text, !want)
			}
		}
	}
}

// TestLinks checks that links lead to ids of the page, and that ids are unique.
func TestLinks(t *testing.T) {
	for _, d := range []*Document{document("", 8), document(nasty, 3), {Campaigns: []*Campaign{document("", 3).Campaigns[0], document("", 2).Campaigns[0]}, Source: document("", 0).Source}} {
		page := write(t, d)
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("id %q twice", m[1])
			}
			ids[m[1]] = true
		}
		links := 0
		for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			links++
			if !ids[m[1]] {
				t.Errorf("nothing at %q", m[1])
			}
		}
		if links < 15 {
			t.Errorf("%d links", links)
		}
	}
}

// TestPolicy checks that the policy names the hashes of the style and the script on the page.
func TestPolicy(t *testing.T) {
	page := write(t, document("", 1))
	for _, tag := range []string{"style", "script"} {
		m := regexp.MustCompile(`(?s)<` + tag + `>(.*?)</` + tag + `>`).FindStringSubmatch(page)
		if m == nil || !strings.Contains(page, strings.ReplaceAll(digest(m[1]), "+", "&#43;")) {
			t.Errorf("the policy does not allow the page's own %s", tag)
		}
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") {
		t.Error("no policy")
	}
}

func TestRepeats(t *testing.T) {
	if first, second := write(t, document(nasty, 9)), write(t, document(nasty, 9)); first != second {
		t.Error("two pages of one document differ")
	}
}

// TestBounded checks that the page of a large campaign has a bounded size, and counts the omitted
// parts.
func TestBounded(t *testing.T) {
	d := document("", 10000)
	c := d.Campaigns[0]
	long := strings.Repeat("0123456789 \x00<b>", 1<<20)
	for i := range 3 {
		for p := range c.Findings[i].Record.Programs {
			c.Findings[i].Record.Programs[p].Value += fmt.Sprint(long, p)
		}
		c.Findings[i].Page.Reproducer, c.Findings[i].Record.Programs[0].Stack, c.Findings[i].Record.Programs[1].Output = long, long, strings.Repeat("line\n", 1<<20)
		flat, _ := c.Findings[i].Record.Shape.Pack(long, int8(1))
		c.Findings[i].Record.Input, c.Findings[i].Record.Minimized = flat, flat
	}
	c.Samples = make([]sample.Sample, 100000)
	for i := range c.Samples {
		c.Samples[i].Elapsed = float64(i)
	}
	big := strings.Repeat("\tprintln(\"a line of a long file\")\n", 9000)
	d.Source = func(string) ([]byte, error) {
		return []byte("package p\nfunc f() {\n" + big + "}\n"), nil
	}
	c.Coverage.Files = nil
	for i := range 40 {
		c.Coverage.Files = append(c.Coverage.Files, File{
			Folder: "example.com/p", Name: fmt.Sprintf("f%d.go", i), Path: fmt.Sprintf("/src/f%d.go", i), Owners: []bool{true, true},
			Blocks: []Block{{Kind: "entry", Line: 2, EndLine: 9002, Hits: []Hit{{Inputs: 1}, {Inputs: 1}}}},
		})
	}
	page := write(t, d)
	if len(page) > 24<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, text := range []string{"9,000 further findings", "further findings are left out to keep the page small: parallax show BUCKET", "further lines are left out", "The listing is left out to keep the page small", "further lines"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if n := strings.Count(page, `class="at"`); n > 7*maxPoints {
		t.Errorf("%d columns of plots", n)
	}
}

func TestEmpty(t *testing.T) {
	page := write(t, &Document{Campaigns: []*Campaign{{Summary: &finding.Summary{Mode: "diff", Target: "t"}, NoCoverage: "why not"}}})
	for _, text := range []string{"no findings", "not run long enough", "why not", "Nothing was found"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

// TestListing checks a listing: the executed lines, the numbers of inputs, and the links.
func TestListing(t *testing.T) {
	page := write(t, document("", 3))
	m := regexp.MustCompile(`(?s)<table class="src">.*?</table>`).FindString(page)
	goldentest.Compare(t, "listing.html", m)
}

// TestForeignPlace checks a finding that may name any file, on a page without a reader of its own.
// The page shows only lines of source.
func TestForeignPlace(t *testing.T) {
	dir := t.TempDir()
	for name, shown := range map[string]bool{"secret.txt": false, "mine.go": true} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("package one\n\nvar line_two_of_it int\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		d := document("", 1)
		d.Source, d.Campaigns[0].Dir = nil, dir
		p := &d.Campaigns[0].Findings[0].Record.Programs[0]
		p.Deciding, p.Ranked = file+":3", []finding.Place{{Location: file + ":3"}}
		var b strings.Builder
		if err := Write(&b, d); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "line_two_of_it") != shown {
			t.Errorf("%s: lines are shown: %v", name, !shown)
		}
	}
}

// TestFigures checks that flaky findings are not counted, and that a change of behavior is open.
func TestFigures(t *testing.T) {
	s := &finding.Summary{Findings: finding.Findings{Buckets: []finding.Row{{Gone: true}, {Acceptance: finding.Acceptance{Accepted: true}}, {Flaky: true}}}}
	if v := verdictOf(s).Text; v != "no open findings of 2" || tiles(s)[0].Value != "2" {
		t.Errorf("%q beside %+v", v, tiles(s)[0])
	}
	s.Findings.Buckets = s.Findings.Buckets[2:]
	if v := verdictOf(s).Text; v != "no findings" {
		t.Errorf("%q of a flaky finding", v)
	}
	s.Findings.Buckets = []finding.Row{{Kind: "change", Status: "changed"}, {Kind: "crash", Status: "old"}}
	if v := verdictOf(s); v.Text != "1 change" || v.Class != "warn" {
		t.Errorf("nobody has accepted the change: %+v", v)
	}
	s.Findings.Buckets[1].Status = "new"
	if v := verdictOf(s); v.Text != "1 change, 1 crash" || v.Class != "bad" {
		t.Errorf("%+v of a new crash", v)
	}
}
