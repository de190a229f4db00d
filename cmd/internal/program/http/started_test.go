package http

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/internal/oracle"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
)

// testService makes the test's executable a service.
const testService = "SERVICE_TEST"

// TestMain lets the test's own executable be the sandbox and the services of the tests.
func TestMain(m *testing.M) {
	programtest.Sandbox()
	if os.Getenv(testService) != "" {
		beService(os.Args[1:])
	}
	os.Exit(m.Run())
}

// beService is a service controlled by its arguments and by requests.
func beService(args []string) {
	fmt.Println("this is the service")
	switch args[0] {
	case "exit":
		fmt.Fprintln(os.Stderr, "no such option: exit")
		os.Exit(3)
	case "never":
		select {}
	case "limited": // starts as often as lines are missing in a file
		data, _ := os.ReadFile(args[1])
		if os.WriteFile(args[1], append(data, '\n'), 0o600); len(data) >= 1 {
			fmt.Println("not again")
			os.Exit(1)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	born := time.Now()
	ready := born.Add(100 * time.Millisecond)
	err = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ready" {
			if time.Now().Before(ready) {
				w.WriteHeader(503)
			}
			return
		}
		body, _ := io.ReadAll(r.Body)
		switch text := string(body); {
		case text == "folder":
			left, err := os.ReadDir(os.Getenv("TMPDIR"))
			fmt.Fprint(w, os.Getenv("TMPDIR") != "", len(left), err, os.Getenv("HOME") == os.Getenv("TMPDIR"))
			return
		case text == "exit":
			fmt.Println("leaving")
			os.Exit(7)
		case text == "kill":
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		case text == "panic":
			panic("in a handler")
		case text == "hang":
			select {}
		case text == "later":
			go func() {
				time.Sleep(50 * time.Millisecond)
				os.Exit(9)
			}()
		case strings.HasPrefix(text, "hog"):
			n, _ := strconv.Atoi(text[3:])
			all := make([]byte, n<<20)
			for i := 0; i < len(all); i += 512 {
				all[i] = 1
			}
			time.Sleep(10 * time.Second)
			fmt.Fprint(w, len(all))
		}
		fmt.Fprintf(w, "%d %s", born.UnixNano(), body)
	}))
	fmt.Println(err)
	os.Exit(1)
}

func testConfig(t *testing.T, args ...string) Config {
	t.Helper()
	tool := programtest.Tool(t)
	l := testLimits()
	l.Timeout = 20 * time.Second
	return Config{
		Name: "svc", URL: "http://127.0.0.1:{port}/", Value: []string{"body"}, Retries: 2, Limits: l,
		Start: append([]string{tool}, args...), Dir: t.TempDir(), Env: append(os.Environ(), testService+"=1"), Tool: tool, TempDir: t.TempDir(),
	}
}

func openStarted(t *testing.T, c Config) *Executor {
	t.Helper()
	e, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// startTime identifies a process by its start time. Process numbers are the same in each sandbox.
func startTime(t *testing.T, o program.Observation) string {
	t.Helper()
	if o.Outcome != oracle.Accepted {
		t.Fatalf("%v %q", o.Outcome, o.Message)
	}
	born, _, _ := strings.Cut(string(o.Value), " ")
	return born
}

func TestStartedCrashes(t *testing.T) {
	c := testConfig(t, "serve")
	c.Ready = "http://127.0.0.1:{port}/ready"
	e := openStarted(t, c)
	obs := programtest.Execute(t, e, "a", "exit", "b", "kill", "c", "panic", "d")
	first := startTime(t, obs[0])
	if second := startTime(t, obs[2]); second == first || second == startTime(t, obs[4]) {
		t.Error("the service was not started again")
	}
	if startTime(t, obs[4]) != startTime(t, obs[6]) {
		t.Error("the service was started again, and had not ended")
	}
	for i, message := range map[int]string{1: "exit status 7", 3: "signal: killed", 5: "the connection was closed without an answer"} {
		if o := obs[i]; o.Outcome != oracle.Crashed || o.Message != message {
			t.Errorf("input %d: %v %q, want %q", i, o.Outcome, o.Message, message)
		}
	}
	if obs[1].Detail != "leaving\n" || !strings.Contains(obs[5].Detail, "panic serving") {
		t.Errorf("details %q and %q", obs[1].Detail, obs[5].Detail)
	}
	// Nothing remains of it.
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", e.address(c.URL)); err == nil {
		t.Error("it still answers")
	}
}

// TestPrivateFolder checks that a service has its own TMPDIR and HOME.
func TestPrivateFolder(t *testing.T) {
	c := testConfig(t, "serve")
	c.Env = slices.DeleteFunc(c.Env, func(set string) bool { return strings.HasPrefix(set, "TMPDIR=") || strings.HasPrefix(set, "HOME=") })
	if o := programtest.Execute(t, openStarted(t, c), "folder")[0]; string(o.Value) != "true 0 <nil> true" {
		t.Errorf("%v %q", o.Outcome, o.Value)
	}
}

func TestStartedDiesLater(t *testing.T) {
	e := openStarted(t, testConfig(t, "serve"))
	programtest.Execute(t, e, "later")
	<-e.process.done
	if o := programtest.Execute(t, e, "a")[0]; o.Outcome != oracle.Accepted || len(e.Notes()) == 0 || !strings.Contains(strings.Join(e.Notes(), "\n"), "exit status 9") {
		t.Errorf("%v %q, notes %q", o.Outcome, o.Message, e.Notes())
	}
	programtest.Execute(t, e, "later")
	var before program.Observation
	<-e.process.done
	var o program.Observation
	if err := e.run(context.Background(), []byte("b"), &o, &before); err != nil || o.Outcome != oracle.Accepted || before.Outcome != oracle.Crashed || before.Message != "exit status 9" {
		t.Errorf("%v: %v, and before it %v %q", err, o.Outcome, before.Outcome, before.Message)
	}
}

func TestStartedHangs(t *testing.T) {
	c := testConfig(t, "serve")
	c.Limits.Timeout = time.Second
	e := openStarted(t, c)
	obs := programtest.Execute(t, e, "a", "hang", "b")
	if obs[1].Outcome != oracle.Timeout || startTime(t, obs[0]) == startTime(t, obs[2]) {
		t.Errorf("%v %q", obs[1].Outcome, obs[1].Message)
	}
}

func TestStartedHog(t *testing.T) {
	c := testConfig(t, "serve")
	c.Limits.Memory = 200 << 20
	e := openStarted(t, c)
	obs := programtest.Execute(t, e, "a", "hog400", "b")
	if obs[1].Outcome != oracle.OOM || startTime(t, obs[0]) == startTime(t, obs[2]) {
		t.Errorf("%v %q", obs[1].Outcome, obs[1].Message)
	}
}

func TestDoesNotComeUp(t *testing.T) {
	ctx := context.Background()
	_, err := Open(ctx, testConfig(t, "exit"))
	failed(t, err, exit.UsageCode, "ends as soon as it is started: exit status 3", "this is the service\nno such option: exit")

	c := testConfig(t, "never")
	c.StartTimeout = 300 * time.Millisecond
	_, err = Open(ctx, c)
	failed(t, err, exit.UsageCode, "is not ready after 300ms", "refused", "this is the service")

	c = testConfig(t, "serve")
	c.Start[0] = "no-such-executable"
	_, err = Open(ctx, c)
	failed(t, err, exit.UsageCode, "cannot be started", "no-such-executable")

	c = testConfig(t, "serve")
	c.Start[0] = "./none"
	_, err = Open(ctx, c)
	failed(t, err, exit.UsageCode, "cannot be started", c.Dir+"/none")

	ctx, cancel := context.WithCancel(ctx)
	c = testConfig(t, "never")
	c.Ready = "http://127.0.0.1:{port}/ready"
	time.AfterFunc(200*time.Millisecond, cancel)
	if _, err = Open(ctx, c); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// TestDoesNotComeUpAgain checks that a service starts once, and not again after a crash.
func TestDoesNotComeUpAgain(t *testing.T) {
	c := testConfig(t, "limited", t.TempDir()+"/count")
	e := openStarted(t, c)
	obs, err := programtest.Try(e, "a", "exit", "b")
	failed(t, err, exit.InfraCode, "ends as soon as it is started", "not again")
	if obs[1].Outcome != oracle.Crashed {
		t.Errorf("%v %q", obs[1].Outcome, obs[1].Message)
	}
}

// TestTakenPort checks that a taken port is an error: the answers would come from another service.
func TestTakenPort(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	c := testConfig(t, "serve")
	c.URL = s.URL
	_, err := Open(context.Background(), c)
	failed(t, err, exit.UsageCode, "something answers at "+s.URL, "{port}")
}
