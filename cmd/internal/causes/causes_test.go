package causes

import (
	"slices"
	"testing"
)

func base() Symptoms {
	return Symptoms{
		Layer: "verdict", Outcomes: []string{"accepted", "rejected"}, Functions: []string{"", "p.check"},
		Classes: []string{"", "*p.Error\nbad digit"}, Edits: []string{"-", "9"},
	}
}

// One holds for equal symptoms, is symmetric, and each symptom can tell two causes apart.
func TestOne(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *Symptoms)
		one    bool
	}{
		"nothing":                    {func(s *Symptoms) {}, true},
		"layer":                      {func(s *Symptoms) { s.Layer = "value" }, false},
		"outcomes":                   {func(s *Symptoms) { s.Outcomes = []string{"rejected", "rejected"} }, false},
		"which values are equal":     {func(s *Symptoms) { s.Equal = []int{0, 1} }, false},
		"function":                   {func(s *Symptoms) { s.Functions = []string{"", "p.other"} }, true},
		"class of error":             {func(s *Symptoms) { s.Classes = []string{"", "*p.Error\ntoo long"} }, false},
		"class of who accepts":       {func(s *Symptoms) { s.Classes = []string{"odd", "*p.Error\nbad digit"} }, true},
		"a third of the edits":       {func(s *Symptoms) { s.Edits = []string{"+", "-"} }, true},
		"all edits":                  {func(s *Symptoms) { s.Edits = []string{"+"} }, false},
		"no edits":                   {func(s *Symptoms) { s.Edits = nil }, false},
		"a change on one side alone": {func(s *Symptoms) { s.Change = "x" }, false},
	} {
		a, b := base(), base()
		test.change(&b)
		if got := a.One(&b); got != test.one || b.One(&a) != got {
			t.Errorf("%s: %v and %v", name, got, b.One(&a))
		}
	}
	// Programs that do not say why they reject are told apart by the rest.
	a, b := base(), base()
	a.Classes, b.Classes = []string{"", ""}, []string{"", ""}
	if !a.One(&b) {
		t.Error("without errors, nothing is one")
	}
	if b.Functions = nil; a.One(&b) {
		t.Error("without errors, edits alone make two findings one")
	}
	// Where some of the errors are others, functions and edits must be alike.
	for name, test := range map[string]struct {
		change func(s *Symptoms)
		one    bool
	}{
		"nothing":                 {func(s *Symptoms) {}, true},
		"half of the edits":       {func(s *Symptoms) { s.Edits = []string{"-"} }, true},
		"a third of the edits":    {func(s *Symptoms) { s.Edits = []string{"+", "-"} }, false},
		"function of one program": {func(s *Symptoms) { s.Functions[0] = "q.scan" }, true},
		"functions":               {func(s *Symptoms) { s.Functions = []string{"", "p.other"} }, false},
		"functions of none":       {func(s *Symptoms) { s.Functions = []string{"", ""} }, false},
	} {
		a, b := base(), base()
		a.Outcomes, b.Outcomes = []string{"rejected", "rejected"}, []string{"rejected", "rejected"}
		a.Classes, b.Classes = []string{"odd", "bad digit"}, []string{"even", "bad digit"}
		test.change(&b)
		if got := a.One(&b); got != test.one || b.One(&a) != got {
			t.Errorf("other errors, %s: %v and %v", name, got, b.One(&a))
		}
	}
	a, b = base(), base()
	a.Change, b.Change = "x", "x"
	b.Functions, b.Classes, b.Edits = nil, []string{"", ""}, nil
	if !a.One(&b) {
		t.Error("one change is not one cause")
	}
	a.Layer, b.Layer = "class", "class"
	if a.One(&b) {
		t.Error("other classes of errors are one cause, where classes disagree")
	}
	// Records that somebody edited are compared as far as they go.
	for _, classes := range [][]string{nil, {}, {""}} {
		a, b = base(), base()
		if b.Classes = classes; !a.One(&b) || !b.One(&a) {
			t.Errorf("with the classes %q, edits and functions do not tell", classes)
		}
		a.Functions, a.Edits = nil, nil
		if a.One(&b) || b.One(&a) {
			t.Errorf("with the classes %q, others are one", classes)
		}
	}
	var none *Symptoms
	if a.One(none) || none.One(&a) || none.One(none) {
		t.Error("nothing is known, and they are one")
	}
}

// Only two changes that are known set disagreements apart, and what is apart is not one.
func TestApart(t *testing.T) {
	of := func(change string) *Symptoms { s := base(); s.Change = change; return &s }
	list := []*Symptoms{nil, of(""), of("x"), of("y")}
	for i, a := range list {
		for k, b := range list {
			apart := a.Apart(b)
			if apart != (i > 1 && k > 1 && i != k) || apart && a.One(b) {
				t.Errorf("%+v and %+v: apart %v, one %v", a, b, apart, a.One(b))
			}
		}
	}
}

func TestKind(t *testing.T) {
	for piece, want := range map[string]string{
		"": "", "12": "9", "aB": "a", "1.2": "9.9", "\xff\xc3": "u", "\x01\x02": "^", "\n": "\n", "a\x00": "a\x00", "::": ":",
	} {
		if got := Kind(piece); got != want {
			t.Errorf("%q: %q, not %q", piece, got, want)
		}
	}
}

// Where it is not sure what of a change made the difference, or that it did, one change is one cause only if the rest says so, too; and other changes never are.
func TestVague(t *testing.T) {
	a, b := base(), base()
	a.Change, b.Change, a.Vague, b.Vague = "x", "x", true, true
	if !a.One(&b) {
		t.Error("all is the same")
	}
	b.Edits = []string{"+"}
	if a.One(&b) {
		t.Error("other edits are one cause in a vague change")
	}
	if a.Vague, b.Vague = false, false; !a.One(&b) {
		t.Error("other edits are another cause in a sure change")
	}
	a, b = base(), base()
	a.Change, b.Change, a.Vague, b.Vague = "x", "y", true, true
	if a.One(&b) {
		t.Error("two vague changes are one cause")
	}
}

// Where values disagree, nobody says why: functions and half of the edits do.
func TestValues(t *testing.T) {
	values := func() Symptoms {
		s := base()
		s.Layer, s.Outcomes, s.Equal, s.Classes = "value", []string{"accepted", "accepted"}, []int{0, 1}, []string{"", ""}
		return s
	}
	for name, test := range map[string]struct {
		change func(s *Symptoms)
		one    bool
	}{
		"nothing":              {func(s *Symptoms) {}, true},
		"half of the edits":    {func(s *Symptoms) { s.Edits = []string{"-"} }, true},
		"a third of the edits": {func(s *Symptoms) { s.Edits = []string{"+", "-"} }, false},
		"all edits":            {func(s *Symptoms) { s.Edits = []string{"+"} }, false},
		"functions":            {func(s *Symptoms) { s.Functions = []string{"", "p.other"} }, false},
		"which are equal":      {func(s *Symptoms) { s.Equal = []int{0, 0} }, false},
	} {
		a, b := values(), values()
		test.change(&b)
		if got := a.One(&b); got != test.one || b.One(&a) != got {
			t.Errorf("%s: %v and %v", name, got, b.One(&a))
		}
	}
}

// The name of a cause between versions does not depend on how the versions are called, and depends on all else.
func TestID(t *testing.T) {
	s := base()
	s.Change = "x"
	names := []string{"m.Parse@v1.2.0", "m.Parse@v1.3.0"}
	id := s.ID(names)
	if s.ID([]string{"m.Parse@v1.2.0", "m.Parse@latest"}) != id {
		t.Error("the versions' names are in it")
	}
	seen := []string{id, s.ID([]string{"n.Parse@v1", "n.Parse@v2"})}
	for _, change := range []func(*Symptoms){
		func(s *Symptoms) { s.Change = "y" },
		func(s *Symptoms) { s.Layer = "value" },
		func(s *Symptoms) { s.Outcomes = []string{"rejected", "accepted"} },
		func(s *Symptoms) { s.Equal = []int{0, 1} },
		func(s *Symptoms) { s.Layer = "class" },
		func(s *Symptoms) { s.Vague = true },
		func(s *Symptoms) { s.Vague, s.Functions = true, []string{"", "p.other"} },
	} {
		other := base()
		other.Change = "x"
		change(&other)
		if id := other.ID(names); slices.Contains(seen, id) {
			t.Errorf("%+v has the name of another", other)
		} else {
			seen = append(seen, id)
		}
	}
}
