package check

import (
	"context"
	"strings"
	"testing"

	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/record"
)

// TestAccident checks that a model of atoi that does not skip white space has no path in scope that
// skips some. Its answer is 0 there, as for each text that it cannot read, and so it is right if no
// digit follows.
func TestAccident(t *testing.T) {
	m, err := Prepare(context.Background(), &record.Record{Answer: *extracttest.Answer(t, "atoi")}, Options{Dir: t.TempDir(), Target: "t", Program: "angr"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	in, accidents := 0, 0
	for _, p := range m.Scope.Paths {
		spaced := strings.HasPrefix(p.Agreed, `atoi(" `) || strings.HasPrefix(p.Agreed, `atoi("\\t`) || strings.HasPrefix(p.Agreed, `atoi("\\n`)
		switch {
		case p.InScope && spaced:
			t.Errorf("%s: %s", p.Agreed, p.Why)
		case p.InScope:
			in++
		case strings.Contains(p.Why, "by the branch of the model"):
			accidents++
		}
	}
	if in == 0 || accidents == 0 {
		t.Errorf("%d paths in scope, %d accidents:\n%s", in, accidents, m.Scope.Explain())
	}
}
