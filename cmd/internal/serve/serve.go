// Package serve serves the live page: the campaigns of folders, their findings, and the life of
// each finding. Package show/page renders the views, and command/serving reads the folders.
//
// Invariants: The folders are the source of truth, and the page keeps nothing of its own. Requests
// see one state of all campaigns, which a goroutine refreshes. A change needs the token, also on
// the loopback address; on other addresses, so does every request. A request for another host is
// refused, since a page elsewhere could have its name lead here. A change from another origin is
// refused. Views load nothing from other hosts, and each has a twin in JSON.
package serve

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/show/page"
)

// Source reads campaigns and changes their findings.
type Source interface {
	// Read returns the campaigns as they are now, and reports if they changed since the last call.
	Read(now time.Time) (list []*Campaign, changed bool)
	// Note appends an entry to the history of a finding.
	Note(ctx context.Context, campaign, bucket string, e history.Entry) error
	// Accept marks a finding as known and intended.
	Accept(ctx context.Context, campaign, bucket, reason, author string) error
}

// Campaign is a campaign with the access to its findings.
type Campaign struct {
	page.Member
	Finding func(row *finding.Row) (page.Shown, error) // reads a finding for the page
	Record  func(bucket string) ([]byte, error)        // reads its record as JSON
	Input   func(hash string) (*page.Origin, error)    // reads an input of the corpus; nil if no folder has the campaign
}

// Options configures a server.
type Options struct {
	Source  Source
	Version string   // of parallax
	Token   string   // permits changes; empty permits none
	Open    bool     // reading needs no token, as on the loopback address
	Hosts   []string // names and ports that requests may give; nil means any
	Now     func() time.Time
}

// Server is the handler of the live page.
type Server struct {
	o    Options
	mux  http.Handler
	boot string // distinguishes the states of this server from those of an earlier one

	listeners atomic.Int64 // open connections for events

	mu      sync.Mutex // guards the fields below
	list    []*Campaign
	version int
	changed chan struct{} // closed with the next change
}

// New returns a server that has read its campaigns once.
func New(o Options) *Server {
	s := &Server{o: o, changed: make(chan struct{}), boot: strconv.FormatInt(o.Now().UnixNano(), 36)}
	s.mux = s.routes()
	s.refresh()
	return s
}

// The folders are read every interval, or less often if reading takes long.
const (
	interval = 2 * time.Second
	rest     = 10 // times as long as the last reading
)

// Run refreshes the campaigns until ctx ends.
func (s *Server) Run(ctx context.Context) {
	for {
		began := time.Now()
		s.refresh()
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(interval, rest*time.Since(began))):
		}
	}
}

// refresh reads the campaigns, and wakes the listeners if they changed.
func (s *Server) refresh() {
	list, changed := s.o.Source.Read(s.o.Now())
	if !changed {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = list
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
}

// state returns the campaigns, the name of their state, and a channel that is closed with the next
// one.
func (s *Server) state() (list []*Campaign, name string, next <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list, s.boot + "." + strconv.Itoa(s.version), s.changed
}

// find returns a campaign by its id, or nil.
func find(list []*Campaign, id string) *Campaign {
	if i := slices.IndexFunc(list, func(c *Campaign) bool { return c.ID == id }); i >= 0 {
		return list[i]
	}
	return nil
}

// row returns a finding of a campaign, or nil.
func (c *Campaign) row(bucket string) *finding.Row {
	if c == nil || c.Campaign == nil {
		return nil
	}
	list := c.Campaign.Summary.Findings.Buckets
	if i := slices.IndexFunc(list, func(b finding.Row) bool { return b.ID == bucket }); i >= 0 {
		return &list[i]
	}
	return nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }
