package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/serve"
)

// TestServe follows a campaign with the live page while the campaign runs, is commented, is killed
// and runs again.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a campaign")
	}
	u := newTool(t)
	out := filepath.Join(t.TempDir(), "campaign")
	c := u.start(t, out, []string{"html.EscapeString", "html.UnescapeString"}, "--parallel", "1")
	c.await(t, "discrepancy", "")

	page := u.command(t, "serve", "--listen", "127.0.0.1:0", out)
	lines, err := page.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := page.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { page.Process.Kill(); page.Wait() })
	address, token := "", ""
	for s := bufio.NewScanner(lines); token == "" && s.Scan(); {
		if m := regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/login#(\S+)`).FindStringSubmatch(s.Text()); m != nil {
			address, token = m[1], m[2]
		}
	}
	get := func(path string) []byte {
		t.Helper()
		answer, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v, %s", path, answer.Status, err, data)
		}
		return data
	}
	// until waits for a state of the campaign.
	until := func(what string, holds func(b *serve.Brief) bool) {
		t.Helper()
		for range 600 {
			var o serve.Overview
			if err := json.Unmarshal(get("/api/"), &o); err != nil || len(o.Campaigns) != 1 {
				t.Fatal(err, len(o.Campaigns))
			}
			if holds(&o.Campaigns[0]) {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("it is never %s: %s", what, get("/api/"))
	}
	until("running", func(b *serve.Brief) bool { return b.Running && b.Findings > 0 && b.Inputs > 0 })
	for _, path := range []string{"/", "/c/campaign", "/findings", "/metrics"} {
		if text := string(get(path)); !strings.Contains(text, "campaign") {
			t.Errorf("%s: %.300s", path, text)
		}
	}
	var list serve.List
	if err := json.Unmarshal(get("/api/findings"), &list); err != nil || len(list.Findings) == 0 {
		t.Fatal(err)
	}
	at := "/c/campaign/f/" + list.Findings[0].Finding.ID
	form := url.Values{"comment": {"seen while it runs"}, "state": {"confirmed"}, "author": {"ada"}}
	q, err := http.NewRequest(http.MethodPost, address+at+"/note", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(q)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(err, answer)
	}
	answer.Body.Close()
	if text := string(get(at)); !strings.Contains(text, "seen while it runs") || !strings.Contains(text, "ada by page") {
		t.Error("the view of the finding lacks the comment")
	}

	kill(t, c.pid)
	c.wait(t)
	until("ended", func(b *serve.Brief) bool { return !b.Running })
	u.diffIn(t, out, []string{"html.EscapeString", "html.UnescapeString"}, "--parallel", "1", "--fuzztime", "100x").exits(t, 1)
	text := u.command(t, "show", "--campaign", out, "--json", list.Findings[0].Finding.ID)
	text.Dir = filepath.Dir(out)
	if data, err := text.Output(); err != nil || !strings.Contains(string(data), "seen while it runs") {
		t.Errorf("the comment is lost: %v\n%.300s", err, data)
	}
}
