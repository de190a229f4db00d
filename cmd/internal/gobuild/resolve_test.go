package gobuild

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/signature"
)

func TestOtherSystem(t *testing.T) {
	t.Setenv("GOOS", "plan9")
	_, err := Resolve(context.Background(), request(t, t.TempDir(), "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "plan9/", "must run here")
}

func TestScratchErrors(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		functions string
		parts     []string
	}{
		{"golang.org/x/mod/semver.IsValid encoding/json.Valid", []string{"has no version", "no go.mod in " + dir, "golang.org/x/mod/semver.IsValid@latest"}},
		{"./p.F encoding/json.Valid", []string{"there is no go.mod in " + dir}},
		{"json.Valid strconv.Atoi", []string{"has no version", "the standard library has encoding/json"}},
		{"github.com/goccy/go-json.Valid@v9.9.9 encoding/json.Valid", []string{"github.com/goccy/go-json.Valid@v9.9.9", "no module that holds package github.com/goccy/go-json at version v9.9.9"}},
		{"golang.org/x/mod/nosuch.Valid@v0.20.0 encoding/json.Valid", []string{"golang.org/x/mod@v0.20.0 has no package golang.org/x/mod/nosuch"}},
		{"golang.org/x/mod/semver.IsValid@v0.20.0 golang.org/x/mod/semver.IsValid@v0.21.0", []string{"two versions of one module cannot share a binary"}},
		{"golang.org/x/mod/semver.IsValid@v0.20.0 golang.org/x/mod/module.CheckPath@v0.21.0", []string{"two versions of module golang.org/x/mod"}},
		{"golang.org/x/mod/semver.IsValid@v0.36.0 golang.org/x/tools/go/ast/astutil.Imports@v0.1.0", []string{"golang.org/x/tools/go/ast/astutil.Imports@v0.1.0 cannot be used at v0.1.0: golang.org/x/mod@v0.36.0 requires golang.org/x/tools@"}},
		{"github.com/goccy/go-json/internal/decoder.Valid@v0.10.5 encoding/json.Valid", []string{"is internal to module github.com/goccy/go-json"}},
		{"github.com/goccy/go-json.Vali@v0.10.5 encoding/json.Valid", []string{"has no function Vali (it has Valid)"}},
		{"gopkg.in/yaml.v3 encoding/json.Valid", []string{"names a package, not a function"}},
	} {
		t.Run(tt.functions, func(t *testing.T) {
			_, err := Resolve(context.Background(), request(t, dir, strings.Fields(tt.functions)...))
			moduletest.WantError(t, err, exit.UsageCode, tt.parts...)
		})
	}
}

func TestNoNetwork(t *testing.T) {
	t.Setenv("GOPROXY", "http://127.0.0.1:1")
	_, err := Resolve(context.Background(), request(t, t.TempDir(), "example.com/no/such.F@v1.0.0", "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "proxy could not be reached", "http://127.0.0.1:1", "example.com/no/such@v1.0.0")
	t.Setenv("GOPROXY", "off")
	_, err = Resolve(context.Background(), request(t, t.TempDir(), "example.com/no/such.F@latest", "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "proxy could not be reached", "GOPROXY=off")
}

// TestUnresolvedTypes checks a signature with a type that cannot be resolved.
func TestUnresolvedTypes(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/m

go 1.22

require example.com/gone v1.0.0
-- gone/m.go --
package gone

import "example.com/gone"

func Valid(s gone.Text) bool { return s != "" }
-- typo/m.go --
package typo

func Valid(s Text) bool { return s != "" }
-- internal/own/m.go --
package own

type Text string

func Valid(s Text) bool { return s != "" }
`)
	_, err := Resolve(context.Background(), request(t, dir, "./gone.Valid", "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "example.com/gone", "GOPROXY=off")
	_, err = Resolve(context.Background(), request(t, dir, "./typo.Valid", "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.BuildCode, "program typo.Valid does not build", "go build example.com/m/typo")
	p := resolve(t, dir, "./internal/own.Valid", "unicode/utf8.ValidString")
	if got, want := runWorker(t, p, "x"), "[string] false\nown.Valid accepted\nutf8.ValidString accepted"; got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
}

// TestResolveAgainOffline checks that a target resolved once resolves again without a network.
func TestResolveAgainOffline(t *testing.T) {
	req := request(t, t.TempDir(), "github.com/Masterminds/semver/v3.NewVersion@latest", "github.com/blang/semver/v4.New@v4.0.0")
	first, err := Resolve(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if v := first.Programs[0].Version; !gomod.Exact(v) || !strings.Contains(strings.Join(first.Notes, "\n"), "is "+v) {
		t.Errorf("version %q, notes %q", v, first.Notes)
	}
	t.Setenv("GOPROXY", "off")
	again, err := Resolve(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first.Programs[0], again.Programs[0]) {
		t.Errorf("%+v, then %+v", first.Programs[0], again.Programs[0])
	}
}

func TestToolchain(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	_, err := Resolve(context.Background(), request(t, bin, "encoding/json.Valid", "strconv.Atoi"))
	moduletest.WantError(t, err, exit.UsageCode, "no go command on PATH")
	script := "#!/bin/sh\necho '{\"GOVERSION\":\"go1.20.5\"}'\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = Resolve(context.Background(), request(t, bin, "encoding/json.Valid", "strconv.Atoi"))
	moduletest.WantError(t, err, exit.UsageCode, "go1.20.5", "needs go1.21 or later")
}

func TestTargetName(t *testing.T) {
	long := strings.Repeat("package", 20) + ".F"
	tests := []struct{ names, want string }{
		{"json.Valid go-json.Valid@v0.10.5", "json.Valid+go-json.Valid@v0.10.5"},
		{"netip.(*Addr).UnmarshalText x/p.F", "netip.Addr.UnmarshalText+x_p.F"},
		{"../p.F q.F", "_p.F+q.F"},
	}
	name := func(names string) string {
		var calls []*signature.Function
		for _, n := range strings.Fields(names) {
			calls = append(calls, &signature.Function{Name: n})
		}
		return joinedName(calls)
	}
	for _, tt := range tests {
		if got := strings.TrimLeft(name(tt.names), "_"); got != strings.TrimLeft(tt.want, "_") {
			t.Errorf("targetName(%s) = %q, want %q", tt.names, got, tt.want)
		}
	}
	a, b := name(long+" a.F"), name(long+" b.F")
	if len(a) != 80 || len(b) != 80 || a == b {
		t.Errorf("long names: %q and %q, want two names of 80 bytes", a, b)
	}
}
