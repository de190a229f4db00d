package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/page"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// nasty has ends of elements, attributes, comments, templates, escapes of terminals and bytes that
// are no text.
const nasty = "</script></style></title><!--<img src=x onerror=\"document.title='broken'\">\"'`{{.}}\x00\x1b[31m\xff\xc3\u202e\u2028${alert(1)}javascript:alert(1)"

const token = "0123456789abcdef"

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// memory is a source without folders.
type memory struct {
	mu      sync.Mutex
	list    []*Campaign
	changed bool
	logs    map[string]history.Log // by finding
}

func (m *memory) Read(time.Time) ([]*Campaign, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	changed := m.changed
	m.changed = false
	return m.list, changed
}

// set replaces the campaigns.
func (m *memory) set(list ...*Campaign) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list, m.changed = list, true
}

func (m *memory) Note(_ context.Context, campaign, bucket string, e history.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.State == history.Accepted {
		return exit.Usage("a note accepts nothing")
	}
	if err := e.Check(); err != nil {
		return err
	}
	m.logs[bucket] = append(m.logs[bucket], e)
	m.changed = true
	return nil
}

func (m *memory) Accept(_ context.Context, campaign, bucket, reason, author string) error {
	if reason == "fail" {
		return errors.New("the disk is full")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logs[bucket] = append(m.logs[bucket], history.Entry{Version: 1, Via: "page", State: history.Accepted, Reason: reason, Author: author})
	m.changed = true
	return nil
}

// campaign returns a campaign with findings that have text in all fields.
func (m *memory) campaign(id, text string, findings int) *Campaign {
	c := &page.Campaign{
		Summary: &finding.Summary{
			Mode: "diff", Target: id + text, Programs: []string{"a" + text, "b"}, Inputs: 1234, Executions: 2468, ElapsedSeconds: 61.5, ExecutionsPerSecond: 40,
			Corpus: finding.Corpus{Size: 3, Bytes: 99}, Coverage: []finding.Coverage{{Program: "a" + text, Blocks: 6, Covered: 5}, {Program: "b", Blocks: 6}}, Notes: []string{text},
			Restarts: 2,
		},
		Folder: ".parallax/" + text, Dir: "/src", Programs: []page.Program{{Name: "a" + text, Function: "p.A" + text}, {Name: "b"}}, Settings: []page.Setting{{Name: "guidance", Value: text}},
	}
	for i := range 30 {
		c.Samples = append(c.Samples, sample.Sample{
			Elapsed: float64(i) * 2, Inputs: uint64(i) * 40, Executions: uint64(i) * 80, Corpus: min(i, 3), Buckets: i / 10, Covered: []int{min(i, 5), 0},
			Diversity: sample.Diversity{{Key: "coarse", N: uint64(i)}},
		})
	}
	records := map[string]*finding.Finding{}
	for i := range findings {
		r := record(text, i)
		row := r.Summarize()
		row.Count, row.FirstSeen, row.LastSeen = uint64(i+1), uint64(1000-i%100), 5000
		row.FirstSeenTime = now.Add(-time.Duration(i) * time.Hour).Format(time.RFC3339)
		row.State, row.Owner = string([]history.State{history.New, history.Confirmed, history.Fixed, history.Again}[i%4]), text
		if i%7 == 6 {
			row.Accepted, row.Reason, row.State = true, text, string(history.Accepted)
		}
		c.Summary.Findings.Buckets = append(c.Summary.Findings.Buckets, row)
		records[r.Bucket] = r
	}
	joined := []page.Joined{
		{Name: "m1" + text, State: page.JoinedUp, Last: now, Build: "b" + text, Inputs: 7, Rate: 3},
		{Name: "m2", State: page.JoinedLost, Last: now.Add(-time.Hour)}, {Name: "m3", State: page.JoinedLeft, Last: now},
	}
	return &Campaign{
		Member: page.Member{
			ID: id, Folder: ".parallax/" + text, Campaign: c, Running: true, Waiting: 4, Workers: 2, Joined: joined,
			Lines: func() (*page.Coverage, string) { return lines(text), "" },
		},
		Input: func(hash string) (*page.Origin, error) {
			if hash != inputHash {
				return nil, exit.Usage("The corpus has no input %q.", hash)
			}
			return &page.Origin{Input: text + "input", Size: 5, Inputs: 99, New: text, Member: text, Ancestors: []page.Ancestor{
				{Hash: hash, Input: text, Operators: []string{"flip" + text}}, {Hash: "1", Input: text, From: text, Seed: true},
			}}, nil
		},
		Finding: func(row *finding.Row) (page.Shown, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			own := history.Entry{Version: 1, Time: "2026-01-01T10:00:00Z", Author: text, Comment: text, Link: &text, Owner: &text, State: history.Fixed, Revision: text}
			return page.Shown{
				Entry:     finding.Entry{Row: *row, Record: records[row.ID], Page: finding.Page{Folder: "f" + text, Reproducer: "package x // " + text, GoMod: "module x"}},
				Issue:     "# An issue\n" + text,
				Ancestors: []page.Ancestor{{Hash: text, Input: text, Operators: []string{text, text}}, {Hash: "1", Input: text, From: text, Seed: true}},
				History:   append(history.Log{own}, m.logs[row.ID]...),
			}, nil
		},
		Record: func(bucket string) ([]byte, error) { return records[bucket].JSON() },
	}
}

// inputHash is the hash of an input of each campaign.
const inputHash = "0123456789abcdef"

// sourcePath is a source file that the page can read.
var sourcePath = filepath.Join(build.Default.GOROOT, "src", "strings", "search.go")

// lines returns the coverage of a file of GOROOT, and of one that is missing.
func lines(text string) *page.Coverage {
	hit := func(traces int) []page.Hit { return []page.Hit{{Traces: traces, Ever: true}, {}} }
	return &page.Coverage{Files: []page.File{
		{Folder: "p" + text, Name: "a.go" + text, Path: "/src/a.go" + text, Owners: []bool{true, true}, Blocks: []page.Block{{Kind: "entry", Line: 3, EndLine: 5, Hits: hit(4)}}},
		{Folder: "strings", Name: "search.go", Path: sourcePath, Owners: []bool{true, false}, Blocks: []page.Block{
			{Kind: "entry", Line: 48, EndLine: 52, Hits: hit(1234)}, {Kind: "join", Line: 54, EndLine: 54, Hits: hit(7)}, {Kind: "body", Line: 59, EndLine: 59, Hits: []page.Hit{{}, {}}},
		}},
	}}
}

func record(text string, i int) *finding.Finding {
	kind, layer := "discrepancy", "value"
	a := finding.Program{Name: "a" + text, Detail: oracle.Detail{Outcome: "accepted", Value: text + "1"}, Deciding: fmt.Sprintf("p%d.go:7", i%3)}
	b := finding.Program{Name: "b", Detail: oracle.Detail{Outcome: "accepted", Value: text + "2"}}
	if i%3 == 2 {
		kind, layer = "crash", ""
		b.Detail, b.Message = oracle.Detail{Outcome: "crashed"}, "panic: "+text
	}
	shape := input.Shape{input.String}
	flat, err := shape.Pack(fmt.Sprintf("input %d%s", i, text))
	if err != nil {
		panic(err)
	}
	return &finding.Finding{
		Bucket: fmt.Sprintf("%012x", 0xabc000+i), Kind: kind, Layer: layer, Target: "t" + text, Shape: shape, Programs: []finding.Program{a, b}, Input: flat, Minimized: flat,
		Location: fmt.Sprintf("/src/p%d.go:7", i%3), Count: uint64(i + 1), Replay: "parallax replay " + text,
	}
}

// server returns a server with a campaign "one" with findings.
func server(t testing.TB, text string, findings int) (*memory, *Server) {
	t.Helper()
	m := &memory{logs: map[string]history.Log{}}
	m.set(m.campaign("one", text, findings))
	return m, New(Options{Source: m, Version: "v1" + text, Token: token, Open: true, Hosts: []string{"127.0.0.1:7780", "localhost:7780"}, Now: func() time.Time { return now }})
}

// request is a request to a server, and what the answer should be.
type request struct {
	name    string
	method  string // empty means GET
	path    string
	form    url.Values
	headers map[string]string
	host    string // empty means that of the page
	cookie  *http.Cookie
	code    int
	has     []string // parts of the body
	lacks   []string
}

// answer performs a request, and checks the answer.
func (r *request) answer(t *testing.T, s http.Handler) *httptest.ResponseRecorder {
	t.Helper()
	method := r.method
	if method == "" {
		method = http.MethodGet
	}
	q := httptest.NewRequest(method, r.path, strings.NewReader(r.form.Encode()))
	q.Host = "127.0.0.1:7780"
	if r.host != "" {
		q.Host = r.host
	}
	if r.form != nil {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for key, value := range r.headers {
		q.Header.Set(key, value)
	}
	if r.cookie != nil {
		q.AddCookie(r.cookie)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, q)
	if w.Code != r.code {
		t.Errorf("%s: %s %s is %d, want %d: %.300s", r.name, method, r.path, w.Code, r.code, w.Body)
	}
	for _, part := range r.has {
		if !bytes.Contains(w.Body.Bytes(), []byte(part)) {
			t.Errorf("%s: %s lacks %q: %.2000s", r.name, r.path, part, w.Body)
		}
	}
	for _, part := range r.lacks {
		if bytes.Contains(w.Body.Bytes(), []byte(part)) {
			t.Errorf("%s: %s has %q", r.name, r.path, part)
		}
	}
	return w
}

func note(text string) history.Entry { return history.Entry{Version: 1, Comment: text, Author: "eve"} }
