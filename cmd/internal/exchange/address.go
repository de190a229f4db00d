package exchange

import (
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"parallax/cmd/internal/base/exit"
)

// TokenVariable is the environment variable with the token of --join, or with the seed of its NKey.
// Unlike flags, it is in no list of processes.
const TokenVariable = "PARALLAX_JOIN_TOKEN"

// Address is the address of a hub.
type Address struct {
	url        string // without a secret
	user, pass string // user is the token or the seed of an NKey if pass is empty
	host       string // for messages
}

// WithoutToken returns a value of --join that can be shown.
func WithoutToken(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
}

// ParseAddress parses --join. The environment may hold the token instead, and is cleared of it, so
// that no program under test sees it.
func ParseAddress(text string) (*Address, error) {
	token := os.Getenv(TokenVariable)
	os.Unsetenv(TokenVariable)
	u, err := url.Parse(text)
	// The text may hold a token, so that no message repeats it.
	if err != nil || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, exit.Usage("--join: give the address of a hub like nats://HOST:4222 or nats://TOKEN@HOST:4222")
	}
	if u.Scheme != "nats" && u.Scheme != "tls" {
		return nil, exit.Usage("--join: addresses begin with nats:// or tls://, and not with %s://", u.Scheme)
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(strings.Trim(host, "[]"), "4222")
	}
	a := &Address{url: u.Scheme + "://" + host, host: host}
	if u.User != nil {
		a.user = u.User.Username()
		a.pass, _ = u.User.Password()
	}
	if a.user == "" {
		a.user = token
	}
	return a, nil
}

// login returns the option with which a connection identifies itself, or nil.
func (a *Address) login() (nats.Option, error) {
	switch {
	case a.pass != "":
		return nats.UserInfo(a.user, a.pass), nil
	case a.user == "":
		return nil, nil
	}
	pair, err := nkeys.FromSeed([]byte(a.user))
	if err != nil { // it is no seed
		return nats.Token(a.user), nil
	}
	public, err := pair.PublicKey()
	if err != nil || !nkeys.IsValidPublicUserKey(public) {
		return nil, exit.Usage("--join: the NKey is none of a user, whose seed begins with SU")
	}
	return nats.Nkey(public, pair.Sign), nil
}
