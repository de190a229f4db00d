package page

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"parallax/cmd/internal/base/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// open loads a page into a new tab.
func open(t *testing.T, d *Document, scripts bool) *browsertest.Tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(write(t, d)), 0o644); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	return browsertest.Open(t, address, address, scripts)
}

// TestBrowserWidths checks that any content fits narrow and wide screens and paper without
// scrolling sideways, opened and closed.
func TestBrowserWidths(t *testing.T) {
	word := strings.Repeat("long", 60)
	for name, text := range map[string]string{"plain": "", "long words": word, "hostile": nasty} {
		t.Run(name, func(t *testing.T) {
			d := document(text, 8)
			for i := range 2 {
				d.Campaigns[0].Findings[1+i].Row.Under = d.Campaigns[0].Findings[0].Row.ID
			}
			b := open(t, d, true)
			for _, width := range []int64{360, 768, 1000, 1400, 2000} {
				b.Do(chromedp.EmulateViewport(width, 900))
				if wrong := browsertest.Eval[string](b, browsertest.Overflowing); wrong != "" {
					t.Errorf("at %d pixels: %s", width, wrong)
				}
				if width == 360 {
					browsertest.Eval[any](b, browsertest.OpenAll)
				}
			}
			b.Media("print", "light")
			b.Do(chromedp.EmulateViewport(720, 1000))
			if wrong := browsertest.Eval[string](b, browsertest.Overflowing); wrong != "" {
				t.Errorf("on paper: %s", wrong)
			}
		})
	}
}

// TestBrowserHostile checks that all content of campaigns is shown, as text.
func TestBrowserHostile(t *testing.T) {
	b := open(t, document(nasty, 8), true)
	if got := browsertest.Eval[string](b, "document.title"); got == "broken" || !strings.Contains(got, "</script></style></title><!--<img src=x") {
		t.Errorf("the title is %q", got)
	}
	for _, c := range []struct {
		what, expression string
		want             int
	}{
		{"images, frames, links to elsewhere", `document.querySelectorAll("img, iframe, object, embed, link, base, form, a:not([href^='#'])").length`, 0},
		{"scripts", `document.scripts.length`, 1},
		{"comments", `(() => { let n = 0; const w = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT); while (w.nextNode()) n++; return n; })()`, 0},
		{"attributes that run something", `[...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => a.name.startsWith("on") || a.name === "style")).length`, 0},
		{"control characters", `(document.body.textContent.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u2028]/g) || []).length`, 0},
		{"findings", `document.querySelectorAll("details.finding").length`, 8},
	} {
		if got := browsertest.Eval[int](b, c.expression); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
	browsertest.Eval[any](b, browsertest.OpenAll)
	text := browsertest.Eval[string](b, `document.querySelector(".finding .input").textContent`)
	for _, want := range []string{`12</script></style></title><!--<img src=x onerror=\"document.title='broken'\">`, `\x00\x1b[31m\xff\xc3\u202e\u2028${alert(1)}`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	// The policy blocks scripts even if they got into the page.
	browsertest.Eval[any](b, `(() => { const e = document.createElement("div"); e.innerHTML = "<img src=x onerror=\"document.title='broken'\">"; document.body.append(e); })()`)
	b.Do(chromedp.Sleep(200 * time.Millisecond))
	if got := browsertest.Eval[string](b, "document.title"); got == "broken" {
		t.Error("a handler that was brought in runs")
	}
	if len(b.Complaints()) == 0 {
		t.Error("the policy was not asked")
	}
}

// cells reads the visible cells of a column of the table of findings.
const cells = `[...document.querySelectorAll("table.list tbody tr")].filter(r => !r.hidden).map(r => r.cells[%d].textContent.trim().replace(/\s+/g, " "))`

func TestBrowserTable(t *testing.T) {
	b := open(t, document("", 12), true)
	press := func(name string) {
		t.Helper()
		browsertest.Eval[any](b, fmt.Sprintf(`[...document.querySelectorAll("table.list th button")].find(x => x.textContent === %q).click()`, name))
	}
	press("inputs seen")
	if got := browsertest.Eval[[]string](b, fmt.Sprintf(cells, 4)); strings.Join(got, " ") != "1 2 3 4 5 6 7 8 9 10 11 12" {
		t.Errorf("ascending: %q", got)
	}
	press("inputs seen")
	if got := browsertest.Eval[[]string](b, fmt.Sprintf(cells, 4)); strings.Join(got, " ") != "12 11 10 9 8 7 6 5 4 3 2 1" {
		t.Errorf("descending: %q", got)
	}
	if got := browsertest.Eval[string](b, `document.querySelector("th[aria-sort]").textContent + " " + document.querySelector("th[aria-sort]").ariaSort`); got != "inputs seen descending" {
		t.Errorf("sorted by %q", got)
	}
	press("finding")
	if got := browsertest.Eval[[]string](b, fmt.Sprintf(cells, 1)); !strings.HasPrefix(got[0], "crash") || !strings.HasPrefix(got[11], "value discrepancy") {
		t.Errorf("by kind: %q", got)
	}
	// With keys only.
	browsertest.Eval[any](b, `document.querySelector("table.list th button").focus()`)
	b.Do(chromedp.KeyEvent("\r"))
	if got := browsertest.Eval[[]string](b, fmt.Sprintf(cells, 0)); strings.Join(got, " ") != "1 2 3 4 5 6 7 8 9 10 11 12" {
		t.Errorf("by number: %q", got)
	}
	browsertest.Eval[any](b, `document.querySelector("input[type=search]").focus()`)
	b.Do(chromedp.KeyEvent("crash abc005"))
	if got := browsertest.Eval[[]string](b, fmt.Sprintf(cells, 0)); strings.Join(got, " ") != "6" {
		t.Errorf("filtered: %q", got)
	}
	if got := browsertest.Eval[string](b, `document.querySelector(".filter output").textContent + ", " + [...document.querySelectorAll("details.finding")].filter(e => e.checkVisibility()).length`); got != "1 of 12, 1" {
		t.Errorf("filtered: %s", got)
	}
}

// TestBrowserLinks checks that links open their targets. A number next to a line shows the input,
// and Escape closes it.
func TestBrowserLinks(t *testing.T) {
	d := document("", 12)
	d.Campaigns[0].Findings[1].Row.Under = d.Campaigns[0].Findings[0].Row.ID
	b := open(t, d, true)
	now := func(selector string) bool {
		t.Helper()
		return browsertest.Eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); if (!e || !e.checkVisibility()) return false; const r = e.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight; })()`, selector))
	}
	visible := func(selector string) bool { // eventually: a browser follows a link when it has time
		t.Helper()
		for range 100 {
			if now(selector) {
				return true
			}
			time.Sleep(20 * time.Millisecond)
		}
		return false
	}
	if now("#c1-000000abc004 .body") {
		t.Error("a finding of many is open from the start")
	}
	browsertest.Eval[any](b, `location.hash = "#c1-000000abc001"`)
	if !visible("#c1-000000abc001 > .body") {
		t.Error("a finding that folds is not shown")
	}
	b.Do(chromedp.Click(chromedp.CSS(`table.list a[href="#c1-000000abc004"]`)))
	if !visible("#c1-000000abc004 .body") {
		t.Error("the finding is not shown")
	}
	b.Do(chromedp.Click(chromedp.CSS(`#c1-000000abc004 a.where`)))
	if !visible("#c1-s1-L7") {
		t.Error("the line is not shown")
	}
	b.Do(chromedp.Click(chromedp.CSS(`#c1-s1-L7 a`)))
	if !visible("#card") || !strings.Contains(browsertest.Eval[string](b, `document.querySelector("#card").textContent`), "0011223344556677") {
		t.Error("the input is not shown")
	}
	b.Do(chromedp.KeyEvent("\x1b"))
	if now("#card") || browsertest.Eval[string](b, `document.activeElement.getAttribute("href")`) != "#c1-i1" {
		t.Error("Escape does not lead back")
	}
	b.Do(chromedp.Click(chromedp.CSS(".theme")))
	if got := browsertest.Eval[string](b, `document.documentElement.dataset.theme`); got != "dark" {
		t.Errorf("the theme is %q", got)
	}
}

// TestBrowserPlots checks that plots show their values under the pointer and with keys.
func TestBrowserPlots(t *testing.T) {
	b := open(t, document("", 2), true)
	browsertest.Eval[any](b, `document.querySelector(".plot svg").scrollIntoView({block: "center"})`)
	at := browsertest.Eval[[]float64](b, `(() => { const r = document.querySelector(".plot svg").getBoundingClientRect(); return [r.left + r.width * .99 - 6, r.top + r.height / 2]; })()`)
	b.Do(chromedp.MouseEvent("mouseMoved", at[0], at[1]))
	if got := browsertest.Eval[string](b, `document.querySelector("#tip").hidden ? "" : document.querySelector("#tip").textContent`); got != "1m01s, 980,000 inputs\nfindings: 4\nunique discrepancies: 2" {
		t.Errorf("under the pointer: %q", got)
	}
	browsertest.Eval[any](b, browsertest.OpenAll)
	browsertest.Eval[any](b, `document.querySelector(".research svg").focus()`)
	b.Do(chromedp.KeyEvent("\ue010")) // a key without a listener
	browsertest.Eval[any](b, `document.querySelector(".research svg").dispatchEvent(new KeyboardEvent("keydown", {key: "Home"}))`)
	if got := browsertest.Eval[string](b, `document.querySelector("#tip").textContent`); got != "1.2s, 20,000 inputs\ncoarse: 1" {
		t.Errorf("by keys: %q", got)
	}
	if n := browsertest.Eval[int](b, `document.querySelectorAll(".plot svg:not([aria-label])").length`); n != 0 {
		t.Errorf("%d plots say nothing to who does not see them", n)
	}
}

// TestBrowserWithoutScripts checks that all content can be read, opened and followed without
// JavaScript.
func TestBrowserWithoutScripts(t *testing.T) {
	b := open(t, document("", 8), false)
	if browsertest.Eval[int](b, `document.querySelectorAll(".filter:not([hidden]), th button").length`) != 0 {
		t.Error("controls that do nothing are shown")
	}
	if n := browsertest.Eval[int](b, `document.querySelectorAll(".at title").length`); n < 40 {
		t.Errorf("plots have %d values", n)
	}
	b.Do(chromedp.Click(chromedp.CSS("#c1-000000abc003 > summary")))
	if !browsertest.Eval[bool](b, `document.querySelector("#c1-000000abc003 .body").checkVisibility()`) {
		t.Error("a finding does not open")
	}
}

// TestBrowserContrast checks that text is readable in both color schemes: WCAG 2.2 requires a
// browsertest.Contrast of 4.5.
func TestBrowserContrast(t *testing.T) {
	b := open(t, document("", 8), true)
	browsertest.Eval[any](b, browsertest.OpenAll)
	for _, scheme := range []string{"light", "dark"} {
		b.Media("screen", scheme)
		for _, wrong := range browsertest.Eval[[]string](b, browsertest.Contrast) {
			t.Errorf("%s: %s", scheme, wrong)
		}
	}
}

// TestBrowserPrints checks that paper shows all findings, and no controls.
func TestBrowserPrints(t *testing.T) {
	b := open(t, document("", 8), true)
	yes := true
	pdf, err := chromedp.Call(b.Ctx, cdpage.PrintToPDF, cdpage.PrintToPDFParams{PreferCSSPageSize: &yes})
	b.Check(err)
	if len(pdf.Data) < 20000 {
		t.Errorf("a PDF of %d bytes", len(pdf.Data))
	}
	b.Media("print", "dark")
	if got := browsertest.Eval[string](b, `getComputedStyle(document.body).colorScheme + getComputedStyle(document.documentElement).colorScheme`); !strings.HasSuffix(got, "light") {
		t.Errorf("paper is %s", got)
	}
	if got := browsertest.Eval[int](b, `[...document.querySelectorAll(".bar, .filter, .listing, .tools, .copies > button")].filter(e => e.checkVisibility()).length`); got != 0 {
		t.Errorf("%d controls on paper", got)
	}
	if got := browsertest.Eval[int](b, `[...document.querySelectorAll(".finding .body h3")].filter(e => e.checkVisibility()).length`); got < 8*3 {
		t.Errorf("%d headings of findings on paper", got)
	}
}
