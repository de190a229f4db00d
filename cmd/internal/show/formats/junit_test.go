package formats

import (
	"encoding/xml"
	"fmt"
	"io"
	"parallax/cmd/internal/base/goldentest"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJUnit(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    *Report
	}{{"nasty", nasty()}, {"usual", usual()}, {"empty", &Report{Command: "fuzz"}}, {"many", many(300)}} {
		t.Run(tt.name, func(t *testing.T) {
			data := encode(t, tt.r.JUnit)
			if tt.name != "many" {
				goldentest.Compare(t, tt.name+".xml", data)
			}
			var suites junitSuites
			if err := xml.Unmarshal(data, &suites); err != nil {
				t.Fatal(err)
			}
			sums := [4]int{}
			for _, s := range suites.Suites {
				for i, n := range count(s.Cases) {
					sums[i] += n
				}
				if got := [4]int{s.Tests, s.Failures, s.Errors, s.Skipped}; got != count(s.Cases) {
					t.Errorf("suite %s: %v, and its cases are %v", s.Name, got, count(s.Cases))
				}
			}
			if got := [4]int{suites.Tests, suites.Failures, suites.Errors, suites.Skipped}; got != sums {
				t.Errorf("%v, and the suites have %v", got, sums)
			}
			allowed(t, data)
		})
	}
}

func count(cases []junitCase) (n [4]int) {
	for _, c := range cases {
		n[0]++
		switch {
		case c.Failure != nil:
			n[1]++
		case c.Error != nil:
			n[2]++
		case c.Skipped != nil:
			n[3]++
		}
	}
	return n
}

// allowed checks that all characters are valid in XML 1.0 (section 2.2), and that none changes how
// others are shown.
func allowed(t *testing.T, data []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(token)
		if chars, ok := token.(xml.CharData); ok {
			text = string(chars)
		}
		for _, r := range text {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == utf8.RuneError || r >= 0x202a && r <= 0x202e || r == 0xfffe || r == 0x200b {
				t.Fatalf("character %#x in %q", r, text)
			}
		}
	}
}

// TestJUnitCases checks that the fate of a finding decides whether its case fails, is skipped or
// passes.
func TestJUnitCases(t *testing.T) {
	for _, fail := range []bool{false, true} {
		r := usual()
		r.FailOnChange = fail
		var suites junitSuites
		if err := xml.Unmarshal(encode(t, r.JUnit), &suites); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range suites.Suites[0].Cases {
			what := "passes"
			switch {
			case c.Failure != nil:
				what = "fails"
			case c.Skipped != nil:
				what = c.Skipped.Message
			}
			got = append(got, c.Name+" "+what)
		}
		changed := map[bool]string{false: "changed: the new version behaves differently from the old one", true: "fails"}[fail]
		want := []string{
			"p passes", "crash b00000000001 fails", "crash b00000000002 old: the old version fails too", "crash b00000000003 passes",
			"value discrepancy b00000000004 " + changed, "discrepancy b00000000005 accepted: section 4 says so",
			"discrepancy b00000000006 flaky: it does not always show",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("changes fail the run: %v\n%s", fail, strings.Join(got, "\n"))
		}
	}
}

func TestJUnitTargets(t *testing.T) {
	var suites junitSuites
	if err := xml.Unmarshal(encode(t, nasty().JUnit), &suites); err != nil {
		t.Fatal(err)
	}
	broken, quiet := suites.Suites[1], suites.Suites[2]
	if c := broken.Cases; len(c) != 1 || c[0].Error == nil || c[0].Name != "broken" {
		t.Errorf("a target that was not fuzzed: %+v", c)
	}
	if c := quiet.Cases; len(c) != 1 || c[0].Error != nil || c[0].Failure != nil || c[0].Time != "1.000" {
		t.Errorf("a target without findings: %+v", c)
	}
}
