// Package url reads an absolute URL with a host with four libraries behind one signature. The value is what a connection needs:
// scheme, host and port. What they say about the rest of it is not compared.
package url

import (
	"errors"
	"net/netip"
	std "net/url"
	"strings"

	"github.com/fredbi/uri"
	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/valyala/fasthttp"
)

var errRelative = errors.New("no scheme or no host")

// Std reads with net/url.
func Std(s string) (string, error) {
	u, err := std.Parse(s)
	if err != nil {
		return "", err
	}
	return where(u.Scheme, u.Hostname(), u.Port())
}

// Whatwg reads with github.com/nlnwa/whatwg-url, which follows the URL standard of browsers.
func Whatwg(s string) (string, error) {
	u, err := whatwg.Parse(s)
	if err != nil {
		return "", err
	}
	return where(u.Scheme(), u.Hostname(), u.Port())
}

// Fredbi reads with github.com/fredbi/uri, which follows RFC 3986.
func Fredbi(s string) (string, error) {
	u, err := uri.Parse(s)
	if err != nil {
		return "", err
	}
	return where(u.Scheme(), u.Authority().Host(), u.Authority().Port())
}

// Fasthttp reads with github.com/valyala/fasthttp.
func Fasthttp(s string) (string, error) {
	var u fasthttp.URI
	if err := u.Parse(nil, []byte(s)); err != nil {
		return "", err
	}
	host, port := split(string(u.Host()))
	return where(string(u.Scheme()), host, port)
}

// split takes the port off a host: what follows the last colon, unless that stands in brackets.
func split(s string) (host, port string) {
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// ports are those that need not be written.
var ports = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

// where is the value: without regard to letter case, brackets, a port that is the scheme's own, and how an IP address is written.
func where(scheme, host, port string) (string, error) {
	if scheme == "" || host == "" {
		return "", errRelative
	}
	scheme = strings.ToLower(scheme)
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	if a, err := netip.ParseAddr(host); err == nil {
		host = a.String()
	}
	if port == ports[scheme] {
		port = ""
	}
	return scheme + " " + host + " " + port, nil
}
