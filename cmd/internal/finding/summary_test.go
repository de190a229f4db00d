package finding_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/input"
)

func TestSummaryKeys(t *testing.T) {
	data, err := findingtest.FullSummary().Encode()
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "summary.json", data)
	s, err := finding.ParseSummary(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Encode()
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("%v\n%s", err, again)
	}
}

// TestSummaryEmpty checks that an empty summary has every key of the contract, and [] for an empty
// list.
func TestSummaryEmpty(t *testing.T) {
	data, err := (&finding.Summary{ElapsedSeconds: math.NaN(), ExecutionsPerSecond: math.Inf(1)}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	for _, key := range strings.Fields("version mode target programs guidance seed elapsed_seconds inputs executions " +
		"executions_per_second corpus coverage findings") {
		if m[key] == nil {
			t.Errorf("%s is missing or null", key)
		}
	}
	for _, key := range []string{"behaviour", "change"} {
		if _, ok := m[key]; ok {
			t.Errorf("%s does not apply", key)
		}
	}
	if b := m["findings"].(map[string]any)["buckets"]; b == nil {
		t.Error("buckets is null")
	}
	if bytes.Contains(data, []byte("null")) {
		t.Errorf("null in\n%s", data)
	}
}

func TestOpen(t *testing.T) {
	s := &finding.Summary{Findings: finding.Findings{Buckets: findingtest.SixBuckets()}}
	if s.Open() != 2 {
		t.Errorf("%d", s.Open())
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"version":2}`, `{}`, `{"version":"1"}`} {
		if _, err := finding.ParseSummary([]byte(text)); err == nil {
			t.Errorf("summary %q was read", text)
		}
		if _, err := finding.ParseFinding([]byte(text)); err == nil {
			t.Errorf("finding %q was read", text)
		}
	}
	if _, err := finding.ParseSummary([]byte(`{"version":1,"unknown":3}`)); err != nil {
		t.Error(err)
	}
	if _, err := finding.ParseFinding([]byte(`{"version":1,"shape":"(int8)","input":{"flat":"\"ab\""}}`)); err == nil {
		t.Error("two bytes are no int8")
	}
	if _, err := finding.ParseFinding([]byte(`{"version":1,"shape":"(string)","input":{"flat":"\"ab\""}}`)); err == nil {
		t.Error("a finding without its minimized input was read")
	}
}

func TestFindingJSON(t *testing.T) {
	for name, f := range map[string]*finding.Finding{"semver.json": findingtest.SemverFinding(), "crash.json": findingtest.CrashFinding()} {
		data, err := f.JSON()
		if err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, name, data)
		got, err := finding.ParseFinding(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, f) {
			t.Errorf("%s: read\n%+v\nwant\n%+v", name, got, f)
		}
	}
}

func TestQuoteInput(t *testing.T) {
	shape := input.Shape{input.String, input.Int16, input.Bool}
	for _, tt := range []struct {
		shape input.Shape
		flat  []byte
		want  string
	}{
		{input.Shape{input.Bytes}, []byte("a\xff"), `"a\xff"`},
		{input.Shape{input.String}, nil, `""`},
		{shape, findingtest.Pack(shape, "x\n", int16(-2), true), `("x\n", -2, true)`},
		{shape, []byte("damaged"), `"damaged"`},
		{input.Shape{input.Float64}, findingtest.Pack(input.Shape{input.Float64}, math.NaN()), `(NaN)`},
	} {
		if got := quote.Input(tt.shape, tt.flat, 100); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.shape, got, tt.want)
		}
	}
}

func TestRepeatedNotes(t *testing.T) {
	if got := finding.Once([]string{"a", "b", "a", "c", "b"}); strings.Join(got, " ") != "a b c" {
		t.Errorf("%q", got)
	}
}
