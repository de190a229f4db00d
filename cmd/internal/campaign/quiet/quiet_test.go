package quiet

import (
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/event"
	"parallax/internal/feature"
)

// TestProgress checks that only bounded domains, discrepancies, coverage and new buckets are
// progress.
func TestProgress(t *testing.T) {
	number := func(domain string) uint8 { return uint8(feature.Find(domain).Number) }
	kept := func(domain string) event.Event { return event.Kept{Meta: corpus.Meta{New: []string{domain}}} }
	for _, test := range []struct {
		name    string
		event   event.Event
		covered int
		over    bool
	}{
		{"nothing", nil, 7, true},
		{"a path", event.Novel{Domain: number(feature.PathFine)}, 7, true},
		{"an input with a new path", kept(feature.PathFine), 7, true},
		{"traces", event.Traces{Keys: []uint64{1}}, 7, true},
		{"another input of a bucket", event.Found{}, 7, true},
		{"a discrepancy", event.Novel{Domain: number(feature.Discrepancy)}, 7, false},
		{"a cell", kept(feature.Cells), 7, false},
		{"an input with a new block", kept(feature.Coverage), 7, false},
		{"a covered block", nil, 8, false},
		{"a bucket", event.Found{New: true}, 7, false},
	} {
		for _, limit := range []Limit{{Inputs: 100}, {Time: time.Minute}} {
			d, begin := Detector{Limit: limit}, time.Unix(0, 0)
			if d.Over(begin, 50, 7) {
				t.Errorf("%s, %+v: over at the beginning", test.name, limit)
			}
			if d.Over(begin.Add(time.Minute-1), 149, 7) {
				t.Errorf("%s, %+v: over before the limit", test.name, limit)
			}
			if test.event != nil {
				if err := d.Handle(test.event); err != nil {
					t.Fatal(err)
				}
			}
			if got := d.Over(begin.Add(time.Minute), 150, test.covered); got != test.over {
				t.Errorf("%s, %+v: over %v, want %v", test.name, limit, got, test.over)
			}
			if !test.over && (d.Over(begin.Add(2*time.Minute-1), 249, 7) || !d.Over(begin.Add(2*time.Minute), 250, 7)) {
				t.Errorf("%s, %+v: the period does not begin again", test.name, limit)
			}
		}
	}
	var none Detector
	if none.Over(time.Unix(0, 0), 0, 0) || none.Over(time.Unix(1e9, 0), 1e9, 0) {
		t.Error("over without a limit")
	}
}
