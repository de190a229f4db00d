package subject

import (
	"testing"

	"parallax/cmd/internal/gobuild"
)

// TestOwnFunctions checks which functions on a stack are under test, and which are of dependencies.
func TestOwnFunctions(t *testing.T) {
	target := &Facts{Plan: &gobuild.Plan{
		Own: []string{"example.com/m", "encoding/json"}, Libraries: []string{"example.com/m/internal/parallax", "parallax"},
		Dependencies: []string{"example.com/dep/v2", "example.com/m/nested", "parallax"},
	}}
	tests := []struct {
		function string
		own      bool
	}{
		{"example.com/m.F", true}, {"example.com/m/sub.(*T).F", true}, {"example.com/m2.F", false}, {"example.com/m", true},
		{"encoding/json.Valid", true}, {"encoding/jsonx.F", false}, {"runtime.gopanic", false}, {"main.main", false}, {"", false},
		{"example.com/m/internal/parallax.Diff", false}, {"example.com/m/internal/parallax/internal/implementation.(*Set).try", false},
		{"example.com/m/internal/parallax/repair.Length.func1", false}, {"example.com/m/internal/parallaxes.F", true},
		{"example.com/m/internal/parallax/mine.F", true},
	}
	for _, test := range tests {
		if got := target.tested(test.function); got != test.own {
			t.Errorf("%s: %v", test.function, got)
		}
	}
	for function, want := range map[string]bool{
		"example.com/dep/v2.F": true, "example.com/dep/v2/sub.(*T).F": true, "example.com/dep.F": false, "example.com/m.F": false, "strings.Map": false,
		"main.main": false, "parallax/gen.Draw": false, "example.com/m/plxharness.main": false, "example.com/dep/v2.plxEnter": false,
	} {
		if got := target.depends(function); got != want {
			t.Errorf("%s is of a dependency: %v", function, got)
		}
	}
	for function, want := range map[string]string{
		"example.com/m/internal/parallax.check": "parallax.check", "example.com/m/internal/parallax/repair.All": "parallax/repair.All",
		"example.com/m.F": "example.com/m.F",
	} {
		if got := target.named(function); got != want {
			t.Errorf("%s: %s", function, got)
		}
	}
}

// TestTestedOf checks that each of two modules' functions owns the blocks of its own module, or of
// its package in the standard library.
func TestTestedOf(t *testing.T) {
	target := &Facts{Plan: &gobuild.Plan{Own: []string{"example.com/m", "encoding/json"}, Programs: []gobuild.Program{
		{Package: "example.com/m/sub", Module: "example.com/m"}, {Package: "encoding/json", Module: "std"}, {Kind: "c"},
	}}}
	for function, want := range map[string][3]bool{
		"example.com/m.F":     {true, false, true},
		"encoding/json.Valid": {false, true, true},
	} {
		for program := range want {
			if got := target.testedOf(program, function); got != want[program] {
				t.Errorf("%s of program %d: %v", function, program, got)
			}
		}
	}
}
