package page

import (
	"strings"
	"testing"
	"testing/quick"

	"github.com/chromedp/chromedp"

	"parallax/cmd/internal/base/browsertest"
	"parallax/cmd/internal/base/parting"
)

// TestWholeEscapes checks that marks contain whole escapes, and that the text does not change.
func TestWholeEscapes(t *testing.T) {
	join := func(list []parting.Piece) string {
		var b strings.Builder
		for _, p := range list {
			if p.Marked {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		return b.String()
	}
	for _, test := range []struct{ a, b, want string }{
		{`"a\x00b"`, `"a\x01b"`, `"a[\x01]b"`},
		{`"\n"`, `"\r"`, `"[\r]"`},
		{`"\u0301"`, `"\u0302"`, `"[\u0302]"`},
		{`"\\x00"`, `"\\x01"`, `"\\x0[1]"`}, // a backslash, and then letters
		{`"a"`, `"b"`, `"[b]"`},
	} {
		_, b := compare(test.a, test.b)
		if got := join(b); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.a, test.b, got, test.want)
		}
	}
	if err := quick.Check(func(a, b string) bool {
		a, b = `\x00`+a, `\u0301`+b
		x, y := compare(a, b)
		plain := func(list []parting.Piece) (s string) {
			for _, p := range list {
				s += p.Text
			}
			return s
		}
		return plain(x) == a && plain(y) == b
	}, nil); err != nil {
		t.Error(err)
	}
}

// TestLineAt checks that any place splits into a file and a line.
func TestLineAt(t *testing.T) {
	for place, want := range map[string]string{"a/b.go:12": ":12", "a.c:3:14": ":3:14", "x": "", "": "", ":7": ":7"} {
		if got := place[lineAt(place):]; got != want {
			t.Errorf("%q: %q, want %q", place, got, want)
		}
	}
}

// TestBrowserTelephone checks that a telephone shows all links to sections without scrolling,
// breaks no line number, and shows findings first.
func TestBrowserTelephone(t *testing.T) {
	b := open(t, document(strings.Repeat("long", 20), 1), true)
	b.Do(chromedp.EmulateViewport(390, 800))
	browsertest.Eval[any](b, browsertest.OpenAll)
	for what, wrong := range map[string]string{
		"links that do not fit": `[...document.querySelectorAll(".bar .links a")].filter(a => { const r = a.getBoundingClientRect(); return r.left < 0 || r.right > 390 || r.bottom > document.querySelector(".bar").getBoundingClientRect().bottom + 1; }).map(a => a.textContent).join()`,
		"broken numbers":        `[...document.querySelectorAll(".ln")].filter(e => e.getClientRects().length > 1).map(e => e.textContent).join()`,
		"headings before":       `document.querySelector("h2").id.endsWith("-findings") ? "" : document.querySelector("h2").id`,
	} {
		if got := browsertest.Eval[string](b, wrong); got != "" {
			t.Errorf("%s: %s", what, got)
		}
	}
	if n := browsertest.Eval[int](b, `document.querySelectorAll(".ln").length`); n == 0 {
		t.Error("no place is on the page")
	}
}

// TestOddFirst checks that the odd one out comes first among the places at which programs part.
func TestOddFirst(t *testing.T) {
	d := document("", 1)
	f := &d.Campaigns[0].Findings[0]
	for i := range f.Record.Programs {
		f.Record.Programs[i].Deciding = "x.go:1"
	}
	last := f.Record.Programs[len(f.Record.Programs)-1].Name
	f.Record.Odd = []string{last}
	v := newFinding(d.Campaigns[0], f, newLister(d.Source), func(string) string { return "" })
	if len(v.Places) < 2 || v.Places[0].Program != last || !v.Places[0].Odd || v.Places[1].Odd {
		t.Errorf("%+v", v.Places)
	}
}
