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

// Config describes a program of kind http.
type Config struct {
	Name string // of the program in the target

	// URL is the target of requests. The input is the body or, if the URL has {input},
	// percent-encoded in its place. {port} is a free port of this machine, for a service with
	// Start.
	URL     string
	Method  string   // empty means POST, or GET with {input} in the URL
	Headers []Header // of every request; Host sets the requested host

	// Value lists the compared parts of an acceptance, a line each: "status", "body",
	// "header:NAME". If empty, only the verdict counts.
	Value []string
	// Accepted and Rejected list codes and classes ("200", "2xx") of acceptances and rejections:
	// 2xx and 3xx, and 4xx, if both are empty. All other answers are crashes. 429, and 503 with
	// Retry-After, are not answers, unless the code itself is listed.
	Accepted, Rejected []string

	Rate    float64 // requests per second; 0 means no limit
	Retries int     // retries of an input, and of waits, if the service does not answer
	Limits  limits.Limits

	// the command of the service, if parallax starts it; {port} as in URL, also in $PORT
	Start []string
	Dir   string // its working folder
	// its whole environment, except PORT, and TMPDIR and HOME, which default to a private folder
	Env program.Environ
	// a URL that answers with 2xx when the service is ready; empty means a connection suffices
	Ready string
	// StartTimeout limits the start of the service. Zero means 30 seconds.
	StartTimeout time.Duration

	Tool    string // the parallax executable, for the service's sandbox
	TempDir string // parent of the sandbox's folders
}

// Header is a header line of a request.
type Header struct{ Name, Value string }

const (
	inputMark = "{input}"
	portMark  = "{port}"

	startTimeout = 30 * time.Second
)

// check sets defaults, and reports invalid settings.
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

// Check reports invalid settings before anything is started. Open does so, too.
func (c Config) Check() error { return c.check() }

var token = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") // RFC 9110, section 5.6.2

// headerValue reports whether text is valid in a header: no control characters except tabs (RFC
// 9110, section 5.5).
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
	// The host must not depend on the input.
	for _, input := range []string{"a", "b:1/"} {
		if v, err := url.Parse(fillURL(text, []byte(input), 1)); err != nil || v.Host != u.Host && strings.Contains(text, inputMark) {
			return fmt.Errorf("%s: %q: the input can be in the path or the query only", key, text)
		}
	}
	return nil
}

// fillURL inserts the input and the port into a URL.
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

// outcome returns the outcome of an answer's status. A listed code takes precedence over its class.
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

// listed reports whether the code itself is listed.
func (c *Config) listed(status int) bool {
	exact := strconv.Itoa(status)
	return slices.Contains(c.Accepted, exact) || slices.Contains(c.Rejected, exact)
}

func (c *Config) failure(code int, hint, format string, args ...any) *program.Failure {
	return &program.Failure{Program: c.Name, Code: code, What: fmt.Sprintf(format, args...), Hint: hint}
}

// usage returns a failure for an error in the configuration.
func (c *Config) usage(err error) *program.Failure {
	return c.failure(exit.UsageCode, "", "%v", err)
}

// Curl returns a command line that sends an input as the executor does. file has the input, if it
// is the body. A service that parallax starts must already run at port.
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
		// curl would add a content type, which the executor does not.
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
