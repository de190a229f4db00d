package serving

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/exchange"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/serve"
	"parallax/cmd/internal/show/page"
	"parallax/internal/atomicfile"
)

// noticeboard is a board of a test.
type noticeboard struct {
	list  []exchange.Gathering
	stamp string
}

func (n *noticeboard) Read(time.Time) ([]exchange.Gathering, string) { return n.list, n.stamp }

// gathering returns a campaign at a hub with two members. One of them is lost.
func gathering(key string) exchange.Gathering {
	at := func(seconds int) time.Time { return time.Date(2026, 1, 2, 3, 4, 5+seconds, 0, time.UTC) }
	read := func(seconds int, inputs uint64, covered int) exchange.Reading {
		return exchange.Reading{At: at(seconds), Sample: sample.Sample{Elapsed: float64(100 + seconds), Inputs: inputs, Executions: 2 * inputs, Covered: []int{covered}}}
	}
	return exchange.Gathering{
		Key: key, About: exchange.Presence{Target: "a+b", Mode: "diff", Programs: []string{"a", "b"}, Shape: "(string)"}, Inputs: 12, Waiting: 3,
		Members: []exchange.Attendance{
			{Name: "m1", Last: at(20), Samples: []exchange.Reading{read(0, 1000, 5), read(10, 1100, 7), read(20, 1300, 8)}},
			{Name: "m2", State: exchange.Lost, Last: at(5), Samples: []exchange.Reading{read(5, 50, 9)}},
		},
		Finds: []exchange.Find{{Bucket: "abc", Kind: "discrepancy", Location: "x.go:3", Outcomes: map[string]string{"a": "accepted", "b": "rejected"}, Input: []byte("in\xff"), Member: "m1", At: at(3)}},
	}
}

// TestMeeting checks that a page of a hub has its campaigns: those of folders with their members,
// and others without a folder.
func TestMeeting(t *testing.T) {
	home := t.TempDir()
	leave(t, filepath.Join(home, "one"), findingstest.FirstID)
	board := &noticeboard{}
	m := &meeting{folders: newFolders([]string{home}), board: board}
	all := func(changes bool) map[string]*serve.Campaign {
		t.Helper()
		list, changed := m.Read(time.Now().Add(time.Hour))
		if changed != changes {
			t.Errorf("changed: %v", changed)
		}
		found := map[string]*serve.Campaign{}
		for _, c := range list {
			found[c.ID] = c
		}
		return found
	}
	if got := all(true); len(got) != 1 {
		t.Fatalf("%v", got)
	}
	all(false)
	folder, err := state.OpenExisting(atomicfile.OS, filepath.Join(home, "one"))
	if err != nil {
		t.Fatal(err)
	}
	board.list, board.stamp = []exchange.Gathering{gathering(folder.Config().Identity.Key()), gathering("00aa")}, "2"
	got := all(true)
	one, hub := got["one"], got["hub-00aa"]
	if len(got) != 2 || one == nil || hub == nil || one.Hub || !hub.Hub || len(one.Joined) != 2 || one.Joined[1].State != page.JoinedLost || !hub.Running || hub.Waiting != 3 {
		t.Fatalf("%+v", got)
	}
	all(false)
	s := hub.Campaign.Summary
	if s.Target != "a+b" || s.Inputs != 1350 || s.Corpus.Size != 12 || s.Open() != 1 || s.Coverage[0].Covered != 9 || hub.Joined[0].Rate != 40 {
		t.Errorf("%+v", s)
	}
	if n := len(hub.Campaign.Samples); n != 3 || hub.Campaign.Samples[n-1].Executions != 600 || hub.Campaign.Samples[1].Covered[0] != 9 {
		t.Errorf("%+v", hub.Campaign.Samples)
	}
	row := &s.Findings.Buckets[0]
	shown, err := hub.Finding(row)
	if err != nil || row.State != string(history.New) || row.FirstSeenTime != "2026-01-02T03:04:08Z" || len(shown.Record.Programs) != 2 || shown.Record.Shape.String() != "(string)" {
		t.Errorf("%+v, %v", shown, err)
	}
	data, err := hub.Record("abc")
	if err != nil || !json.Valid(data) || !strings.Contains(string(data), `in\\xff`) {
		t.Errorf("%v: %s", err, data)
	}
	if err := m.Note(context.Background(), "hub-00aa", "abc", history.Entry{Comment: "x"}); err == nil {
		t.Error("a note on a finding without a folder")
	}
	board.list[1].About, board.list[1].Members, board.stamp = exchange.Presence{}, nil, "3"
	c := all(true)["hub-00aa"]
	if c.Running || c.Campaign.Summary.Target != "campaign 00aa" || len(c.Campaign.Summary.Programs) != 2 {
		t.Errorf("without members: %+v", c.Campaign.Summary)
	}
}
