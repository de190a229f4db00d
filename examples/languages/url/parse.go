// Package url is net/url next to the URL parsers of other languages: parallax.toml lists them.
package url

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
)

// address is the part of a URL that a client uses: the server to which it connects, and the
// request.
type address struct {
	Scheme string `json:"scheme"`
	Host   string `json:"host"`
	Port   string `json:"port"`
	Path   string `json:"path"`
	Query  string `json:"query"`
}

var ports = map[string]string{"http": "80", "https": "443"}

// Parse is net/url.Parse for URLs of http and https.
func Parse(text string) ([]byte, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	port, ok := ports[u.Scheme]
	if !ok || u.Hostname() == "" {
		return nil, errors.New("no URL of http or https with a host")
	}
	if u.Port() != "" {
		port = cmp.Or(strings.TrimLeft(u.Port(), "0"), "0")
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	return json.Marshal(address{u.Scheme, strings.ToLower(u.Hostname()), port, path, u.RawQuery})
}
