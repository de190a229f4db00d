package callgraph

import (
	"context"
	"slices"
	"testing"
	"time"

	"parallax/cmd/internal/flow"
)

// TestTextual checks the graph from names alone, and that the next Load finds the real graph in the
// cache.
func TestTextual(t *testing.T) {
	m := newModule(t, `-- a.go --
package m

import (
	"sort"

	other "m/b"
)

type T struct{ hook func() }

func (t *T) Method() { other.Deep() }

func Direct() { inner(); func() { literal() }() }
func inner()   {}
func literal() {}

func Passed() { sort.Slice(nil, less) }
func less(i, k int) bool { return false }

func Hidden(t *T) { t.hook() }
func hook()       {}

var _ = start()

func start() int { return 1 }
func init()      { begin() }
func begin()     {}
-- b/b.go --
package renamed

func Deep() { deeper[int]() }
func deeper[E any]() {}
-- a_test.go --
package m_test

import (
	"testing"

	"m"
)

func FuzzA(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		m.Direct()
		new(m.T).Method()
		m.Passed()
		m.Hidden(nil)
	})
}
func FuzzB(f *testing.F) {}
`)
	req := m.request("./...")
	req.Patience = time.Nanosecond
	g, err := Load(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if !g.Textual {
		t.Fatal("the packages were read within a nanosecond")
	}
	if got, want := g.Fuzz(), []string{"m_test.FuzzA", "m_test.FuzzB"}; !slices.Equal(got, want) {
		t.Errorf("FuzzXxx %q, want %q", got, want)
	}
	functions := []string{"m.inner", "m.literal", "m.Direct.func1", "m/b.Deep", "m/b.deeper[...]", "m.less", "m.start", "m.begin", "m.hook"}
	direct := []string{"m_test.FuzzA"}
	for _, r := range g.Harnesses(functions) {
		var harnesses, start, hidden []string
		switch r.Function {
		case "m.start", "m.begin":
			start = g.Fuzz()
		case "m.hook":
			hidden = direct
		default:
			harnesses = direct
		}
		if !r.Known || !slices.Equal(r.Harnesses, harnesses) || !slices.Equal(r.Start, start) || !slices.Equal(r.Hidden, hidden) {
			t.Errorf("%+v", r)
		}
	}
	tab := m.table("m/b", false)
	g.Fill([]*flow.Table{tab})
	if got := tab.Blocks[0].Calls; !slices.Equal(got, []string{"m/b.deeper[...]"}) {
		t.Errorf("the first block of Deep calls %q", got)
	}

	if testing.Short() {
		t.Skip("reads the standard library")
	}
	req.Patience = time.Hour // the first Load continues and may end first
	g, err = Load(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if g.Textual {
		t.Error("the packages were not read within an hour")
	}
}
