package steadiness

import (
	"cmp"
	"encoding/json"
	"parallax/cmd/internal/finding"
	"slices"
)

// Flaky holds the candidates that did not repeat, over the folder's whole life. Candidates of one
// kind, of the same programs and for the same reason share a row with a few inputs. A program that
// wavers on every input thus does not fill the folder.
type Flaky struct {
	Rows []finding.Flaky
	Gone int // candidates of this invocation that only other versions of the programs show
}

const (
	flakyRows   = 64 // further kinds and reasons share the last row
	flakyInputs = 3
)

// Add adds the candidates of a row.
func (l *Flaky) Add(f finding.Flaky) {
	at := slices.IndexFunc(l.Rows, func(r finding.Flaky) bool {
		return r.Kind == f.Kind && r.Reason == f.Reason && slices.Equal(r.Programs, f.Programs)
	})
	switch {
	case at < 0 && len(l.Rows) < flakyRows-1:
		l.Rows = append(l.Rows, f)
		return
	case at < 0 && len(l.Rows) == flakyRows-1:
		f.Kind, f.Programs, f.Reason = "candidate", nil, "various reasons"
		l.Rows = append(l.Rows, f)
		return
	case at < 0:
		at = flakyRows - 1
	}
	r := &l.Rows[at]
	r.Count += f.Count
	r.Message = cmp.Or(r.Message, f.Message)
	for _, in := range f.Inputs {
		if len(r.Inputs) < flakyInputs && !slices.Contains(r.Inputs, in) {
			r.Inputs = append(slices.Clip(r.Inputs), in) // a summary may share the list
		}
	}
}

// Save encodes the rows. It returns nil if there are none.
func (l *Flaky) Save() []byte {
	if len(l.Rows) == 0 {
		return nil
	}
	data, err := json.Marshal(l.Rows)
	if err != nil {
		return nil // cannot happen: rows are strings and numbers
	}
	return data
}

// Load restores saved rows. If they cannot be read, the counters still have their number.
func (l *Flaky) Load(data []byte) {
	var rows []finding.Flaky
	if json.Unmarshal(data, &rows) == nil {
		l.Rows = rows[:min(len(rows), flakyRows)]
	}
}
