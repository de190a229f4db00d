package gencheck

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/fuzztest"
)

func TestMissed(t *testing.T) {
	for n, want := range map[int]float64{0: 1, 1: 0.95, 58: 0.0503, 59: 0.0495} { // algorithms: 59 unchanged reruns give 5 % at 95 %
		if got := missedShare(n); got != want {
			t.Errorf("missed(%d) = %v, want %v", n, got, want)
		}
	}
}

// site returns a site with its reruns, for a report with one target per list.
func site(label, by, kind string, changed, reruns int) *Site {
	return &Site{File: "a_test.go", Line: len(label), Label: label, By: by, Kind: kind, Values: 3, Draws: 9, Reruns: reruns, Changed: changed}
}

func judged(targets ...*Target) []string {
	r := &Report{Reruns: 59}
	for i, t := range targets {
		t.Name = fmt.Sprint("T", i)
		t.Inputs, t.Choices = 1, 1
		r.Targets = append(r.Targets, t)
	}
	r.judge()
	var got []string
	for _, m := range r.Mistakes {
		got = append(got, fmt.Sprintf("%s %s %s", m.Kind, m.Label, m.Targets))
	}
	return got
}

func override(s *Site) *Site {
	s.Override = true
	return s
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name  string
		sites []*Site
		want  string
	}{
		{"as declared", []*Site{site("a", "Bool", value, 0, 59), site("b", "OneOf", structural, 1, 59), site("c", "SliceOf, length", structural, 0, 59)}, ""},
		{"a value that matters once", []*Site{site("a", "SliceOf, IntRange", value, 1, 59)}, "value-is-structural a [T0]"},
		{"structure that does not", []*Site{site("a", "Choose", structural, 0, 59), site("b", "SliceOf, OneOf", structural, 0, 59)}, "structural-is-value a [T0] structural-is-value b [T0]"},
		{"too few reruns", []*Site{site("a", "Choose", structural, 0, 58)}, ""},
		{"one value", []*Site{{By: "Choose", Kind: structural, Values: 1, Draws: 9}}, ""},
		{"an override that nothing wants", []*Site{override(site("a", "Bool", structural, 0, 59))}, "structural-is-value a [T0]"},
		{"an override of which a part matters", []*Site{override(site("a", "String, length", structural, 9, 59)), override(site("a", "String, Rune", structural, 0, 59))}, ""},
		{"keys that come twice", []*Site{site("a", "MapOf, Int", value, 3, 59)}, ""},
	} {
		if got := strings.Join(judged(&Target{Sites: c.sites}), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	// Evidence in one target makes a site structural, and a mistake of several targets counts once.
	got := judged(&Target{Sites: []*Site{site("a", "Flip", structural, 0, 59), site("bb", "Bool", value, 2, 59)}}, &Target{Sites: []*Site{site("a", "Flip", structural, 5, 59), site("bb", "Bool", value, 2, 59)}})
	if strings.Join(got, " ") != "value-is-structural bb [T0 T1]" {
		t.Errorf("of two targets: %q", got)
	}
	// Without a valid input, the drawn values are unknown.
	for want, target := range map[string]*Target{"draws-nothing": {Inputs: 9}, "all-invalid": {Inputs: 9, Invalid: 9}, "": {Inputs: 9, Invalid: 5, Failed: 4, Choices: 1}} {
		r := Report{Targets: []*Target{target}}
		r.judge()
		got := ""
		for _, m := range r.Mistakes {
			got += m.Kind
		}
		if got != want || (len(target.Notes) == 1) != (want == "") {
			t.Errorf("%+v: %q, notes %q, want %q", target, got, target.Notes, want)
		}
	}
	said := []libraryMistake{{Kind: hangs, File: "a.go", Line: 1, Draws: true}, {Kind: hangs, File: "a.go", Line: 2, Draws: true}, {Kind: hangs, File: "b.go", Line: 1}, {Kind: panics, File: "c.go", Line: 3, Text: "oh"}}
	target := &Target{said: said}
	if got := judged(target); strings.Join(got, " ") != "timeout  [T0] panic  [T0]" || len(target.Notes) != 1 {
		t.Errorf("said: %q, notes %q", got, target.Notes)
	}
}

// TestAdvice checks that each mistake has advice for its place.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		site *Site
		want string
	}{
		{site("a", "Bool", value, 9, 59), `t.Flip("a")`},
		{site("a", "T.IntRange", value, 9, 59), `t.Choose("a", N)`},
		{site("a", "SliceOf, Int", value, 9, 59), "add .Structural()"},
		{site("a", "Of, Bool", value, 9, 59), `the tag gen:"structural"`},
		{override(site("a", "OneOf", value, 9, 59)), "take .Value() away"},
		{site("a", "Choose", structural, 0, 59), `t.IntRange("a", 0, 2)`},
		{site("a", "Flip", structural, 0, 59), `gen.Bool().Draw(t, "a")`},
		{site("a", "OneOf", structural, 0, 59), "SampledFrom"},
		{override(site("a", "Bool", structural, 0, 59)), "take .Structural() away"},
	} {
		text := c.site.adviseOnValue()
		if c.site.Kind == structural {
			text = c.site.adviseOnStructure()
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%+v: %s, want %q", c.site, text, c.want)
		}
	}
}

func TestUndrawn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a_test.go")
	err := os.WriteFile(file, []byte(`package a

import "example.com/m/internal/parallax/gen"

var g = gen.Custom(func(t *gen.T) int {
	if t.Flip("a") {
		return t.IntRange("b", 0, 1)
	}
	return gen.Int[int]().
		Draw(t, "c")
})

var other = gen.Custom(func(t *gen.T) int { return gen.Int[int]().Draw(t, "d") })
`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	target := func(lines ...int) *Target {
		at := &Target{lines: map[place]bool{}}
		for _, n := range lines {
			at.lines[place{file, n}] = true
		}
		return at
	}
	for _, c := range []struct {
		targets []*Target
		want    string
	}{
		{[]*Target{target(6, 7, 10)}, ""},
		{[]*Target{target(6, 10)}, "b 7"},
		{[]*Target{target(6), target(7)}, "c 10"}, // drawn in any target
		{[]*Target{target(13)}, ""},               // no target draws from g
	} {
		var got []string
		for _, m := range missingDraws(c.targets) {
			got = append(got, fmt.Sprint(m.Label, " ", m.Line))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%v: %q, want %q", c.targets, got, c.want)
		}
	}
}

func TestFatal(t *testing.T) {
	text := "noise\nfatal error: sync: unlock of unlocked mutex\n\ngoroutine 1 [chan receive]:\ntesting.(*T).Run()\n\t/go/src/testing/testing.go:1 +0x1\n\n" +
		"goroutine 7 [running]:\nsync.fatal({0x1, 0x2})\n\t/go/src/runtime/panic.go:1191 +0x1\nexample.com/m.draw(...)\n\t/m/m_test.go:12 +0x3\n" +
		"example.com/m/internal/parallax/gen.Gen[...].Draw({0x1})\n\t/m/internal/parallax/gen/gen.go:62 +0x3\nexample.com/m.FuzzX.func1(0x0)\n\t/m/m_test.go:20 +0x1\n" +
		"example.com/m/internal/parallax/gen.(*checker).once(0x1)\n\t/m/internal/parallax/gen/check.go:120 +0x1\n"
	at, within, message := fatal(text, "/go")
	if at != (place{"/m/m_test.go", 12}) || !within || message != "fatal error: sync: unlock of unlocked mutex" {
		t.Errorf("%v %v %q", at, within, message)
	}
	if _, within, _ := fatal(strings.ReplaceAll(text, "gen.Gen[...].Draw", "gen.Other"), "/go"); within {
		t.Error("a property that ends the process is taken for a generator")
	}
	if _, _, message := fatal("exit", "/go"); message != "" {
		t.Errorf("a message %q", message)
	}
}

// TestRead checks that other output of the property between the lines is ignored.
func TestRead(t *testing.T) {
	x := &test{names: map[string]int{}, pkg: &fuzztest.Package{ImportPath: "example.com/m"}}
	heard := 0
	in := strings.Repeat("x", 1<<18) + "\nkey {\"version\":1,\"property\":0,\"name\":\"T\"}\nother @9 9\nkey @0 4\npart\nkey {\"input\":4,\"runs\":3,\"choices\":2,\"sites\":[{\"file\":\"a\",\"line\":1,\"kind\":\"value\",\"draws\":2,\"bound\":9,\"reruns\":2}]}\nkey {\"inp"
	if err := x.read(strings.NewReader(in), "key", func() { heard++ }); err != nil || heard != 3 || len(x.targets) != 1 {
		t.Fatalf("%v, %d lines, %v", err, heard, x.targets)
	}
	at := x.targets[0]
	if at.Inputs != 1 || len(at.Sites) != 1 || at.Sites[0].Values != 10 || at.Sites[0].Reruns != 2 || x.last.input != 4 || x.now != at {
		t.Errorf("%+v %+v", at, x.last)
	}
	if err := x.read(strings.NewReader("key {\"version\":9}\n"), "key", func() {}); err == nil || !strings.Contains(err.Error(), "parallax init") {
		t.Errorf("another version: %v", err)
	}
}

func TestText(t *testing.T) {
	long := strings.Repeat("long", 20)
	r := &Report{Reruns: 59, Targets: []*Target{{Package: "example.com/m", Name: "TestX", Inputs: 1, Choices: 1, Sites: []*Site{
		site("a", "Bool", value, 0, 59), override(site(long, "Recursive, SliceOf, OneOf, IntRange", value, 7, 59)), {By: "Choose", Kind: structural, Values: 1}, {By: "Flip", Kind: structural},
	}}}}
	r.judge()
	for _, width := range []int{80, 100} {
		var b strings.Builder
		if err := r.Text(&b, width, true); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"0 of 59 (< 5 %)", "7 of 59", "has one value", "not known", "value*", "1 mistake\n"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("width %d: no %q in\n%s", width, want, b.String())
			}
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := len([]rune(l)); n > width && !strings.Contains(l, long) {
				t.Errorf("width %d: %d cells: %s", width, n, l)
			}
		}
	}
}
