package gobuild

import (
	"context"
	"slices"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestCalls checks the expressions by which reproducers call functions whose types are of other
// packages: those of the standard library can be named.
func TestCalls(t *testing.T) {
	dir := moduletest.Tree(t, `-- go.mod --
module example.com/s

go 1.22
-- s.go --
package s

import (
	"time"

	"example.com/s/kind"
)

func Wait(d time.Duration) time.Duration { return d }
func Kind(k kind.Kind) int               { return int(k) }
-- kind/kind.go --
package kind

type Kind int64
`)
	for function, want := range map[string]string{"./.Wait": "p1.Wait(time.Duration(in))", "./.Kind": ""} {
		p, err := Resolve(context.Background(), request(t, dir, function))
		if err != nil {
			t.Fatal(err)
		}
		prog := &p.Programs[0]
		if prog.Call != want || want != "" && (!slices.Equal(prog.Imports, []string{"time"}) || !slices.Equal(prog.Results, []string{"any"})) {
			t.Errorf("%s: %q with %q, results %q", function, prog.Call, prog.Imports, prog.Results)
		}
	}
}
