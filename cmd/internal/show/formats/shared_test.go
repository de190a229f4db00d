package formats

import (
	"bytes"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
)

// TestShared checks that each format has the findings with one cause once, and names all of them.
func TestShared(t *testing.T) {
	r := many(1)
	other := many(1).Targets[0]
	other.Name, other.Findings[0].ID = "q", "d00000000000"
	r.Targets = append(r.Targets, other)
	shown, shared := &r.Targets[0].Findings[0], &r.Targets[1].Findings[0]
	shown.Sharers = []finding.Sharer{{Target: "q", ID: shared.ID, Count: 4}}
	shared.Shower = &finding.Sharer{Target: "p", ID: shown.ID}

	page := r.Markdown(SummaryLimit)
	rendered(t, page)
	text := string(page)
	if !strings.Contains(text, "+ 1 with its cause |") || strings.Count(text, "It is also shown by q (2 targets,") != 1 || !strings.Contains(text, "| `d00000000000` |") {
		t.Errorf("markdown:\n%s", text)
	}
	if lines := r.Annotations(); bytes.Count(lines, []byte("::error")) != 1 || !bytes.Contains(lines, []byte("also shown by q")) {
		t.Errorf("annotations:\n%s", lines)
	}
	if log := encode(t, r.Sarif); bytes.Count(log, []byte(`"ruleId"`)) != 1 || !bytes.Contains(log, []byte(`"d00000000000 of q"`)) {
		t.Errorf("SARIF:\n%s", log)
	}
	suite := encode(t, r.JUnit)
	if bytes.Count(suite, []byte("<failure")) != 1 || !bytes.Contains(suite, []byte("d00000000000")) || !bytes.Contains(suite, []byte("it has the cause of "+shown.ID+" in p")) {
		t.Errorf("JUnit:\n%s", suite)
	}
}
