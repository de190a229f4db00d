package gobuild

import (
	"context"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

const texts = `-- go.mod --
module example.com/s

go 1.22
-- s.go --
package s

type Order struct {
	Item  string
	Count int
}

func Count(o Order) (int, error)             { return o.Count, nil }
func Longer(o *Order, by []int) (string, bool) { return o.Item, len(o.Item) > len(by) }
func Take(b []byte) int                      { return len(b) }
func Call(f func()) int                      { return 0 }
`

// TestTexts checks that structs are read from JSON for comparison with programs in other processes.
// A single one is the text's value, and several form an array.
func TestTexts(t *testing.T) {
	dir := moduletest.Tree(t, texts)
	req := request(t, dir, "./.Count", "./.Longer", "./.Take")
	_, err := Resolve(context.Background(), req)
	moduletest.WantError(t, err, exit.UsageCode, "parameter 1 (o s.Order)")
	req.Texts = true
	p, err := Resolve(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if p.FromText() != "./.Count" || p.Shape.String() != "([]byte)" {
		t.Errorf("%s, %v", p.FromText(), p.Shape)
	}
	for _, c := range []struct{ text, want string }{
		{`{"Item":"ab","Count":3}`, "[[]byte] false\ns.Count accepted int:3\ns.Longer accepted declined:true\ns.Take accepted int:23"},
		{`[{"Item":"ab"},[1]]`, "[[]byte] false\ns.Count accepted declined:true\ns.Longer accepted string:ab\ns.Take accepted int:19"},
		{`[{"Item":"ab"},null]`, "[[]byte] false\ns.Count accepted declined:true\ns.Longer accepted string:ab\ns.Take accepted int:20"},
	} {
		if got := runWorker(t, p, c.text); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
	for i, want := range []string{
		"func() (int, error) { var a1 p1.Order; if err := json.Unmarshal(in, &a1); err != nil { panic(err) }; r1, end := p1.Count(a1); return r1, end }()",
		"func() (string, bool) { var a1 *p2.Order; var a2 []int; if err := json.Unmarshal(in, &[2]any{&a1, &a2}); err != nil { panic(err) }; r1, end := p2.Longer(a1, a2); return r1, end }()",
		"p3.Take(in)",
	} {
		if got := p.Programs[i].Call; got != want {
			t.Errorf("a reproducer calls\n%s\nwant\n%s", got, want)
		}
	}
	draws := request(t, dir)
	draws.DrawFor = "./.Longer"
	if p, err = Resolve(context.Background(), draws); err != nil {
		t.Fatal(err)
	}
	if p.Draws() != "gen.Of[*s.Order, []int]" || p.Takes.String() != "([]byte)" || len(p.Packages) > 0 {
		t.Errorf("%s, %v, %v", p.Draws(), p.Takes, p.Packages)
	}
	req = request(t, dir, "./.Call")
	req.Texts = true
	_, err = Resolve(context.Background(), req)
	moduletest.WantError(t, err, exit.UsageCode, "parameter 1 (f func())")
}
