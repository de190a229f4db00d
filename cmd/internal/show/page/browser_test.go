package page

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// findBrowser returns the path of Chromium. The tests show the page in a real browser, and fail
// without one, with a hint how to install it.
func findBrowser(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no chromium on the PATH: install it with `make tools`, or `sudo apt-get install chromium`")
	return ""
}

var browser struct {
	once   sync.Once
	ctx    context.Context
	cancel func()
}

// startBrowser starts the browser, once for all tests. It has no network: its proxy is a port
// without a server.
func startBrowser(t *testing.T) context.Context {
	path := findBrowser(t)
	browser.once.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU,
			chromedp.Flag("disable-dev-shm-usage", true), // small in containers
			chromedp.ProxyServer("127.0.0.1:1"))
		if os.Getuid() == 0 {
			options = append(options, chromedp.NoSandbox) // Chromium's own sandbox does not start for root
		}
		ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, close := chromedp.NewContext(ctx)
		browser.ctx, browser.cancel = ctx, func() { close(); end() }
		if err := chromedp.Do(ctx); err != nil {
			t.Fatalf("starting %s: %v", path, err)
		}
	})
	if browser.ctx == nil || browser.ctx.Err() != nil {
		t.Fatal("the browser does not start")
	}
	return browser.ctx
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.cancel != nil {
		browser.cancel()
	}
	os.Exit(code)
}

// tab is one page in a browser, with its complaints.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string // messages of the console, exceptions, addresses outside of the file
}

// open loads a page into a new tab.
func open(t *testing.T, d *Document, scripts bool) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(write(t, d)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(startBrowser(t))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	b.check(chromedp.Listen(ctx, b.heard(address)))
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
	b.check(err)
	b.check(chromedp.Do(ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(address)))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, text := range b.complaints {
			t.Error(text)
		}
	})
	return b
}

// heard returns a listener that records events which our pages never cause.
func (b *tab) heard(address string) func(any) {
	return func(event any) {
		text := ""
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			text = "an exception: " + e.ExceptionDetails.Text
			if e.ExceptionDetails.Exception != nil {
				text += " " + e.ExceptionDetails.Exception.Description
			}
		case *runtime.EventConsoleAPICalled:
			text = fmt.Sprint("the console: ", e.Type)
		case *log.EventEntryAdded:
			text = fmt.Sprintf("the console: %s: %s", e.Entry.Source, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if e.Request.URL != address {
				text = "it loads " + e.Request.URL
			}
		case *cdpage.EventJavascriptDialogOpening:
			text = "a dialog: " + e.Message
		}
		if text != "" {
			b.mu.Lock()
			b.complaints = append(b.complaints, text)
			b.mu.Unlock()
		}
	}
}

func (b *tab) check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.check(chromedp.Do(b.ctx, actions...))
}

// eval returns the value of an expression on the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// media sets the medium that the page is shown on.
func (b *tab) media(kind, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: kind, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	b.check(err)
}

// openAll opens all details.
const openAll = `document.querySelectorAll("details").forEach(d => { d.open = true; })`

// overflowing lists elements that are wider than the window, except those in parts that scroll by
// themselves.
const overflowing = `(() => {
	const width = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width) return "";
	return "the page is " + document.documentElement.scrollWidth + " wide: " + [...document.querySelectorAll("body *")]
		.filter(e => e.getBoundingClientRect().right > width + 1 && e.checkVisibility() && !e.closest(".links"))
		.slice(0, 5).map(e => e.tagName + "." + e.className + " " + e.getBoundingClientRect().right).join("; ");
})()`

// TestBrowserWidths checks that any content fits narrow and wide screens and paper without
// scrolling sideways, opened and closed.
func TestBrowserWidths(t *testing.T) {
	word := strings.Repeat("long", 60)
	for name, text := range map[string]string{"plain": "", "long words": word, "hostile": nasty} {
		t.Run(name, func(t *testing.T) {
			d := document(text, 8)
			for i := range 2 {
				d.Campaigns[0].Findings[1+i].Bucket.Under = d.Campaigns[0].Findings[0].Bucket.ID
			}
			b := open(t, d, true)
			for _, width := range []int64{360, 768, 1000, 1400, 2000} {
				b.do(chromedp.EmulateViewport(width, 900))
				if wrong := eval[string](b, overflowing); wrong != "" {
					t.Errorf("at %d pixels: %s", width, wrong)
				}
				if width == 360 {
					eval[any](b, openAll)
				}
			}
			b.media("print", "light")
			b.do(chromedp.EmulateViewport(720, 1000))
			if wrong := eval[string](b, overflowing); wrong != "" {
				t.Errorf("on paper: %s", wrong)
			}
		})
	}
}

// TestBrowserHostile checks that all content of campaigns is shown, as text.
func TestBrowserHostile(t *testing.T) {
	b := open(t, document(nasty, 8), true)
	if got := eval[string](b, "document.title"); got == "broken" || !strings.Contains(got, "</script></style></title><!--<img src=x") {
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
		if got := eval[int](b, c.expression); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
	eval[any](b, openAll)
	text := eval[string](b, `document.querySelector(".finding .input").textContent`)
	for _, want := range []string{`12</script></style></title><!--<img src=x onerror=\"document.title='broken'\">`, `\x00\x1b[31m\xff\xc3\u202e\u2028${alert(1)}`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	// The policy blocks scripts even if they got into the page.
	eval[any](b, `(() => { const e = document.createElement("div"); e.innerHTML = "<img src=x onerror=\"document.title='broken'\">"; document.body.append(e); })()`)
	b.do(chromedp.Sleep(200 * time.Millisecond))
	if got := eval[string](b, "document.title"); got == "broken" {
		t.Error("a handler that was brought in runs")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.complaints) == 0 {
		t.Error("the policy was not asked")
	}
	b.complaints = nil
}

// cells reads the visible cells of a column of the table of findings.
const cells = `[...document.querySelectorAll("table.list tbody tr")].filter(r => !r.hidden).map(r => r.cells[%d].textContent.trim().replace(/\s+/g, " "))`

func TestBrowserTable(t *testing.T) {
	b := open(t, document("", 12), true)
	press := func(name string) {
		t.Helper()
		eval[any](b, fmt.Sprintf(`[...document.querySelectorAll("table.list th button")].find(x => x.textContent === %q).click()`, name))
	}
	press("inputs seen")
	if got := eval[[]string](b, fmt.Sprintf(cells, 4)); strings.Join(got, " ") != "1 2 3 4 5 6 7 8 9 10 11 12" {
		t.Errorf("ascending: %q", got)
	}
	press("inputs seen")
	if got := eval[[]string](b, fmt.Sprintf(cells, 4)); strings.Join(got, " ") != "12 11 10 9 8 7 6 5 4 3 2 1" {
		t.Errorf("descending: %q", got)
	}
	if got := eval[string](b, `document.querySelector("th[aria-sort]").textContent + " " + document.querySelector("th[aria-sort]").ariaSort`); got != "inputs seen descending" {
		t.Errorf("sorted by %q", got)
	}
	press("finding")
	if got := eval[[]string](b, fmt.Sprintf(cells, 1)); !strings.HasPrefix(got[0], "crash") || !strings.HasPrefix(got[11], "value discrepancy") {
		t.Errorf("by kind: %q", got)
	}
	// With keys only.
	eval[any](b, `document.querySelector("table.list th button").focus()`)
	b.do(chromedp.KeyEvent("\r"))
	if got := eval[[]string](b, fmt.Sprintf(cells, 0)); strings.Join(got, " ") != "1 2 3 4 5 6 7 8 9 10 11 12" {
		t.Errorf("by number: %q", got)
	}
	eval[any](b, `document.querySelector("input[type=search]").focus()`)
	b.do(chromedp.KeyEvent("crash abc005"))
	if got := eval[[]string](b, fmt.Sprintf(cells, 0)); strings.Join(got, " ") != "6" {
		t.Errorf("filtered: %q", got)
	}
	if got := eval[string](b, `document.querySelector(".filter output").textContent + ", " + [...document.querySelectorAll("details.finding")].filter(e => e.checkVisibility()).length`); got != "1 of 12, 1" {
		t.Errorf("filtered: %s", got)
	}
}

// TestBrowserLinks checks that links open their targets. A number next to a line shows the input,
// and Escape closes it.
func TestBrowserLinks(t *testing.T) {
	d := document("", 12)
	d.Campaigns[0].Findings[1].Bucket.Under = d.Campaigns[0].Findings[0].Bucket.ID
	b := open(t, d, true)
	now := func(selector string) bool {
		t.Helper()
		return eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); if (!e || !e.checkVisibility()) return false; const r = e.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight; })()`, selector))
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
	eval[any](b, `location.hash = "#c1-000000abc001"`)
	if !visible("#c1-000000abc001 > .body") {
		t.Error("a finding that folds is not shown")
	}
	b.do(chromedp.Click(chromedp.CSS(`table.list a[href="#c1-000000abc004"]`)))
	if !visible("#c1-000000abc004 .body") {
		t.Error("the finding is not shown")
	}
	b.do(chromedp.Click(chromedp.CSS(`#c1-000000abc004 a.where`)))
	if !visible("#c1-s1-L7") {
		t.Error("the line is not shown")
	}
	b.do(chromedp.Click(chromedp.CSS(`#c1-s1-L7 a`)))
	if !visible("#card") || !strings.Contains(eval[string](b, `document.querySelector("#card").textContent`), "0011223344556677") {
		t.Error("the input is not shown")
	}
	b.do(chromedp.KeyEvent("\x1b"))
	if now("#card") || eval[string](b, `document.activeElement.getAttribute("href")`) != "#c1-i1" {
		t.Error("Escape does not lead back")
	}
	b.do(chromedp.Click(chromedp.CSS(".theme")))
	if got := eval[string](b, `document.documentElement.dataset.theme`); got != "dark" {
		t.Errorf("the theme is %q", got)
	}
}

// TestBrowserPlots checks that plots show their values under the pointer and with keys.
func TestBrowserPlots(t *testing.T) {
	b := open(t, document("", 2), true)
	eval[any](b, `document.querySelector(".plot svg").scrollIntoView({block: "center"})`)
	at := eval[[]float64](b, `(() => { const r = document.querySelector(".plot svg").getBoundingClientRect(); return [r.left + r.width * .99 - 6, r.top + r.height / 2]; })()`)
	b.do(chromedp.MouseEvent("mouseMoved", at[0], at[1]))
	if got := eval[string](b, `document.querySelector("#tip").hidden ? "" : document.querySelector("#tip").textContent`); got != "1m01s, 980,000 inputs\nfindings: 4\nunique discrepancies: 2" {
		t.Errorf("under the pointer: %q", got)
	}
	eval[any](b, openAll)
	eval[any](b, `document.querySelector(".research svg").focus()`)
	b.do(chromedp.KeyEvent("\ue010")) // a key without a listener
	eval[any](b, `document.querySelector(".research svg").dispatchEvent(new KeyboardEvent("keydown", {key: "Home"}))`)
	if got := eval[string](b, `document.querySelector("#tip").textContent`); got != "1.2s, 20,000 inputs\ncoarse: 1" {
		t.Errorf("by keys: %q", got)
	}
	if n := eval[int](b, `document.querySelectorAll(".plot svg:not([aria-label])").length`); n != 0 {
		t.Errorf("%d plots say nothing to who does not see them", n)
	}
}

// TestBrowserWithoutScripts checks that all content can be read, opened and followed without
// JavaScript.
func TestBrowserWithoutScripts(t *testing.T) {
	b := open(t, document("", 8), false)
	if eval[int](b, `document.querySelectorAll(".filter:not([hidden]), th button").length`) != 0 {
		t.Error("controls that do nothing are shown")
	}
	if n := eval[int](b, `document.querySelectorAll(".at title").length`); n < 40 {
		t.Errorf("plots have %d values", n)
	}
	b.do(chromedp.Click(chromedp.CSS("#c1-000000abc003 > summary")))
	if !eval[bool](b, `document.querySelector("#c1-000000abc003 .body").checkVisibility()`) {
		t.Error("a finding does not open")
	}
}

// TestBrowserContrast checks that text is readable in both color schemes: WCAG 2.2 requires a
// contrast of 4.5.
func TestBrowserContrast(t *testing.T) {
	b := open(t, document("", 8), true)
	eval[any](b, openAll)
	for _, scheme := range []string{"light", "dark"} {
		b.media("screen", scheme)
		for _, wrong := range eval[[]string](b, contrast) {
			t.Errorf("%s: %s", scheme, wrong)
		}
	}
}

// contrast lists text with too low a contrast to its background.
const contrast = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgba = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
	const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] / 255 + b[i] * (1 - a[3] / 255)).concat(255);
	const behind = e => {
		let layers = [];
		for (; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
		return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 255]);
	};
	const light = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
	const seen = new Set(), wrong = [];
	for (const e of document.querySelectorAll("main *, footer *, header *")) {
		if (!e.checkVisibility() || e.closest("svg") || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e), back = behind(e), front = over(rgba(style.color), back);
		const key = front + "/" + back;
		if (seen.has(key)) continue;
		seen.add(key);
		const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
		const ratio = (a + .05) / (b + .05);
		if (ratio < 4.5) wrong.push(ratio.toFixed(2) + " of " + e.tagName + "." + e.className + " in " + e.parentElement.className + ": " + e.textContent.slice(0, 30));
	}
	return wrong;
})()`

// TestBrowserPrints checks that paper shows all findings, and no controls.
func TestBrowserPrints(t *testing.T) {
	b := open(t, document("", 8), true)
	yes := true
	pdf, err := chromedp.Call(b.ctx, cdpage.PrintToPDF, cdpage.PrintToPDFParams{PreferCSSPageSize: &yes})
	b.check(err)
	if len(pdf.Data) < 20000 {
		t.Errorf("a PDF of %d bytes", len(pdf.Data))
	}
	b.media("print", "dark")
	if got := eval[string](b, `getComputedStyle(document.body).colorScheme + getComputedStyle(document.documentElement).colorScheme`); !strings.HasSuffix(got, "light") {
		t.Errorf("paper is %s", got)
	}
	if got := eval[int](b, `[...document.querySelectorAll(".bar, .filter, .listing, .tools, .copies > button")].filter(e => e.checkVisibility()).length`); got != 0 {
		t.Errorf("%d controls on paper", got)
	}
	if got := eval[int](b, `[...document.querySelectorAll(".finding .body h3")].filter(e => e.checkVisibility()).length`); got < 8*3 {
		t.Errorf("%d headings of findings on paper", got)
	}
}
