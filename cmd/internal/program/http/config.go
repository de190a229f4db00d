package http

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// Config says what a program of kind http is.
type Config struct {
	Name string // of the program in the target

	// URL is where the input goes: as the body or, when it holds {input}, percent-encoded in that place. {port} is a port
	// that is free on this machine, of a service with Start.
	URL     string
	Method  string   // POST without it, and GET with {input} in the URL
	Headers []Header // of every request; Host is the host that is asked for

	// Value is what an acceptance is compared by, a line each: "status", "body", "header:NAME". Without any, the verdict is all.
	Value []string
	// Accepted and Rejected are the codes and classes ("200", "2xx") that are an acceptance and a rejection: 2xx and 3xx,
	// and 4xx, where both are empty. All other answers are crashes. 429, and 503 with Retry-After, are no answer, unless
	// the code itself is listed.
	Accepted, Rejected []string

	Rate    float64 // requests a second, 0 for as many as it takes
	Retries int     // how often an input is sent again, and how often it is waited, when the service does not answer
	Limits  limits.Limits

	Start []string // the command of the service, if parallax starts it; {port} as in URL, which is also $PORT
	Dir   string   // where it is started
	Env   []string // all of its environment, but PORT, and TMPDIR and HOME, which are a private folder unless they are given
	Ready string   // a URL that answers with 2xx when the service is ready; "": it is ready when it can be connected to
	// StartTimeout is how long it may take to be ready; 0 is 30 seconds.
	StartTimeout time.Duration

	Tool    string // the parallax executable, for the sandbox that the service is started in
	TempDir string // where folders of the sandbox are made
}

// Header is a line of a request's head.
type Header struct{ Name, Value string }

const (
	inputMark = "{input}"
	portMark  = "{port}"

	startTimeout = 30 * time.Second
)

// check fills what was left out, and reports what cannot work.
func (c *Config) check() error {
	if c.StartTimeout == 0 {
		c.StartTimeout = startTimeout
	}
	if len(c.Accepted) == 0 && len(c.Rejected) == 0 {
		c.Accepted, c.Rejected = []string{"2xx", "3xx"}, []string{"4xx"}
	}
	inURL := strings.Contains(c.URL, inputMark)
	if c.Method == "" {
		c.Method = http.MethodPost
		if inURL {
			c.Method = http.MethodGet
		}
	}
	if err := checkURL("url", c.URL, c.Start); err != nil {
		return err
	}
	if !inURL && (c.Method == http.MethodGet || c.Method == http.MethodHead) {
		return fmt.Errorf("a request of method %s has no body: put %s into the url where the input belongs, or use POST", c.Method, inputMark)
	}
	if !token().MatchString(c.Method) {
		return fmt.Errorf("%q is no method of HTTP", c.Method)
	}
	for _, h := range c.Headers {
		if !token().MatchString(h.Name) || !headerValue(h.Value) {
			return fmt.Errorf("%q: %q cannot be a header", h.Name, h.Value)
		}
	}
	for _, part := range c.Value {
		name, header := strings.CutPrefix(part, "header:")
		if part != "status" && part != "body" && !(header && token().MatchString(name)) {
			return fmt.Errorf("value: %q is not known: use status, body or header:NAME", part)
		}
	}
	if c.Rate < 0 || c.Retries < 0 || c.StartTimeout < 0 {
		return fmt.Errorf("rate, retries and the time to start cannot be negative")
	}
	if c.Ready != "" {
		if strings.Contains(c.Ready, inputMark) {
			return fmt.Errorf("ready: %s belongs into the url", inputMark)
		}
		if err := checkURL("ready", c.Ready, c.Start); err != nil {
			return err
		}
	}
	return checkCodes(c.Accepted, c.Rejected)
}

// Check reports what in c cannot work, before anything is started. Open does so too.
func (c Config) Check() error { return c.check() }

var token = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") // RFC 9110, section 5.6.2

// headerValue reports whether text can stand in a header: no control characters but tabs (RFC 9110, section 5.5).
func headerValue(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

func checkURL(key, text string, start []string) error {
	if strings.Contains(text, portMark) && len(start) == 0 {
		return fmt.Errorf("%s: %s is the port of a service that parallax starts: add start, or write the port", key, portMark)
	}
	u, err := url.Parse(fillURL(text, nil, 1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", key, err)
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%s: %q: only http and https are spoken", key, text)
	case u.Hostname() == "":
		return fmt.Errorf("%s: %q has no host", key, text)
	case u.Fragment != "" || u.RawFragment != "" || strings.Contains(text, "#"):
		return fmt.Errorf("%s: %q: what follows # is never sent", key, text)
	}
	// The host is what two different inputs leave alone.
	for _, input := range []string{"a", "b:1/"} {
		if v, err := url.Parse(fillURL(text, []byte(input), 1)); err != nil || v.Host != u.Host && strings.Contains(text, inputMark) {
			return fmt.Errorf("%s: %q: the input can be in the path or the query only", key, text)
		}
	}
	return nil
}

// fillURL puts the input and the port into a URL.
func fillURL(text string, input []byte, port int) string {
	text = strings.ReplaceAll(text, portMark, strconv.Itoa(port))
	return strings.ReplaceAll(text, inputMark, percent(input))
}

// percent encodes every byte that is not unreserved (RFC 3986, section 2.3).
func percent(input []byte) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range input {
		switch {
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c == '-', c == '.', c == '_', c == '~':
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

var (
	code  = lazyregexp.New(`^[1-9][0-9][0-9]$`)
	class = lazyregexp.New(`^[1-9]xx$`)
)

func checkCodes(accepted, rejected []string) error {
	for _, list := range [][]string{accepted, rejected} {
		for _, text := range list {
			if !code().MatchString(text) && !class().MatchString(text) {
				return fmt.Errorf("%q is no status: write a code (404) or a class (4xx)", text)
			}
		}
	}
	for _, text := range accepted {
		if slices.Contains(rejected, text) {
			return fmt.Errorf("status %s is both accepted and rejected", text)
		}
	}
	return nil
}

// outcome is what an answer with a status is. A code that is listed itself comes before its class.
func (c *Config) outcome(status int) oracle.Outcome {
	exact := strconv.Itoa(status)
	for _, text := range []string{exact, exact[:1] + "xx"} {
		switch {
		case slices.Contains(c.Accepted, text):
			return oracle.Accepted
		case slices.Contains(c.Rejected, text):
			return oracle.Rejected
		}
	}
	return oracle.Crashed
}

// listed reports whether the code itself is given a meaning.
func (c *Config) listed(status int) bool {
	exact := strconv.Itoa(status)
	return slices.Contains(c.Accepted, exact) || slices.Contains(c.Rejected, exact)
}

func (c *Config) failure(code int, hint, format string, args ...any) *program.Failure {
	return &program.Failure{Program: c.Name, Code: code, What: fmt.Sprintf(format, args...), Hint: hint}
}

// usage is a failure that the configuration is to blame for.
func (c *Config) usage(err error) *program.Failure {
	return c.failure(exit.UsageCode, "", "%v", err)
}

// Curl is a command line that sends an input as the executor does; file is where the input is, for inputs that are the
// body. A service that parallax starts is started before, and port is what it listens on.
func (c Config) Curl(input []byte, file string, port int) (string, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "curl -sS -i --path-as-is --noproxy '*' --max-time %g -X %s", max(c.Limits.Timeout.Seconds(), 1), shell.Quote(c.Method))
	if !hasHeader(c.Headers, "User-Agent") {
		b.WriteString(" -A parallax")
	}
	for _, h := range c.Headers {
		fmt.Fprintf(&b, " -H %s", shell.Quote(h.Name+": "+h.Value))
	}
	if !strings.Contains(c.URL, inputMark) {
		// curl would add a type of its own, which the executor does not.
		if !hasHeader(c.Headers, "Content-Type") {
			b.WriteString(" -H 'Content-Type:'")
		}
		fmt.Fprintf(&b, " -H 'Expect:' --data-binary @%s", shell.Quote(file))
	}
	fmt.Fprintf(&b, " %s\n", shell.Quote(fillURL(c.URL, input, port)))
	return b.String(), nil
}

func hasHeader(headers []Header, name string) bool {
	return slices.ContainsFunc(headers, func(h Header) bool { return strings.EqualFold(h.Name, name) })
}
