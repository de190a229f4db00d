package formats

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/show/text"
)

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    *Report
	}{{"nasty", nasty()}, {"usual", usual()}, {"empty", &Report{Command: "fuzz"}}} {
		t.Run(tt.name, func(t *testing.T) {
			data := tt.r.Markdown(SummaryLimit)
			goldentest.Compare(t, tt.name+".md", data)
			rendered(t, data)
		})
	}
}

// TestAcceptedLater checks that change points that several targets did not execute are listed once.
// The state of an accepted finding shows whether its input came later, and what else it accepts.
// The blocks are those of the tested code.
func TestAcceptedLater(t *testing.T) {
	for _, later := range []bool{false, true} {
		r := usual()
		target := &r.Targets[0]
		f := &target.Findings[4]
		if f.NewVariant = later; !later {
			f.Accepts = "every failure of FuzzX"
		}
		target.Summary.Coverage = []finding.Coverage{{Program: "a", Covered: 27, Blocks: 7902, OwnCovered: 26, OwnBlocks: 905}}
		junit := string(encode(t, r.JUnit))
		text := string(r.Markdown(SummaryLimit))
		for _, text := range []string{strings.ReplaceAll(text, "`", ""), junit} {
			if strings.Contains(text, "accepted, but this variant came later: section 4 says so") != later || strings.Contains(strings.ToLower(text), "it accepts every failure of") == later {
				t.Errorf("later %v: %s", later, text)
			}
		}
		if !strings.Contains(text, "26 of 905") || strings.Contains(text, "7,902") {
			t.Errorf("blocks: %s", text)
		}
	}
}

func TestMarkdownTogether(t *testing.T) {
	target := func(name, reached, not string) Target {
		return Target{Name: name, Summary: &finding.Summary{Target: name, Change: &finding.Change{Points: 3, Covered: 1,
			Reached: []finding.Reached{{Location: reached}}, NotReached: []finding.NotReached{{Location: not}, {Location: "p.go:3", Nearest: "p.go:9"}}}}}
	}
	r := &Report{Command: "regress", Targets: []Target{target("p.FuzzA", "p.go:1", "p.go:2"), target("p.FuzzB", "p.go:2", "p.go:1")}}
	data := r.Markdown(SummaryLimit)
	rendered(t, data)
	page := string(data)
	if !strings.Contains(page, "The change, in all targets together: 2 of 3 change points executed.\n\n| not executed | nearest executed | reason |\n|---|---|---|\n| `p.go:3` | `p.go:9` |  |\n\n") ||
		strings.Count(page, "not executed") != 1 || strings.Count(page, "1 of 3 change points executed") != 2 {
		t.Error(page)
	}
}

// TestMarkdownReached checks that a single target lists the inputs and paths of its change points,
// the least tested first.
func TestMarkdownReached(t *testing.T) {
	c := &finding.Change{Points: 4, Covered: 3, Reached: []finding.Reached{{Location: "p.go:1", Inputs: 1200, Paths: 7}, {Location: "p.go:2", Inputs: 2, Paths: 1}, {Location: "p.go:3", Start: true}},
		NotReached: []finding.NotReached{{Location: "p.go:4", Reason: regress.NoCaller}}}
	r := &Report{Command: "regress", Targets: []Target{{Name: "p.FuzzA", Summary: &finding.Summary{Target: "p.FuzzA", Change: c}}}}
	data := r.Markdown(SummaryLimit)
	rendered(t, data)
	if want := "| `p.go:4` |  | not exported, and nothing outside of tests calls it |\n\n| executed | inputs | paths |\n|---|---:|---:|\n| `p.go:2` | 2 | 1 |\n| `p.go:1` | 1,200 | 7 |\n\n"; !strings.Contains(string(data), want) {
		t.Errorf("%s", data)
	}
}

// rendered approximates the page that GitHub renders: it keeps raw HTML, and turns addresses into
// links. It fails the test if an element is not ours.
func rendered(t *testing.T, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).Convert(data, &b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	ours := map[string]bool{}
	for _, name := range strings.Fields("h2 h4 h5 p table thead tbody tr th td code pre details summary ul ol li") {
		ours[name] = true
	}
	open := map[string]int{}
	for _, m := range regexp.MustCompile(`<(/?)([a-zA-Z!][a-zA-Z0-9]*)([^>]*)>`).FindAllStringSubmatch(page, -1) {
		if !ours[m[2]] || m[3] != "" && !regexp.MustCompile(`^ (class="language-(go|sh|diff)"|style="text-align:right"|align="right")$`).MatchString(m[3]) {
			t.Errorf("element %s", m[0])
		}
		open[m[2]] += map[string]int{"": 1, "/": -1}[m[1]]
	}
	for name, n := range open {
		if n != 0 {
			t.Errorf("%d elements %s are open", n, name)
		}
	}
	for _, r := range page {
		if r < ' ' && r != '\n' || r == 0x202e {
			t.Errorf("character %#x", r)
		}
	}
	// Outside of code, no text mentions a user or refers to an issue.
	prose := regexp.MustCompile(`(?s)<code[^>]*>.*?</code>`).ReplaceAllString(page, "")
	if m := regexp.MustCompile(`@owner|#12|repo#3`).FindString(prose); m != "" {
		t.Errorf("%s stands outside of code:\n%s", m, prose)
	}
	return page
}

// TestMarkdownBound checks the size limit of a summary, which counts the omitted parts. The table
// continues after the room for details is used.
func TestMarkdownBound(t *testing.T) {
	r := many(5000)
	for _, tt := range []struct{ limit, rows, details int }{{SummaryLimit, 5000, 300}, {100 << 10, 300, 20}, {20 << 10, 50, 2}, {2000, 5, 0}, {300, 0, 0}, {0, 0, 0}} {
		data := r.Markdown(tt.limit)
		if len(data) > max(tt.limit, 200) {
			t.Errorf("limit %d: %d bytes", tt.limit, len(data))
		}
		rendered(t, data)
		if rows := bytes.Count(data, []byte("\n| `c0")); rows < tt.rows {
			t.Errorf("limit %d: %d rows", tt.limit, rows)
		}
		if details := bytes.Count(data, []byte("<details>")); details < tt.details {
			t.Errorf("limit %d: %d details", tt.limit, details)
		}
		if !bytes.Contains(data, []byte("Left out, because")) && !bytes.Contains(data, []byte("no room for more")) {
			t.Errorf("limit %d: what is left out is not told", tt.limit)
		}
	}
	for n := range 40 {
		if data := many(n).Markdown(SummaryLimit); bytes.Contains(data, []byte("Left out")) || bytes.Count(data, []byte("<details>")) != n {
			t.Fatalf("%d findings: something is left out", n)
		}
	}
}

// TestMarkdownFolds checks that the table has the rows of a terminal's list, in the same order and
// with as many similar ones. These are rows in the finding that they fold under, and never findings
// of another target.
func TestMarkdownFolds(t *testing.T) {
	r := many(8)
	list := r.Targets[0].Findings
	for i, under := range []int{0, 0, 0, 3, 4, 4, 6, 6} {
		if list[i].Location = ""; i != under {
			list[i].Under = list[under].ID
		}
		r.Targets[0].Summary.Findings.Buckets[i] = list[i].Row
	}
	other := many(1).Targets[0]
	other.Name, other.Findings[0].Under = "other", list[0].ID
	r.Targets = append(r.Targets, other)
	data := r.Markdown(SummaryLimit)
	rendered(t, data)
	table, full, _ := strings.Cut(string(data), "<details>")
	marks := regexp.MustCompile(`c0{8}[a-z]{3}|\+ \d+ similar`)
	var words bytes.Buffer
	if err := text.Table(&words, r.Targets[0].Summary.Findings.Buckets, text.TableOptions{Limit: 100}); err != nil {
		t.Fatal(err)
	}
	terminal := append(marks.FindAllString(words.String(), -1), other.Findings[0].ID)
	if got := marks.FindAllString(table, -1); !reflect.DeepEqual(got, terminal) {
		t.Errorf("the table lists %v\na terminal %v", got, terminal)
	}
	for _, f := range list[1:3] {
		if at := strings.Index(full, "| `"+f.ID); at < 0 || at > strings.Index(full, list[3].ID) || at < strings.Index(full, "<summary>+ 2 similar</summary>") {
			t.Errorf("%s does not fold", f.ID)
		}
	}
	if strings.Contains(string(data), "Left out") {
		t.Error("something is left out")
	}
}

// TestMarkdownLongFinding checks that a finding that is too long for a summary is shortened.
func TestMarkdownLongFinding(t *testing.T) {
	r := usual()
	f := &r.Targets[0].Findings[0]
	for i := range 60 {
		p := program(fmt.Sprintf("p%d", i), "crashed", strings.Repeat(hostile, 20), "")
		f.Record.Programs = append(f.Record.Programs, p)
	}
	data := r.Markdown(SummaryLimit)
	rendered(t, data)
	if !bytes.Contains(data, []byte("too long for a summary")) || !bytes.Contains(data, []byte("parallax replay --campaign .parallax/t b00000000001")) {
		t.Error("it is not told in short")
	}
}
