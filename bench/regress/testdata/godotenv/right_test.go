package godotenv

import (
	"testing"

	"github.com/joho/godotenv"
)

func right(t *testing.T, text string) {
	if m, err := godotenv.Unmarshal(text); err != nil || len(m) != 1 || m["A"] != "two words" {
		t.Errorf("%q, %v", m, err)
	}
}
