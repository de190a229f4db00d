package gobuild

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

const mined = `
-- go.mod --
module example.com/s

go 1.22
-- s.go --
package s

func Valid(b []byte) bool              { return b != nil }
func Match(pattern, name string) bool  { return pattern == name }
func Typed(n int, s string, f bool) bool { return f }
func Numbers(n int) bool               { return n > 0 }
-- s_test.go --
package s

import (
	"fmt"
	"testing"
)

type row struct {
	in string ` + "`json:\"tag\"`" + `
}

var rows = []row{{"one"}, {` + "`two\n`" + `}, {"one"}, {""}}

func TestValid(t *testing.T) {
	if Valid([]byte("three\x00")) {
		t.Errorf("a message about %q", "four")
	}
	t.Run("a name", func(t *testing.T) { fmt.Println("printed") })
}
-- x_test.go --
package s_test

var five = "five"
-- testdata/fuzz/FuzzValid/a --
go test fuzz v1
[]byte("corpus")
-- testdata/fuzz/FuzzTyped/b --
go test fuzz v1
int(3)
string("x")
bool(true)
-- testdata/fuzz/FuzzValid/broken --
go test fuzz v1
[]byte(
`

func TestSeeds(t *testing.T) {
	dir := moduletest.Tree(t, mined)
	for _, tt := range []struct {
		function string
		want     []string
	}{
		{"Valid", []string{"corpus", "one", "two\n", "three\x00", "five"}},
		{"Match", []string{"one|two\n", "two\n|three\x00", "three\x00|five", "five|five"}},
		{"Typed", []string{"3|x|true", "0|one|false", "0|two\n|false", "0|three\x00|false", "0|five|false"}},
		{"Numbers", nil},
	} {
		p := resolve(t, dir, "./."+tt.function)
		var got []string
		for _, s := range p.Seeds {
			flat := s.Flat
			if err := p.Shape.Check(flat); err != nil {
				t.Errorf("%s: seed %q: %v", tt.function, flat, err)
				continue
			}
			values, err := p.Shape.Unpack(flat)
			if err != nil {
				t.Fatal(err)
			}
			var parts []string
			for _, v := range values {
				if b, ok := v.([]byte); ok {
					v = string(b)
				}
				parts = append(parts, fmt.Sprint(v))
			}
			got = append(got, strings.Join(parts, "|"))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: seeds %q, want %q", tt.function, got, tt.want)
		}
	}
}

// TestVersioned checks that if two versions are built, a note names the version.
func TestVersioned(t *testing.T) {
	for _, tt := range []struct{ label, version, want string }{
		{"", "", "example.com/m"}, {"work-tree", "", "example.com/m@work-tree"}, {"", "v1.2.0", "example.com/m@v1.2.0"},
	} {
		p := &Plan{req: &Request{Label: tt.label}}
		if got := p.versioned(Program{Package: "example.com/m", Version: tt.version}); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}
