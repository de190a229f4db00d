package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/extract"
)

// other gives one answer to all calls.
type other struct {
	said extract.Said
	err  error
}

func (o other) Calls(_ context.Context, _ string, _ extract.Side, list []json.RawMessage) ([]extract.Said, error) {
	all := make([]extract.Said, len(list))
	for i := range all {
		all[i] = o.said
	}
	return all, o.err
}

// TestVersions checks that a version is worse where it is wrong and the other is right, but not
// where the engine gives up.
func TestVersions(t *testing.T) {
	right := extract.Said{How: extract.Returns, Kind: "int", Value: "1", Unique: true}
	wrong, several, gaveUp := right, right, extract.Said{How: extract.Unknown, Value: "it gives up"}
	wrong.Value, several.Value, several.Unique = "2", "2", false
	late := extract.Said{How: extract.Failed, Value: "timeout: it took more than a minute"}
	failed := extract.Said{How: extract.Failed, Value: "AttributeError"}
	f := function("f({...})", takes(false, "int"))
	for name, test := range map[string]struct {
		before, now extract.Said
		want        finding.ModelChange
	}{
		"the same":        {right, right, finding.ModelChange{Calls: 1}},
		"both wrong":      {wrong, failed, finding.ModelChange{Calls: 1}},
		"better":          {wrong, right, finding.ModelChange{Calls: 1, Better: 1, BetterOn: "f(5): the original returns 1; before: returns 2"}},
		"worse":           {right, wrong, finding.ModelChange{Calls: 1, Worse: 1, WorseOn: "f(5): the original returns 1; now: returns 2"}},
		"of several":      {right, several, finding.ModelChange{Calls: 1, Worse: 1, WorseOn: "f(5): the original returns 1; now: unconstrained"}},
		"failed":          {right, failed, finding.ModelChange{Calls: 1, Worse: 1, WorseOn: "f(5): the original returns 1; now: failed AttributeError"}},
		"gave up":         {right, gaveUp, finding.ModelChange{Unknown: 1}},
		"gave up before":  {gaveUp, right, finding.ModelChange{Unknown: 1}},
		"late":            {late, right, finding.ModelChange{Unknown: 1}},
		"late, and wrong": {wrong, late, finding.ModelChange{Unknown: 1}},
	} {
		test.want.Function = "f"
		found := &Sampled{Asked: []Asked{{[]byte{5}, right, test.now}}}
		if got, err := Versions(t.Context(), f, found, f, other{said: test.before}); got != test.want || err != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	found := &Sampled{Asked: []Asked{{[]byte{5}, right, right}}}
	if got, err := Versions(t.Context(), f, found, function("f({...})", takes(true, "int")), other{}); got.Reason == "" || err != nil {
		t.Errorf("other arguments: %+v, %v", got, err)
	}
	gone := errors.New("gone")
	if _, err := Versions(t.Context(), f, found, f, other{err: gone}); !errors.Is(err, gone) {
		t.Errorf("an engine that is gone: %v", err)
	}
}
