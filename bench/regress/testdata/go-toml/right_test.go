package toml

import (
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func right(t *testing.T, data []byte) {
	var c config
	if err := toml.Unmarshal(data, &c); err != nil || c.Host != "a" {
		t.Errorf("%+v, %v", c, err)
	}
}
