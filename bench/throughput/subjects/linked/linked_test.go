// Package linked is the ladder in a larger test binary, as that of most packages. The time of go
// test -fuzz per input grows with the counters of the whole binary.
package linked

import (
	_ "encoding/json"
	"testing"

	_ "github.com/BurntSushi/toml"
	_ "github.com/goccy/go-yaml"

	"subjects/ladder"
)

func FuzzClimb(f *testing.F) {
	f.Add([]byte("________"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if ladder.Climb(b) > 8 {
			t.Fatal("higher than the ladder")
		}
	})
}
