package causes

import (
	"slices"
	"testing"
)

// evidence returns what is known of a value that differs in one field.
func evidence() Evidence {
	return Evidence{
		ID: "a", Change: "x", Kind: "change", Status: "changed", Layer: "value", Form: "0|a",
		Outcomes: map[string]string{"new": "accepted", "old": "accepted"},
		Symptoms: &Symptoms{
			Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Change: "x", Vague: true, Classes: []string{"", ""},
			Functions: []string{"p.key", ""}, Edits: []string{"9", "a"}, Parts: []string{"Parse 0.Key"},
		},
		Texts: [][]byte{[]byte("key=value")},
	}
}

// TestEvidence checks which findings of two targets have one cause. Each row begins with findings
// that have nothing in common but the change, the kind, the status, the outcomes and the field.
func TestEvidence(t *testing.T) {
	for name, test := range map[string]struct {
		change func(a, b *Evidence)
		one    bool
	}{
		"nothing in common":        {func(a, b *Evidence) {}, false},
		"symptoms":                 {func(a, b *Evidence) { b.Symptoms.Functions, b.Symptoms.Edits = a.Symptoms.Functions, a.Symptoms.Edits }, true},
		"a sure change":            {func(a, b *Evidence) { a.Symptoms.Vague, b.Symptoms.Vague = false, false }, true},
		"one id":                   {func(a, b *Evidence) { b.ID = a.ID }, true},
		"equal inputs":             {func(a, b *Evidence) { b.Texts = a.Texts }, true},
		"nearly equal inputs":      {func(a, b *Evidence) { b.Texts = [][]byte{[]byte("key=values")} }, true},
		"half of an input":         {func(a, b *Evidence) { b.Texts = [][]byte{[]byte("key=")} }, false},
		"short inputs":             {func(a, b *Evidence) { a.Texts, b.Texts = [][]byte{[]byte("-1")}, [][]byte{[]byte("+1")} }, false},
		"one character":            {func(a, b *Evidence) { a.Symptoms.Edits, b.Symptoms.Edits = []string{"#"}, []string{"#"} }, true},
		"one digit":                {func(a, b *Evidence) { a.Symptoms.Edits, b.Symptoms.Edits = []string{"9"}, []string{"9"} }, false},
		"form":                     {func(a, b *Evidence) { b.Form = a.Form }, false},
		"form and a kind of byte":  {func(a, b *Evidence) { b.Form, b.Symptoms.Edits = a.Form, []string{"9", "b", "-"} }, true},
		"one character in forms":   {func(a, b *Evidence) { b.Form, b.Symptoms.Edits = a.Form, []string{"-", "+"} }, false},
		"equal inputs, other kind": {func(a, b *Evidence) { b.Texts, b.Kind = a.Texts, "discrepancy" }, false},
		"a failure": {func(a, b *Evidence) {
			b.ID, b.Texts, b.Kind, b.Layer, b.Symptoms = a.ID, a.Texts, "crash", "", nil
		}, false},
		"equal inputs, other layer":  {func(a, b *Evidence) { b.Texts, b.Layer = a.Texts, "verdict" }, false},
		"equal inputs, other status": {func(a, b *Evidence) { b.Texts, b.Status = a.Texts, "old" }, false},
		"equal inputs, other outcomes": {func(a, b *Evidence) {
			b.Texts, b.Outcomes = a.Texts, map[string]string{"new": "rejected", "old": "accepted"}
		}, false},
		"equal inputs, other field":    {func(a, b *Evidence) { b.Texts, b.Symptoms.Parts = a.Texts, []string{"Read 0.Value"} }, false},
		"equal inputs, no field":       {func(a, b *Evidence) { b.Texts, b.Symptoms.Parts = a.Texts, []string{"Read 0"} }, true},
		"equal inputs, other change":   {func(a, b *Evidence) { b.Texts, b.Change = a.Texts, "y" }, false},
		"equal inputs, change unknown": {func(a, b *Evidence) { b.Texts, a.Change, b.Change = a.Texts, "", "" }, false},
		"one id, change unknown":       {func(a, b *Evidence) { b.ID, b.Change = a.ID, "" }, false},
		"one id, other change":         {func(a, b *Evidence) { b.ID, b.Change = a.ID, "y" }, false},
		"failures": {func(a, b *Evidence) {
			for _, e := range []*Evidence{a, b} {
				e.Kind, e.Layer, e.Symptoms, e.Place, e.Class = "crash", "", nil, "p.go:3", "index out of range"
			}
		}, true},
		"failures with other messages": {func(a, b *Evidence) {
			for _, e := range []*Evidence{a, b} {
				e.Kind, e.Layer, e.Symptoms, e.Place, e.Class, e.Texts = "crash", "", nil, "p.go:3", e.ID, nil
			}
		}, false},
		"failures in other lines": {func(a, b *Evidence) {
			for _, e := range []*Evidence{a, b} {
				e.Kind, e.Layer, e.Symptoms, e.Place, e.Texts = "crash", "", nil, e.ID, nil
			}
		}, false},
	} {
		a, b := evidence(), evidence()
		b.ID, b.Texts, b.Form = "b", [][]byte{[]byte("unlike")}, "a|0"
		b.Symptoms.Parts, b.Symptoms.Functions, b.Symptoms.Edits = []string{"Read 1.Key"}, []string{"", "p.read"}, []string{"-"}
		test.change(&a, &b)
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("%s: %v and %v", name, got, b.SameCause(&a))
		}
		if a.Change != "" && !a.SameCause(&a) {
			t.Errorf("%s: not like itself", name)
		}
	}
	var none *Evidence
	if e := evidence(); e.SameCause(none) || none.SameCause(&e) {
		t.Error("nothing is known, and they are one")
	}
}

// TestSymptomsAnywhere checks that symptoms without their target keep the fields of values, and
// that the symptoms themselves stay as they are.
func TestSymptomsAnywhere(t *testing.T) {
	s := &Symptoms{Parts: []string{"(*T).Parse 0.Key", "0", "1.Key", "Read 0", "x.Read 1.Value"}, Failing: []int{0, 1}}
	if got := s.anywhere(); !slices.Equal(got.Parts, []string{".Key", ".Value"}) || got.Failing != nil || len(s.Parts) != 5 || len(s.Failing) != 2 {
		t.Errorf("%+v of %+v", got, s)
	}
}
