package text

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
)

// ListFlaky lists flaky findings of the summary, then candidates that were never confirmed, the
// most frequent first.
func ListFlaky(w io.Writer, s *finding.Summary, o TextOptions) error {
	t := &textWriter{width: min(max(o.Width, 60), 160), color: o.Color}
	known := uint64(0)
	for _, f := range s.FlakyCandidates {
		known += f.Count
	}
	rows := slices.Clone(s.FlakyCandidates)
	slices.SortStableFunc(rows, func(a, b finding.Flaky) int { return cmp.Compare(b.Count, a.Count) })
	var found []finding.Flaky
	for i := range s.Findings.Buckets {
		if b := &s.Findings.Buckets[i]; b.Flaky {
			found = append(found, finding.Flaky{Kind: bucketTitle(*b) + " " + b.ID, Reason: b.Wavers, Count: b.Count, Inputs: []string{b.Quoted}, Message: b.Results[b.Program]})
		}
	}
	text := escape.Text(s.Target) + ": " + units.Plural(max(s.Flaky, known), "flaky candidate")
	if len(found) > 0 {
		text += ", " + units.Plural(len(found), "flaky finding")
	}
	t.out.WriteString("\n" + text + "\n")
	for _, f := range append(found, rows...) {
		t.out.WriteString("\n")
		line := []span{{text: f.Kind, style: asLoud}, {text: "  " + units.Plural(f.Count, "input"), style: asWords}}
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
		t.flow([]span{{text: units.Plural(s.Flaky-known, "further candidate") + " without a record", style: asWords}}, "", "")
	}
	_, err := w.Write(bytes.TrimLeft(t.out.Bytes(), "\n"))
	return err
}
