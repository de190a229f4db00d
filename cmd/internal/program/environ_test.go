package program

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestEnviron checks that JSON has no value of this process's environment, and gives the same
// environment again.
func TestEnviron(t *testing.T) {
	const secret = "ghp_Zebra"
	t.Setenv("TOKEN", secret)
	t.Setenv("EMPTY", "")
	for _, e := range []Environ{
		{},
		{"TOKEN=" + secret, "EMPTY=", "OWN=x=y", "TOKEN_SET=of the configuration"},
		{"TOKEN=another", "PARALLAX_X=1", "HOME=/h", "=odd"},
	} {
		data, err := json.Marshal(struct{ Env Environ }{e})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), secret) {
			t.Errorf("%s has the value of a variable", data)
		}
		var again struct{ Env Environ }
		if err := json.Unmarshal(data, &again); err != nil || !slices.Equal(again.Env, e) {
			t.Errorf("%q becomes %q: %v", e, again.Env, err)
		}
	}
}
