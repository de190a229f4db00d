// Package linked is the ladder in a test binary that holds more than the ladder, as that of most
// packages does: what go test -fuzz takes for an input grows with the counters of the whole binary.
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
