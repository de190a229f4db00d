package service

import (
	"bytes"
	"context"
	"errors"
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

	"parallax/internal/judge"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/program"
)

// standing is a clock on which pauses take no time.
type standing struct {
	now    time.Time
	slept  []time.Duration
	during func() // called in each pause
}

func (c *standing) Now() time.Time { return c.now }

func (c *standing) Sleep(ctx context.Context, d time.Duration, _ <-chan struct{}) error {
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	if c.during != nil {
		c.during()
	}
	return ctx.Err()
}

func (c *standing) Ticks() time.Duration { return time.Duration(c.now.UnixNano()) }

func newClock() *standing { return &standing{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func limits() program.Limits { return program.Limits{Timeout: time.Minute, Output: 1 << 16} }

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func mustOpen(t *testing.T, c Config, clock clock) *Executor {
	t.Helper()
	if c.Name == "" {
		c.Name = "svc"
	}
	if c.Value == nil {
		c.Value = []string{"body"}
	}
	e, err := open(context.Background(), c, clock, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// nobody starts nothing.
type nobody struct{ boxes }

func (nobody) notes() []string { return nil }
func (nobody) close() error    { return nil }

func execute(e *Executor, inputs ...string) ([]program.Observation, error) {
	var in [][]byte
	for _, s := range inputs {
		in = append(in, []byte(s))
	}
	obs := make([]program.Observation, len(in))
	err := e.Execute(context.Background(), in, obs)
	return obs, err
}

func mustExecute(t *testing.T, e *Executor, inputs ...string) []program.Observation {
	t.Helper()
	obs, err := execute(e, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return obs
}

// failed checks that err is a Failure with a code that says all of the words.
func failed(t *testing.T, err error, code int, words ...string) {
	t.Helper()
	var f *program.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v, want a Failure", err)
	}
	if f.Code != code || f.Program != "svc" {
		t.Errorf("code %d of program %q, want %d of svc", f.Code, f.Program, code)
	}
	for _, w := range words {
		if !strings.Contains(f.Error(), w) {
			t.Errorf("%q does not say %q", f.Error(), w)
		}
	}
}

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
	c := Config{URL: s.URL + "/x", Headers: []Header{{"x-mine", "1"}}, Value: []string{"body"}, Limits: limits()}
	mine := c
	mine.Value = []string{"status", "header:x-kind", "header:None", "body"}
	mine.Accepted, mine.Rejected = []string{"2xx"}, []string{"201", "404"}
	for _, test := range []struct {
		c       Config
		input   string
		outcome judge.Outcome
		value   string
		message string
	}{
		{c, "200", judge.Accepted, "POST 1 200\nmore", ""},
		{c, "302", judge.Accepted, "POST 1 302\nmore", ""},
		{c, "404", judge.Rejected, "", "status 404: POST 1 404"},
		{c, "500", judge.Crashed, "", "status 500"},
		{c, "503", judge.Crashed, "", "status 503"},
		{mine, "200", judge.Accepted, "200\nx-kind: a, b\nNone: \nPOST 1 200\nmore", ""},
		{mine, "201", judge.Rejected, "", "status 201: POST 1 201"},
		{mine, "404", judge.Rejected, "", "status 404: POST 1 404"},
		{mine, "400", judge.Crashed, "", "status 400"},
		{mine, "302", judge.Crashed, "", "status 302"},
	} {
		e := mustOpen(t, test.c, newClock())
		o := mustExecute(t, e, test.input)[0]
		if o.Outcome != test.outcome || string(o.Value) != test.value || o.Message != test.message {
			t.Errorf("%s: %v %q %q, want %v %q %q", test.input, o.Outcome, o.Value, o.Message, test.outcome, test.value, test.message)
		}
		if o.Outcome != judge.Accepted && !strings.Contains(o.Detail, "X-Kind: b") {
			t.Errorf("%s: the detail lacks the answer: %q", test.input, o.Detail)
		}
	}
}

func TestNoValue(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	e := mustOpen(t, Config{URL: s.URL, Value: []string{}, Limits: limits()}, newClock())
	if o := mustExecute(t, e, "x")[0]; o.Outcome != judge.Accepted || len(o.Value) > 0 {
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
		e := mustOpen(t, Config{URL: s.URL + url, Limits: limits()}, newClock())
		mustExecute(t, e, inputs...)
		var want []string
		for _, in := range []string{"", "a-._~Z9", "a%2Fb%3Fc%23d%25e%2Bf%26g%3Dh", "%00%FF%20%0D%0A", "..%2F..", "."} {
			want = append(want, "GET "+strings.Replace(url, "{input}", in, 1))
		}
		if !slices.Equal(seen, want) {
			t.Errorf("%q, want %q", seen, want)
		}
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	clock := newClock()
	c := Config{Name: "svc", URL: "http://" + address, Retries: 3, Limits: limits()}
	_, err = open(context.Background(), c, clock, nobody{})
	failed(t, err, exit.InfraCode, "http://"+address+" does not answer", "refused", "4 tries")
	if want := []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond}; !slices.Equal(clock.slept, want) {
		t.Errorf("slept %v, want %v", clock.slept, want)
	}

	c.URL = "http://no-such-host.invalid/"
	_, err = open(context.Background(), c, newClock(), nobody{})
	failed(t, err, exit.InfraCode, "no-such-host.invalid")
}

// A service that goes away in the middle of a campaign, and one that comes back.
func TestGoesAway(t *testing.T) {
	for _, comesBack := range []bool{false, true} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
		s := httptest.NewServer(handler)
		address := s.Listener.Addr().String()
		clock := newClock()
		e := mustOpen(t, Config{URL: s.URL, Retries: 4, Limits: limits()}, clock)
		mustExecute(t, e, "one")
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
		obs, err := execute(e, "two", "three")
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

// Every third connection is dropped, in one of the ways that there are; no verdict comes of it.
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
		e := mustOpen(t, Config{URL: s.URL, Retries: 3, Limits: limits()}, newClock())
		for i := range 10 {
			in := fmt.Sprint(name, i)
			if o := mustExecute(t, e, in)[0]; o.Outcome != judge.Accepted || string(o.Value) != in {
				t.Errorf("%s: %v %q %q", in, o.Outcome, o.Value, o.Message)
			}
		}
	}
}

// A handler that panics closes the connection: that is the input's doing when all else is answered.
func TestClosesOnInput(t *testing.T) {
	for _, first := range []bool{true, false} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); string(body) == "bad" || len(body) == 0 {
				panic(http.ErrAbortHandler)
			}
		})
		e := mustOpen(t, Config{URL: s.URL, Retries: 2, Limits: limits()}, newClock())
		if !first {
			mustExecute(t, e, "good")
		}
		o := mustExecute(t, e, "bad")[0]
		if o.Outcome != judge.Crashed || o.Message != "the connection was closed without an answer" {
			t.Errorf("%v %q", o.Outcome, o.Message)
		}
		if o := mustExecute(t, e, "good")[0]; o.Outcome != judge.Accepted {
			t.Errorf("after it: %v %q", o.Outcome, o.Message)
		}
	}

	// One that closes every connection, as a proxy does that has nothing behind it.
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
	e := mustOpen(t, Config{URL: "http://" + l.Addr().String(), Retries: 2, Limits: limits()}, newClock())
	_, err = execute(e, "x")
	failed(t, err, exit.InfraCode, "does not answer")
}

func TestBrokenAnswer(t *testing.T) {
	for _, text := range []string{"SSH-2.0-x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "HTTP/1.1 200 OK\r\nno header\r\n\r\n"} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			conn := hijack(w)
			io.WriteString(conn, text)
			conn.Close()
		})
		e := mustOpen(t, Config{URL: s.URL, Retries: 1, Limits: limits()}, newClock())
		if o := mustExecute(t, e, "x")[0]; o.Outcome != judge.Crashed || !strings.HasPrefix(o.Message, "the answer is broken: ") {
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
	l := limits()
	l.Timeout = 500 * time.Millisecond
	e := mustOpen(t, Config{URL: s.URL, Retries: 1, Limits: l}, newClock())
	obs := mustExecute(t, e, "quick", hang, "quick")
	if obs[0].Outcome != judge.Accepted || obs[1].Outcome != judge.Timeout || obs[2].Outcome != judge.Accepted || times.Load() != 2 {
		t.Errorf("%v after %d tries", obs, times.Load())
	}
	times.Store(0)
	obs = mustExecute(t, e, "once", "trickle")
	if obs[0].Outcome != judge.Accepted || obs[1].Outcome != judge.Timeout {
		t.Errorf("%v", obs)
	}
	stuck.Store(1)
	_, err := execute(e, "quick")
	failed(t, err, exit.InfraCode, "answers nothing within 500ms any more")
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
	l := limits()
	l.Output = 4 << 10
	e := mustOpen(t, Config{URL: s.URL, Limits: l}, newClock())
	obs := mustExecute(t, e, "4", "5", "100000", "1")
	if o := obs[0]; o.Outcome != judge.Accepted || len(o.Value) != 4<<10 {
		t.Errorf("%v %d", o.Outcome, len(o.Value))
	}
	for _, o := range obs[1:3] {
		if o.Outcome != judge.Crashed || o.Message != "output flood: a body of more than 4096 bytes" {
			t.Errorf("%v %q", o.Outcome, o.Message)
		}
	}
	if o := obs[3]; o.Outcome != judge.Accepted || len(o.Value) != 1<<10 {
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
		e := mustOpen(t, Config{URL: s.URL, Retries: 1, Limits: limits()}, clock)
		if o := mustExecute(t, e, "x")[0]; o.Outcome != judge.Accepted || !slices.Equal(clock.slept, []time.Duration{test.want}) {
			t.Errorf("%d, Retry-After %q: %v, slept %v, want %v", test.status, test.after, o.Outcome, clock.slept, test.want)
		}
		refuse = 2
		_, err := execute(e, "x")
		failed(t, err, exit.InfraCode, "still busy after 2 tries", fmt.Sprint(test.status))
	}

	// A code that the configuration names is an answer.
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) })
	e := mustOpen(t, Config{URL: s.URL, Rejected: []string{"429"}, Limits: limits()}, newClock())
	if o := mustExecute(t, e, "x")[0]; o.Outcome != judge.Rejected {
		t.Errorf("429 as a rejection: %v", o.Outcome)
	}
}

func TestRate(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { n.Add(1) })
	clock := newClock()
	e := mustOpen(t, Config{URL: s.URL, Rate: 4, Limits: limits()}, clock)
	begin := clock.now
	mustExecute(t, e, "a", "b", "c", "d", "e")
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
	e := mustOpen(t, Config{URL: s.URL + "/?n={input}", Limits: limits()}, newClock())
	for range 5 {
		mustExecute(t, e, "", "a", "b", "c", "d")
	}
	if n := opened.Load(); n > 2 { // opening makes one, to see whether the service is there
		t.Errorf("25 requests on %d connections", n)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		// A connection that is closed shows once the body is read.
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	e := mustOpen(t, Config{URL: s.URL, Limits: limits()}, newClock())
	if err := e.Execute(ctx, [][]byte{[]byte("x")}, make([]program.Observation, 1)); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	e := mustOpen(t, Config{URL: s.URL, Retries: 2, Limits: limits()}, newClock())
	_, err := execute(e, "x")
	failed(t, err, exit.UsageCode, "certificate")

	plain := serve(t, http.NotFound)
	e = mustOpen(t, Config{URL: strings.Replace(plain.URL, "http", "https", 1), Retries: 2, Limits: limits()}, newClock())
	_, err = execute(e, "x")
	failed(t, err, exit.UsageCode, "TLS")
}
