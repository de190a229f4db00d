package serve

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"parallax/cmd/internal/base/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// web serves a server at an address of its own.
func web(t *testing.T, text string, findings int) (m *memory, s *Server, address string) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser, which make test-all installs")
	}
	m, s = server(t, text, findings)
	w := httptest.NewServer(s)
	t.Cleanup(func() {
		w.CloseClientConnections() // the events
		w.Close()
	})
	at, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.o.Hosts = []string{at.Host}
	return m, s, w.URL
}

// eventually waits until an expression holds: a browser has its own time.
func eventually(t *testing.T, b *browsertest.Tab, expression string) {
	t.Helper()
	for range 500 {
		if browsertest.Eval[bool](b, "Boolean("+expression+")") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("it does not become true: %s", expression)
}

// login logs in by the address that the command prints.
func login(t *testing.T, b *browsertest.Tab, address string) {
	t.Helper()
	b.Do(chromedp.Navigate(address + "/login#" + token))
	eventually(t, b, `location.pathname === "/"`)
}

// TestBrowserWidths checks that all views fit narrow and wide screens, in plain and hostile
// campaigns, and that their text is readable in both color schemes.
func TestBrowserWidths(t *testing.T) {
	for name, text := range map[string]string{"plain": "", "long": strings.Repeat("long", 60), "hostile": nasty} {
		t.Run(name, func(t *testing.T) {
			_, _, address := web(t, text, 60)
			b := browsertest.Open(t, address+"/", address, true)
			login(t, b, address)
			for path := range views {
				b.Do(chromedp.Navigate(address + path))
				browsertest.Eval[any](b, browsertest.OpenAll)
				for _, width := range []int64{390, 1280} {
					b.Do(chromedp.EmulateViewport(width, 900))
					if wrong := browsertest.Eval[string](b, browsertest.Overflowing); wrong != "" {
						t.Errorf("%s at %d pixels: %s", path, width, wrong)
					}
				}
				for _, scheme := range []string{"light", "dark"} {
					b.Media("screen", scheme)
					for _, wrong := range browsertest.Eval[[]string](b, browsertest.Contrast) {
						t.Errorf("%s, %s: %s", path, scheme, wrong)
					}
				}
				if title := browsertest.Eval[string](b, "document.title"); title == "broken" {
					t.Errorf("%s runs what a campaign said", path)
				}
			}
		})
	}
}

// TestBrowserFollows checks that a view changes with its campaign, and keeps what the user opened,
// typed and focused.
func TestBrowserFollows(t *testing.T) {
	m, s, address := web(t, "", 3)
	b := browsertest.Open(t, address+"/", address, true)
	eventually(t, b, `document.querySelector("#live").textContent === "live"`)
	m.set(m.campaign("one", "", 5), m.campaign("two", "", 1))
	s.refresh()
	eventually(t, b, `document.querySelector("h1").textContent === "2 campaigns"`)

	b.Do(chromedp.Navigate(address + onePath))
	eventually(t, b, `document.querySelector("#live").textContent === "live"`)
	browsertest.Eval[any](b, `document.querySelector("#one details summary").click()`)
	browsertest.Eval[any](b, `document.querySelector("#one details summary").focus()`)
	name := browsertest.Eval[string](b, `document.activeElement.textContent`)
	m.logs["000000abc001"] = append(m.logs["000000abc001"], note("it changed"))
	m.set(m.list...)
	s.refresh()
	eventually(t, b, `document.querySelector(".history").textContent.includes("it changed")`)
	if !browsertest.Eval[bool](b, `document.querySelector("#one details").open`) || browsertest.Eval[string](b, `document.activeElement.textContent`) != name {
		t.Error("it forgets what is open, or where the keys go")
	}
}

// TestBrowserKeys checks that a finding is found, commented and accepted with keys only.
func TestBrowserKeys(t *testing.T) {
	m, _, address := web(t, "", 60)
	b := browsertest.Open(t, address+"/", address, true)
	login(t, b, address)
	b.Do(chromedp.Navigate(address + "/findings"))
	browsertest.Eval[any](b, `document.querySelector("input[type=search]").focus()`)
	b.Do(chromedp.KeyEvent("abc01d\r"))
	eventually(t, b, `document.querySelectorAll("table.list tbody tr").length === 1`)
	browsertest.Eval[any](b, `document.querySelector("table.list a.id").focus()`)
	b.Do(chromedp.KeyEvent("\r"))
	eventually(t, b, `location.pathname.endsWith("/f/000000abc01d") && document.readyState === "complete"`)
	browsertest.Eval[any](b, `document.querySelector("textarea").focus()`)
	b.Do(chromedp.KeyEvent("seen it\t\t\tbob\t"))
	b.Do(chromedp.KeyEvent("c\t\r")) // the state confirmed, and the button
	eventually(t, b, `document.querySelector(".history") && document.querySelector(".history").textContent.includes("seen it")`)
	m.mu.Lock()
	log := m.logs["000000abc01d"]
	m.mu.Unlock()
	if len(log) != 1 || log[0].Comment != "seen it" || log[0].Author != "bob" || log[0].State != "confirmed" {
		t.Errorf("%+v", log)
	}
}

// TestBrowserZoom checks that keys, dragging and the form choose a part of the time, and that the
// focus stays on the plot.
func TestBrowserZoom(t *testing.T) {
	_, _, address := web(t, "", 3)
	b := browsertest.Open(t, address+"/c/one", address, true)
	const plot = `document.querySelector(".plot svg")`
	span := func(from, end string) {
		t.Helper()
		eventually(t, b, plot+`?.dataset.from === "`+from+`" && `+plot+`?.dataset.end === "`+end+`"`)
	}
	span("0.000", "58.000")
	browsertest.Eval[any](b, plot+`.focus()`)
	b.Do(chromedp.KeyEvent("+"))
	span("14.500", "43.500")
	eventually(t, b, plot+` === document.activeElement`)
	b.Do(chromedp.KeyEvent("-"))
	span("0.000", "58.000")
	b.Do(chromedp.KeyEvent("+"))
	span("14.500", "43.500")
	b.Do(chromedp.KeyEvent("0"))
	span("0.000", "58.000")
	if got := browsertest.Eval[string](b, `location.search`); got != "" {
		t.Errorf("all of the time has the address %q", got)
	}
	browsertest.Eval[any](b, `(() => {
		const svg = `+plot+`, box = svg.getBoundingClientRect();
		const send = (type, part) => svg.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX: box.left + box.width * part, clientY: box.top + 20 }));
		send("pointerdown", 0.5);
		send("pointermove", 0.6);
		send("pointermove", 0.9);
		send("pointerup", 0.9);
	})()`)
	eventually(t, b, `Number(`+plot+`.dataset.from) > 20 && Number(`+plot+`.dataset.end) < 58`)
	eventually(t, b, `document.querySelector("input[name=from]").value !== "" && !document.querySelector(".chosen")`)
	browsertest.Eval[any](b, `history.back()`)
	span("0.000", "58.000")
	b.Do(chromedp.Click(chromedp.CSS("input[name=from]")), chromedp.KeyEvent("10s\t40\r"))
	span("10.000", "40.000")
}

// TestBrowserLines checks that keys lead from a campaign over its files to a line, and from an
// input to its seed.
func TestBrowserLines(t *testing.T) {
	_, _, address := web(t, "", 3)
	b := browsertest.Open(t, address+"/c/one", address, true)
	follow := func(link, then string) {
		t.Helper()
		browsertest.Eval[any](b, `document.querySelector('`+link+`').focus()`)
		b.Do(chromedp.KeyEvent("\r"))
		eventually(t, b, then)
	}
	follow(`a[href$="/coverage"]`, `document.querySelector("#coverage")`)
	follow(`#coverage td a[href*="search.go"]`, `document.querySelector("#source tr:target")`)
	if got := browsertest.Eval[string](b, `document.querySelector("#source tr:target").textContent`); !strings.Contains(got, "7") {
		t.Errorf("the line is %q", got)
	}
	b.Do(chromedp.Navigate(address + "/c/one"))
	b.Do(chromedp.Click(chromedp.CSS("input[name=hash]")), chromedp.KeyEvent(inputHash+"\r"))
	eventually(t, b, `document.querySelector("#origin") && document.querySelector("#origin").textContent.includes("a seed")`)
}

// TestBrowserMany checks that 10,000 findings are on pages of 50.
func TestBrowserMany(t *testing.T) {
	_, _, address := web(t, "", 10_000)
	b := browsertest.Open(t, address+"/findings", address, true)
	if n := browsertest.Eval[int](b, `document.querySelectorAll("table.list tbody tr").length`); n != pageSize {
		t.Errorf("%d rows", n)
	}
	b.Do(chromedp.Navigate(address + fmt.Sprintf("/findings?page=%d", 10_000/pageSize)))
	if got := browsertest.Eval[string](b, `document.querySelector(".pager").textContent`); !strings.Contains(got, "page 200 of 200") {
		t.Errorf("the last page is %q", got)
	}
	b.Do(chromedp.Navigate(address + "/c/one"))
	if n := browsertest.Eval[int](b, `document.querySelectorAll("*").length`); n > 20_000 {
		t.Errorf("the view of the campaign has %d elements", n)
	}
}

// TestBrowserWithoutScripts checks that all views, filters and forms work without JavaScript.
func TestBrowserWithoutScripts(t *testing.T) {
	m, _, address := web(t, "", 60)
	b := browsertest.Open(t, address+"/login", address, false)
	b.Do(chromedp.Click(chromedp.CSS("input[name=token]")), chromedp.KeyEvent(token+"\r"))
	eventually(t, b, `location.pathname === "/"`)
	b.Do(chromedp.Navigate(address + "/findings?kind=crash"))
	b.Do(chromedp.Click(chromedp.CSS("table.list a.id")))
	eventually(t, b, `document.querySelector("#one")`)
	b.Do(chromedp.Click(chromedp.CSS("form[action$='/accept'] input[name=reason]")), chromedp.KeyEvent("intended\r"))
	eventually(t, b, `document.querySelector(".history") && document.querySelector(".history").textContent.includes("intended")`)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.logs) != 1 {
		t.Errorf("%+v", m.logs)
	}
}
