package report

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
)

// Flaky is candidates of one kind that did not repeat, for the same likely reason.
type Flaky struct {
	Kind     string   `json:"kind"`
	Programs []string `json:"programs,omitempty"` // that did otherwise
	Reason   string   `json:"reason"`
	Count    uint64   `json:"count"`
	Inputs   []string `json:"inputs,omitempty"`  // the first of them, as Go text
	Message  string   `json:"message,omitempty"` // the first that a program failed with, on one line and cut
}

// ListFlaky lists what does not always show: findings of the summary, then candidates that were never confirmed, the most frequent first.
func ListFlaky(w io.Writer, s *Summary, o TextOptions) error {
	t := &textWriter{width: min(max(o.Width, 60), 160), color: o.Color}
	known := uint64(0)
	for _, f := range s.FlakyCandidates {
		known += f.Count
	}
	rows := slices.Clone(s.FlakyCandidates)
	slices.SortStableFunc(rows, func(a, b Flaky) int { return cmp.Compare(b.Count, a.Count) })
	var found []Flaky
	for i := range s.Findings.Buckets {
		if b := &s.Findings.Buckets[i]; b.Flaky {
			found = append(found, Flaky{Kind: title(*b) + " " + b.ID, Reason: b.Wavers, Count: b.Count, Inputs: []string{b.Quoted}, Message: b.Results[b.Program]})
		}
	}
	text := escape.Text(s.Target) + ": " + plural(max(s.Flaky, known), "flaky candidate")
	if len(found) > 0 {
		text += ", " + plural(len(found), "flaky finding")
	}
	t.out.WriteString("\n" + text + "\n")
	for _, f := range append(found, rows...) {
		t.out.WriteString("\n")
		line := []span{{text: f.Kind, style: asLoud}, {text: "  " + plural(f.Count, "input"), style: asWords}}
		if len(f.Programs) > 0 {
			line = append(line, span{text: " in " + strings.Join(f.Programs, ", ")})
		}
		t.flow(line, "", "")
		if f.Message != "" {
			t.flow([]span{{text: "message: ", style: asQuiet}, {text: f.Message}}, "  ", "  ")
		}
		if f.Reason != "" {
			t.flow([]span{{text: "likely reason: ", style: asQuiet}, {text: f.Reason}}, "  ", "  ")
		}
		code := codeBlock{wrap: true}
		for _, in := range f.Inputs {
			code.lines = append(code.lines, []span{{text: in, style: asName}})
		}
		code.text(t)
	}
	if s.Flaky > known {
		t.out.WriteByte('\n')
		t.flow([]span{{text: plural(s.Flaky-known, "further candidate") + " without a record", style: asWords}}, "", "")
	}
	_, err := w.Write(bytes.TrimLeft(t.out.Bytes(), "\n"))
	return err
}
