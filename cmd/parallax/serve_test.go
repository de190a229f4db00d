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

	"github.com/nats-io/nats-server/v2/server"

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

	page := servePage(t, u, out)
	address, token, get := page.address, page.token, page.get
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

// livePage is a live page in a process of its own.
type livePage struct {
	t              *testing.T
	address, token string
}

// servePage starts a live page.
func servePage(t *testing.T, u *tool, args ...string) *livePage {
	t.Helper()
	c := u.command(t, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	lines, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	p := &livePage{t: t}
	for s := bufio.NewScanner(lines); p.token == "" && s.Scan(); {
		if m := regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/login#(\S+)`).FindStringSubmatch(s.Text()); m != nil {
			p.address, p.token = m[1], m[2]
		}
	}
	return p
}

func (p *livePage) get(path string) []byte {
	p.t.Helper()
	answer, err := http.Get(p.address + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: %s, %v, %s", path, answer.Status, err, data)
	}
	return data
}

// TestServeCluster shows the campaigns that joined at a NATS server of the user, which is no hub of
// parallax.
func TestServeCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a campaign")
	}
	const token = "token-of-a-user"
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token, JetStream: true, StoreDir: t.TempDir(), NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	join := "nats://" + token + "@" + s.Addr().String()
	u := newTool(t)
	page := servePage(t, u, "--join", join, t.TempDir()) // before any campaign
	u.diffIn(t, filepath.Join(t.TempDir(), "campaign"), []string{"html.EscapeString", "html.UnescapeString"}, "--parallel", "1", "--fuzztime", "1000x", "--join", join).exits(t, 1)
	var o serve.Overview
	for range 600 {
		if err := json.Unmarshal(page.get("/api/"), &o); err != nil {
			t.Fatal(err)
		}
		if len(o.Campaigns) == 1 && o.Campaigns[0].Findings > 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if len(o.Campaigns) != 1 || o.Campaigns[0].Findings == 0 {
		t.Fatalf("the page shows %+v", o.Campaigns)
	}
	if text := string(page.get("/c/" + o.Campaigns[0].ID)); !strings.Contains(text, "EscapeString") {
		t.Errorf("the page of the campaign: %.300s", text)
	}
	u.run(t, "serve", "--join", "nats://"+s.Addr().String(), "--listen", "127.0.0.1:0").exits(t, 4) // without the token
	u.run(t, "serve", "--join", join, "--hub", "127.0.0.1:0", "--dir", "hub").exits(t, 2)
}
