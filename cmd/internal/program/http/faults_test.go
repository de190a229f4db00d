package http

import (
	"bytes"
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
	"parallax/cmd/internal/program/programtest"
)

// Services that are unreachable, slow, busy or broken.

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	clock := newClock()
	c := Config{Name: "svc", URL: "http://" + address, Retries: 3, Limits: testLimits()}
	_, err = open(context.Background(), c, clock, noSandbox{})
	failed(t, err, exit.InfraCode, "http://"+address+" does not answer", "refused", "4 tries")
	if want := []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond}; !slices.Equal(clock.slept, want) {
		t.Errorf("slept %v, want %v", clock.slept, want)
	}

	c.URL = "http://no-such-host.invalid/"
	_, err = open(context.Background(), c, newClock(), noSandbox{})
	failed(t, err, exit.InfraCode, "no-such-host.invalid")
}

// TestVanishes checks a service that vanishes during a campaign, and one that returns.
func TestVanishes(t *testing.T) {
	for _, comesBack := range []bool{false, true} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
		s := httptest.NewServer(handler)
		address := s.Listener.Addr().String()
		clock := newClock()
		e := mustOpen(t, Config{URL: s.URL, Retries: 4, Limits: testLimits()}, clock)
		programtest.Execute(t, e, "one")
		s.CloseClientConnections()
		s.Close()
		var again *httptest.Server
		if comesBack {
			clock.during = func() {
				if len(clock.slept) == 3 {
					l, err := net.Listen("tcp", address)
					if err != nil {
						t.Fatal(err)
					}
					again = &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
					again.Start()
				}
			}
		}
		obs, err := programtest.Try(e, "two", "three")
		if !comesBack {
			failed(t, err, exit.InfraCode, "does not answer", "5 tries")
			continue
		}
		if err != nil || string(obs[0].Value) != "two" || string(obs[1].Value) != "three" {
			t.Errorf("%v: %+v", err, obs)
		}
		again.Close()
	}
}

func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}

// TestFlaky checks that dropped connections never make a verdict. Every third is dropped, in one of
// several ways.
func TestFlaky(t *testing.T) {
	ways := map[string]func(net.Conn){
		"closed": func(c net.Conn) { c.Close() },
		"reset":  func(c net.Conn) { c.(*net.TCPConn).SetLinger(0); c.Close() },
		"cut":    func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"); c.Close() },
		"head":   func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 O"); c.Close() },
	}
	for name, drop := range ways {
		var n atomic.Int64
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1)%3 == 0 {
				drop(hijack(w))
				return
			}
			body, _ := io.ReadAll(r.Body)
			w.Write(body)
		})
		e := mustOpen(t, Config{URL: s.URL, Retries: 3, Limits: testLimits()}, newClock())
		for i := range 10 {
			in := fmt.Sprint(name, i)
			if o := programtest.Execute(t, e, in)[0]; o.Outcome != oracle.Accepted || string(o.Value) != in {
				t.Errorf("%s: %v %q %q", in, o.Outcome, o.Value, o.Message)
			}
		}
	}
}

// TestClosesOnInput checks that a handler that panics closes the connection. The input is to blame
// if all other requests are answered.
func TestClosesOnInput(t *testing.T) {
	for _, first := range []bool{true, false} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); string(body) == "bad" || len(body) == 0 {
				panic(http.ErrAbortHandler)
			}
		})
		e := mustOpen(t, Config{URL: s.URL, Retries: 2, Limits: testLimits()}, newClock())
		if !first {
			programtest.Execute(t, e, "good")
		}
		o := programtest.Execute(t, e, "bad")[0]
		if o.Outcome != oracle.Crashed || o.Message != "the connection was closed without an answer" {
			t.Errorf("%v %q", o.Outcome, o.Message)
		}
		if o := programtest.Execute(t, e, "good")[0]; o.Outcome != oracle.Accepted {
			t.Errorf("after it: %v %q", o.Outcome, o.Message)
		}
	}

	// A service that closes every connection, as a proxy without a backend does.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	e := mustOpen(t, Config{URL: "http://" + l.Addr().String(), Retries: 2, Limits: testLimits()}, newClock())
	_, err = programtest.Try(e, "x")
	failed(t, err, exit.InfraCode, "does not answer")
}

func TestBrokenAnswer(t *testing.T) {
	for _, text := range []string{"SSH-2.0-x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "HTTP/1.1 200 OK\r\nno header\r\n\r\n"} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			conn := hijack(w)
			io.WriteString(conn, text)
			conn.Close()
		})
		e := mustOpen(t, Config{URL: s.URL, Retries: 1, Limits: testLimits()}, newClock())
		if o := programtest.Execute(t, e, "x")[0]; o.Outcome != oracle.Crashed || !strings.HasPrefix(o.Message, "the answer is broken: ") {
			t.Errorf("%q: %v %q", text, o.Outcome, o.Message)
		}
	}
}

func TestSlow(t *testing.T) {
	const hang = "hang"
	var stuck, times atomic.Int64
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case string(body) == hang, stuck.Load() > 0:
			times.Add(1)
			select {
			case <-r.Context().Done():
			case <-release:
			}
		case string(body) == "once" && times.Add(1) == 1:
			<-r.Context().Done()
		case string(body) == "trickle":
			for r.Context().Err() == nil {
				io.WriteString(w, ".")
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(10 * time.Millisecond):
				}
			}
		}
	})
	t.Cleanup(func() { close(release) })
	l := testLimits()
	l.Timeout = 2 * time.Second
	e := mustOpen(t, Config{URL: s.URL, Retries: 1, Limits: l}, newClock())
	obs := programtest.Execute(t, e, "quick", hang, "quick")
	if obs[0].Outcome != oracle.Accepted || obs[1].Outcome != oracle.Timeout || obs[2].Outcome != oracle.Accepted || times.Load() != 2 {
		t.Errorf("%v after %d tries", obs, times.Load())
	}
	times.Store(0)
	obs = programtest.Execute(t, e, "once", "trickle")
	if obs[0].Outcome != oracle.Accepted || obs[1].Outcome != oracle.Timeout {
		t.Errorf("%v", obs)
	}
	stuck.Store(1)
	_, err := programtest.Try(e, "quick")
	failed(t, err, exit.InfraCode, "no longer answers any request within 2s")
}

func TestFlood(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Fscan(r.Body, &n)
		chunk := bytes.Repeat([]byte("x"), 1<<10)
		for range n {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	l := testLimits()
	l.Output = 4 << 10
	e := mustOpen(t, Config{URL: s.URL, Limits: l}, newClock())
	obs := programtest.Execute(t, e, "4", "5", "100000", "1")
	if o := obs[0]; o.Outcome != oracle.Accepted || len(o.Value) != 4<<10 {
		t.Errorf("%v %d", o.Outcome, len(o.Value))
	}
	for _, o := range obs[1:3] {
		if o.Outcome != oracle.Crashed || o.Message != "output flood: a body of more than 4096 bytes" {
			t.Errorf("%v %q", o.Outcome, o.Message)
		}
	}
	if o := obs[3]; o.Outcome != oracle.Accepted || len(o.Value) != 1<<10 {
		t.Errorf("after a flood: %v %q", o.Outcome, o.Message)
	}
}

func TestBusy(t *testing.T) {
	clock := newClock()
	for _, test := range []struct {
		status int
		after  string
		want   time.Duration
	}{
		{429, "7", 7 * time.Second},
		{503, "2", 2 * time.Second},
		{429, "", 100 * time.Millisecond},
		{429, "soon", 100 * time.Millisecond},
		{429, "100000", longestRetryAfter},
		{503, clock.now.Add(9 * time.Second).Format(http.TimeFormat), 9 * time.Second},
		{503, clock.now.Add(-9 * time.Second).Format(http.TimeFormat), 0},
	} {
		clock := newClock()
		refuse := 1
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if refuse--; refuse >= 0 {
				if test.after != "" {
					w.Header().Set("Retry-After", test.after)
				}
				w.WriteHeader(test.status)
			}
		})
		e := mustOpen(t, Config{URL: s.URL, Retries: 1, Limits: testLimits()}, clock)
		if o := programtest.Execute(t, e, "x")[0]; o.Outcome != oracle.Accepted || !slices.Equal(clock.slept, []time.Duration{test.want}) {
			t.Errorf("%d, Retry-After %q: %v, slept %v, want %v", test.status, test.after, o.Outcome, clock.slept, test.want)
		}
		refuse = 2
		_, err := programtest.Try(e, "x")
		failed(t, err, exit.InfraCode, "still busy after 2 tries", fmt.Sprint(test.status))
	}

	// A listed code is an answer.
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) })
	e := mustOpen(t, Config{URL: s.URL, Rejected: []string{"429"}, Limits: testLimits()}, newClock())
	if o := programtest.Execute(t, e, "x")[0]; o.Outcome != oracle.Rejected {
		t.Errorf("429 as a rejection: %v", o.Outcome)
	}
}
