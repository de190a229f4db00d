package http

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"

	"parallax/internal/oracle"

	"parallax/cmd/internal/program"
)

// fault is the reason why a request has no usable answer.
type fault int

const (
	none        fault = iota
	unreachable       // no connection: unrelated to the input
	dropped           // a connection closed or reset before the first byte of an answer
	broken            // an answer that is not HTTP, or ends early
	slow              // no complete answer within the limit
	misfit            // different protocols, or an invalid certificate
)

// answer is the result of one request.
type answer struct {
	fault  fault
	err    error // of a fault
	status int
	header http.Header
	body   []byte // reused by the next request
	flood  bool   // the body exceeds the limit, and is cut
	last   bool   // the service asks to close the connection
}

// newTransport returns a transport for HTTP/1.1 on one persistent connection, directly to the
// service.
func newTransport(u *unsolicited) *http.Transport {
	return &http.Transport{
		Proxy:       nil,
		DialContext: u.dial,
		// The value would lose an encoding that the transport undoes.
		DisableCompression:     true,
		MaxIdleConns:           1,
		MaxIdleConnsPerHost:    1,
		MaxConnsPerHost:        1,
		MaxResponseHeaderBytes: 1 << 20,
		// Not nil, to exclude HTTP/2, whose faults concern streams and not connections.
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
	}
}

// request returns the request for an input.
func (e *Executor) request(ctx context.Context, input []byte) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if !strings.Contains(e.c.URL, inputMark) {
		body = bytes.NewReader(input)
	}
	return e.newRequest(ctx, e.c.Method, fillURL(e.c.URL, input, e.port), body)
}

func (e *Executor) newRequest(ctx context.Context, method, url string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "parallax")
	req.Close = e.apart
	for _, h := range e.c.Headers {
		if strings.EqualFold(h.Name, "Host") {
			req.Host = h.Value
			continue
		}
		req.Header.Set(h.Name, h.Value)
	}
	return req, nil
}

// maker creates a request.
type maker func(context.Context) (*http.Request, error)

// exchange sends one request, as fast as the rate permits, and reads the answer. The error is
// ctx's, or that of an invalid request.
func (e *Executor) exchange(ctx context.Context, make maker) (answer, error) {
	if err := e.pace.wait(ctx, e.clock); err != nil {
		return answer{}, err
	}
	e.distrust()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if e.c.Limits.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, e.c.Limits.Timeout)
	}
	defer cancel()

	// The transport repeats a request if a kept connection turns out to be closed. The last one
	// counts.
	var connected, wrote, answered atomic.Bool
	req, err := make(httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteRequest:         func(httptrace.WroteRequestInfo) { wrote.Store(true) },
		GotFirstResponseByte: func() { answered.Store(true) },
	}))
	if err != nil {
		return answer{}, e.c.usage(err)
	}
	e.unasked.waiting.Store(true)
	a := e.roundTrip(req)
	if a.fault == none {
		// The transport keeps the connection only after a complete request and answer.
		e.unasked.waiting.Store(a.flood || a.last || !wrote.Load())
		return a, nil
	}
	if ctx.Err() != nil {
		return answer{}, ctx.Err()
	}
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(a.err, &cert), errors.As(a.err, &record), !connected.Load() && strings.Contains(a.err.Error(), "tls: "):
		a.fault = misfit
	case !connected.Load():
		a.fault = unreachable
	case limited.Err() != nil:
		a.fault = slow
	case !answered.Load():
		a.fault = dropped
	default:
		a.fault = broken
	}
	return a, nil
}

// roundTrip sends a request. The caller determines the kind of fault: any but none.
func (e *Executor) roundTrip(req *http.Request) answer {
	resp, err := e.transport.RoundTrip(req)
	if err != nil {
		return answer{fault: broken, err: err}
	}
	defer resp.Body.Close()
	e.body.Reset()
	body := io.Reader(resp.Body)
	limit := e.c.Limits.Output
	if limit > 0 {
		body = io.LimitReader(body, int64(limit)+1)
	}
	if _, err := e.body.ReadFrom(body); err != nil {
		return answer{fault: broken, err: fmt.Errorf("the answer with status %d ends early: %w", resp.StatusCode, err)}
	}
	a := answer{status: resp.StatusCode, header: resp.Header, body: e.body.Bytes(), last: resp.Close}
	if limit > 0 && len(a.body) > limit {
		a.flood, a.body = true, a.body[:limit]
	}
	return a
}

// observe turns an answer into an observation.
func (e *Executor) observe(a *answer, o *program.Observation) {
	o.Outcome = e.c.outcome(a.status)
	switch {
	case a.flood:
		o.Outcome = oracle.Crashed
		o.Message = fmt.Sprintf("output flood: a body of more than %d bytes", e.c.Limits.Output)
	case o.Outcome == oracle.Accepted:
		o.Value = e.value(o.Value[:0], a)
		return
	case o.Outcome == oracle.Rejected:
		o.Message = fmt.Sprintf("status %d", a.status)
		if line := firstLine(a.body); line != "" {
			o.Message += ": " + line
		}
	default:
		o.Message = fmt.Sprintf("status %d", a.status)
	}
	o.Detail = describe(a)
}

// value appends the compared parts, a line each.
func (e *Executor) value(to []byte, a *answer) []byte {
	for i, part := range e.c.Value {
		if i > 0 {
			to = append(to, '\n')
		}
		switch part {
		case "status":
			to = fmt.Appendf(to, "%d", a.status)
		case "body":
			to = append(to, a.body...)
		default:
			name := strings.TrimPrefix(part, "header:")
			to = append(to, name+": "+strings.Join(a.header.Values(name), ", ")...)
		}
	}
	return to
}

const longestDetail = 4096

// describe formats an answer for people.
func describe(a *answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s\n", a.status, http.StatusText(a.status))
	a.header.Write(&b) // sorted by name
	b.WriteByte('\n')
	body := a.body[:min(len(a.body), longestDetail)]
	b.Write(bytes.ToValidUTF8(body, []byte("\uFFFD")))
	if len(body) < len(a.body) {
		b.WriteString("...")
	}
	return b.String()
}

// firstLine returns the beginning of an answer's text, as the message of a rejection.
func firstLine(body []byte) string {
	const most = 200
	line, _, _ := bytes.Cut(bytes.TrimSpace(body[:min(len(body), 4*most)]), []byte("\n"))
	line = bytes.TrimSpace(line)
	return strings.ToValidUTF8(string(line[:min(len(line), most)]), "\uFFFD")
}
