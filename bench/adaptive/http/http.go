// Package http reads a request of HTTP/1 with two libraries behind one signature.
package http

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/valyala/fasthttp"
)

// Request has the facts that both libraries report about a request.
type Request struct {
	Method string
	Target string // as written in the first line
	Host   string
	Header []Field // sorted; without Host, Content-Length and Transfer-Encoding, which decide where the body ends
	Body   []byte
}

// Field is a line of the header.
type Field struct{ Name, Value string }

// limit is how much of a body is read.
const limit = 1 << 16

// Std reads with net/http.
func Std(data []byte) (*Request, error) {
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, limit))
	if err != nil {
		return nil, err
	}
	out := &Request{Method: r.Method, Target: r.RequestURI, Host: r.Host, Body: body}
	for name, values := range r.Header {
		for _, value := range values {
			out.add(name, value)
		}
	}
	return out.sorted(), nil
}

// Fasthttp reads with github.com/valyala/fasthttp.
func Fasthttp(data []byte) (*Request, error) {
	var r fasthttp.Request
	if err := r.ReadLimitBody(bufio.NewReader(bytes.NewReader(data)), limit); err != nil {
		return nil, err
	}
	out := &Request{
		Method: string(r.Header.Method()), Target: string(r.Header.RequestURI()), Host: string(r.Header.Host()), Body: append([]byte{}, r.Body()...),
	}
	for name, value := range r.Header.All() {
		out.add(string(name), string(value))
	}
	return out.sorted(), nil
}

func (r *Request) add(name, value string) {
	switch strings.ToLower(name) {
	case "host", "content-length", "transfer-encoding":
		return
	}
	r.Header = append(r.Header, Field{strings.ToLower(name), value})
}

func (r *Request) sorted() *Request {
	slices.SortFunc(r.Header, func(a, b Field) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value)) })
	return r
}
