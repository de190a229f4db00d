package parting

import (
	"strings"
	"testing"
)

// TestCallPartings checks that each recorded call whose result differs is shown by itself.
func TestCallPartings(t *testing.T) {
	a := "Kind (p_test.go:8): 3, nil\nRight (p_test.go:12): true"
	for _, tt := range []struct{ a, b, path, texts string }{
		{a, strings.Replace(a, "3", "4", 1), "Kind (p_test.go:8)", "3, nil|4, nil"},
		{a, strings.Replace(a, "true", "false", 1), "Right (p_test.go:12)", "true|false"},
		{"skipped (t.Skip)\n" + a, "skipped (t.Skip)\n" + strings.Replace(a, "nil", "error *e.E: a\nb", 1), "Kind (p_test.go:8)", "3, nil|3, error *e.E: a\nb"},
		{a, a[:26], "call 2", "Right (p_test.go:12): true|" + missing},
		{a, "Other (p_test.go:7): 1\n" + a[27:], "call 1", a[:26] + "|Other (p_test.go:7): 1"},
	} {
		list, n := Of([]string{tt.a, tt.b})
		if n != 1 || list[0].Path != tt.path || strings.Join(list[0].Texts, "|") != tt.texts {
			t.Errorf("%q, %q: %d places, %+v", tt.a, tt.b, n, list)
		}
	}
}
