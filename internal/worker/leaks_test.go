package worker

import "testing"

// TestMostLeaked checks that most goroutines wait in the function under test, not in the runtime.
func TestMostLeaked(t *testing.T) {
	const profile = `goroutineleak profile: total 1999
1990 @ 0x47d585 0x40f5a5 0x40f1b2 0x5b4a2e 0x484a01
#	0x5b4a2d	example.com/m/p.Parse.func1+0x2d	/home/u/m/p/parse.go:41

9 @ 0x47d585 0x40f5a5 0x40f1b2 0x5b4a2e 0x484a01
#	0x5b4a2d	example.com/m/p.Other.func1+0x2d	/home/u/m/p/other.go:7
`
	if got, want := mostLeaked(profile), "in example.com/m/p.Parse.func1 at parse.go:41"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, text := range []string{"", "goroutineleak profile: total 0\n", "#\tx\ty\tz\n"} {
		if got := mostLeaked(text); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
	frames := []frame{{"runtime.gopark", "proc.go", 1}, {"sync.(*WaitGroup).Wait", "waitgroup.go", 2}, {"internal/sync.(*Mutex).Lock", "m.go", 3}, {"a/b.F", "/x/f.go", 4}}
	if got := waiting(frames); got != "in a/b.F at f.go:4" {
		t.Errorf("%q", got)
	}
	if leaked() == "" && leakNote("") == "" {
		t.Error("no note")
	}
}
