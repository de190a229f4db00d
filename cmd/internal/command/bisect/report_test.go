package bisect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// sample returns a report of three commits with hostile texts.
func sample(status string) *Report {
	point := func(n int, outcome string) Point {
		return Point{Name: strings.Repeat(fmt.Sprint(n), 40), Short: strings.Repeat(fmt.Sprint(n), 7), Date: "2024-01-02T00:00:00Z",
			Subject: "subject \x1b[2J\u202e", Programs: []Result{{Name: "a@v1", Outcome: outcome, Result: strings.Repeat("long ", 40)}, {Name: "b\x1b", Outcome: "rejected"}}}
	}
	r := &Report{
		Finding: "3ba0", Target: "t", Programs: []string{"a@v1", "b\x1b"}, Input: `"x"`, Repository: "/repo\x07", Status: status,
		Tried: []Point{point(1, "rejected"), point(2, ""), point(3, "accepted")}, Labels: map[string]string{"a@v1": "a"},
		Notes: []string{"a note\x1b[31m\nof two lines"}, Alongside: []Change{{"example.com/\x1bm", "v1.0.0", "v1.1.0"}},
		Oldest: strings.Repeat("1", 40), Newest: strings.Repeat("3", 40),
	}
	r.Tried[1].Programs, r.Tried[1].Skip = nil, "program a does not build:\n\t# example.com/a\n\ta.go:1: \x1b[31mbad\n\ta.go:2: worse"
	return r
}

func TestText(t *testing.T) {
	for _, tt := range []struct {
		status string
		change func(*Report)
		want   []string
	}{
		{StatusFound, func(r *Report) { r.Last, r.First = &r.Tried[0], &r.Tried[2] }, []string{
			`The outcome changed in 3333333 (2024-01-02, subject \x1b[2J\u202e); 1111111 is the last commit before it.`,
			"accepted  long long", "<- changed",
		}},
		{StatusRange, func(r *Report) {
			r.Last, r.First, r.Between = &r.Tried[0], &r.Tried[2], []string{r.Tried[1].Name}
		}, []string{"The outcome changed after 1111111 ", " and no later than 3333333 ", "Between them is a commit that shows nothing:\n  2222222 ("}},
		{StatusRange, func(r *Report) {
			r.Last, r.First, r.Between, r.Left = &r.Tried[0], &r.Tried[2], []string{r.Tried[1].Name}, 7
		}, []string{"Between them, 7 commits were not tried: --tries N continues until N in a row show nothing.\nBetween them is a commit that shows nothing:\n"}},
		{StatusSame, func(*Report) {}, nil},
		{StatusSame, func(r *Report) {
			r.Compare = []string{"verdict", "value"}
			r.Tried[2].Programs[1].Outcome = "accepted"
		}, []string{"  other values\n"}},
		{StatusStopped, func(r *Report) { r.Last, r.First, r.Left = &r.Tried[0], &r.Tried[2], 1 }, []string{
			"Known so far: the outcome changed after 1111111", "; 1 between them were not tried.",
		}},
		{StatusStopped, func(*Report) {}, []string{"Known so far: no change, as far back as 1111111."}},
		{StatusStopped, func(r *Report) { r.Newest, r.Oldest = "", "" }, []string{"Nothing is known yet."}},
	} {
		r := sample(tt.status)
		tt.change(r)
		var b strings.Builder
		if err := r.Text(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for _, want := range append(tt.want, "  commit   a ", `2222222  skipped: program a does not build: a.go:1: \x1b[31mbad`, `example.com/\x1bm v1.0.0 => v1.1.0`, "a note\\x1b[31m\nof two lines\n", `/repo\x07`) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the text lacks %q:\n%s", tt.status, want, text)
			}
		}
		if strings.ContainsAny(text, "\x1b\x07\u202e") {
			t.Errorf("%s: control characters in\n%q", tt.status, text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if len([]rune(line)) > 260 {
				t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
			}
		}
		data, err := r.JSON()
		if err != nil || !json.Valid(data) || strings.ContainsAny(string(data), "\x1b\u202e") {
			t.Errorf("JSON %q, %v", data, err)
		}
	}
}

// TestAgreement checks that the text shows all compared properties, not only outcomes: otherwise
// two different points could read the same.
func TestAgreement(t *testing.T) {
	for _, tt := range []struct {
		layer    string
		programs []Result
		want     string
	}{
		{"value", []Result{{Name: "a", Outcome: "accepted"}, {Name: "b", Outcome: "accepted"}}, "a accepted, b accepted, other values"},
		{"value", []Result{{Name: "a", Outcome: "accepted"}, {Name: "b", Outcome: "accepted", SameAs: "a"}}, "a accepted, b accepted, same value"},
		{"verdict", []Result{{Name: "a", Outcome: "accepted"}, {Name: "b", Outcome: "accepted"}}, "a accepted, b accepted"},
		{"class", []Result{{Name: "a", Outcome: "accepted"}, {Name: "b", Outcome: "accepted"}}, "a accepted, b accepted"},
		{"value", []Result{{Name: "a", Outcome: "accepted"}, {Name: "b", Outcome: "rejected"}}, "a accepted, b rejected"},
		{"class", []Result{{Name: "a", Outcome: "rejected"}, {Name: "b", Outcome: "rejected"}}, "a rejected, b rejected, other classes"},
		{"class", []Result{{Name: "a", Outcome: "rejected"}, {Name: "b", Outcome: "rejected", SameAs: "a"}}, "a rejected, b rejected, same class"},
		{"value", []Result{{Name: "a", Outcome: "accepted"}, {Name: "b\x1b", Outcome: "accepted"}, {Name: "c", Outcome: "accepted", SameAs: "b\x1b"}},
			`a accepted, b\x1b accepted, c accepted, other values (b\x1b = c)`},
	} {
		r := &Report{Compare: []string{"verdict", tt.layer}}
		if got := r.Line(&Point{Name: "v1", Programs: tt.programs}); got != "v1: "+tt.want {
			t.Errorf("%s: %q, want %q", tt.layer, got, tt.want)
		}
	}
}

func TestErr(t *testing.T) {
	r := sample(StatusSame)
	if err := r.Err("; try"); exit.Code(err) != exit.UsageCode || err.Error() != `the outcome is the same at both ends, 1111111 and 3333333: a accepted, b\x1b rejected; try` {
		t.Errorf("%v", err)
	}
	r.Oldest = r.Newest
	if err := r.Err(""); err.Error() != `only 3333333 builds and shows an outcome, of all that was tried: a accepted, b\x1b rejected; older ones were tried and show nothing` {
		t.Errorf("%v", err)
	}
	r = sample(StatusSame)
	r.Compare = []string{"value"}
	r.Tried[2].Programs[0].Outcome, r.Tried[2].Programs[1] = "accepted", Result{Name: "b", Outcome: "accepted", SameAs: "a@v1"}
	if err := r.Err(""); !strings.HasSuffix(err.Error(), ": a accepted, b accepted, same value") {
		t.Errorf("%v", err)
	}
	r = sample(StatusNothing)
	r.Left = 1
	if err := r.Err(""); exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), "between them that was tried; 1 commit was not tried: --tries N ") {
		t.Errorf("%v", err)
	}
	r = sample(StatusNothing)
	r.Tried = r.Tried[:2]
	if err := r.Err(""); exit.Code(err) != exit.BuildCode || !strings.HasPrefix(err.Error(), "neither end shows an outcome, nor does any commit between them; at 2222222 program a does not build:\n") {
		t.Errorf("%v", err)
	}
	if err := sample(StatusFound).Err(""); err != nil {
		t.Error(err)
	}
}
