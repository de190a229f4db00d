package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"parallax/cmd/internal/show/page"
	"parallax/schema"
)

const (
	onePath  = "/c/one/f/000000abc001"
	notePath = onePath + "/note"
)

var bearer = map[string]string{"Authorization": "Bearer " + token}

// views are the addresses of all views, with their schemas.
var views = map[string]string{
	"/": "live-overview", "/c/one": "live-campaign", "/findings": "live-findings", "/findings?state=open&sort=newest&kind=crash": "live-findings", onePath: "finding",
	"/c/one?from=10s&to=40": "live-campaign", "/c/one/coverage": "live-coverage", "/c/one/source?file=" + url.QueryEscape(sourcePath): "live-file", "/c/one/inputs/" + inputHash: "live-input",
}

// TestGuard checks who may read and change: the token, the host, and the origin of a request.
func TestGuard(t *testing.T) {
	_, s := server(t, "", 3)
	comment := url.Values{"comment": {"hello"}}
	name, value := s.cookie()
	pass := &http.Cookie{Name: name, Value: value}
	for _, r := range []request{
		{name: "reading", path: "/", code: 200, has: []string{"1 campaign"}},
		{name: "reading as localhost", path: "/", host: "localhost:7780", code: 200},
		{name: "another host", path: "/", host: "evil.example", code: 421, lacks: []string{"campaign\"", "abc001"}},
		{name: "another port", path: "/", host: "127.0.0.1:80", code: 421},
		{name: "a name that leads here", path: "/api/", host: "rebound.example:7780", code: 421},
		{name: "a change without token", method: "POST", path: notePath, form: comment, code: 401},
		{name: "a change with a wrong token", method: "POST", path: notePath, form: comment, headers: map[string]string{"Authorization": "Bearer no"}, code: 401},
		{name: "a change with a wrong cookie", method: "POST", path: notePath, form: comment, cookie: &http.Cookie{Name: name, Value: token}, code: 401},
		{name: "a change with the token", method: "POST", path: notePath, form: comment, headers: bearer, code: 303},
		{name: "a change with the cookie", method: "POST", path: notePath, form: comment, cookie: pass, code: 303},
		{name: "from this site", method: "POST", path: notePath, form: comment, cookie: pass, headers: map[string]string{"Origin": "http://127.0.0.1:7780"}, code: 303},
		{name: "from another site", method: "POST", path: notePath, form: comment, cookie: pass, headers: map[string]string{"Origin": "http://evil.example"}, code: 403},
		{name: "from another port", method: "POST", path: notePath, form: comment, cookie: pass, headers: map[string]string{"Origin": "http://127.0.0.1:7781"}, code: 403},
		{name: "from a file", method: "POST", path: notePath, form: comment, cookie: pass, headers: map[string]string{"Origin": "null"}, code: 403},
		{name: "as the browser says", method: "POST", path: notePath, form: comment, cookie: pass, headers: map[string]string{"Sec-Fetch-Site": "cross-site"}, code: 403},
		{name: "even with the token", method: "POST", path: notePath, form: comment, headers: map[string]string{"Authorization": "Bearer " + token, "Origin": "http://evil.example"}, code: 403},
		{name: "changing by reading", path: notePath, code: 404},
		{name: "a method without a view", method: "DELETE", path: onePath, headers: bearer, code: 404},
		{name: "a large body", method: "POST", path: notePath, form: url.Values{"comment": {strings.Repeat("x", maxBody)}}, headers: bearer, code: 400},
		{name: "no such campaign", path: "/c/two", code: 404, has: []string{"no campaign"}},
		{name: "no such finding", path: "/c/one/f/zzz", code: 404, has: []string{"no finding"}},
		{name: "no such view", path: "/etc/passwd", code: 404},
		{name: "no such twin", path: "/api/x", code: 404, has: []string{`"error"`}},
		{name: "up the tree", path: "/c/..%2f..%2fetc%2fpasswd", code: 404},
	} {
		w := r.answer(t, s)
		if got := w.Header().Get("Content-Security-Policy"); got != page.LivePolicy() || !strings.Contains(got, "default-src 'none'") || strings.Contains(got, "unsafe") {
			t.Errorf("%s: the policy is %q", r.name, got)
		}
		for key, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store"} {
			if got := w.Header().Get(key); got != want {
				t.Errorf("%s: %s is %q", r.name, key, got)
			}
		}
	}
}

// TestGuardOfOtherAddresses checks that all requests need the token if other machines reach the
// page.
func TestGuardOfOtherAddresses(t *testing.T) {
	m, _ := server(t, "", 3)
	m.changed = true
	s := New(Options{Source: m, Token: token, Now: func() time.Time { return now }})
	for path := range views {
		(&request{name: "without", path: path, host: "anything.example", code: 401, lacks: []string{"abc00"}}).answer(t, s)
		(&request{name: "twin without", path: "/api" + path, code: 401, has: []string{`"error"`}, lacks: []string{"abc00"}}).answer(t, s)
		(&request{name: "with", path: path, headers: bearer, code: 200}).answer(t, s)
	}
	(&request{name: "metrics", path: "/metrics", code: 401}).answer(t, s)
	(&request{name: "events", path: "/events", code: 401}).answer(t, s)
	(&request{name: "form", path: "/login", code: 200, has: []string{"token"}, lacks: []string{token}}).answer(t, s)
	(&request{name: "wrong", method: "POST", path: "/login", form: url.Values{"token": {"no"}}, code: 403}).answer(t, s)
	w := (&request{name: "right", method: "POST", path: "/login", form: url.Values{"token": {token}}, code: 303}).answer(t, s)
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Value == token {
		t.Fatalf("cookies %v", cookies)
	}
	(&request{name: "with the cookie", path: "/", cookie: cookies[0], code: 200}).answer(t, s)
	none := New(Options{Source: m, Open: true, Now: func() time.Time { return now }})
	(&request{name: "a page without token", method: "POST", path: notePath, form: url.Values{"comment": {"x"}}, headers: map[string]string{"Authorization": "Bearer "}, code: 401}).answer(t, none)
}

// TestChanges checks the forms of a finding, and the messages for mistakes.
func TestChanges(t *testing.T) {
	m, s := server(t, "", 3)
	for _, r := range []request{
		{name: "a comment", path: notePath, form: url.Values{"comment": {"one\r\ntwo"}, "owner": {"ada"}, "author": {"eve"}, "state": {"confirmed"}, "link": {""}}, code: 303},
		{name: "nothing", path: notePath, form: url.Values{"comment": {" "}}, code: 400, has: []string{"Nothing changed"}},
		{name: "no state", path: notePath, form: url.Values{"state": {"done"}}, code: 400, has: []string{"no state"}},
		{name: "a script", path: notePath, form: url.Values{"link": {"javascript:alert(1)"}}, code: 400, has: []string{"no address"}, lacks: []string{`href="javascript`}},
		{name: "accepted by a note", path: notePath, form: url.Values{"state": {"accepted"}}, code: 400},
		{name: "accepted", path: onePath + "/accept", form: url.Values{"reason": {"intended"}}, code: 303},
		{name: "without reason", path: onePath + "/accept", form: url.Values{"reason": {" "}}, code: 400, has: []string{"needs a reason"}},
		{name: "a full disk", path: onePath + "/accept", form: url.Values{"reason": {"fail"}}, code: 500, has: []string{"disk is full"}},
		{name: "a twin", path: "/api" + notePath, form: url.Values{"comment": {"x"}}, code: 303},
		{name: "a mistake of a twin", path: "/api" + notePath, form: url.Values{}, code: 400, has: []string{`"error": "Nothing changed`}},
	} {
		r.method, r.headers = "POST", bearer
		w := r.answer(t, s)
		if to := w.Header().Get("Location"); w.Code == 303 && to != onePath && to != "/api"+onePath {
			t.Errorf("%s: leads to %q", r.name, to)
		}
	}
	log := m.logs["000000abc001"]
	if len(log) != 3 || log[0].Comment != "one\ntwo" || *log[0].Owner != "ada" || log[0].Link != nil || log[0].Author != "eve" || log[0].Via != "page" || log[1].Reason != "intended" {
		t.Errorf("%+v", log)
	}
	(&request{name: "history", path: onePath, headers: bearer, code: 200, has: []string{"eve by page", "confirmed", "two", "back to a seed: 2 inputs"}}).answer(t, s)
}

// TestHostile checks that content of campaigns stays text in all views.
func TestHostile(t *testing.T) {
	_, s := server(t, nasty, 12)
	for path := range views {
		for _, signed := range []map[string]string{nil, bearer} {
			text := (&request{path: path, headers: signed, code: 200}).answer(t, s).Body.String()
			if !utf8.ValidString(text) {
				t.Errorf("%s is not UTF-8", path)
			}
			for _, r := range text {
				if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2028' {
					t.Errorf("%U is in %s", r, path)
					break
				}
			}
			body := text[strings.Index(text, "<body"):strings.LastIndex(text, "<script>")]
			for _, tag := range []string{"<script", "<img", "<iframe", "<object", "<!--", "<style", "<base"} {
				if strings.Contains(body, tag) {
					t.Errorf("%s has %s", path, tag)
				}
			}
			for _, m := range regexp.MustCompile(`(?:href|action)="([^"]*)"`).FindAllStringSubmatch(body, -1) {
				if !strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], "#") {
					t.Errorf("%s leads to %q", path, m[1])
				}
			}
			for _, m := range regexp.MustCompile(`(?i)<[a-z][^>]*\s(on[a-z]+|src|srcset|style)\s*=`).FindAllString(regexp.MustCompile(`"[^"]*"`).ReplaceAllString(body, `""`), -1) {
				t.Errorf("%s: attribute in %s", path, m)
			}
		}
	}
	for _, path := range []string{"/c/" + url.PathEscape(nasty), "/findings?q=" + url.QueryEscape(nasty) + "&place=" + url.QueryEscape(nasty) + "&program=" + url.QueryEscape(nasty), "/findings?sort=" + url.QueryEscape(nasty)} {
		w := httptest.NewRecorder()
		q := httptest.NewRequest("GET", path, nil)
		q.Host = "localhost:7780"
		s.ServeHTTP(w, q)
		if text := w.Body.String(); strings.Contains(text, "<img") || strings.Contains(text, "\x1b") || !utf8.ValidString(text) {
			t.Errorf("%s comes back as it is", path)
		}
	}
}

// TestTwins checks that each view has a twin in JSON, of its schema, to which it links.
func TestTwins(t *testing.T) {
	for _, text := range []string{"", nasty} {
		_, s := server(t, text, 60)
		for path, name := range views {
			data := (&request{path: "/api" + path, code: 200}).answer(t, s).Body.Bytes()
			if err := validate(name, data); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			view := (&request{path: path, code: 200}).answer(t, s).Body.String()
			if link := `<link rel="alternate" type="application/json" href="/api` + strings.ReplaceAll(path, "&", "&amp;") + `">`; !strings.Contains(view, link) {
				t.Errorf("%s does not link to its twin: %s", path, link)
			}
		}
	}
}

func validate(name string, data []byte) error {
	text, ok := schema.Find(name)
	if !ok {
		return fmt.Errorf("there is no schema %s", name)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	return resolved.Validate(doc)
}

// TestList checks the filters, the orders and the pages of the list of findings.
func TestList(t *testing.T) {
	m, s := server(t, "", 120)
	m.set(m.list[0], m.campaign("two", "", 5))
	s.refresh()
	ids := func(query string) (total int, list []string) {
		t.Helper()
		var doc List
		if err := json.Unmarshal((&request{path: "/api/findings?" + query, code: 200}).answer(t, s).Body.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		for _, f := range doc.Findings {
			list = append(list, f.Campaign+" "+f.Finding.ID[9:])
		}
		return doc.Total, list
	}
	for _, c := range []struct {
		query string
		total int
		first string
		shown int
	}{
		{"", 125, "one 000", 50},
		{"page=2", 125, "", 50},
		{"page=3", 125, "", 25},
		{"page=4", 125, "", 0},
		{"campaign=two", 5, "two 000", 5},
		{"campaign=two&kind=crash", 1, "two 002", 1},
		{"state=confirmed", 27, "one 001", 27},
		{"state=open&campaign=two", 4, "two 000", 4},
		{"place=p1.go", 42, "one 001", 42},
		{"program=nobody", 0, "", 0},
		{"program=b&q=INPUT+11", 12, "", 12},
		{"age=24h", 30, "one 000", 30},
		{"sort=count", 125, "one 077", 50},
		{"sort=kind&campaign=two", 5, "two 002", 5},
		{"q=" + url.QueryEscape("nothing at all"), 0, "", 0},
	} {
		total, list := ids(c.query)
		if total != c.total || len(list) != c.shown || c.first != "" && (len(list) == 0 || list[0] != c.first) {
			t.Errorf("%q: %d in all, %d shown, %.3q", c.query, total, len(list), list)
		}
	}
	for _, query := range []string{"page=0", "page=x", "sort=x", "age=x", "age=-1h"} {
		(&request{path: "/findings?" + query, code: 400}).answer(t, s)
	}
	(&request{path: "/findings?state=open&page=2", code: 200, has: []string{`rel="prev" href="/findings?state=open"`, "page 2 of"}}).answer(t, s)
	(&request{path: "/findings", code: 200, has: []string{`rel="next" href="/findings?page=2"`, "125 findings, 1 to 50"}}).answer(t, s)
}

// TestFolders checks views of campaigns that cannot be read, that end, and that vanish.
func TestFolders(t *testing.T) {
	m, s := server(t, "", 3)
	one := m.list[0]
	broken := &Campaign{Member: page.Member{ID: "broken", Problem: "campaign.json is corrupt"}}
	ended := *one
	ended.ID, ended.Running, ended.Problem = "ended", false, "a file is damaged"
	m.set(one, broken, &ended)
	s.refresh()
	(&request{path: "/", code: 200, has: []string{"3 campaigns", "campaign.json is corrupt", "running", "ended", "not readable"}}).answer(t, s)
	(&request{path: "/c/broken", code: 404, has: []string{"corrupt"}}).answer(t, s)
	(&request{path: "/api/c/broken", code: 404, has: []string{"corrupt"}}).answer(t, s)
	(&request{path: "/c/ended", code: 200, has: []string{"a file is damaged"}}).answer(t, s)
	(&request{path: "/metrics", code: 200, has: []string{`parallax_campaign_readable{campaign="broken"} 0`, `parallax_campaign_running{campaign="one"} 1`, `parallax_findings{campaign="one",state="confirmed"} 1`, "parallax_inputs_total"}}).answer(t, s)
	m.set()
	s.refresh()
	(&request{path: "/", code: 200, has: []string{"No campaigns yet"}}).answer(t, s)
	(&request{path: "/c/one", code: 404}).answer(t, s)
	(&request{path: onePath, code: 404}).answer(t, s)
	(&request{path: "/api/", code: 200, has: []string{`"campaigns": []`}}).answer(t, s)
}

// TestMetricsOfHostileNames checks that names do not break the metrics.
func TestMetricsOfHostileNames(t *testing.T) {
	_, s := server(t, nasty, 3)
	text := (&request{path: "/metrics", code: 200, has: []string{"parallax_blocks{"}}).answer(t, s).Body.String()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "parallax_") {
			t.Errorf("%q is no metric", line)
		}
	}
}

// TestEvents checks that a listener gets the state, and each later one.
func TestEvents(t *testing.T) {
	m, s := server(t, "", 1)
	s.o.Hosts = nil
	web := httptest.NewServer(s)
	defer web.Close()
	answer, err := web.Client().Get(web.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
	lines := bufio.NewScanner(answer.Body)
	next := func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		t.Fatal(lines.Err())
		return ""
	}
	first := next()
	m.set(m.list...)
	s.refresh()
	if second := next(); second == first {
		t.Errorf("twice %q", first)
	}
	s.refresh() // nothing changed
	m.set()
	s.refresh()
	if third := next(); !strings.HasSuffix(third, ".3") {
		t.Errorf("the third is %q", third)
	}
}
