package steadiness

import (
	"fmt"
	"parallax/cmd/internal/finding"
	"reflect"
	"testing"
)

// TestFlakyRows checks that each candidate that does not repeat is counted once. Rows and inputs
// are few, and saving and loading keeps them.
func TestFlakyRows(t *testing.T) {
	var l Flaky
	const n = 1000
	for i := range n {
		l.Add(finding.Flaky{Kind: "crash", Programs: []string{fmt.Sprint("p", i%100)}, Reason: "chance", Count: 1, Inputs: []string{fmt.Sprint(i)}})
		var again Flaky
		if again.Load(l.Save()); !reflect.DeepEqual(again, l) {
			t.Fatalf("kept %v, read %v", l, again)
		}
	}
	sum := uint64(0)
	for _, r := range l.Rows {
		if sum += r.Count; len(r.Inputs) > flakyInputs {
			t.Errorf("%d inputs in a row", len(r.Inputs))
		}
	}
	if sum != n || len(l.Rows) != flakyRows {
		t.Errorf("%d candidates in %d rows", sum, len(l.Rows))
	}
	if l.Load([]byte("{")); len(l.Rows) != flakyRows {
		t.Error("damaged rows took the place of others")
	}
}
