package campaign

import (
	"cmp"
	"encoding/json"
	"parallax/cmd/internal/finding"
	"slices"
)

// flaky holds the candidates that did not repeat, over the folder's whole life. Candidates of one
// kind, of the same programs and for the same reason share a row with a few inputs. A program that
// wavers on every input thus does not fill the folder.
type flaky struct {
	rows []finding.Flaky
	gone int // candidates of this invocation that only other versions of the programs show
}

const (
	flakyRows   = 64 // further kinds and reasons share the last row
	flakyInputs = 3
)

// add adds the candidates of a row.
func (l *flaky) add(f finding.Flaky) {
	at := slices.IndexFunc(l.rows, func(r finding.Flaky) bool {
		return r.Kind == f.Kind && r.Reason == f.Reason && slices.Equal(r.Programs, f.Programs)
	})
	switch {
	case at < 0 && len(l.rows) < flakyRows-1:
		l.rows = append(l.rows, f)
		return
	case at < 0 && len(l.rows) == flakyRows-1:
		f.Kind, f.Programs, f.Reason = "candidate", nil, "various reasons"
		l.rows = append(l.rows, f)
		return
	case at < 0:
		at = flakyRows - 1
	}
	r := &l.rows[at]
	r.Count += f.Count
	r.Message = cmp.Or(r.Message, f.Message)
	for _, in := range f.Inputs {
		if len(r.Inputs) < flakyInputs && !slices.Contains(r.Inputs, in) {
			r.Inputs = append(slices.Clip(r.Inputs), in) // a summary may share the list
		}
	}
}

// save encodes the rows. It returns nil if there are none.
func (l *flaky) save() []byte {
	if len(l.rows) == 0 {
		return nil
	}
	data, err := json.Marshal(l.rows)
	if err != nil {
		return nil // cannot happen: rows are strings and numbers
	}
	return data
}

// load restores saved rows. If they cannot be read, the counters still have their number.
func (l *flaky) load(data []byte) {
	var rows []finding.Flaky
	if json.Unmarshal(data, &rows) == nil {
		l.rows = rows[:min(len(rows), flakyRows)]
	}
}
