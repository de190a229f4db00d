package process

import (
	"reflect"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }
	p := Progress{{at(0), 0}, {at(10), time.Second}, {at(20), 3 * time.Second}}
	for _, test := range []struct {
		at   float64
		want time.Duration
	}{{-1, 0}, {0, 0}, {5, time.Second / 2}, {10, time.Second}, {15, 2 * time.Second}, {20, 3 * time.Second}, {99, 3 * time.Second}} {
		if got := p.CPUAt(at(test.at)); got != test.want {
			t.Errorf("after %v s: %v, want %v", test.at, got, test.want)
		}
	}
	if got := (Progress{}).CPUAt(begin); got != 0 {
		t.Errorf("without moments: %v", got)
	}
	got := Seconds(p, []Kept[string]{{"c", at(20)}, {"a", at(1)}, {"b", at(2)}})
	if want := [][]string{{"a", "b"}, nil, nil, {"c"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("groups %q, want %q", got, want)
	}
}

func TestSeries(t *testing.T) {
	var s Series
	for second, blocks := range []int{5, 5, 7, 7, 8} {
		s.Add(second, blocks)
	}
	if want := (Series{Seconds: []int{0, 2, 4}, Blocks: []int{5, 7, 8}}); !reflect.DeepEqual(s, want) {
		t.Errorf("%v, want %v", s, want)
	}
}
