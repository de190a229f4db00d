package formats

import (
	"fmt"
	"parallax/cmd/internal/base/goldentest"
	"regexp"
	"strings"
	"testing"
)

func TestAnnotations(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    *Report
	}{{"nasty", nasty()}, {"usual", usual()}} {
		data := tt.r.Annotations()
		goldentest.Compare(t, tt.name+".annotations", data)
		commands(t, data)
	}
	if got := string((&Report{}).Annotations()); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

// commands counts the lines that the runner reads as errors and warnings.
func commands(t *testing.T, data []byte) (errors, warnings int) {
	t.Helper()
	form := regexp.MustCompile(`^::(error|warning) (?:file=[^:,]+,)?(?:line=\d+,)?title=[^:,]*::(.*)$`)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		m := form.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a command of ours: %q", line)
			continue
		}
		if m[1] == "error" {
			errors++
		} else {
			warnings++
		}
		for _, r := range line {
			if r < ' ' && r != '\t' || r == 0x202e {
				t.Errorf("character %#x in %q", r, line)
			}
		}
	}
	return errors, warnings
}

// TestAnnotationsBound checks the limit of GitHub, ten annotations of a type: the last one counts
// the rest.
func TestAnnotationsBound(t *testing.T) {
	for _, tt := range []struct{ findings, lines, more int }{{1, 1, 0}, {10, 10, 0}, {11, 10, 2}, {300, 10, 291}} {
		data := many(tt.findings).Annotations()
		errors, _ := commands(t, data)
		if errors != tt.lines {
			t.Errorf("%d findings: %d errors", tt.findings, errors)
		}
		if got := strings.Contains(string(data), fmt.Sprintf("::%d more like these", tt.more)); got != (tt.more > 0) {
			t.Errorf("%d findings:\n%s", tt.findings, data)
		}
	}
	r := many(300)
	r.Targets = append(r.Targets, Target{Name: "z", Problem: "does not build"}, Target{Name: "y", Findings: usual().Targets[0].Findings, Summary: usual().Targets[0].Summary})
	data := string(r.Annotations())
	if !strings.HasPrefix(data, "::error title=z::does not build\n::error file=p/p.go,line=12,title=crash in p::") || !strings.Contains(data, "::warning file=p/p.go,line=15") {
		t.Errorf("the most important are not first, or a change is no warning:\n%s", data)
	}
}

func TestEscapedCommand(t *testing.T) {
	got := command("error", Anchor{File: "a,b:c%.go", Line: 3}, "t: 1, 2", "50%\nnext: line, \r")
	if want := "::error file=a%2Cb%3Ac%25.go,line=3,title=t%3A 1%2C 2::50%25%0Anext: line, \\r\n"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
