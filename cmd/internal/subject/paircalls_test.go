package subject

import (
	"slices"
	"testing"

	"parallax/cmd/internal/gobuild/golang"
)

// TestJudged checks the functions whose results a FuzzXxx drops: those that no compared call shows,
// directly or by a value that it takes.
func TestJudged(t *testing.T) {
	const encoder, set = "m.Encoder", "m.Set"
	open := golang.Site{Number: 1, Callee: "m.NewEncoder", Makes: []string{encoder}}
	encode := golang.Site{Number: 2, Callee: "m.(*Encoder).Encode", Fails: true, On: encoder, Takes: []string{encoder}}
	fresh := golang.Site{Number: 3, Callee: "m.NewSet", Makes: []string{set}}
	add := golang.Site{Number: 4, Callee: "m.(*Set).Add", On: set, Takes: []string{set}}
	has := golang.Site{Number: 5, Callee: "m.(*Set).Has", Speaks: true, On: set, Takes: []string{set}}
	check := golang.Site{Number: 6, Callee: "m.Check", Fails: true}
	later := golang.Site{Callee: "m.Check"} // in a go statement
	discards := func(s golang.Site) golang.Site { s.Discards = true; return s }
	writes := func(s golang.Site) golang.Site { s.Speaks = true; return s }
	for _, tt := range []struct {
		name    string
		made    []golang.Site
		dropped []string
	}{
		{"an error shows what it checks", []golang.Site{check, later}, nil},
		{"a discarded text", []golang.Site{check, discards(open), encode}, []string{open.Callee, encode.Callee}},
		{"a text that is read", []golang.Site{writes(open), encode}, nil},
		{"both", []golang.Site{discards(open), writes(open), encode}, nil},
		{"a later call shows it", []golang.Site{fresh, add, has}, nil},
		{"none does", []golang.Site{fresh, add}, []string{fresh.Callee, add.Callee}},
		{"a goroutine alone", []golang.Site{later}, []string{"m.Check"}},
	} {
		p := &Pair{made: tt.made}
		for _, s := range tt.made {
			if s.Number != 0 {
				p.Calls = append(p.Calls, s)
			}
		}
		judged, dropped := p.Judged()
		for _, s := range judged {
			dropped = slices.DeleteFunc(dropped, func(d string) bool { return d == s })
		}
		if !slices.Equal(dropped, tt.dropped) {
			t.Errorf("%s: %v are dropped, want %v", tt.name, dropped, tt.dropped)
		}
	}
}
