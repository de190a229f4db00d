package sample

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"parallax/internal/feature"
)

const line = `{"elapsed_seconds":1.5,"cpu_seconds":1.25,"inputs":10,"executions":20,"corpus":3,"coarse":4,"fine":5,"output":6,` +
	`"unique_discrepancies":1,"discrepant_inputs":2,"buckets":1,"covered":[7,8],"restarts":0}`

// TestLine checks that a line keeps its format, and can be read back.
func TestLine(t *testing.T) {
	s := Sample{
		Elapsed: 1.5, CPU: 1.25, Inputs: 10, Executions: 20, Corpus: 3, Unique: 1, Discrepant: 2, Buckets: 1, Covered: []int{7, 8},
		Diversity: Columns([]string{"coverage"}, func(number int) int { return 4 + number }),
	}
	data, err := json.Marshal(s)
	if err != nil || string(data) != line {
		t.Errorf("%s\n%v", data, err)
	}
	var back Sample
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(s, back) {
		t.Errorf("read %+v, %v", back, err)
	}
	s.Change = &Change{Points: 2, Blocks: 3, Impacted: 4, Reached: []Reached{{Block: 1, Location: "a.go:2", Inputs: 5, CPU: 0.5}}}
	data, err = json.Marshal(s)
	if want := strings.TrimSuffix(line, "}") + `,"change_points":2,"change_blocks":3,"impacted_blocks":4,"reached":[{"block":1,"location":"a.go:2","inputs":5,"cpu_seconds":0.5}]}`; err != nil || string(data) != want {
		t.Errorf("%s\n%v", data, err)
	}
	back = Sample{}
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(s, back) {
		t.Errorf("read %+v, %v", back, err)
	}
	s.Change, s.InputBytes, s.Entered = nil, 50, 600
	data, err = json.Marshal(s)
	if want := strings.TrimSuffix(line, "}") + `,"input_bytes":50,"blocks_entered":600}`; err != nil || string(data) != want {
		t.Errorf("%s\n%v", data, err)
	}
	s.InputBytes, s.Entered, s.Behavior = 0, 0, &Behavior{Traces: 7, B0: 4, B1: 3.5, B2: 3.25, Valid: 9, Invalid: 1, NewTrace: 0.25, Value: &Yield{8, 2}}
	data, err = json.Marshal(s)
	if want := strings.TrimSuffix(line, "}") + `,"behaviour":{"traces":7,"b0":4,"b1":3.5,"b2":3.25,"inputs":0,"valid":9,"invalid":1,`; err != nil || !strings.HasPrefix(string(data), want) {
		t.Errorf("%s, %v", data, err)
	}
	back = Sample{}
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(s, back) {
		t.Errorf("read %+v, %v", back, err)
	}
	if s.Behavior.ValidShare() != 0.9 || s.Behavior.Value.Share() != 0.25 || s.Behavior.Structural.Share() != 0 || Digits(1.0/3) != 0.333333 {
		t.Error("shares")
	}
	s.Behavior = nil
	s.Diversity = nil
	if data, err = json.Marshal(s); err != nil || !json.Valid(data) {
		t.Errorf("without domains: %s, %v", data, err)
	}
	for _, bad := range []string{`{"coarse":"x"}`, `[]`, `{"coarse":-1}`} {
		if json.Unmarshal([]byte(bad), &back) == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

func TestInline(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"@domains":{"b":2,"c":3},"d":4}`: `{"a":1,"b":2,"c":3,"d":4}`,
		`{"a":1,"@domains":{},"d":4}`:            `{"a":1,"d":4}`,
		`{"a":1,"@domains":{}}`:                  `{"a":1}`,
		`{"@domains":{}}`:                        `{}`,
		`{"@domains":{"b":[1,2]}}`:               `{"b":[1,2]}`,
		`{"a":1}`:                                `{"a":1}`,
	} {
		if got := string(Inline([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestDomains checks that the counted domains depend on the number of programs and on the guidance,
// and that an added domain has its key everywhere.
func TestDomains(t *testing.T) {
	table := feature.Table
	defer func() { feature.Table = table }()
	toy := &feature.Domain{Name: "toy", Number: 77, Key: "toys", Measure: func(feature.Setting) feature.Measure { return nil }}
	feature.Table = append(table[:len(table):len(table)], toy)
	count := func(number int) int { return number }
	for _, test := range []struct {
		programs int
		guidance []string
		want     string
	}{
		{2, nil, `{"coarse":0,"fine":1,"output":2}`},
		{1, []string{"coverage"}, `{}`},
		{1, []string{"path-fine", "toy"}, `{"fine":1,"toys":77}`},
		{2, []string{"toy", "reference"}, `{"coarse":0,"fine":1,"output":2,"toys":77}`},
	} {
		d := Measured(test.programs, test.guidance, count)
		data, err := json.Marshal(d)
		if err != nil || string(data) != test.want {
			t.Errorf("%d programs, %v: %s, %v", test.programs, test.guidance, data, err)
		}
		var back Diversity
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, d) {
			t.Errorf("read %v, %v", back, err)
		}
	}
	if d := Columns([]string{"toy"}, count); len(d) != 4 || d.Get("toys") != 77 || d[3].Domain() != toy || d.Get("none") != 0 {
		t.Errorf("columns %v", d)
	}
	var other Diversity
	if err := json.Unmarshal([]byte(`{"later":3,"toys":1,"coarse":2}`), &other); err != nil || !reflect.DeepEqual(other, Diversity{{"coarse", 2}, {"toys", 1}, {"later", 3}}) {
		t.Errorf("read %v, %v", other, err)
	}
}

func TestSeries(t *testing.T) {
	var s Series
	s.Add(Diversity{{"fine", 1}})
	s.Add(Diversity{{"coarse", 5}, {"fine", 2}})
	s.Add(Diversity{{"coarse", 6}})
	data, err := json.Marshal(s)
	if want := `{"coarse":[0,5,6],"fine":[1,2,2]}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}

// TestKeysAreNoMembers checks that keys of domains are members of a line.
func TestKeysAreNoMembers(t *testing.T) {
	data, err := json.Marshal(Sample{})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatal(err)
	}
	for _, d := range feature.Table {
		if members[d.Key] != nil && counted(d) {
			t.Errorf("the key %s of domain %s is a member of each line", d.Key, d.Name)
		}
	}
}
