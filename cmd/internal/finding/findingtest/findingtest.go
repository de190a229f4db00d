// Package findingtest has records of findings for tests of what reads or renders them.
package findingtest

import (
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

func TwoBuckets() []finding.Row {
	return []finding.Row{
		{
			ID: "3f2a9c1b04de", Kind: "discrepancy", Layer: "verdict", Count: 12, Quoted: `"1.0.0-01"`,
			Outcomes: map[string]string{"x/mod/semver.IsValid": "rejected", "Masterminds/semver.Parse": "accepted"},
			Results:  map[string]string{"Masterminds/semver.Parse": "1.0.0-01"},
			Deciding: map[string]string{
				"x/mod/semver.IsValid":     "/go/pkg/mod/golang.org/x/mod@v0.30.0/semver/semver.go:331",
				"Masterminds/semver.Parse": "/go/pkg/mod/github.com/!masterminds/semver@v3.4.0/version.go:142",
			},
			Input: "findings/3f2a9c1b04de/1/input", Minimized: "findings/3f2a9c1b04de/1/minimized", Location: "semver.go:331",
		},
		{
			ID: "a81c55e09f27", Kind: "crash", Count: 1, Quoted: escape.Quote("\x00\x1b[2J\xff"),
			Outcomes: map[string]string{"x/mod/semver.IsValid": "rejected", "Masterminds/semver.Parse": "crashed"},
			Results:  map[string]string{"Masterminds/semver.Parse": "runtime error: index out of range [3] with length 3"},
			Deciding: map[string]string{"Masterminds/semver.Parse": "version.go:88"},
		},
	}
}

var SixPrograms = []string{
	"golang.org/x/mod/semver.IsValid", "github.com/Masterminds/semver/v3.StrictNewVersion", "blang/semver.Parse",
	"hashicorp/go-version.NewSemver", "coreos/go-semver/semver.NewVersion", "日本語/版.解析",
}

func SixBuckets() []finding.Row {
	outcomes := map[string]string{}
	for i, p := range SixPrograms {
		outcomes[p] = []string{"accepted", "accepted", "rejected", "accepted", "declined", "timeout"}[i]
	}
	long := ""
	for range 40 {
		long += "1.0.0-alpha."
	}
	return []finding.Row{
		{
			ID: "000000000001", Kind: "discrepancy", Layer: "value", Count: 1234567, Quoted: escape.QuoteCut(long, 200),
			Outcomes: outcomes, Odd: []string{"blang/semver.Parse"},
			Results: map[string]string{
				"blang/semver.Parse":             "Numeric PreRelease version must not contain leading zeroes \"01\" and quite a lot more than fits",
				"日本語/版.解析":                       "日本語の説明がここにあります。とても長いので切られます。日本語の説明がここにあります。",
				"hashicorp/go-version.NewSemver": "1.0.0\n\x1b]0;title\a",
			},
			Deciding: map[string]string{"blang/semver.Parse": "a_file_with_quite_a_long_name_indeed.go:1234", "日本語/版.解析": "x.go:7"},
		},
		{ID: "000000000002", Kind: "timeout", Count: 2, Quoted: `""`, Outcomes: outcomes, Acceptance: finding.Acceptance{Accepted: true, Reason: "slow, but known\nto be"}},
		{ID: "000000000003", Kind: "oom", Count: 2, Quoted: `("a", 3, true)`, Outcomes: outcomes, Flaky: true},
		{ID: "000000000004", Kind: "discrepancy", Layer: "class", Count: 3, Quoted: `"x"`, Outcomes: map[string]string{"b": "rejected", "a": "rejected"}},
	}
}

func FullSummary() *finding.Summary {
	return &finding.Summary{
		Mode: "diff", Target: "semver", Programs: []string{"x/mod/semver.IsValid", "Masterminds/semver.Parse"},
		Guidance: []string{"coverage", "path-fine"}, Seed: 1, ElapsedSeconds: 30.00049, Inputs: 1234567, Executions: 2469134,
		ExecutionsPerSecond: 82304.4666, Corpus: finding.Corpus{Size: 312, Bytes: 4200}, Diversity: sample.Diversity{{Key: "coarse", N: 9}, {Key: "fine", N: 8123}, {Key: "output", N: 4}},
		Coverage:            []finding.Coverage{{Program: "x/mod/semver.IsValid", Blocks: 100, Covered: 40}, {Program: "Masterminds/semver.Parse", Blocks: 1234, Covered: 700}},
		Findings:            finding.Findings{Total: 13, Buckets: TwoBuckets()},
		UniqueDiscrepancies: 2, DiscrepantInputs: 17, Flaky: 1, Restarts: 3, Workers: 2, Stopped: "budget",
		Notes:     []string{"values of x/mod/semver.IsValid are not compared: its result is a bool, that of the other programs a version"},
		Operators: []finding.Operator{{Name: "splice", Kept: 3, Tried: 100}},
	}
}

func SemverFinding() *finding.Finding {
	return &finding.Finding{
		Bucket: "3f2a9c1b04de", Kind: "discrepancy", Layer: "verdict", Target: "semver", Shape: input.Shape{input.String},
		Programs: []finding.Program{
			{Name: "x/mod/semver.IsValid", Detail: oracle.Detail{Outcome: "rejected"}, Deciding: "/go/pkg/mod/golang.org/x/mod@v0.30.0/semver/semver.go:3"},
			{Name: "Masterminds/semver.Parse", Detail: oracle.Detail{Outcome: "accepted", Value: "semver.Version{major: 1, pre: \"01\"}"},
				Deciding: "/go/pkg/mod/github.com/!masterminds/semver@v3.4.0/version.go:142"},
		},
		Input: []byte("v1.0.0-01-x"), Minimized: []byte("1.0.0-01"), Parent: []byte("v1.0.0-x"), Operators: []string{"insert", "digits"},
		Location: "semver.go:3", Count: 12, Replay: "parallax replay 3f2a9c1b04de",
	}
}

func CrashFinding() *finding.Finding {
	return &finding.Finding{
		Bucket: "a81c55e09f27", Kind: "crash", Target: "evil | target\n# heading", Shape: input.Shape{input.Bytes, input.Int8, input.Float64},
		Programs: []finding.Program{
			{Name: "a`b|c", Detail: oracle.Detail{Outcome: "rejected", Error: "bad ``` | <script>\n\x1b[31m\xff", ErrorType: "*errors.errorString", ErrorClass: "bad", Sentinel: "*errors.errorString: bad"}},
			{Name: "p", Detail: oracle.Detail{Outcome: "crashed"}, Message: "panic: @someone [link](http://x) \x9b31m\u202e", Stack: "p.F(...)\n\t/home/u/go/pkg/mod/example.com/p@v1.0.0/f.go:12\n```\nx\x1b"},
		},
		Input:     Pack(input.Shape{input.Bytes, input.Int8, input.Float64}, []byte("```\x00\xff"), int8(-3), 1.5),
		Minimized: Pack(input.Shape{input.Bytes, input.Int8, input.Float64}, []byte("\x00"), int8(0), 0.0),
		Count:     1, Replay: "parallax replay a81c55e09f27",
	}
}

func Pack(s input.Shape, values ...any) []byte {
	flat, err := s.Pack(values...)
	if err != nil {
		panic(err)
	}
	return flat
}
