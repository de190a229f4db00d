package check

import (
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
)

// TestNull checks that the engine's answers for null pointers are compared with the original and do
// not affect other calls.
func TestNull(t *testing.T) {
	a := extracttest.Answer(t, "strtol")
	a.AddNull(1, extracttest.NullAnswer(t, "strtol", 1))
	m, err := Prepare(t.Context(), &record.Record{Answer: *a}, Options{Dir: t.TempDir(), Target: "t", Program: "angr", Scope: scope.Options{Samples: 300}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	null, other := 0, 0
	for _, p := range m.Scope.Paths {
		if p.InScope && strings.Contains(p.Agreed, "NULL") {
			null++
		} else if p.InScope {
			other++
		}
	}
	if null == 0 || other == 0 {
		t.Errorf("%d paths in scope of calls with a null pointer, and %d of others", null, other)
	}
	without, err := Prepare(t.Context(), &record.Record{Answer: *extracttest.Answer(t, "strtol")}, Options{Dir: t.TempDir(), Target: "t", Program: "angr", Scope: scope.Options{Samples: 300}})
	if err != nil {
		t.Fatal(err)
	}
	defer without.Close()
	// answers that only one version has for null pointers are not compared
	for _, pair := range [][2]*Model{{m, without}, {without, m}} {
		if c, err := Versions(t.Context(), pair[0], pair[1]); err != nil || c.Reason != "" || c.Calls < 300 || c.Better+c.Worse+c.Unknown > 0 {
			t.Errorf("a version without models of calls with null pointers: %+v, %v", c, err)
		}
	}
	end := call.Value{Data: make([]byte, 8)}
	for _, test := range []struct {
		end  call.Value
		want string
	}{{call.Value{}, "returns 12"}, {end, "returns 12, stores arg_0+2 in *arg_1"}} {
		c := call.Call{{Data: []byte("12\x00\x00\x00")}, test.end, {}}
		got, err := m.Evaluate(t.Context(), c)
		if err != nil || got.Kind != formula.Returned {
			t.Fatalf("%v, %v", got.Kind, err)
		}
		run, err := m.Original.Run(c)
		if err != nil {
			t.Fatal(err)
		}
		sig := m.Original.Signature
		if said, does := sig.Text(c, &got.Effect, call.Exact), sig.Text(c, &run.Effect, call.Exact); said != test.want || does != test.want {
			t.Errorf("%s: the model %s, the original %s", sig.Quote(c), said, does)
		}
	}
}
