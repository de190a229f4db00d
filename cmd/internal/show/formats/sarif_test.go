package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
	"parallax/cmd/internal/base/goldentest"
)

func TestSarif(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    *Report
	}{{"nasty", nasty()}, {"usual", usual()}, {"empty", &Report{Command: "fuzz"}}, {"many", many(300)}} {
		t.Run(tt.name, func(t *testing.T) {
			data := encode(t, tt.r.Sarif)
			if tt.name != "many" {
				goldentest.Compare(t, tt.name+".sarif", data)
			}
			check(t, data)
			if again := encode(t, tt.r.Sarif); !bytes.Equal(again, data) {
				t.Error("not the same twice")
			}
		})
	}
}

// check reads the log with a library that knows all keys, and checks it against the schema of
// OASIS.
func check(t *testing.T, data []byte) *sarif.Report {
	t.Helper()
	var log sarif.Report
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	schema, err := sarifSchemaText()
	if err != nil {
		t.Fatal(err)
	}
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema), gojsonschema.NewBytesLoader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Errors() {
		t.Errorf("not as the schema has it: %s", e)
	}
	for _, r := range data {
		if r < ' ' && r != '\n' {
			t.Fatalf("character %#x", r)
		}
	}
	return &log
}

// sarifSchemaText returns the schema of OASIS from a constant in the library's source. The library
// itself checks the values that it has read, under its own keys.
var sarifSchemaText = sync.OnceValues(func() (string, error) {
	const library = "github.com/owenrumney/go-sarif/v3"
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", library).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", library, err)
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go")
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return "", err
	}
	text := ""
	ast.Inspect(parsed, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err = strconv.Unquote(lit.Value)
		}
		return true
	})
	return text, err
})

// TestSarifResults checks the requirements of GitHub: a place for each result, and fingerprints
// that separate findings.
func TestSarifResults(t *testing.T) {
	log := check(t, encode(t, nasty().Sarif))
	run := log.Runs[0]
	if len(log.Runs) != 1 || len(run.Results) != 6 {
		t.Fatalf("%d runs, %d results", len(log.Runs), len(run.Results))
	}
	if run.Invocations[0].ExecutionSuccessful == nil || *run.Invocations[0].ExecutionSuccessful || len(run.Invocations[0].ToolExecutionNotifications) != 1 {
		t.Error("the target that was not fuzzed is not told")
	}
	prints := map[string]bool{}
	for i, r := range run.Results {
		if len(r.PartialFingerprints) != 2 || prints[r.PartialFingerprints[lineHashName]] {
			t.Errorf("result %d: fingerprints %v", i, r.PartialFingerprints)
		}
		prints[r.PartialFingerprints[lineHashName]] = true
		if *r.RuleID != *run.Tool.Driver.Rules[r.RuleIndex].ID {
			t.Errorf("result %d: rule %s at %d", i, *r.RuleID, r.RuleIndex)
		}
		if text := *r.Message.Text; strings.Contains(strings.ReplaceAll(text, `\]`, ""), "](") {
			t.Errorf("result %d has a link: %s", i, text)
		}
	}
	uri := func(i int) string { return *run.Results[i].Locations[0].PhysicalLocation.ArtifactLocation.URI }
	if got := uri(0); !strings.HasPrefix(got, "p%20a%60b%60%60c%7Cd%0A") || !strings.HasSuffix(got, "/p.go") {
		t.Errorf("a path is not escaped: %s", got)
	}
	if got, text := uri(1), *run.Results[1].Message.Text; got != "sub/go.mod" ||
		!strings.Contains(text, "It was decided in example.com/dep@v1.2.3/dep.go:7, outside of the repository; this is the requirement of example.com/dep.") {
		t.Errorf("a place in a dependency: %s, %s", got, text)
	}
	if got := *run.Results[1].RelatedLocations[0].PhysicalLocation.ArtifactLocation.URI; got != "p/q.go" {
		t.Errorf("related: %s", got)
	}
	if s := run.Results[3].Suppressions; len(s) != 1 || *s[0].Kind != "external" {
		t.Errorf("suppressions of an accepted finding: %v", s)
	}
}

// TestSarifLevels checks that levels follow the fates of findings, and that findings that no longer
// reproduce are omitted.
func TestSarifLevels(t *testing.T) {
	for _, fail := range []bool{false, true} {
		r := usual()
		r.FailOnChange = fail
		changed := map[bool]string{false: "warning", true: "error"}[fail]
		var got []string
		for _, result := range check(t, encode(t, r.Sarif)).Runs[0].Results {
			got = append(got, fmt.Sprint(result.Properties.Properties["bucket"], " ", result.Level, " ", *result.BaselineState, " ", len(result.Suppressions)))
		}
		want := []string{
			"b00000000001 error new 0", "b00000000002 note unchanged 0", "b00000000004 " + changed + " new 0", "b00000000005 note new 1", "b00000000006 note new 0",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("changes fail the run: %v\n%s", fail, strings.Join(got, "\n"))
		}
	}
}

// TestFingerprints checks that the fingerprint depends only on the bucket and the target.
func TestFingerprints(t *testing.T) {
	r := usual()
	a := fingerprints(&r.Targets[0], &r.Targets[0].Findings[0])
	r.Targets[0].Findings[0].Quoted, r.Targets[0].Findings[0].Where.Line, r.Targets[0].Summary.Inputs = "other", 99, 7
	if b := fingerprints(&r.Targets[0], &r.Targets[0].Findings[0]); a[lineHashName] != b[lineHashName] || a[bucketPrint] != b[bucketPrint] {
		t.Errorf("%v, then %v", a, b)
	}
	if a[lineHashName] != "7a1bd5e09424b09e:1" && !*goldentest.Update {
		t.Errorf("the fingerprint has changed, and with it every alert: %s", a[lineHashName])
	}
	r.Targets[0].Name = "q"
	if b := fingerprints(&r.Targets[0], &r.Targets[0].Findings[0]); a[lineHashName] == b[lineHashName] {
		t.Error("two targets have one fingerprint")
	}
}
