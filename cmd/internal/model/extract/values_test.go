package extract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestCalls checks that a call that ends the engine's process does not affect the others.
func TestCalls(t *testing.T) {
	e := fake(t, Options{})
	var list []json.RawMessage
	for _, n := range []int{1, 666, 2, 3, 4, 5, 6, 7, 8, 9} { // more than are asked at once
		list = append(list, json.RawMessage(fmt.Sprintf(`[{"int":"%d"}]`, n)))
	}
	for _, side := range []Side{OfModel, OfOriginal} {
		said, err := e.Calls(t.Context(), "f", side, list)
		if err != nil || len(said) != len(list) {
			t.Fatalf("%d answers: %v", len(said), err)
		}
		if want := (Said{How: Returns, Kind: "int", Value: string(side) + " 9", Unique: true}); said[9] != want || said[0].Value != string(side)+" 1" {
			t.Errorf("%+v and %+v", said[0], said[9])
		}
		if said[1].How != Failed || !strings.Contains(said[1].Value, "crash: it ended: signal: segmentation fault") {
			t.Errorf("the crash is %+v", said[1])
		}
	}
	said, err := e.Calls(t.Context(), "fewer", OfModel, list[:1])
	if err != nil || said[0].How != Failed || !strings.Contains(said[0].Value, "there are 0 results to 1 calls") {
		t.Errorf("an answer that lacks one: %+v, %v", said, err)
	}
}

// TestParameterRequest checks that a function's parameters are requested like a model, and that a
// function without information is a result.
func TestParameterRequest(t *testing.T) {
	e := fake(t, Options{})
	answers, err := e.Extract(t.Context(), []Request{{Function: "f", Mode: Takes}, {Function: "nosignature", Mode: Takes}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := answers[0]; a.Status != OK || a.Form != "f({...})" || len(a.Parameters) != 1 || a.Parameters[0].Kinds[0] != "int" {
		t.Errorf("%+v", a)
	}
	if a := answers[1]; a.Status != Crash || !strings.Contains(a.Reason, "it does not say what the function takes") {
		t.Errorf("%+v", a)
	}
	if !Values("crosshair") || Values("angr") || Values("none") {
		t.Error("crosshair's models take values, and angr's do not")
	}
}
