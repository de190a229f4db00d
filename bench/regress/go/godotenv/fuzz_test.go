package godotenv

import (
	"testing"

	"github.com/joho/godotenv"
)

// FuzzUnmarshal reads a file of variables.
func FuzzUnmarshal(f *testing.F) {
	f.Add("A=1\nB=two\n")
	f.Add("# a comment\nexport A='x y'\nB=\"a\\nb\"\n")
	f.Add("HOST=localhost\nURL=\"http://${HOST}/\"\n")
	f.Add("KEY: value\nEMPTY=\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := godotenv.Unmarshal(text)
		if err == nil && len(m) > len(text) {
			t.Errorf("%d variables in %d bytes", len(m), len(text))
		}
	})
}
