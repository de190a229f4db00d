package http

import (
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/program"
)

// inputStandIn replaces the input when an address is checked.
const inputStandIn = "zzz-input"

// filled returns an address with values for port and input.
func filled(written string) string {
	return strings.NewReplacer(portMark, "1", inputMark, inputStandIn).Replace(written)
}

// address reads a valid address.
func address(t *tomldoc.Table, name string) string {
	written := t.Text(name)
	if written == "" {
		return ""
	}
	at := t.ValuePosition(name)
	u, err := url.Parse(filled(written))
	switch {
	case strings.Contains(written, portMark) && !t.Has("start"):
		t.Reportf(at, "%s: %s is the port of a service that parallax starts: add start, or write the port", name, portMark)
	case name == "ready" && program.Place().MatchString(written):
		t.Reportf(at, "ready has no %s: it is asked before there is an input", program.Place().FindString(written))
	case err != nil:
		t.Reportf(at, "%s: %s", name, tomldoc.OneLine(err.Error()))
	case u.Scheme != "http" && u.Scheme != "https":
		t.Reportf(at, `%s = %q: it begins with http:// or https://`, name, written)
	case u.Hostname() == "":
		t.Reportf(at, "%s = %q has no host", name, written)
	case u.User != nil:
		t.Reportf(at, "%s has a password in it: put what the service wants into headers", name)
	case u.Fragment != "":
		t.Reportf(at, "%s = %q: what is behind # is never sent; leave it away", name, written)
	case strings.Contains(u.Host, inputStandIn):
		t.Reportf(at, "%s has the input in the host's place, where it would be sent to others", name)
	default:
		return written
	}
	return ""
}

// headers reads the headers of a request, sorted by name.
func headers(t *tomldoc.Table) []Header {
	var all []Header
	for _, p := range t.Pairs("headers") {
		name := textproto.CanonicalMIMEHeaderKey(p.Key.Text)
		switch {
		case !token().MatchString(p.Key.Text):
			t.Reportf(p.Key.At, "headers: %q is no name of a header", p.Key.Text)
		case name == "Content-Length" || name == "Transfer-Encoding":
			t.Reportf(p.Key.At, "headers: %s follows from the input", name)
		case strings.ContainsAny(p.Value.Text, "\r\n\x00"):
			t.Reportf(p.Value.At, "headers: a value is one line")
		case slices.ContainsFunc(all, func(h Header) bool { return h.Name == name }):
			t.Reportf(p.Key.At, "headers has %s twice", name)
		default:
			all = append(all, Header{name, p.Value.Text})
		}
	}
	slices.SortFunc(all, func(a, b Header) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// parts reads the compared parts of an answer.
func parts(t *tomldoc.Table) []string {
	if !t.Has("value") {
		t.Accept("value")
		return []string{"body"}
	}
	var all []string
	for _, i := range t.Items("value", true) {
		part := i.Text
		if name, ok := strings.CutPrefix(part, "header:"); ok {
			if !token().MatchString(name) {
				t.Reportf(i.At, "value: %q is no name of a header", name)
				continue
			}
			part = "header:" + textproto.CanonicalMIMEHeaderKey(name)
		} else if part == "none" && t.Key("value").Value.Form == tomldoc.TextForm {
			return nil
		} else if part != "status" && part != "body" {
			t.Reportf(i.At, "value = %q: choose status, body and header:Name, or none%s", part, tomldoc.DidYouMean(part, []string{"status", "body", "none"}))
			continue
		}
		if slices.Contains(all, part) {
			t.Reportf(i.At, "value has %s twice", part)
			continue
		}
		all = append(all, part)
	}
	return all
}

// statusForm matches a status code or a class.
var statusForm = lazyregexp.New(`^[1-5](?:[0-9][0-9]|xx)$`)

// Default status codes, as in Config.check.
var usualAccepted, usualRejected = []string{"2xx", "3xx"}, []string{"4xx"}

// statuses reads the statuses of acceptances and rejections. The entry of a code takes precedence
// over that of its class. A status in neither list is a crash. A missing list has the defaults that
// the other does not list.
func statuses(t *tomldoc.Table) (accepted, rejected []string) {
	seen := map[string]string{}
	accepted, rejected = status(t, "accepted", seen), status(t, "rejected", seen)
	usual := func(name string, codes []string) (all []string) {
		for _, code := range codes {
			if !t.Has(name) && seen[code] == "" {
				all = append(all, code)
			}
		}
		return all
	}
	accepted, rejected = append(accepted, usual("accepted", usualAccepted)...), append(rejected, usual("rejected", usualRejected)...)
	if len(accepted)+len(rejected) == 0 && t.IsEmptyList("accepted") && t.IsEmptyList("rejected") {
		t.Reportf(t.ValuePosition("rejected"), "accepted and rejected are empty, so that every answer would be a crash: leave one of them away")
	}
	return accepted, rejected
}

func status(t *tomldoc.Table, name string, seen map[string]string) []string {
	k := t.Find(name)
	if k == nil {
		return nil
	}
	elems := k.Value.Elems
	if k.Value.Form != tomldoc.ArrayForm {
		elems = []*tomldoc.Node{k.Value}
	}
	var all []string
	for _, n := range elems {
		code := strings.ToLower(n.Text)
		switch {
		case n.Form != tomldoc.TextForm && n.Form != tomldoc.IntegerForm || !statusForm().MatchString(code):
			t.Reportf(n.At, `%s has status codes like 200 and classes like "2xx", and here is %s`, name, n.Shown())
		case seen[code] == name:
			t.Reportf(n.At, "%s has %s twice", name, code)
		case seen[code] != "":
			t.Reportf(n.At, "%s is in %s already", code, seen[code])
		default:
			seen[code] = name
			all = append(all, code)
		}
	}
	return all
}
