package wire

import (
	"reflect"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

func TestBriefsRoundTrip(t *testing.T) {
	traces := []feature.Trace{
		{},
		{Hits: []uint32{0, 1, 127, 1 << 30}, Counts: []byte{1, 2, 0, 255}, Length: 300, Allocated: 1 << 40, Set: 1 << 63, Order: 7},
	}
	obs := []oracle.Observation{{Outcome: oracle.Accepted, Value: 1 << 63, Parts: oracle.Parts{1, 31: 2}}, {Outcome: oracle.Rejected, Class: 3}}
	var b []byte
	for i := range traces {
		b = AppendBrief(b, obs[i], &traces[i], "text")
	}
	r := NewReader(b)
	got := feature.Trace{Hits: []uint32{9}, Counts: []byte{9}}
	for i := range traces {
		o, text, err := ReadBrief(r, &got)
		if err != nil || o != obs[i] || string(text) != "text" || got.Length != traces[i].Length || got.Allocated != traces[i].Allocated || got.Set != traces[i].Set || got.Order != traces[i].Order {
			t.Fatalf("brief %d: %+v %q %v", i, o, text, err)
		}
		if len(got.Hits) != len(traces[i].Hits) || len(got.Hits) > 0 && (!reflect.DeepEqual(got.Hits, traces[i].Hits) || !reflect.DeepEqual(got.Counts, traces[i].Counts)) {
			t.Errorf("brief %d: trace %+v", i, got)
		}
	}
	for n := range b { // a truncated message is an error, and not a panic
		r := NewReader(b[:n])
		for i := 0; i < len(traces) && r.Err() == nil; i++ {
			ReadBrief(r, &got)
		}
		if r.Err() == nil {
			t.Errorf("cut at %d of %d: no error", n, len(b))
		}
	}
}
