package page

import (
	"strings"
	"testing"
	"unicode/utf8"

	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/input"
)

func TestCutLine(t *testing.T) {
	for _, c := range []struct {
		place, file string
		line        int
		ok          bool
	}{
		{"/a/b.go:12", "/a/b.go", 12, true},
		{"/a/b.go:12:3", "/a/b.go", 12, true},
		{"c:x.go:7", "c:x.go", 7, true},
		{"", "", 0, false},
		{"/a/b.go", "", 0, false},
		{"/a:b", "", 0, false},
		{"a.go:1:2:3", "a.go:1", 2, true},
		{"a.go:99999999999", "", 0, false},
	} {
		if file, line, ok := cutLine(c.place); file != c.file && ok || line != c.line && ok || ok != c.ok {
			t.Errorf("%q: %q, %d, %v", c.place, file, line, ok)
		}
	}
}

func TestAxes(t *testing.T) {
	for top, want := range map[float64]float64{1: 1, 4: 1, 5: 2, 6: 2, 100: 50, 356679: 100000, 1e12: 5e11} {
		if got := niceStep(top); got != want {
			t.Errorf("niceStep(%v) = %v, want %v", top, got, want)
		}
	}
	for end, want := range map[float64]string{0.3: "0.1s", 40: "10s", 61: "15s", 3600: "15m", 7200: "30m", 86400: "6h", 10 * 86400: "5d00h"} {
		if got := clock(niceTime(end)); got != want {
			t.Errorf("time up to %vs in steps of %s, want %s", end, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 5: "5", 1500: "1.5k", 350000: "350k", 2e6: "2M", 1e9: "1G"} {
		if got := shortNumber(v); got != want {
			t.Errorf("shortNumber(%v) = %s, want %s", v, got, want)
		}
	}
}

// TestBehavior checks that a campaign with a measured diversity has plots of it, and lists thinly
// tested branches, all escaped.
func TestBehavior(t *testing.T) {
	d := document(nasty, 1)
	c := d.Campaigns[0]
	main, plain := plots(c)
	if names := plotNames(main); names != "Findings, Coverage, Rate, Corpus" {
		t.Errorf("the first plots are %s", names)
	}
	for i := range c.Samples {
		c.Samples[i].Behavior = &sample.Behavior{Traces: uint64(2 * i), B0: 40, B1: 31.5, B2: 28, Valid: 7, Invalid: 3, NewTrace: 0.25}
	}
	if _, more := plots(c); len(more) != len(plain)+6 {
		t.Errorf("%d plots, %d without", len(more), len(plain))
	}
	last := c.Samples[len(c.Samples)-1].Behavior
	last.Value = &sample.Yield{Tried: 10_000, Won: 123}
	_, all := plots(c)
	if yields := all[len(all)-1]; yields.Name != "Yield of mutations" || yields.Series[1].Last != "123" {
		t.Errorf("%s: %+v", yields.Name, yields.Series)
	}
	c.Summary.Behavior = &finding.Behavior{Behavior: *last, Thin: []finding.Thin{{Program: nasty, Location: "p.go:8", Traces: 2}, {Program: "b", Location: nasty, Traces: 3}}}
	page := write(t, d)
	for _, want := range []string{"Thinly tested", `p.go<span class="ln">:8</span>`, "B(1) 31.5, B(2) 28 of 40 branches"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<img src=x") {
		t.Error("the page has what a place said")
	}
}

func plotNames(list []Plot) string {
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// TestThin checks that samples of a resumed or damaged series do not lead a curve back.
func TestThin(t *testing.T) {
	got := thin([]sample.Sample{{Elapsed: 2}, {Elapsed: 1}, {Elapsed: 2, Buckets: 7}, {Elapsed: -5}, {Elapsed: 3}}, Span{}).samples
	if len(got) != 3 || got[1].Elapsed != 2 || got[1].Buckets != 7 || got[2].Elapsed != 3 {
		t.Errorf("%+v", got)
	}
	var many []sample.Sample
	for i := range 100000 {
		many = append(many, sample.Sample{Elapsed: float64(i)})
	}
	if got := thin(many, Span{}).samples; len(got) > maxPoints || len(got) < maxPoints/2 || got[len(got)-1].Elapsed != 99999 {
		t.Errorf("%d samples are kept, the last at %v", len(got), got[len(got)-1].Elapsed)
	}
	if main, more := plots(&Campaign{}); main != nil || more != nil {
		t.Error("plots of nothing")
	}
}

// TestLineStates checks that lines are executed as often as their first block. Branches that are
// never taken make a line partly executed. Blocks that only unkept inputs executed count as
// executed.
func TestLineStates(t *testing.T) {
	hit := func(kind string, n int) *Block { return &Block{Kind: kind, Hits: []Hit{{Inputs: n, Example: n}}} }
	for _, c := range []struct {
		blocks      []*Block
		state, text string
		title       string
	}{
		{nil, "", "", ""},
		{[]*Block{hit("entry", 5)}, "y", "5", ""},
		{[]*Block{hit("entry", 0)}, "n", "0", ""},
		{[]*Block{hit("entry", 1234), hit("then", 0), hit("then", 0)}, "p", "1,234", "the condition never holds"},
		{[]*Block{hit("then", 2), hit("else", 7)}, "y", "7", ""},
		{[]*Block{{Kind: "then", Hits: []Hit{{Ever: true}}}}, "y", "•", "executed while fuzzing, but not by any input of the corpus"},
		{[]*Block{{Kind: "then"}}, "n", "0", ""},
	} {
		if got := lineOf(1, 0, c.blocks); got.State != c.state || got.Text != c.text || got.Title != c.title {
			t.Errorf("%+v: %+v", c.blocks, got)
		}
	}
}

func TestFold(t *testing.T) {
	var rows []row
	for i := range 100 {
		rows = append(rows, row{N: i + 1})
	}
	rows[50].ID = "wanted"
	got := newLister(nil).fold(&fileView{}, rows)
	gaps, wanted := 0, false
	for _, r := range got {
		if r.Gap != "" {
			gaps++
		}
		wanted = wanted || r.ID == "wanted"
	}
	if gaps != 2 || !wanted || len(got) != 4*foldKeeps+3 {
		t.Errorf("%d rows, %d gaps, wanted %v", len(got), gaps, wanted)
	}
}

func TestPieces(t *testing.T) {
	text := func(runs []Run) string {
		var b strings.Builder
		for _, r := range runs {
			b.WriteString("[" + r.Class + ":" + r.Text + "]")
		}
		return b.String()
	}
	if got := text(pieces([]parting.Piece{{Text: "a\x00"}, {Text: "b", Marked: true}})); got != `[:a][esc:\x00][mark:b]` {
		t.Error(got)
	}
	// A difference is shown however far from the beginning it is.
	got := text(pieces([]parting.Piece{{Text: strings.Repeat("é", 5000)}, {Text: "x\xff", Marked: true}, {Text: strings.Repeat("b", 9000)}}))
	if !strings.Contains(got, `[mark:x][esc mark:\xff]`) || len(got) > 2*shown || !strings.HasPrefix(got, "[cut:… 9.6 KiB before ][:é") || !strings.Contains(got, " more]") {
		t.Error(got)
	}
}

func TestReference(t *testing.T) {
	of := func(results ...string) *finding.Finding {
		f := &finding.Finding{Layer: "value"}
		for _, r := range results {
			p := finding.Program{}
			p.Outcome, p.Value = "accepted", r
			f.Programs = append(f.Programs, p)
		}
		return f
	}
	for _, c := range []struct {
		finding      *finding.Finding
		usual, other int
	}{
		{of("1", "2"), 0, 1}, {of("1", "2", "2"), 2, 0}, {of("1", "2", "3"), 0, -1}, {of("", ""), -1, -1}, {&finding.Finding{Layer: "verdict"}, -1, -1},
	} {
		if usual, other := reference(c.finding); usual != c.usual || other != c.other {
			t.Errorf("%+v: %d, %d", c.finding.Programs, usual, other)
		}
	}
}

// FuzzReadCode checks that any source is shown line by line.
func FuzzReadCode(f *testing.F) {
	f.Add([]byte(program))
	f.Add([]byte("package p // a\r\n/* b\r\nc */ var s = `x\r\ny`\r\n'\\"))
	f.Add([]byte("\x00\xff\u202e\"\n`"))
	f.Fuzz(func(t *testing.T, src []byte) {
		c := readCode(src)
		lines := strings.Split(string(src), "\n")
		if len(c.lines) != len(lines) {
			t.Fatalf("%d lines of %d", len(c.lines), len(lines))
		}
		for i, line := range c.lines {
			var b strings.Builder
			for _, r := range line {
				b.WriteString(r.Text)
			}
			got := b.String()
			if !utf8.ValidString(got) {
				t.Fatalf("line %d is no UTF-8: %q", i+1, got)
			}
			if want := escapeSource(lines[i]); len(lines[i]) <= longest && got != want {
				t.Fatalf("line %d is %q, want %q", i+1, got, want)
			}
		}
	})
}

// FuzzArguments checks that inputs of any shape, damaged ones and holes of other inputs cause no
// panic.
func FuzzArguments(f *testing.F) {
	f.Add("string", []byte("a\x00\xff"), 0, 2)
	f.Add("[]byte, int8", []byte("\x01\x00\x00\x00a\x05"), 4, 6)
	f.Fuzz(func(t *testing.T, shape string, flat []byte, start, end int) {
		s, err := input.ParseShape("(" + shape + ")")
		if err != nil {
			s = nil
		}
		for _, a := range arguments(s, flat, []finding.Hole{{Start: start, End: end, Of: shape}, {Start: start + 1, End: end}}) {
			for _, r := range a.Runs {
				if !utf8.ValidString(r.Text) || strings.ContainsFunc(r.Text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("%q", r.Text)
				}
			}
		}
		changes(s, flat, append([]byte("x"), flat...))
	})
}

// TestSpan checks the parts of the time that a plot shows.
func TestSpan(t *testing.T) {
	var many []sample.Sample
	for i := range 1000 {
		many = append(many, sample.Sample{Elapsed: float64(i + 1), Corpus: 5000 + i})
	}
	for _, c := range []struct {
		span        Span
		from, end   float64 // of the axis
		first, last float64 // of the samples
	}{
		{Span{}, 0, 1000, 0, 1000},
		{Span{From: 500, To: 600}, 500, 600, 500, 600},
		{Span{From: 500.5}, 500.5, 1000, 500, 1000},
		{Span{To: 10}, 0, 10, 0, 10},
		{Span{From: 990, To: 5000}, 990, 1000, 990, 1000},
		{Span{From: 2000}, 0, 1000, 0, 1000},           // nothing there
		{Span{From: 600, To: 600.5}, 0, 1000, 0, 1000}, // too little there
	} {
		got := thin(many, c.span)
		n := len(got.samples)
		if got.from != c.from || got.end != c.end || n > maxPoints || n < 2 || got.samples[0].Elapsed != c.first || got.samples[n-1].Elapsed != c.last {
			t.Errorf("%+v: from %v to %v, %d samples", c.span, got.from, got.end, n)
		}
	}
	if n := len((Span{From: 500, To: 600}).Cut(many)); n != 101 {
		t.Errorf("%d samples in a part", n)
	}
	value := func(s []sample.Sample) []curve {
		return []curve{{name: "x", value: func(i int) float64 { return float64(s[i].Corpus) }}}
	}
	part := thin(many, Span{From: 500, To: 600})
	p := draw(part, "Corpus", "", value(part.samples), false)
	if p.Up[0].Text != "5.45k" || p.Across[0].Text != "8m30s" || strings.Contains(p.Series[0].Path, "-") {
		t.Errorf("%+v, %+v, %s", p.Up, p.Across, p.Series[0].Path)
	}
	whole := thin(many, Span{})
	if p = draw(whole, "Corpus", "", value(whole.samples), false); p.Up[0].Text != "0" || p.Across[0].Text != "0" {
		t.Errorf("%+v, %+v", p.Up, p.Across)
	}
}
