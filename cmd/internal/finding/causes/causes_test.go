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

// TestSameCause checks that SameCause holds for equal symptoms and is symmetric, and that each
// symptom can separate two causes.
func TestSameCause(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *Symptoms)
		one    bool
	}{
		"nothing":                    {func(s *Symptoms) {}, true},
		"layer":                      {func(s *Symptoms) { s.Layer = "value" }, false},
		"outcomes":                   {func(s *Symptoms) { s.Outcomes = []string{"rejected", "rejected"} }, false},
		"what costs":                 {func(s *Symptoms) { s.Cost = "blocks" }, false},
		"which values are equal":     {func(s *Symptoms) { s.Equal = []int{0, 1} }, false},
		"which calls fail":           {func(s *Symptoms) { s.Failing = []int{0, 1} }, false},
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
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("%s: %v and %v", name, got, b.SameCause(&a))
		}
	}
	// Programs that give no reason for rejecting are separated by the other symptoms.
	a, b := base(), base()
	a.Classes, b.Classes = []string{"", ""}, []string{"", ""}
	if !a.SameCause(&b) {
		t.Error("without errors, nothing is one")
	}
	if b.Functions = nil; a.SameCause(&b) {
		t.Error("without errors, edits alone make two findings one")
	}
	// Without edits in common, a single program that rejects must fail the same check.
	for name, test := range map[string]struct {
		a, b []string
		one  bool
	}{
		"unknown":       {nil, []string{"p.scan 4"}, true},
		"the same":      {[]string{"p.scan 4", "p.value 9"}, []string{"p.scan 4", "p.list 2"}, true},
		"another check": {[]string{"p.scan 4", "p.value 9"}, []string{"p.scan 7", "p.list 2"}, false},
	} {
		a, b := base(), base()
		a.Edits, b.Edits, a.Rejects, b.Rejects = nil, nil, test.a, test.b
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("check %s: %v and %v", name, got, b.SameCause(&a))
		}
	}
	// Certain ends of failed checks must not differ, whatever else agrees.
	for name, test := range map[string]struct {
		a, b, others []string
		one          bool
	}{
		"unknown":           {[]string{"", "p.scan 4"}, nil, nil, true},
		"the same":          {[]string{"", "p.scan 4"}, []string{"", "p.scan 4"}, nil, true},
		"another":           {[]string{"", "p.scan 4"}, []string{"", "p.scan 7"}, nil, false},
		"one of two":        {[]string{"p.scan 4", "q.scan 4"}, []string{"p.scan 4", "q.scan 7"}, nil, true},
		"of other programs": {[]string{"p.scan 4"}, []string{"", "q.scan 7"}, nil, true},
		"a possible one":    {[]string{"p.scan 4"}, nil, []string{"p.list 2", "p.scan 4"}, true},
		"an impossible one": {[]string{"p.scan 4"}, nil, []string{"p.list 2"}, false},
	} {
		a, b := base(), base()
		a.Checks, b.Checks, b.Rejects = test.a, test.b, test.others
		a.Edits, b.Edits = []string{"+", "a"}, []string{"+", "a"}
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("certain check %s: %v and %v", name, got, b.SameCause(&a))
		}
		if a.Edits, b.Edits = []string{"+"}, []string{"+"}; !a.SameCause(&b) {
			t.Errorf("certain check %s: a plus sign alone is the cause", name)
		}
	}
	// Nor do findings have one cause if the only program that accepts does so elsewhere.
	for name, test := range map[string]struct {
		function string
		one      bool
	}{"unknown": {"", true}, "the same": {"q.parse", true}, "another function": {"q.host", false}} {
		a, b := base(), base()
		for _, s := range []*Symptoms{&a, &b} {
			s.Edits, s.Outcomes, s.Classes = nil, []string{"rejected", "accepted", "rejected"}, []string{"*p.Error\nbad", "", "bad"}
			s.Functions = []string{"p.parse", "q.parse", ""}
		}
		if b.Functions[1] = test.function; a.SameCause(&b) != test.one || b.SameCause(&a) != test.one {
			t.Errorf("%s: %v, want %v", name, a.SameCause(&b), test.one)
		}
	}
	// If some of the errors differ, functions and edits must be alike.
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
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("other errors, %s: %v and %v", name, got, b.SameCause(&a))
		}
	}
	// An error that one program returns for everything is no evidence if another program returns
	// different ones.
	for name, test := range map[string]struct {
		change func(s *Symptoms)
		one    bool
	}{
		"the same errors":           {func(s *Symptoms) { s.Classes[1] = "long group" }, true},
		"another error":             {func(s *Symptoms) {}, false},
		"and a character":           {func(s *Symptoms) { s.Edits = []string{"9", "-"} }, true},
		"and a badly placed one":    {func(s *Symptoms) { s.Edits, s.Weak = []string{"9", "-"}, true }, false},
		"and a turning character":   {func(s *Symptoms) { s.Turns = []string{"/"} }, true},
		"the same, badly separated": {func(s *Symptoms) { s.Turns, s.Weak = []string{"/"}, true }, false},
	} {
		a, b := base(), base()
		for _, s := range []*Symptoms{&a, &b} {
			s.Outcomes, s.Functions = []string{"rejected", "rejected", "accepted"}, []string{"", "", "r.Parse"}
			s.Classes, s.Edits = []string{"no address", "long group", ""}, []string{"9"}
		}
		b.Classes[1] = "leading zero"
		test.change(&b)
		if a.Turns = b.Turns; len(b.Edits) > 1 {
			a.Edits = b.Edits
		}
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("three programs, %s: %v and %v", name, got, b.SameCause(&a))
		}
	}
	// Nor is it evidence if the program decides elsewhere, and no single character must go.
	a, b = base(), base()
	for _, s := range []*Symptoms{&a, &b} {
		s.Outcomes, s.Classes, s.Edits = []string{"rejected", "accepted"}, []string{"no address", ""}, []string{"9"}
		s.Functions = []string{"p.six", ""}
	}
	if !a.SameCause(&b) {
		t.Error("the same function is not one")
	}
	if b.Functions[0] = "p.four"; a.SameCause(&b) || b.SameCause(&a) {
		t.Error("two functions are one")
	}
	a, b = base(), base()
	a.Change, b.Change = "x", "x"
	b.Functions, b.Classes, b.Edits = nil, []string{"", ""}, nil
	if !a.SameCause(&b) {
		t.Error("one change is not one cause")
	}
	a.Layer, b.Layer = "class", "class"
	if a.SameCause(&b) {
		t.Error("other classes of errors are one cause, where classes disagree")
	}
	// Records that a user edited are compared as far as possible.
	for _, classes := range [][]string{nil, {}, {""}} {
		a, b = base(), base()
		if b.Classes = classes; !a.SameCause(&b) || !b.SameCause(&a) {
			t.Errorf("with the classes %q, edits and functions do not tell", classes)
		}
		a.Functions, a.Edits = nil, nil
		if a.SameCause(&b) || b.SameCause(&a) {
			t.Errorf("with the classes %q, others are one", classes)
		}
	}
	var none *Symptoms
	if a.SameCause(none) || none.SameCause(&a) || none.SameCause(none) {
		t.Error("nothing is known, and they are one")
	}
}

// TestDifferentChanges checks that only two known changes separate disagreements, and that these
// have no common cause.
func TestDifferentChanges(t *testing.T) {
	of := func(change string) *Symptoms { s := base(); s.Change = change; return &s }
	list := []*Symptoms{nil, of(""), of("x"), of("y")}
	for i, a := range list {
		for k, b := range list {
			apart := a.DifferentChanges(b)
			if apart != (i > 1 && k > 1 && i != k) || apart && a.SameCause(b) {
				t.Errorf("%+v and %+v: apart %v, one %v", a, b, apart, a.SameCause(b))
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

// TestVagueChange checks disagreements for which the decisive part of a change, or the change, is
// uncertain. One change is one cause only if the other symptoms agree, and different changes never
// are.
func TestVagueChange(t *testing.T) {
	a, b := base(), base()
	a.Change, b.Change, a.Vague, b.Vague = "x", "x", true, true
	if !a.SameCause(&b) {
		t.Error("all is the same")
	}
	b.Edits = []string{"+"}
	if a.SameCause(&b) {
		t.Error("other edits are one cause in a vague change")
	}
	if a.Vague, b.Vague = false, false; !a.SameCause(&b) {
		t.Error("other edits are another cause in a sure change")
	}
	// Either of two vague changes may have made the difference. If all else is the same, the causes
	// are the same.
	for name, test := range map[string]struct {
		change func(s *Symptoms)
		one    bool
	}{
		"nothing":                {func(s *Symptoms) {}, true},
		"half of the edits":      {func(s *Symptoms) { s.Edits = []string{"-"} }, true},
		"a third of the edits":   {func(s *Symptoms) { s.Edits = []string{"+", "-"} }, false},
		"no edits":               {func(s *Symptoms) { s.Edits = nil }, false},
		"function":               {func(s *Symptoms) { s.Functions = []string{"", "p.other"} }, false},
		"error":                  {func(s *Symptoms) { s.Classes = []string{"", "*p.Error\ntoo long"} }, false},
		"sure on one side alone": {func(s *Symptoms) { s.Vague = false }, false},
		"no change on one side":  {func(s *Symptoms) { s.Change = "" }, false},
	} {
		a, b := base(), base()
		a.Change, b.Change, a.Vague, b.Vague = "x", "y", true, true
		test.change(&b)
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got || b.Change != "" && a.DifferentChanges(&b) == got {
			t.Errorf("two vague changes, %s: %v, %v, apart %v", name, got, b.SameCause(&a), a.DifferentChanges(&b))
		}
	}
	// Two disagreements without any other symptoms have different causes.
	a, b = base(), base()
	a.Change, b.Change, a.Vague, b.Vague = "x", "y", true, true
	a.Edits, b.Edits = nil, nil
	if a.SameCause(&b) {
		t.Error("two vague changes without edits are one cause")
	}
	// Differing values come without reasons, so functions and edits must all be the same.
	for name, test := range map[string]struct {
		change func(s *Symptoms)
		one    bool
	}{
		"nothing":           {func(s *Symptoms) {}, true},
		"half of the edits": {func(s *Symptoms) { s.Edits = []string{"-"} }, false},
		"one function more": {func(s *Symptoms) { s.Functions = []string{"p.parse", "p.check"} }, false},
	} {
		a, b := base(), base()
		for _, s := range []*Symptoms{&a, &b} {
			s.Layer, s.Outcomes, s.Classes, s.Vague = "value", []string{"accepted", "accepted"}, nil, true
		}
		a.Change, b.Change = "x", "y"
		test.change(&b)
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("two vague changes of values, %s: %v and %v", name, got, b.SameCause(&a))
		}
	}
}

// TestVagueParts checks that in one vague change, findings have different causes and IDs if
// different parts of the values differ. If no function separates inputs, kinds of bytes count too,
// with all blanks as one kind.
func TestVagueParts(t *testing.T) {
	values := func(function string, parts, edits []string) Symptoms {
		return Symptoms{Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Functions: []string{function, ""},
			Classes: []string{"", ""}, Change: "x", Vague: true, Parts: parts, Edits: edits}
	}
	list := func(s ...string) []string { return s }
	names := []string{"m.F@v1", "m.F@v2"}
	for _, test := range []struct {
		name    string
		a, b    Symptoms
		one, id bool
	}{
		{"the same", values("p.f", list("F 0"), list("-")), values("p.f", list("F 0"), list("-")), true, true},
		{"another part", values("p.f", list("F 0"), list("-")), values("p.f", list("F 1"), list("-")), false, false},
		{"a part more", values("p.f", list("F 0"), list("-")), values("p.f", list("F 0", "F 1"), list("-")), true, false},
		{"parts are not known", values("p.f", list("F 0"), list("-")), values("p.f", nil, list("-")), true, false},
		{"other bytes, where a function tells", values("p.f", list("F 0"), list("-")), values("p.f", list("F 0"), list("9")), false, true},
		{"the same, blind", values("", list("F 0"), list("-")), values("", list("F 0"), list("-")), true, true},
		{"blanks, blind", values("", list("F 0"), list("\t", " ")), values("", list("F 0"), list("\r")), true, true},
		{"other bytes, blind", values("", list("F 0"), list("-")), values("", list("F 0"), list("9")), false, false},
		{"another part, blind", values("", list("F 0"), list("-")), values("", list("F 0.A"), list("-")), false, false},
		{"none, blind", values("", list("F 0"), nil), values("", list("F 0"), nil), true, true},
	} {
		if one, back := test.a.SameCause(&test.b), test.b.SameCause(&test.a); one != test.one || back != one {
			t.Errorf("%s: same cause: %v and %v", test.name, one, back)
		}
		if id := test.a.ID(names) == test.b.ID(names); id != test.id {
			t.Errorf("%s: same ID: %v", test.name, id)
		}
		test.a.Vague, test.b.Vague = false, false
		if !test.a.SameCause(&test.b) || test.a.ID(names) != test.b.ID(names) || test.a.Looks() != nil {
			t.Errorf("%s, sure: not the same cause", test.name)
		}
	}
}

// TestWeak checks that where places of verdicts separate badly, the kinds of bytes name variants
// and buckets, unless a change is sure.
func TestWeak(t *testing.T) {
	of := func(change string, vague, weak bool, edits ...string) *Symptoms {
		return &Symptoms{Layer: "verdict", Outcomes: []string{"rejected", "accepted"}, Functions: []string{"p.F", ""},
			Classes: []string{"no unit", ""}, Change: change, Vague: vague, Weak: weak, Edits: edits}
	}
	names := []string{"m.F@v1", "m.F@v2"}
	for _, test := range []struct {
		name string
		s    *Symptoms
		want []string
	}{
		{"no change", of("", false, true, "a", " "), []string{"edits", " ", "a"}},
		{"a vague change", of("x", true, true, "\t"), []string{"edits", " "}},
		{"no bytes", of("", false, true), []string{"edits"}},
		{"a sure change", of("x", false, true, "a"), nil},
		{"a place separates", of("x", true, false, "a"), nil},
	} {
		if got := test.s.Looks(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if a, b := of("x", true, true, "a"), of("x", true, true, " "); a.ID(names) == b.ID(names) || a.SameCause(b) {
		t.Error("other bytes: the same cause")
	}
	if a, b := of("x", true, false, "a"), of("x", true, false, " "); a.ID(names) != b.ID(names) {
		t.Error("a place separates: other bytes change the id")
	}
}

// TestWeakValues checks that where places of values separate badly, the differing parts name
// variants. Without a part in common, the same kinds of bytes are one cause, unless all are digits
// or letters.
func TestWeakValues(t *testing.T) {
	of := func(part string, edits ...string) *Symptoms {
		return &Symptoms{Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Functions: []string{"p.F", "q.F"},
			Classes: []string{"", ""}, Weak: true, Parts: []string{part}, Edits: edits}
	}
	if got := of("0.Host", "9").Looks(); !slices.Equal(got, []string{"0.Host"}) {
		t.Errorf("looks %q", got)
	}
	for _, test := range []struct {
		name string
		a, b *Symptoms
		want bool
	}{
		{"one part", of("0.Host", "9"), of("0.Host", "9"), true},
		{"two parts", of("0.Host", "9"), of("0.Kind", "9"), false},
		{"two parts and other bytes", of("0.Host", "u"), of("0.Kind", ","), false},
		{"non-ASCII bytes in two parts", of("0.Host", "u"), of("0.Kind", "u"), true},
	} {
		if test.a.SameCause(test.b) != test.want || test.b.SameCause(test.a) != test.want {
			t.Errorf("%s: %v", test.name, !test.want)
		}
	}
}

// TestSpecial checks that in one vague change, a single character that must go replaces the error
// if the function is the same. A kind of many characters does not.
func TestSpecial(t *testing.T) {
	for name, test := range map[string]struct {
		a, b []string
		one  bool
	}{
		"a character":              {[]string{"-", "9"}, []string{"-"}, true},
		"digits":                   {[]string{"9"}, []string{"9"}, false},
		"a character more":         {[]string{"9"}, []string{"-", "9"}, false},
		"a character among others": {[]string{"-", "9", "a"}, []string{"-", "u"}, false},
		"what holds it":            {[]string{"-"}, []string{"-", "-9", "9-", "u-a"}, true},
	} {
		a, b := base(), base()
		a.Change, b.Change, a.Vague, b.Vague = "x", "x", true, true
		a.Edits, b.Edits, b.Classes = test.a, test.b, []string{"", "*p.Error\ntoo long"}
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("%s: %v and %v", name, got, b.SameCause(&a))
		}
		if b.Functions = nil; a.SameCause(&b) {
			t.Errorf("%s: another function, and they are one", name)
		}
		if a.Change, b.Change, b.Functions = "", "", a.Functions; a.SameCause(&b) {
			t.Errorf("%s: between other programs, they are one", name)
		}
	}
}

// TestTurned checks disagreements of one accepting program with others that reject for different
// reasons. The kinds of bytes whose deletion turns the accepting program identify the cause.
func TestTurned(t *testing.T) {
	for name, test := range map[string]struct {
		change func(a, b *Symptoms)
		one    bool
	}{
		"nothing":              {func(a, b *Symptoms) {}, true},
		"half":                 {func(a, b *Symptoms) { a.Turns = []string{"&", "9"} }, true},
		"a third":              {func(a, b *Symptoms) { a.Turns = []string{"&", "9", "a"} }, false},
		"other bytes":          {func(a, b *Symptoms) { a.Turns = []string{"9"} }, false},
		"all errors":           {func(a, b *Symptoms) { a.Classes[0] = "no quote" }, false},
		"digits":               {func(a, b *Symptoms) { a.Turns, b.Turns = []string{"9"}, []string{"9"} }, false},
		"not known":            {func(a, b *Symptoms) { a.Turns, b.Turns = nil, nil }, false},
		"no edit mends one":    {func(a, b *Symptoms) { a.Edits = nil }, false},
		"no edit mends either": {func(a, b *Symptoms) { a.Edits, b.Edits = nil, nil }, true},
		"of one alone":         {func(a, b *Symptoms) { a.Turns = nil }, false},
		"between versions":     {func(a, b *Symptoms) { a.Change, b.Change = "x", "y" }, false},
		"between versions too": {func(a, b *Symptoms) { a.Change, b.Change, a.Vague, b.Vague = "x", "x", true, true }, false},
	} {
		a, b := base(), base()
		a.Outcomes, b.Outcomes = []string{"rejected", "accepted", "rejected"}, []string{"rejected", "accepted", "rejected"}
		a.Classes, b.Classes = []string{"no end", "", "not closed"}, []string{"no end", "", "not quoted"}
		a.Edits, b.Edits = []string{"'"}, []string{"`"}
		a.Turns, b.Turns = []string{"&"}, []string{"&"}
		test.change(&a, &b)
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("%s: %v and %v", name, got, b.SameCause(&a))
		}
	}
}

// TestAlikeMessages checks that messages that differ only in the place of the error are alike.
func TestAlikeMessages(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"E\ndid not find expected key", "E\nline <n>: did not find expected key", true},
		{"E\ndid not find expected key", "F\ndid not find expected key", false},
		{"E\ndid not find expected key", "E\ndid not find expected node content", false},
		{"E\nunknown base: e. Options: b, o", "E\nunknown base: E. Options: b, o", true},
		{"E\nline <n>: <q> is not a number", "E\nline <n> (last key <q>): <q> is not a number", false}, // five of seven words
		{"E\nline <n>: files cannot hold control characters", "E\nline <n> (last key <q>): files cannot hold control characters", false},
		{"E\nline <n>: these files cannot hold any control characters", "E\nline <n> (last key <q>): these files cannot hold any control characters", true},
		{"E\n<n>", "E\n<q>", false},
		{"E\n<n>", "E\n<n>", true},
		{"E", "E\nx", false},
		{"", "", true},
	} {
		if similarClasses(test.a, test.b) != test.same || similarClasses(test.b, test.a) != test.same {
			t.Errorf("%q and %q: not %v", test.a, test.b, test.same)
		}
	}
}

// TestValues checks that differing values, which come without reasons, are compared by functions
// and half of the edits.
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
		if got := a.SameCause(&b); got != test.one || b.SameCause(&a) != got {
			t.Errorf("%s: %v and %v", name, got, b.SameCause(&a))
		}
	}
}

// TestID checks that the name of a cause between versions depends on all symptoms, but not on the
// names of the versions.
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
