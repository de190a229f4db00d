package http

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parallax/internal/oracle"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
)

func TestAnswers(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Add("X-Kind", "a")
		w.Header().Add("X-Kind", "b")
		if string(body) == "302" {
			w.Header().Set("Location", "/elsewhere")
		}
		var status int
		fmt.Sscan(string(body), &status)
		w.WriteHeader(status)
		fmt.Fprintf(w, "%s %s %s\nmore", r.Method, r.Header.Get("X-Mine"), body)
	})
	c := Config{URL: s.URL + "/x", Headers: []Header{{"x-mine", "1"}}, Value: []string{"body"}, Limits: testLimits()}
	mine := c
	mine.Value = []string{"status", "header:x-kind", "header:None", "body"}
	mine.Accepted, mine.Rejected = []string{"2xx"}, []string{"201", "404"}
	for _, test := range []struct {
		c       Config
		input   string
		outcome oracle.Outcome
		value   string
		message string
	}{
		{c, "200", oracle.Accepted, "POST 1 200\nmore", ""},
		{c, "302", oracle.Accepted, "POST 1 302\nmore", ""},
		{c, "404", oracle.Rejected, "", "status 404: POST 1 404"},
		{c, "500", oracle.Crashed, "", "status 500"},
		{c, "503", oracle.Crashed, "", "status 503"},
		{mine, "200", oracle.Accepted, "200\nx-kind: a, b\nNone: \nPOST 1 200\nmore", ""},
		{mine, "201", oracle.Rejected, "", "status 201: POST 1 201"},
		{mine, "404", oracle.Rejected, "", "status 404: POST 1 404"},
		{mine, "400", oracle.Crashed, "", "status 400"},
		{mine, "302", oracle.Crashed, "", "status 302"},
	} {
		e := mustOpen(t, test.c, newClock())
		o := programtest.Execute(t, e, test.input)[0]
		if o.Outcome != test.outcome || string(o.Value) != test.value || o.Message != test.message {
			t.Errorf("%s: %v %q %q, want %v %q %q", test.input, o.Outcome, o.Value, o.Message, test.outcome, test.value, test.message)
		}
		if o.Outcome != oracle.Accepted && !strings.Contains(o.Detail, "X-Kind: b") {
			t.Errorf("%s: the detail lacks the answer: %q", test.input, o.Detail)
		}
	}
}

func TestNoValue(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	e := mustOpen(t, Config{URL: s.URL, Value: []string{}, Limits: testLimits()}, newClock())
	if o := programtest.Execute(t, e, "x")[0]; o.Outcome != oracle.Accepted || len(o.Value) > 0 {
		t.Errorf("%v %q", o.Outcome, o.Value)
	}
}

func TestInputInURL(t *testing.T) {
	var seen []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Method+" "+r.RequestURI)
		if n, _ := io.Copy(io.Discard, r.Body); n > 0 {
			t.Error("there is a body")
		}
	})
	inputs := []string{"", "a-._~Z9", "a/b?c#d%e+f&g=h", "\x00\xff \r\n", "../..", "."}
	for _, url := range []string{"/p/{input}", "/p?q={input}&r=1"} {
		seen = nil
		e := mustOpen(t, Config{URL: s.URL + url, Limits: testLimits()}, newClock())
		programtest.Execute(t, e, inputs...)
		var want []string
		for _, in := range []string{"", "a-._~Z9", "a%2Fb%3Fc%23d%25e%2Bf%26g%3Dh", "%00%FF%20%0D%0A", "..%2F..", "."} {
			want = append(want, "GET "+strings.Replace(url, "{input}", in, 1))
		}
		if !slices.Equal(seen, want) {
			t.Errorf("%q, want %q", seen, want)
		}
	}
}

func TestRate(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { n.Add(1) })
	clock := newClock()
	e := mustOpen(t, Config{URL: s.URL, Rate: 4, Limits: testLimits()}, clock)
	begin := clock.now
	programtest.Execute(t, e, "a", "b", "c", "d", "e")
	if took := clock.now.Sub(begin); took != time.Second || n.Load() != 5 {
		t.Errorf("%d requests take %v, want 1s", n.Load(), took)
	}
}

func TestOneConnection(t *testing.T) {
	var opened atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := r.Header.Get("Cookie"); c != "" {
			t.Errorf("there is a cookie: %s", c)
		}
		w.Header().Set("Set-Cookie", "a=b")
		w.WriteHeader([]int{200, 400, 500}[len(r.URL.Query().Get("n"))%3])
		io.WriteString(w, strings.Repeat("x", 5000))
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	e := mustOpen(t, Config{URL: s.URL + "/?n={input}", Limits: testLimits()}, newClock())
	for range 5 {
		programtest.Execute(t, e, "", "a", "b", "c", "d")
	}
	if n := opened.Load(); n > 2 { // Open makes one, to check that the service is there
		t.Errorf("25 requests on %d connections", n)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		// A closed connection shows once the body is read.
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	e := mustOpen(t, Config{URL: s.URL, Limits: testLimits()}, newClock())
	if err := e.Execute(ctx, [][]byte{[]byte("x")}, make([]program.Observation, 1)); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	e := mustOpen(t, Config{URL: s.URL, Retries: 2, Limits: testLimits()}, newClock())
	_, err := programtest.Try(e, "x")
	failed(t, err, exit.UsageCode, "certificate")

	plain := serve(t, http.NotFound)
	e = mustOpen(t, Config{URL: strings.Replace(plain.URL, "http", "https", 1), Retries: 2, Limits: testLimits()}, newClock())
	_, err = programtest.Try(e, "x")
	failed(t, err, exit.UsageCode, "TLS")
}
