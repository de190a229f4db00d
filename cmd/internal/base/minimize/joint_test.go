package minimize

import (
	"regexp"
	"strings"
	"testing"

	"parallax/internal/input"
)

// usual is about the budget of a finding.
const usual = 1200

// TestJoint has places that must change together, within a usual budget.
func TestJoint(t *testing.T) {
	core := regexp.MustCompile(`^\d+\.\d+\.\d+-`)
	sameCore := func(v []string) bool {
		c := core.FindString(v[0])
		return c != "" && core.FindString(v[1]) == c
	}
	equal := func(v []string) bool { return v[0] == v[1] && len(v[0]) >= 3 }
	uuid := regexp.MustCompile(`^\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$`)
	cases := []struct {
		name string
		in   []string
		test func(v []string) bool
		want []string
	}{
		{"equal cores", []string{"7.1.11--0", "7.1.11--"}, func(v []string) bool {
			return sameCore(v) && strings.HasSuffix(v[0], "--0") && strings.HasSuffix(v[1], "--")
		}, []string{"0.0.0--0", "0.0.0--"}},
		{"equal cores only", []string{"7.1.11--0", "7.1.11--"}, sameCore, []string{"0.0.0-", "0.0.0-"}},
		{"equal cores, one extended", []string{"10.0.0-0", "10.0.0-0.a"}, func(v []string) bool {
			return sameCore(v) && v[1] == v[0]+".a" && strings.HasSuffix(v[0], "-0")
		}, []string{"0.0.0-0", "0.0.0-0.a"}},
		{"equal, long", []string{strings.Repeat("v12.x ", 8), strings.Repeat("v12.x ", 8)}, equal, []string{"000", "000"}},
		{"equal, three", []string{"abc-17", "abc-17", "abc-17"}, func(v []string) bool {
			return equal(v[:2]) && v[2] == v[0]
		}, []string{"000", "000", "000"}},
		{"two of three", []string{"abc-17", "xy", "abc-17"}, func(v []string) bool {
			return equal([]string{v[0], v[2]})
		}, []string{"000", "", "000"}},
		{"equal lengths", []string{"lorem ipsum", "DOLOR,SIT,A"}, func(v []string) bool {
			return len(v[0]) == len(v[1]) && len(v[0]) > 4
		}, []string{"00000", "00000"}},
		{"equal ends", []string{"https://a.example", "b.example"}, func(v []string) bool {
			a, b := strings.LastIndexByte(v[0], '.'), strings.LastIndexByte(v[1], '.')
			return a >= 0 && b >= 0 && v[0][a:] == v[1][b:] && len(v[1][b:]) > 2
		}, []string{".00", ".00"}},
		{"a name twice", []string{"<item>text</item>"}, func(v []string) bool {
			name := regexp.MustCompile(`^<(\w+)>.*</(\w+)>$`).FindStringSubmatch(v[0])
			return name != nil && name[1] == name[2]
		}, []string{"<0></0>"}},
		{"a name twice, of two bytes", []string{"<item>text</item>"}, func(v []string) bool {
			name := regexp.MustCompile(`^<(\w\w+)>.*</(\w+)>$`).FindStringSubmatch(v[0])
			return name != nil && name[1] == name[2]
		}, []string{"<00></00>"}},
		{"an UUID", []string{"{6ba7b810-9dad-11d1-80b4-00c04fd430c8}"}, func(v []string) bool {
			return uuid.MatchString(v[0])
		}, []string{"{00000000-0000-0000-0000-000000000000}"}},
		{"control bytes", []string{"\x01\x00\x7f\xff\x00\x00"}, func(v []string) bool { return len(v[0]) >= 4 }, []string{"0000"}},
		{"control bytes, no digits", []string{"\x00\xff\x00"}, func(v []string) bool {
			return len(v[0]) >= 2 && !strings.ContainsAny(v[0], "0")
		}, []string{"aa"}},
		{"control bytes, nothing printable", []string{"\x01\x02"}, func(v []string) bool {
			return len(v[0]) >= 2 && v[0][0] < ' ' && v[0][1] < ' '
		}, []string{"\x00\x00"}},
		{"no control byte where none was", []string{"\x80\xff"}, func(v []string) bool {
			return len(v[0]) >= 2 && !regexp.MustCompile(`[ -~]`).MatchString(v[0])
		}, []string{"\x80\xff"}},
	}
	for _, c := range cases {
		shape := input.Shape{}
		values := []any{}
		want := []any{}
		for n, text := range c.in {
			shape = append(shape, input.String)
			values = append(values, text)
			want = append(want, c.want[n])
		}
		test := func(b []byte) bool {
			unpacked, err := shape.Unpack(b)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			texts := make([]string, len(unpacked))
			for n, v := range unpacked {
				texts[n] = v.(string)
			}
			return c.test(texts)
		}
		flat := pack(t, shape, values...)
		if !test(flat) {
			t.Fatalf("%s: the test does not hold for the input", c.name)
		}
		got, runs, _ := Run(shape, flat, usual, nil, test)
		if string(got) != string(pack(t, shape, want...)) {
			texts, _ := shape.Unpack(got)
			t.Errorf("%s: %q after %d runs, want %q", c.name, texts, runs, c.want)
		}
		if again, _, _ := Run(shape, got, plenty, nil, test); string(again) != string(got) {
			t.Errorf("%s: not idempotent", c.name)
		}
	}
}

// TestPlainer checks that every plainer byte has a shorter list, so that replacements end. No byte
// becomes a control byte unless it was one.
func TestPlainer(t *testing.T) {
	for c := 0; c < 256; c++ {
		for _, simple := range []byte(plainer(byte(c))) {
			if len(plainer(simple)) >= len(plainer(byte(c))) {
				t.Errorf("%q may become %q, which is no plainer", byte(c), simple)
			}
			if class(simple) == 4 && class(byte(c)) != 4 {
				t.Errorf("%q may become the control byte %q", byte(c), simple)
			}
		}
	}
}
