package campaign

import "testing"

func TestWaveringCall(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""},
		{"F (p.go:1): 1\nG (p.go:2): 2", "F (p.go:1): 1\nG (p.go:2): 2", ""},
		{"F (p.go:1): 1\nG (p.go:2): 2", "F (p.go:1): 1\nG (p.go:2): 3", ", beginning with the results of G (p.go:2)"},
		{"F (p.go:1): 1", "F (p.go:1): 1\nG (p.go:2): 3", ", beginning with the results of G (p.go:2)"},
		{"F (p.go:1): 1\n2", "F (p.go:1): 1\n3", ""},
	} {
		if got := waveringCall(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}
