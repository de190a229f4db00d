package corpus

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseMeta(t *testing.T) {
	for _, c := range []struct {
		name, data, problem string
		want                Meta
	}{
		{"as written", string(Meta{Parent: "p", Inputs: 3}.encode()), "", Meta{Version: 1, Parent: "p", Inputs: 3}},
		{"of the future", `{"version":9,"inputs":3,"ancestry":{"a":[1]}}`, "", Meta{Version: 9, Inputs: 3}},
		{"of the future with a changed key", `{"version":9,"inputs":3,"operators":[{"name":"splice"},"x"]}`,
			"key operators", Meta{Version: 9, Inputs: 3}},
		{"half", `{"version":1,"inp`, "unexpected end", Meta{}},
		{"empty", ``, "unexpected end", Meta{}},
		{"null", `null`, "no metadata", Meta{}},
		{"another type", `[1]`, "cannot unmarshal", Meta{}},
		{"out of range", `{"inputs":-1,"worker":2,"parent":3}`, "key parent", Meta{Worker: 2}},
	} {
		got, err := ParseMeta([]byte(c.data))
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if (err != nil) != (c.problem != "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: problem %v, want %q", c.name, err, c.problem)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %q", c.name, err)
		}
	}
}

// FuzzMeta checks that metadata that was read can be written and read again.
func FuzzMeta(f *testing.F) {
	f.Add([]byte(`{"version":1,"parent":"0123456789abcdef","operators":["splice"],"inputs":7,"new":["fine"],"worker":1}`))
	f.Add([]byte(`{"version":2,"inputs":-1,"x":null}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _ := ParseMeta(data)
		again, err := ParseMeta(m.encode())
		if err != nil {
			t.Fatal(err)
		}
		m.Version = MetaVersion
		if len(m.Operators) == 0 {
			m.Operators = nil // omitted when empty
		}
		if len(m.New) == 0 {
			m.New = nil
		}
		if !reflect.DeepEqual(m, again) {
			t.Errorf("%+v became %+v", m, again)
		}
	})
}
