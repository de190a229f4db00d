package original

import (
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/prototype"
)

// TestNull checks that null pointers are run where C permits them, and make the call undefined
// elsewhere, whatever musl does.
func TestNull(t *testing.T) {
	may := func(names ...string) map[string]prototype.Parameter {
		all := map[string]prototype.Parameter{}
		for _, name := range names {
			all[name] = prototype.Parameter{Null: true}
		}
		return all
	}
	size := func(n uint64) call.Value { return call.Value{Int: n} }
	text := func(s string) call.Value { return call.Value{Data: append([]byte(s), make([]byte, 9-len(s))...)} }
	bytes := call.Value{Data: make([]byte, 8)}
	for _, test := range []struct {
		prototype string
		may       map[string]prototype.Parameter
		c         call.Call
		want      string
		undefined string
	}{
		{"long strtol(const char *s, char **end, int base)", may("end"), call.Call{text("12x"), {}, size(10)}, "returns 12", ""},
		{"long strtol(const char *s, char **end, int base)", may("end"), call.Call{text("12x"), bytes, size(10)}, "returns 12, stores s+2 in *end", ""},
		{"unsigned long strtoul(const char *s, char **end, int base)", may("s", "end"), call.Call{{}, {}, size(10)}, "", "C does not let s of strtoul be a null pointer"},
		{"void *memcpy(void *to, const void *from, size_t n)", may("to", "from"), call.Call{{}, {}, size(0)}, "", "C does not let to of memcpy be a null pointer"},
		{"void *memcpy(void *to, const void *from, size_t n)", may("from"), call.Call{bytes, {}, size(0)}, "", "C does not let from of memcpy be a null pointer"},
		{"void *memcpy(void *to, const void *from, size_t n)", may("from"), call.Call{bytes, bytes, size(0)}, "returns to", ""},
		{"char *strtok_r(char *s, const char *sep, char **state)", may("s"), call.Call{{}, text(","), bytes}, "", "C does not let s of strtok_r be a null pointer"},
		{"char *strtok_r(char *s, const char *sep, char **state)", may("s"), call.Call{text("a,b"), text(","), bytes}, `returns s, stores s+2 in *state, writes "\000" at s+1`, ""},
	} {
		s, err := prototype.Read(test.prototype, test.may)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Musl(s)
		if err != nil {
			t.Fatal(err)
		}
		if c := s.Decode(s.Encode(test.c)); s.Quote(c) != s.Quote(test.c) {
			t.Errorf("%s is %s as an input", s.Quote(test.c), s.Quote(c))
		}
		run, err := o.Run(test.c)
		if err != nil {
			t.Fatal(err)
		}
		if run.Undefined != test.undefined {
			t.Errorf("%s: %q", s.Quote(test.c), run.Undefined)
		}
		if run.Undefined == "" && s.Text(test.c, &run.Effect, s.Comparator()) != test.want {
			t.Errorf("%s: %s", s.Quote(test.c), s.Text(test.c, &run.Effect, s.Comparator()))
		}
	}
}
