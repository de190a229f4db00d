// Package webxml reads documents of one type strictly and validates them.
package webxml

import (
	stdxml "encoding/xml"
	"errors"
	"fmt"
	"strings"

	"behaviour/xml"
)

// webApp is a part of a deployment descriptor of servlets.
type webApp struct {
	XMLName  stdxml.Name `xml:"web-app"`
	Version  *float64    `xml:"version,attr"`
	Complete *bool       `xml:"metadata-complete,attr"`
	Name     []string    `xml:"display-name"`
	Context  []param     `xml:"context-param"`
	Filter   []filter    `xml:"filter"`
	Filters  []mapping   `xml:"filter-mapping"`
	Servlet  []servlet   `xml:"servlet"`
	Servlets []mapping   `xml:"servlet-mapping"`
	Session  *session    `xml:"session-config"`
	Mime     []mime      `xml:"mime-mapping"`
	Welcome  *welcome    `xml:"welcome-file-list"`
	Error    []page      `xml:"error-page"`
	xml.Rest
}

type param struct {
	Name  string `xml:"param-name"`
	Value string `xml:"param-value"`
	xml.Rest
}

type filter struct {
	Name  string  `xml:"filter-name"`
	Class string  `xml:"filter-class"`
	Async *bool   `xml:"async-supported"`
	Init  []param `xml:"init-param"`
	xml.Rest
}

type servlet struct {
	Name    string  `xml:"servlet-name"`
	Class   string  `xml:"servlet-class"`
	JSP     string  `xml:"jsp-file"`
	Load    *int    `xml:"load-on-startup"`
	Enabled *bool   `xml:"enabled"`
	Init    []param `xml:"init-param"`
	xml.Rest
}

type mapping struct {
	Filter     string   `xml:"filter-name"`
	Servlet    string   `xml:"servlet-name"`
	URL        []string `xml:"url-pattern"`
	Dispatcher []string `xml:"dispatcher"`
	xml.Rest
}

type session struct {
	Timeout *int     `xml:"session-timeout"`
	Mode    []string `xml:"tracking-mode"`
	xml.Rest
}

type mime struct {
	Extension string `xml:"extension"`
	Type      string `xml:"mime-type"`
	xml.Rest
}

type welcome struct {
	File []string `xml:"welcome-file"`
	xml.Rest
}

type page struct {
	Code     *uint16 `xml:"error-code"`
	Type     string  `xml:"exception-type"`
	Location string  `xml:"location"`
	xml.Rest
}

// accept reads a descriptor strictly and checks what refers to what.
func accept(source string) error {
	var app webApp
	if err := xml.Strict(source, &app); err != nil {
		return err
	}
	filters, servlets := map[string]bool{}, map[string]bool{}
	for _, f := range app.Filter {
		if filters[f.Name] {
			return fmt.Errorf("filter %q twice", f.Name)
		}
		filters[f.Name] = true
	}
	for _, s := range app.Servlet {
		switch {
		case servlets[s.Name]:
			return fmt.Errorf("servlet %q twice", s.Name)
		case s.Class != "" && s.JSP != "":
			return errors.New("a servlet with a class and a page")
		}
		servlets[s.Name] = true
		for _, p := range s.Init {
			if p.Name == "" {
				return errors.New("a parameter without a name")
			}
		}
	}
	for _, m := range app.Filters {
		if !filters[m.Filter] {
			return fmt.Errorf("no filter %q", m.Filter)
		}
		for _, d := range m.Dispatcher {
			switch d {
			case "REQUEST", "FORWARD", "INCLUDE", "ERROR", "ASYNC":
			default:
				return fmt.Errorf("dispatcher %q", d)
			}
		}
	}
	urls := map[string]bool{}
	for _, m := range app.Servlets {
		if !servlets[m.Servlet] {
			return fmt.Errorf("no servlet %q", m.Servlet)
		}
		for _, u := range m.URL {
			if err := pattern(u); err != nil {
				return err
			}
			if urls[u] {
				return fmt.Errorf("%q twice", u)
			}
			urls[u] = true
		}
	}
	for _, p := range app.Error {
		if p.Code != nil && p.Type != "" {
			return errors.New("a page for a code and an exception")
		}
		if p.Code != nil && (*p.Code < 100 || *p.Code > 599) {
			return fmt.Errorf("code %d", *p.Code)
		}
		if p.Location != "" && !strings.HasPrefix(p.Location, "/") {
			return fmt.Errorf("location %q", p.Location)
		}
	}
	return nil
}

// pattern checks a URL pattern (Servlet 6.0, section 12.2).
func pattern(u string) error {
	switch {
	case u == "" || u == "/" || u == "/*":
		return nil
	case strings.HasPrefix(u, "*."):
		if strings.ContainsAny(u[2:], "/*") {
			return fmt.Errorf("pattern %q", u)
		}
		return nil
	case strings.HasPrefix(u, "/"):
		if at := strings.Index(u, "*"); at >= 0 && (at != len(u)-1 || u[at-1] != '/') {
			return fmt.Errorf("pattern %q", u)
		}
		return nil
	}
	return fmt.Errorf("pattern %q", u)
}
