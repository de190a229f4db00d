package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// fake answers by the number in a call.
type fake struct {
	original, model map[string]extract.Said
	asked           int // questions about the model
	err             error
}

func (f *fake) Close() {}

func (f *fake) Calls(_ context.Context, _ string, side extract.Side, list []json.RawMessage) (said []extract.Said, err error) {
	for _, data := range list {
		var args []struct{ Int string }
		if err := json.Unmarshal(data, &args); err != nil {
			return nil, err
		}
		answers := f.original
		if side == extract.OfModel {
			answers = f.model
			f.asked++
		}
		said = append(said, answers[args[0].Int])
	}
	return said, f.err
}

func returns(value string) extract.Said {
	return extract.Said{How: extract.Returns, Kind: "int", Value: value, Unique: true}
}

// TestExecute checks that calls out of scope or without a single answer are declined, and that
// others have the outcomes of the sides.
func TestExecute(t *testing.T) {
	function := &dynamic.Function{Function: "int.f", Form: "{0}.f({...})", Elements: 8, Parameters: []extract.Parameter{{Name: "self", Kinds: []string{"int"}}}}
	engine := &fake{
		original: map[string]extract.Said{
			"0": returns("0"), "1": returns("10"), "2": returns("20"), "3": {How: extract.Failed, Value: "timeout"}, "4": returns("40"), "5": returns("50"),
			"-1": {How: extract.Raises, Kind: "ValueError", Value: "ValueError"},
		},
		model: map[string]extract.Said{
			"1": returns("10"), "2": returns("21"), "4": {How: extract.Returns, Kind: "int", Value: "41"}, "5": {How: extract.Unknown, Value: "IgnoreAttempt"},
			"-1": {How: extract.Raises, Kind: "KeyError", Value: "KeyError", Unique: true},
		},
	}
	zero := function.Decode([]byte{0})
	out := &scope.Scope{Function: "int.f", Paths: []*scope.Path{{Key: scope.Key(function.Key(zero, returns("0"), "")), Why: "never agrees: wrong value"}}}
	inputs := [][]byte{{0}, {1}, {2}, {3}, {4}, {5}, {0x80}}
	run := func(side extract.Side) []program.Observation {
		t.Helper()
		e := &executor{function: function, side: side, scope: out, engine: engine, asker: engine}
		obs := make([]program.Observation, len(inputs))
		if err := e.Execute(t.Context(), inputs, obs); err != nil {
			t.Fatal(err)
		}
		if e.Quote([]byte{0x80}) != "(-1).f()" {
			t.Errorf("quoted as %s", e.Quote([]byte{0x80}))
		}
		return obs
	}
	check := func(side extract.Side, want ...string) {
		t.Helper()
		for i, o := range run(side) {
			got := o.Outcome.String() + " " + string(o.Value) + o.Message
			if got != want[i] {
				t.Errorf("%s, input %d: %s, not %s", side, i, got, want[i])
			}
			if (len(o.Features) > 0) != (o.Outcome == oracle.Accepted) {
				t.Errorf("%s, input %d: %d features", side, i, len(o.Features))
			}
			for k, f := range o.Features {
				if f >= dynamic.Features || k > 0 && f <= o.Features[k-1] {
					t.Errorf("%s, input %d: features %d", side, i, o.Features)
				}
			}
		}
	}
	check(extract.OfOriginal, "accepted returns 0", "accepted returns 10", "accepted returns 20", "declined nothing to compare: failed timeout", "accepted returns 40", "accepted returns 50", "accepted raises ValueError")
	if engine.asked != 0 {
		t.Errorf("the model was asked %d times for the original", engine.asked)
	}
	check(extract.OfModel, "declined out of scope: never agrees: wrong value", "accepted returns 10", "accepted returns 21", "declined nothing to compare: failed timeout",
		"declined the model's answer is unconstrained: 41", "declined the model's answer is unknown: IgnoreAttempt", "accepted raises KeyError")
	if engine.asked != 5 {
		t.Errorf("the model was asked %d times", engine.asked)
	}

	// An engine that does not start ends the campaign, and is no mistake of the user's.
	engine.err = errors.Join(extract.ErrUnavailable, errors.New("no such interpreter"))
	e := &executor{function: function, side: extract.OfOriginal, engine: engine, asker: engine}
	var failure *program.Failure
	if err := e.Execute(t.Context(), inputs, make([]program.Observation, len(inputs))); !errors.As(err, &failure) || failure.Code != exit.InfraCode || !strings.Contains(failure.What, "no such interpreter") {
		t.Errorf("%v", err)
	}
}
