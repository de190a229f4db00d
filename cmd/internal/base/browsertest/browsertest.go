// Package browsertest shows pages in Chromium for tests: the report and the live page.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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

// findBrowser returns the path of Chromium. Tests show pages in a real browser, and fail
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

// Main runs the tests of a package, and ends the browser.
func Main(m *testing.M) int {
	code := m.Run()
	if browser.cancel != nil {
		browser.cancel()
	}
	return code
}

// Tab is one page in a browser, with its complaints.
type Tab struct {
	Ctx context.Context

	t *testing.T

	mu         sync.Mutex
	complaints []string // messages of the console, exceptions, addresses outside of the file
}

// Open loads an address into a new tab. Requests for other addresses than those that begin with
// within are complaints, which fail the test at its end.
func Open(t *testing.T, address, within string, scripts bool) *Tab {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser, which make test-all installs")
	}
	ctx, cancel := chromedp.NewContext(startBrowser(t))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	b := &Tab{t: t, Ctx: ctx}
	b.Check(chromedp.Listen(ctx, b.heard(within)))
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
	b.Check(err)
	b.Check(chromedp.Do(ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(address)))
	t.Cleanup(func() {
		for _, text := range b.Complaints() {
			t.Error(text)
		}
	})
	return b
}

// Complaints returns the complaints so far, and forgets them.
func (b *Tab) Complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.complaints
	b.complaints = nil
	return list
}

// heard returns a listener that records events which our pages never cause.
func (b *Tab) heard(within string) func(any) {
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
			if !strings.HasPrefix(e.Request.URL, within) {
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

// Check fails the test on an error.
func (b *Tab) Check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// Do performs actions.
func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.Check(chromedp.Do(b.Ctx, actions...))
}

// Eval returns the value of an expression on the page.
func Eval[T any](b *Tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// Media sets the medium that the page is shown on.
func (b *Tab) Media(kind, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: kind, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	b.Check(err)
}

// OpenAll opens all details.
const OpenAll = `document.querySelectorAll("details").forEach(d => { d.open = true; })`

// Overflowing lists elements that are wider than the window, except those in parts that scroll by
// themselves.
const Overflowing = `(() => {
	const width = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width) return "";
	return "the page is " + document.documentElement.scrollWidth + " wide: " + [...document.querySelectorAll("body *")]
		.filter(e => e.getBoundingClientRect().right > width + 1 && e.checkVisibility() && !e.closest(".links"))
		.slice(0, 5).map(e => e.tagName + "." + e.className + " " + e.getBoundingClientRect().right).join("; ");
})()`

// Contrast lists text with too low a contrast to its background.
const Contrast = `(() => {
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
