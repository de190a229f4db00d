package funcname

import (
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

func TestParse(t *testing.T) {
	tests := []struct {
		arg  string
		want Func // Written left out
		fail string
	}{
		{arg: "encoding/json.Valid", want: Func{Package: "encoding/json", Name: "Valid"}},
		{arg: "sort.Strings", want: Func{Package: "sort", Name: "Strings"}},
		{arg: "github.com/goccy/go-json.Valid@v0.10.5", want: Func{Package: "github.com/goccy/go-json", Name: "Valid", Version: "v0.10.5"}},
		{arg: "github.com/goccy/go-json.Valid@latest", want: Func{Package: "github.com/goccy/go-json", Name: "Valid", Version: "latest"}},
		{arg: "a.b/c.F@v0.0.0-20200101000000-abcdefabcdef", want: Func{Package: "a.b/c", Name: "F", Version: "v0.0.0-20200101000000-abcdefabcdef"}},
		{arg: "a.b/c.F@feature.x", want: Func{Package: "a.b/c", Name: "F", Version: "feature.x"}},
		{arg: "gopkg.in/yaml.v3.Unmarshal", want: Func{Package: "gopkg.in/yaml.v3", Name: "Unmarshal"}},
		{arg: "gopkg.in/yaml.v3.Node.Decode@v3.0.1", want: Func{Package: "gopkg.in/yaml.v3", Receiver: "Node", Name: "Decode", Version: "v3.0.1"}},
		{arg: "gopkg.in/yaml.v3.(*Node).Decode", want: Func{Package: "gopkg.in/yaml.v3", Receiver: "Node", Pointer: true, Name: "Decode"}},
		{arg: "net/netip.(*Addr).UnmarshalText", want: Func{Package: "net/netip", Receiver: "Addr", Pointer: true, Name: "UnmarshalText"}},
		{arg: "net/netip.Addr.Compare", want: Func{Package: "net/netip", Receiver: "Addr", Name: "Compare"}},
		{arg: "net/netip.(Addr).Compare", want: Func{Package: "net/netip", Receiver: "Addr", Name: "Compare"}},
		{arg: "./.F", want: Func{Package: ".", Name: "F"}},
		{arg: ".F", want: Func{Package: ".", Name: "F"}},
		{arg: "./p.F", want: Func{Package: "./p", Name: "F"}},
		{arg: "./p.T.M", want: Func{Package: "./p", Receiver: "T", Name: "M"}},
		{arg: ".T.M", want: Func{Package: ".", Receiver: "T", Name: "M"}},
		{arg: "./p/q.v2.F", want: Func{Package: "./p/q.v2", Name: "F"}},
		{arg: "../p.(*T).M", want: Func{Package: "../p", Receiver: "T", Pointer: true, Name: "M"}},
		{arg: "/abs/p.F", want: Func{Package: "/abs/p", Name: "F"}},

		{arg: "gopkg.in/yaml.v3", fail: "names a package, not a function"},
		{arg: "encoding/json", fail: "names a package, not a function"},
		{arg: "gopkg.in/yaml.v3@v3.0.1", fail: "names a package, not a function"},
		{arg: "encoding/json.valid", fail: "valid is not exported"},
		{arg: "encoding/json.(*decodeState).Init", fail: "only exported"},
		{arg: "encoding/json.(*Decoder).init", fail: "only exported"},
		{arg: "encoding/json.(*Decoder.Init", fail: "a method is written"},
		{arg: "encoding/json.(*Decoder)", fail: "a method is written"},
		{arg: "encoding/json.Valid@", fail: "is not a version"},
		{arg: "encoding/json.Valid@v1@v2", fail: "is not a version"},
		{arg: "github.com/goccy/go-json@v0.10.5.Valid", fail: "write github.com/goccy/go-json.Valid@v0.10.5"},
		{arg: "gopkg.in/yaml.v3@v3.0.1.Node.Decode", fail: "write gopkg.in/yaml.v3.Node.Decode@v3.0.1"},
		{arg: "golang.org/x/mod@v0.20.0/semver.IsValid", fail: "write golang.org/x/mod/semver.IsValid@v0.20.0"},
		{arg: "p@latest.(*T).M", fail: "write p.(*T).M@latest"},
		{arg: "example.com/p.F@v1.0.0-rc.A", want: Func{Package: "example.com/p", Name: "F", Version: "v1.0.0-rc.A"}},
		{arg: "./p.F@v1.0.0", fail: "a local folder has no version"},
		{arg: "", fail: "is not a function"},
		{arg: "@v1", fail: "is not a function"},
		{arg: "a b.F", fail: "is not a function"},
		{arg: "Valid", fail: "names a package, not a function"},
		{arg: "p/q/f.go", fail: "p/q/f.go is a file: name its folder and the function, as in ./p/q.Func"},
		{arg: "../p/f.go", fail: "as in ../p.Func"},
		{arg: "./f.go", fail: "as in ./.Func"},
		{arg: "encoding/json.", fail: "names a package, not a function"},
	}
	for _, tt := range tests {
		got, err := Parse(tt.arg)
		if tt.fail != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fail) || exit.Code(err) != exit.UsageCode {
				t.Errorf("Parse(%q) = %+v, %v; want an error with %q", tt.arg, got, err, tt.fail)
			}
			continue
		}
		tt.want.Written = tt.arg
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", tt.arg, got, err, tt.want)
		}
	}
}

func TestShortest(t *testing.T) {
	tests := []struct{ args, want string }{
		{"encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5", "json.Valid go-json.Valid@v0.10.5"},
		{"a.org/x/json.F b.org/x/json.F encoding/json.F", "a.org/x/json.F b.org/x/json.F encoding/json.F"},
		{"a/x/p.F b/y/p.F c/q.F", "x/p.F y/p.F q.F"},
		{"p.F a/p.F", "p.F a/p.F"},
		{"./p.F ./q.F", "p.F q.F"},
		{"./a/p.F ./b/p.F", "a/p.F b/p.F"},
		{"m/p.F@v1 m/p.F@v2", "p.F@v1 p.F@v2"},
		{"m/p.F@v1 n/p.F@v1", "m/p.F@v1 n/p.F@v1"},
		{"n/p.(*T).M n/p.(*U).M", "p.(*T).M p.(*U).M"},
		{"golang.org/x/mod/semver.IsValid github.com/blang/semver/v4.Parse", "semver.IsValid v4.Parse"},
	}
	for _, tt := range tests {
		var funcs []Func
		for _, arg := range strings.Fields(tt.args) {
			f, err := Parse(arg)
			if err != nil {
				t.Fatal(err)
			}
			funcs = append(funcs, f)
		}
		if got := Shortest(funcs); !reflect.DeepEqual(got, strings.Fields(tt.want)) {
			t.Errorf("Shortest(%s) = %q, want %s", tt.args, got, tt.want)
		}
	}
}
