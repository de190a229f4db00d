// Package url asks three libraries where a URL leads. The input is the authority of an http URL,
// the part between // and /. It has letters, digits and .-_:@[]%. The standards differ on most
// other characters, which are excluded. The value has the parts that a connection needs: host and
// port.
package url

import (
	"errors"
	"net/netip"
	std "net/url"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/valyala/fasthttp"

	"delta/codes"
)

var (
	errCharacter = errors.New("a character that is not asked about")
	errHost      = errors.New("no host")
)

// Std reads with net/url.
func Std(s string) (string, error) {
	u, err := std.Parse("http://" + s + "/")
	if err != nil {
		return "", err
	}
	return where(s, u.Hostname(), u.Port())
}

// Whatwg reads with github.com/nlnwa/whatwg-url, which follows the URL standard of browsers.
func Whatwg(s string) (string, error) {
	u, err := whatwg.Parse("http://" + s + "/")
	if err != nil {
		return "", codes.Before(err, ". Url: ", ", Cause: ")
	}
	return where(s, u.Hostname(), u.Port())
}

// Fasthttp reads with github.com/valyala/fasthttp.
func Fasthttp(s string) (string, error) {
	var u fasthttp.URI
	if err := u.Parse(nil, []byte("http://"+s+"/")); err != nil {
		return "", err
	}
	host, port := split(string(u.Host()))
	return where(s, host, port)
}

// split separates the port from a host. The port is the part after the last colon, unless that is
// in brackets.
func split(s string) (host, port string) {
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// where is the value: without regard to letter case, brackets, the port that http has anyway, and
// how an IP address is written.
func where(authority, host, port string) (string, error) {
	for i := range len(authority) {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:@[]%", rune(authority[i])) {
			return "", errCharacter
		}
	}
	if host == "" {
		return "", errHost
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	if a, err := netip.ParseAddr(host); err == nil {
		host = a.String()
	}
	if port == "80" {
		port = ""
	}
	return host + " " + port, nil
}
