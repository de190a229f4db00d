package formats

import (
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// hostile is a text that tries to end the element around it, in every format.
const hostile = "a`b``c|d\n```\n</details></code><img src=x onerror=alert(1)><!-- @owner #12 org/repo#3 [link](http://evil.example) ![i](http://evil.example/i) " +
	"]]> &amp; &#60; %0A::error::x\r\n::error file=y::z\n##[error]w {0} \\| \\` ~~~ \x00\x1b[31m\xff\ufffe\u202e\u0301\u200b\U000e0041 http://evil.example/auto <http://evil.example/angle>\n\n# heading\n| --- |"

var textShape = input.Shape{input.String}

func noSource(string) ([]byte, error) { return nil, errors.New("there is none") }

// bucket returns a row with its record.
func bucket(kind, layer, id, in, location string, programs ...finding.Program) Placed {
	rec := &finding.Finding{
		Bucket: id, Kind: kind, Layer: layer, Shape: textShape, Programs: programs, Input: []byte(in + in), Minimized: []byte(in), Location: location, Count: 3,
		Replay: "parallax replay --campaign ../../.. " + id,
	}
	f := Placed{Entry: finding.Entry{Row: rec.Summarize(), Record: rec}}
	f.Page = finding.Page{Source: noSource, Folder: ".parallax/t/findings/" + id + "/0123", Replay: "parallax replay --campaign .parallax/t " + id}
	return f
}

func program(name, outcome, result, deciding string) finding.Program {
	p := finding.Program{Name: name, Detail: oracle.Detail{Outcome: outcome}, Deciding: deciding}
	switch outcome {
	case "accepted":
		p.Value = result
	case "rejected":
		p.Error, p.ErrorClass = result, result
	default:
		p.Message, p.Stack, p.Output = result, "p.F(...)\n\t/w/repo/p/p.go:12\n"+result, result
	}
	return p
}

// atRepository sets the places of findings.
func atRepository(list []Placed) []Placed {
	r := Repository{Root: "/w/repo", Dir: "/w/repo/sub"}
	for i := range list {
		f := &list[i]
		f.Where = r.Where(&f.Row, Anchor{File: "sub/go.mod", Line: 5, Stand: "the requirement of example.com/dep"})
		var names []string
		for _, p := range f.Record.Programs {
			names = append(names, p.Name)
		}
		f.Related = r.Related(&f.Row, names, f.Where)
	}
	return list
}

// nasty returns a report in which all untrusted text is hostile.
func nasty() *Report { return saying(hostile) }

// saying returns a report in which all untrusted text is hostile, the given text.
func saying(hostile string) *Report {
	list := []Placed{
		bucket("crash", "", "a00000000001", hostile, "/w/repo/p "+hostile+"/p.go:12", program("good", "accepted", "1", ""), program(hostile, "crashed", hostile, "/w/repo/p "+hostile+"/p.go:12")),
		bucket("discrepancy", "verdict", "a00000000002", hostile, "/go/pkg/mod/example.com/dep@v1.2.3/dep.go:7",
			program("good", "accepted", hostile, "../p/q.go:3"), program(hostile, "rejected", hostile, "/go/pkg/mod/example.com/dep@v1.2.3/dep.go:7")),
		bucket(hostile, hostile, hostile, hostile, "", program("good", "accepted", hostile, ""), program(hostile, hostile, hostile, "")),
		bucket("discrepancy", "value", "a00000000004", hostile, "../p/q.go:9", program("good", "accepted", "x\n"+hostile, "../p/q.go:9"), program(hostile, "accepted", "x\n"+hostile+"!", "")),
		bucket("timeout", "", "a00000000005", hostile, "", program(hostile, "timeout", hostile, "")),
	}
	for i := range list {
		list[i].Origin = "seed: file " + hostile
	}
	list[1].Odd = []string{hostile}
	list[1].Record.Odd = list[1].Odd
	list[3].Accepted, list[3].Reason = true, hostile
	list[4].Status = hostile
	for i := range list {
		list[i].Page.Folder, list[i].Page.Replay = "out "+hostile, "parallax replay --campaign '"+hostile+"'"
	}
	list = atRepository(list)
	gone := bucket("oom", "", "a00000000006", "x", "p.go:1", program(hostile, "oom", hostile, ""))
	gone.Gone, gone.Record = true, nil
	unread := bucket("failure", "", "a00000000007", "x", "p.go:1", program(hostile, "crashed", hostile, ""))
	unread.Record = nil
	list = append(list, gone, unread)
	s := &finding.Summary{
		Mode: "diff", Target: hostile, Programs: []string{"good", hostile}, Inputs: 1234567, Executions: 2469134, ElapsedSeconds: 62.5,
		Coverage: []finding.Coverage{{Program: "good", Blocks: 100, Covered: 40}, {Program: hostile, Blocks: 10, Covered: 4}},
		Notes:    []string{hostile, "plain"}, Change: &finding.Change{Points: 3, Covered: 2, Impacted: 40, ImpactedCovered: 22,
			NotReached: []finding.NotReached{{Location: "p/p.go:31", Nearest: hostile}}},
	}
	for i := range list {
		s.Findings.Buckets = append(s.Findings.Buckets, list[i].Row)
	}
	return &Report{Command: "diff", Tool: "v0.0.0", Targets: []Target{
		{Name: hostile, Folder: hostile, Summary: s, Findings: list},
		{Name: "broken", Problem: hostile},
		{Name: "quiet", Folder: ".parallax/quiet", Summary: &finding.Summary{Mode: "diff", Target: "quiet", Programs: []string{"a"}, Inputs: 5, ElapsedSeconds: 1}},
	}}
}

// usual returns a report of regress with one finding of each state.
func usual() *Report {
	list := []Placed{
		bucket("crash", "", "b00000000001", "zz", "../p/p.go:12", program("old", "accepted", "1", ""), program("new", "crashed", "panic: index", "../p/p.go:12")),
		bucket("crash", "", "b00000000002", "zy", "../p/p.go:13", program("old", "crashed", "panic: index", ""), program("new", "crashed", "panic: index", "../p/p.go:13")),
		bucket("crash", "", "b00000000003", "zx", "../p/p.go:14", program("old", "crashed", "panic: index", ""), program("new", "accepted", "1", "")),
		bucket("discrepancy", "value", "b00000000004", "a", "../p/p.go:15", program("old", "accepted", "1", "../p/p.go:15"), program("new", "accepted", "2", "../p/p.go:16")),
		bucket("discrepancy", "verdict", "b00000000005", "b", "../p/p.go:17", program("old", "accepted", "1", ""), program("new", "rejected", "no", "../p/p.go:17")),
		bucket("discrepancy", "verdict", "b00000000006", "c", "", program("old", "accepted", "1", ""), program("new", "rejected", "no", "")),
	}
	for i, status := range []string{"new", "old", "fixed", "changed", "changed", "new"} {
		list[i].Status = status
		list[i].Origin = []string{finding.SeedOrigin("f.Add in FuzzP"), finding.MutatedOrigin("f.Add in FuzzP", 3), finding.Fuzzed}[i%3]
	}
	list[4].Accepted, list[4].Reason = true, "section 4 says so"
	list[5].Flaky = true
	s := &finding.Summary{Mode: "regress", Target: "p", Programs: []string{"old", "new"}, Inputs: 100, Executions: 150, ElapsedSeconds: 2}
	for i := range list {
		s.Findings.Buckets = append(s.Findings.Buckets, list[i].Row)
	}
	return &Report{Command: "regress", Tool: "v0.0.0", Targets: []Target{{Name: "p", Folder: ".parallax/p", Summary: s, Findings: atRepository(list)}}}
}

// many returns a report of n findings.
func many(n int) *Report {
	r := usual()
	t := &r.Targets[0]
	one := t.Findings[0]
	t.Findings, t.Summary.Findings.Buckets = nil, nil
	for i := range n {
		f := one
		f.ID = "c" + strings.Repeat("0", 8) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26))
		t.Findings = append(t.Findings, f)
		t.Summary.Findings.Buckets = append(t.Summary.Findings.Buckets, f.Row)
	}
	return r
}

func encode(t *testing.T, make func() ([]byte, error)) []byte {
	t.Helper()
	data, err := make()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
