package state

import (
	"reflect"
	"testing"
)

func TestConfigSeedPaths(t *testing.T) {
	const program = `"identity":{"mode":"diff","programs":[{"name":"a","function":"p.A"}],"shape":"(string)"}`
	for text, want := range map[string][]string{
		`{"version":1,` + program + `}`:                                     nil,
		`{"version":1,` + program + `,"seed_paths":["/a","/b,c"]}`:          {"/a", "/b,c"},
		`{"version":1,` + program + `,"seed_paths":null,"unknown":[1,"x"]}`: nil,
	} {
		c, err := parseConfig([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(c.SeedPaths, want) {
			t.Errorf("%s: %q, want %q", text, c.SeedPaths, want)
		}
	}
}
