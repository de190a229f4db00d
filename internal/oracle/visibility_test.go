package oracle

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Types as modules have them: this package's path begins with the module "parallax".
type (
	handle struct{ codes []int }
	shown  struct {
		Name  string
		cache map[string]int
	}
	version  struct{ major, minor int }
	marshals struct{ at int }
	panics   struct{ at *int }
	refuses  struct{ why string }
	message  struct{ state int }
	nests    struct {
		shown
		At time.Time
	}
)

func (v *version) String() string {
	return strings.Repeat("i", v.major) + "." + strings.Repeat("i", v.minor)
}
func (m marshals) MarshalText() ([]byte, error) { return []byte{byte(m.at)}, nil }
func (m marshals) String() string               { return "the same" }
func (p panics) String() string                 { return string(rune(*p.at)) }
func (r refuses) MarshalText() ([]byte, error) {
	switch {
	case strings.HasPrefix(r.why, "panic: "):
		panic(strings.TrimPrefix(r.why, "panic: "))
	case strings.HasPrefix(r.why, "error: "):
		return nil, errors.New(strings.TrimPrefix(r.why, "error: "))
	}
	return []byte(r.why), nil
}
func (m *message) ProtoMessage()  {}
func (m *message) String() string { return strings.Repeat(" ", m.state) }

// TestOutsideState checks that a package's invisible state does not count between two versions.
func TestOutsideState(t *testing.T) {
	at := time.Unix(1000, 0)
	for _, test := range []struct {
		name string
		a, b any
		same bool
	}{
		{"nothing to see", &handle{[]int{1}}, &handle{[]int{2, 3}}, true},
		{"nothing and nil", &handle{}, (*handle)(nil), false},
		{"another type", &handle{}, &shown{}, false},
		{"fields", &shown{"a", map[string]int{"x": 1}}, &shown{"a", nil}, true},
		{"other fields", &shown{Name: "a"}, &shown{Name: "b"}, false},
		{"an embedded struct", nests{shown{"a", nil}, at}, nests{shown{"a", map[string]int{}}, at}, true},
		{"an embedded struct's field", nests{shown{"a", nil}, at}, nests{shown{"b", nil}, at}, false},
		{"the standard library's", nests{At: at}, nests{At: at.Add(1)}, false},
		{"text", &version{1, 2}, &version{1, 2}, true},
		{"another text", &version{1, 2}, &version{1, 3}, false},
		{"text of a value that has none", version{1, 2}, version{1, 3}, true},
		{"in a list", []*version{{1, 2}}, []*version{{1, 3}}, false},
		{"marshaled rather than printed", marshals{1}, marshals{2}, false},
		{"panics", panics{}, panics{}, true},
		{"panics in one of them", refuses{"panic: no parts"}, refuses{"1.2"}, false},
		{"a panic and its name", refuses{"panic: no parts"}, refuses{"panic"}, false},
		{"a panic and what is shown of it", refuses{"panic: no parts"}, refuses{"its MarshalText panicked: no parts"}, false},
		{"another panic", refuses{"panic: no parts"}, refuses{"panic: no version"}, false},
		{"an error and its name", refuses{"error: no parts"}, refuses{"error"}, false},
		{"an error and a panic", refuses{"error: no parts"}, refuses{"panic: no parts"}, false},
		{"of protocol buffers", &message{1}, &message{2}, true},
	} {
		var results [2]Observation
		var texts [2]string
		var sums [2]uint64
		for i, v := range []any{test.a, test.b} {
			r := &Result{}
			r.Outside([]string{"parallax"})
			r.Any(v)
			results[i], texts[i] = r.Observe(true), r.Detail(0).Value
			rec := &Record{}
			rec.Outside([]string{"parallax"})
			rec.Begin(true)
			rec.Call(1, "f")
			rec.Value(v)
			rec.Error(errors.New("bad"))
			sums[i] = rec.Digest()
			if text, _ := rec.Text(1 << 20); text != "f: "+texts[i]+", error *errors.errorString: bad" {
				t.Errorf("%s: recorded as %q, detailed as %q", test.name, text, texts[i])
			}
		}
		if same := results[0] == results[1]; same != test.same || (sums[0] == sums[1]) != test.same || (texts[0] == texts[1]) != test.same {
			t.Errorf("%s: %v, %v\n%s\n%s", test.name, same, sums[0] == sums[1], texts[0], texts[1])
		}
	}
}

// TestOutsideCut checks that a limited rendering keeps the texts that fit, each in its place.
func TestOutsideCut(t *testing.T) {
	r := &Record{}
	r.Outside([]string{"parallax"})
	r.Begin(true)
	r.Call(1, "f")
	r.Value([]any{&version{0, 1}, strings.Repeat("x", renderLimit), &version{0, 2}})
	if text, _ := r.Text(1 << 20); !strings.HasPrefix(text, `f: [&oracle.version{".i"}, "xxx`) || strings.Contains(text, textMark) {
		t.Errorf("%.60q ... %q", text, text[len(text)-40:])
	}
}

func TestOutsidePackages(t *testing.T) {
	for pkg, want := range map[string]bool{
		"net/http": false, "strings": false, "m": true, "m/sub": true, "m_test": true, "mm": false, "example.com/other": true, "vendor/golang.org/x/net": false,
	} {
		if outside([]string{"m"}, pkg) != want {
			t.Errorf("%s: want %v", pkg, want)
		}
	}
}

// TestOutsideFailure checks that a method that panics or fails is shown as such, not as the value's
// text. Numbers and quoted parts of its message do not count, as in an error.
func TestOutsideFailure(t *testing.T) {
	for _, test := range []struct {
		v    any
		want string
	}{
		{refuses{"panic"}, `oracle.refuses{"panic"}`},
		{refuses{"panic: no parts"}, "oracle.refuses{its MarshalText panicked: no parts}"},
		{refuses{"panic: no parts\nat all"}, "oracle.refuses{its MarshalText panicked: no parts}"},
		{refuses{"error: no parts"}, "oracle.refuses{its MarshalText failed: no parts}"},
		{panics{}, "oracle.panics{its String panicked: runtime error: invalid memory address or nil pointer dereference}"},
	} {
		r := &Result{}
		r.Outside([]string{"parallax"})
		r.Any(test.v)
		if got := r.Detail(0).Value; got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	value := func(v any) uint64 {
		r := &Result{}
		r.Outside([]string{"parallax"})
		r.Any(v)
		return r.Observe(true).Value
	}
	if value(refuses{"panic: part 1 is missing"}) != value(refuses{"panic: part 2 is missing"}) {
		t.Error("the number in a panic's message counts")
	}
}
