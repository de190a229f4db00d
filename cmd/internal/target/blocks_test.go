package target

import (
	"testing"

	"parallax/cmd/internal/gobuild"
)

func TestOwn(t *testing.T) {
	target := &Facts{Plan: &gobuild.Plan{Own: []string{"example.com/m", "encoding/json"}}}
	tests := []struct {
		function string
		own      bool
	}{
		{"example.com/m.F", true}, {"example.com/m/sub.(*T).F", true}, {"example.com/m2.F", false}, {"example.com/m", true},
		{"encoding/json.Valid", true}, {"encoding/jsonx.F", false}, {"runtime.gopanic", false}, {"main.main", false}, {"", false},
	}
	for _, test := range tests {
		if got := target.tested(test.function); got != test.own {
			t.Errorf("%s: %v", test.function, got)
		}
	}
}
