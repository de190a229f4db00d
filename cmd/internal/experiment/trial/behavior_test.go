package trial

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"parallax/cmd/internal/finding/sample"
)

// TestBehavior checks that behavior has columns, even if early lines lack it, that it survives a
// file, and that it is read at a point.
func TestBehavior(t *testing.T) {
	var lines []json.RawMessage
	for i := range 5 {
		l := sample.Sample{Inputs: uint64(100 * i), CPU: float64(i), Covered: []int{i}}
		if i > 0 {
			l.Behavior = &sample.Behavior{Traces: uint64(20 * i), ValidTraces: uint64(10 * i), Valid: uint64(50 * i), B0: 3, B1: 2.5, B2: float64(i), ValidB2: 1}
		}
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, data)
	}
	s, err := series(lines)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 10, 20, 30, 40}; !reflect.DeepEqual(s.Behavior["valid_traces"], want) {
		t.Errorf("%v, want %v", s.Behavior["valid_traces"], want)
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var again Series
	if err := json.Unmarshal(data, &again); err != nil || !reflect.DeepEqual(again.Behavior, s.Behavior) {
		t.Errorf("%v, %v", again.Behavior, err)
	}
	one := &Sample{Series: s}
	for name, want := range map[string]float64{"diverse_valid_percent": 10, "b2": 2.5, "valid": 125, "valid_b2": 1} {
		for _, m := range behaviorMetrics() {
			if m.name != name {
				continue
			}
			if got := m.of(nil, one, point{byInputs, 250}); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
	s.Behavior["b2"] = s.Behavior["b2"][1:]
	if s.check() == nil {
		t.Error("columns of different lengths are taken")
	}
}
