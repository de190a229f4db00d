package serve

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/show/page"
)

const (
	html = "text/html; charset=utf-8"
	api  = "/api" // before the addresses of twins
)

// isTwin reports whether a request is for JSON.
func isTwin(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, api+"/") }

// routes returns the handler of all views. Each view is also there as JSON, below /api.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for path, view := range map[string]http.HandlerFunc{
		"/{$}":                        s.overview,
		"/c/{campaign}":               s.campaign,
		"/c/{campaign}/coverage":      s.coverage,
		"/c/{campaign}/source":        s.source,
		"/c/{campaign}/inputs/{hash}": s.input,
		"/findings":                   s.findings,
		"/c/{campaign}/f/{bucket}":    s.finding,
	} {
		mux.HandleFunc("GET "+path, view)
		mux.HandleFunc("GET "+api+path, view)
	}
	for path, change := range map[string]http.HandlerFunc{
		"/c/{campaign}/f/{bucket}/note":   s.note,
		"/c/{campaign}/f/{bucket}/accept": s.accept,
	} {
		mux.HandleFunc("POST "+path, change)
		mux.HandleFunc("POST "+api+path, change)
	}
	mux.HandleFunc("GET /c/{campaign}/inputs", s.inputs)
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("/login", s.login)
	mux.Handle("GET /metrics", s.metrics())
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, http.StatusNotFound, "There is no view at this address.")
	})
	return s.guard(mux)
}

// site returns the parts that all views of a request have in common.
func (s *Server) site(r *http.Request) page.Site {
	_, state, _ := s.state()
	site := page.Site{Tool: s.o.Version, State: state, Signed: s.signed(r)}
	if s.o.Open || site.Signed {
		site.Events = "/events"
	}
	return site
}

// view writes a view as JSON or as a page. twin is the document, or nil if document makes it.
func (s *Server) view(w http.ResponseWriter, r *http.Request, twin func() ([]byte, error), write func(w io.Writer, site page.Site) error) {
	if isTwin(r) {
		data, err := twin()
		if err != nil {
			s.fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(data)
		return
	}
	site := s.site(r)
	site.Twin = (&url.URL{Path: api + r.URL.Path, RawQuery: r.URL.RawQuery}).String()
	var b bytes.Buffer
	if err := write(&b, site); err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", html)
	_, _ = b.WriteTo(w)
}

// refuse answers with a message.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, code int, text string) {
	if isTwin(r) {
		data, err := finding.JSON(Refusal{Version: finding.Version, Error: text})
		if err != nil {
			data = nil
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = w.Write(data)
		return
	}
	w.Header().Set("Content-Type", html)
	w.WriteHeader(code)
	_ = page.WriteMessage(w, s.site(r), http.StatusText(code), text)
}

// fail answers with an error. A mistake of the visitor has another status than a failure of the
// machine.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := http.StatusInternalServerError
	if exit.Code(err) == exit.UsageCode {
		code = http.StatusBadRequest
	}
	s.refuse(w, r, code, err.Error())
}

func (s *Server) overview(w http.ResponseWriter, r *http.Request) {
	list, _, _ := s.state()
	s.view(w, r, func() ([]byte, error) { return finding.JSON(overviewOf(list)) }, func(w io.Writer, site page.Site) error {
		var members []*page.Member
		for _, c := range list {
			members = append(members, &c.Member)
		}
		return page.WriteOverview(w, site, members)
	})
}

// chosen returns the campaign of a request, or answers that there is none.
func (s *Server) chosen(w http.ResponseWriter, r *http.Request) *Campaign {
	list, _, _ := s.state()
	c := find(list, r.PathValue("campaign"))
	switch {
	case c == nil:
		s.refuse(w, r, http.StatusNotFound, fmt.Sprintf("There is no campaign %q. Its folder may have been removed.", r.PathValue("campaign")))
		return nil
	case c.Campaign == nil:
		s.refuse(w, r, http.StatusNotFound, "The folder of this campaign cannot be read: "+c.Problem)
		return nil
	}
	return c
}

func (s *Server) campaign(w http.ResponseWriter, r *http.Request) {
	c := s.chosen(w, r)
	if c == nil {
		return
	}
	span, err := parseSpan(r.URL.Query())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.view(w, r, func() ([]byte, error) { return finding.JSON(campaignOf(c, span)) }, func(w io.Writer, site page.Site) error {
		return page.WriteCampaign(w, site, &c.Member, span)
	})
}

func (s *Server) coverage(w http.ResponseWriter, r *http.Request) {
	if c := s.chosen(w, r); c != nil {
		s.view(w, r, func() ([]byte, error) { return finding.JSON(coveredOf(c)) }, func(w io.Writer, site page.Site) error {
			return page.WriteCoverage(w, site, &c.Member)
		})
	}
}

func (s *Server) source(w http.ResponseWriter, r *http.Request) {
	c := s.chosen(w, r)
	if c == nil {
		return
	}
	l := page.NewListing(&c.Member, r.URL.Query().Get("file"))
	if l == nil {
		s.refuse(w, r, http.StatusNotFound, fmt.Sprintf("The campaign has no counted file %q.", r.URL.Query().Get("file")))
		return
	}
	s.view(w, r, func() ([]byte, error) { return finding.JSON(sourceOf(c, l)) }, func(w io.Writer, site page.Site) error {
		return page.WriteListing(w, site, &c.Member, l)
	})
}

// inputs leads to the input that the form of a campaign names.
func (s *Server) inputs(w http.ResponseWriter, r *http.Request) {
	if c := s.chosen(w, r); c != nil {
		http.Redirect(w, r, c.InputTo(strings.TrimSpace(r.URL.Query().Get("hash"))), http.StatusSeeOther)
	}
}

func (s *Server) input(w http.ResponseWriter, r *http.Request) {
	c := s.chosen(w, r)
	if c == nil {
		return
	}
	hash := r.PathValue("hash")
	var o *page.Origin
	err := error(exit.Usage("No folder here has the campaign."))
	if c.Input != nil {
		o, err = c.Input(hash)
	}
	if err != nil {
		s.refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	s.view(w, r, func() ([]byte, error) { return finding.JSON(inputOf(c, hash, o)) }, func(w io.Writer, site page.Site) error {
		return page.WriteOrigin(w, site, &c.Member, hash, o)
	})
}

func (s *Server) findings(w http.ResponseWriter, r *http.Request) {
	list, _, _ := s.state()
	q, err := parseQuery(r.URL.Query(), s.o.Now())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	found := q.find(list)
	s.view(w, r, func() ([]byte, error) { return finding.JSON(q.document(found)) }, func(w io.Writer, site page.Site) error {
		return page.WriteList(w, site, q.view(list, found))
	})
}

// chosenRow returns the finding of a request, with its campaign. It answers the request and returns
// nil if there is none.
func (s *Server) chosenRow(w http.ResponseWriter, r *http.Request) (c *Campaign, row *finding.Row) {
	if c = s.chosen(w, r); c == nil {
		return nil, nil
	}
	if row = c.row(r.PathValue("bucket")); row == nil {
		s.refuse(w, r, http.StatusNotFound, fmt.Sprintf("There is no finding %q in this campaign.", r.PathValue("bucket")))
	}
	return c, row
}

func (s *Server) finding(w http.ResponseWriter, r *http.Request) {
	c, row := s.chosenRow(w, r)
	if row == nil {
		return
	}
	s.view(w, r, func() ([]byte, error) { return c.Record(row.ID) }, func(w io.Writer, site page.Site) error {
		f, err := c.Finding(row)
		if err != nil {
			return err
		}
		return page.WriteFinding(w, site, &c.Member, &f)
	})
}

// note records what the form of a finding says.
func (s *Server) note(w http.ResponseWriter, r *http.Request) {
	s.change(w, r, func(c *Campaign, row *finding.Row) error {
		e := history.Entry{Via: "page", Author: author(r), Comment: strings.TrimSpace(form(r, "comment")), State: history.State(form(r, "state"))}
		for _, field := range []struct {
			name, was string
			to        **string
		}{{"owner", row.Owner, &e.Owner}, {"link", row.Link, &e.Link}} {
			if value := strings.TrimSpace(form(r, field.name)); r.PostForm.Has(field.name) && value != field.was {
				*field.to = &value
			}
		}
		if e.Empty() {
			return exit.Usage("Nothing changed: write a comment, or change the owner, the issue or the state.")
		}
		return s.o.Source.Note(r.Context(), c.ID, row.ID, e)
	})
}

func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	s.change(w, r, func(c *Campaign, row *finding.Row) error {
		reason := strings.TrimSpace(form(r, "reason"))
		if reason == "" {
			return exit.Usage("Accepting needs a reason for later readers.")
		}
		return s.o.Source.Accept(r.Context(), c.ID, row.ID, reason, author(r))
	})
}

// author returns the name that the visitor gives. The token belongs to all visitors.
func author(r *http.Request) string {
	return cmp.Or(strings.TrimSpace(form(r, "author")), "a visitor")
}

// form returns a field of a form, with lines as a file has them.
func form(r *http.Request, name string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(r.PostFormValue(name), "\r\n", "\n"), "")
}

// change makes a change of a finding, and shows the finding.
func (s *Server) change(w http.ResponseWriter, r *http.Request, make func(c *Campaign, row *finding.Row) error) {
	c, row := s.chosenRow(w, r)
	if row == nil {
		return
	}
	if c.Hub {
		s.refuse(w, r, http.StatusBadRequest, "No folder here has this finding: note and accept it on a machine whose campaign has joined.")
		return
	}
	if err := r.ParseForm(); err != nil {
		s.refuse(w, r, http.StatusBadRequest, "The form cannot be read: "+err.Error())
		return
	}
	if err := make(c, row); err != nil {
		s.fail(w, r, err)
		return
	}
	s.refresh()
	to := c.FindingTo(row.ID)
	if isTwin(r) {
		to = api + to
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}
