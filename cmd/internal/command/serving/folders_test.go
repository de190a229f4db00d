package serving

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/serve"
)

// leave adds findings to a campaign, which it makes if it is missing.
func leave(t *testing.T, dir string, ids ...string) {
	t.Helper()
	folder := findingstest.OpenFolder(t, dir)
	defer folder.Close()
	f, problems, err := findings.Load(folder, findingstest.Target(), &accept.File{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, id := range ids {
		found := findingstest.Disagreement(id, id, "input of "+id, id[len(id)-2:])
		if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat, Parent: []byte("parent"), Inputs: 10}); err != nil {
			t.Fatal(err)
		}
	}
}

// read returns the campaigns by id, and checks whether they changed.
func read(t *testing.T, f *folders, changes bool) map[string]*serve.Campaign {
	t.Helper()
	list, changed := f.Read(time.Now().Add(time.Hour)) // later than all recent writes
	if changed != changes {
		t.Errorf("changed: %v, want %v", changed, changes)
	}
	all := map[string]*serve.Campaign{}
	for _, c := range list {
		all[c.ID] = c
	}
	return all
}

func ids(c *serve.Campaign) (list []string) {
	for _, b := range c.Campaign.Summary.Findings.Buckets {
		list = append(list, b.ID)
	}
	return list
}

// TestFolders follows campaigns that appear, grow, are noted, are damaged, come back and vanish.
func TestFolders(t *testing.T) {
	home := t.TempDir()
	f := newFolders([]string{home})
	if all := read(t, f, true); len(all) != 0 {
		t.Errorf("campaigns of an empty folder: %v", all)
	}
	read(t, f, false)
	one := filepath.Join(home, "one")
	leave(t, one, findingstest.FirstID)
	all := read(t, f, true)
	if len(all) != 1 || len(ids(all["one"])) != 1 || all["one"].Running {
		t.Fatalf("%+v", all)
	}
	read(t, f, false)

	leave(t, one, findingstest.ThirdID)
	all = read(t, f, true)
	if got := ids(all["one"]); len(got) != 2 {
		t.Errorf("a new finding: %q", got)
	}
	owner := "ada"
	ctx := context.Background()
	if err := f.Note(ctx, "one", findingstest.ThirdID, history.Entry{Via: "page", Comment: "hello", Owner: &owner, Author: "eve"}); err != nil {
		t.Fatal(err)
	}
	all = read(t, f, true)
	row := &all["one"].Campaign.Summary.Findings.Buckets[1]
	if all["one"].Campaign.Summary.Findings.Buckets[0].ID == findingstest.ThirdID {
		row = &all["one"].Campaign.Summary.Findings.Buckets[0]
	}
	shown, err := all["one"].Finding(row)
	if err != nil || row.Owner != "ada" || len(shown.History) != 1 || shown.History[0].Author != "eve" || !strings.Contains(shown.Issue, "hello") {
		t.Errorf("%v, owner %q, %+v", err, row.Owner, shown.History)
	}
	if data, err := all["one"].Record(findingstest.ThirdID); err != nil || !strings.Contains(string(data), `"comment": "hello"`) {
		t.Errorf("%v: %.300s", err, data)
	}
	for name, err := range map[string]error{
		"no such campaign": f.Note(ctx, "two", findingstest.ThirdID, history.Entry{Comment: "x"}),
		"no such finding":  f.Note(ctx, "one", "ffff", history.Entry{Comment: "x"}),
		"a stranger's":     f.Accept(ctx, "one", findingstest.ThirdID, "ok", "eve"),
	} {
		if exit.Code(err) != exit.UsageCode {
			t.Errorf("%s: %v", name, err)
		}
	}

	config := filepath.Join(one, "campaign.json")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if all = read(t, f, true); all["one"].Problem == "" || len(ids(all["one"])) != 2 {
		t.Errorf("damaged: %q", all["one"].Problem)
	}
	read(t, f, false)
	if err := os.WriteFile(config, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if all = read(t, f, true); all["one"].Problem != "" {
		t.Errorf("repaired: %q", all["one"].Problem)
	}
	broken := filepath.Join(home, "broken")
	if err := os.Mkdir(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "campaign.json"), []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	if all = read(t, f, true); len(all) != 2 || all["broken"].Campaign != nil || all["broken"].Problem == "" {
		t.Errorf("never readable: %+v", all["broken"])
	}
	if err := os.RemoveAll(one); err != nil {
		t.Fatal(err)
	}
	if all = read(t, f, true); len(all) != 1 || all["one"] != nil {
		t.Errorf("vanished: %v", all)
	}
	leave(t, one, findingstest.SecondID)
	if all = read(t, f, true); len(ids(all["one"])) != 1 {
		t.Errorf("back: %v", all)
	}
}

// TestRunning checks that a campaign runs as long as its process has the folder.
func TestRunning(t *testing.T) {
	home := t.TempDir()
	folder := findingstest.OpenFolder(t, filepath.Join(home, "one"))
	f := newFolders([]string{home, home})
	if all := read(t, f, true); len(all) != 1 || !all["one"].Running {
		t.Errorf("%+v", all)
	}
	folder.Close()
	if all := read(t, f, true); all["one"].Running {
		t.Error("it still runs")
	}
}

// TestSameNames checks that campaigns in folders of one name have ids of their own, which stay.
func TestSameNames(t *testing.T) {
	home := t.TempDir()
	var dirs []string
	for _, name := range []string{"a", "b"} {
		dirs = append(dirs, filepath.Join(home, name))
		leave(t, filepath.Join(home, name, ".parallax", "one+two"), findingstest.FirstID)
	}
	f := newFolders(dirs)
	first := read(t, f, true)
	if len(first) != 2 {
		t.Fatalf("%v", first)
	}
	for id := range read(t, newFolders([]string{dirs[1], dirs[0]}), true) {
		if first[id] == nil || !strings.HasPrefix(id, "one+two-") {
			t.Errorf("%q is not there again", id)
		}
	}
}

// TestOptions checks the mistakes of the command line.
func TestOptions(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(secret, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		name string
		o    Options
		code int
		text string
	}{
		{"no port", Options{Listen: "localhost"}, exit.UsageCode, "host and a port"},
		{"all addresses without token", Options{Listen: ":0"}, exit.UsageCode, "--token-file"},
		{"another address without token", Options{Listen: "192.0.2.1:80"}, exit.UsageCode, "--token-file"},
		{"a taken address", Options{Listen: taken.Addr().String()}, exit.InfraCode, "in use"},
		{"no such folder", Options{Listen: "127.0.0.1:0", Dirs: []string{"/no/such"}}, exit.UsageCode, "no such folder"},
		{"no folder", Options{Listen: "127.0.0.1:0", Dirs: []string{secret}}, exit.UsageCode, "is a file"},
		{"a short token", Options{Listen: "127.0.0.1:0", TokenFile: os.DevNull}, exit.UsageCode, "token"},
	} {
		err := c.o.page(context.Background(), newFolders(c.o.Dirs))
		if exit.Code(err) != c.code || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	o := Options{Listen: "127.0.0.1:0", TokenFile: secret}
	l, token, err := o.listen()
	if err != nil || token != "0123456789abcdef" || len(hosts(l)) != 4 {
		t.Fatalf("%q, %v", token, err)
	}
	l.Close()
	o = Options{Listen: ":0", TokenFile: secret}
	if l, _, err = o.listen(); err != nil || hosts(l) != nil {
		t.Fatalf("all addresses: %v", err)
	}
	l.Close()
	hub := Options{Listen: taken.Addr().String(), Hub: "nowhere", Dir: t.TempDir()}
	if err := Run(hub); exit.Code(err) != exit.UsageCode {
		t.Errorf("a hub without an address: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o = Options{Listen: "127.0.0.1:0", Dirs: []string{t.TempDir()}}
	if err := o.page(ctx, newFolders(o.Dirs)); err != nil {
		t.Errorf("ended: %v", err)
	}
}
