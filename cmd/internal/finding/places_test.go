package finding

import (
	"testing"

	"parallax/internal/oracle"
)

// TestUncertain checks which places are uncertain: all except the end of the failed check, and
// changes that do not compete with others.
func TestUncertain(t *testing.T) {
	for _, test := range []struct {
		name string
		at   []Place
		want bool
	}{
		{"none", nil, false},
		{"a place without a branch", []Place{{Score: 0.1}}, false},
		{"one that separates", []Place{{Branch: "then", Score: 1, With: 26}}, true},
		{"without neighbors", []Place{{Branch: "entry"}}, false},
		{"the end of the failed check", []Place{{Branch: "then", Score: 0.5, With: 9, Without: 9, Rejects: true}}, false},
		{"the only change", []Place{{Branch: "then", Changed: true, Score: 0.3, With: 4, Without: 37}}, false},
		{"a change among others", []Place{{Branch: "then", Changed: true, Score: 0.3, With: 4, Without: 37, Rivals: 1}}, true},
		{"another change separates better", []Place{{Branch: "then", Changed: true, Score: 0.9, With: 8, Without: 1, Rivals: 1}, {Branch: "then", Changed: true, Score: 1, With: 8}}, true},
		{"another change separates as well", []Place{{Branch: "then", Changed: true, Score: 0.9, With: 8, Without: 1, Rivals: 1}, {Branch: "then", Changed: true, Score: 0.9, With: 8, Without: 1}}, true},
		{"another change separates nearly as well", []Place{{Branch: "then", Changed: true, Score: 0.95, With: 9, Without: 1, Rivals: 1}, {Branch: "join", Changed: true, Score: 0.9, With: 9, Without: 2}}, true},
		{"another change separates worse", []Place{{Branch: "then", Changed: true, Score: 0.95, With: 9, Without: 1, Rivals: 1}, {Branch: "join", Changed: true, Score: 0.8, With: 9, Without: 4}}, false},
		{"a change among others that mostly disagrees", []Place{{Branch: "then", Changed: true, Score: 0.6, With: 9, Without: 8, Rivals: 1}}, false},
	} {
		if got := (&Program{Ranked: test.at}).Uncertain(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestRendersError checks that a text that a program makes belongs to its error, unless it accepts.
func TestRendersError(t *testing.T) {
	for _, test := range []struct {
		outcome, function string
		want              bool
	}{
		{"rejected", "net/netip.Addr.String", true},
		{"rejected", "net/netip.parseAddrError.Error", true},
		{"rejected", "net/netip.ParseAddr", false},
		{"accepted", "net/netip.Addr.String", false},
	} {
		p := Program{Detail: oracle.Detail{Outcome: test.outcome}, Ranked: []Place{{Function: test.function}}}
		if got := p.RendersError(); got != test.want {
			t.Errorf("%s in %s: %v", test.outcome, test.function, got)
		}
	}
}

// TestSortErrorText checks that places in the text of an error come last.
func TestSortErrorText(t *testing.T) {
	var places []Place
	for _, name := range []string{"strconv.appendEscapedRune", "strconv.Quote", "strconv.AppendQuoteToASCII", "strconv.appendQuotedWith", "p.(*Error).Error", "strconv.unquote", "strconv.ParseInt", "p.Quote"} {
		places = append(places, Place{Function: name})
	}
	SortErrorText(places)
	for i, p := range places {
		if text := i > 2; text != (p.Function != "strconv.unquote" && p.Function != "strconv.ParseInt" && p.Function != "p.Quote") {
			t.Errorf("%d: %s", i, p.Function)
		}
	}
}
