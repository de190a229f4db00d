package toml

import (
	"testing"

	"github.com/pelletier/go-toml/v2"
)

type Address struct {
	Host string
	Port int
}

type config struct {
	Address `toml:",inline"`
	Name    string
	Tags    []string `toml:"tags,omitempty"`
	Limits  struct {
		Rate  float64
		Burst *int
	} `toml:"limits"`
}

// FuzzConfig reads a configuration, and writes it again.
func FuzzConfig(f *testing.F) {
	f.Add([]byte("Name = 'a'\ntags = ['x', 'y']\n"))
	f.Add([]byte("# a comment\nName = \"b\\n\"\n\n[limits]\nRate = 1.5\nBurst = 3\n"))
	f.Add([]byte("limits.Rate = 0x10\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c config
		if toml.Unmarshal(data, &c) != nil {
			t.Skip()
		}
		if _, err := toml.Marshal(c); err != nil {
			t.Error(err)
		}
	})
}
