package http

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/program/programtest"
	"parallax/internal/oracle"
)

// TestUnsolicited runs a service that answers one request twice. This shifts its later answers on
// that connection. Once that shows, each request gets a connection of its own, and the user gets a
// note.
func TestUnsolicited(t *testing.T) {
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
			go twiceOnce(conn)
		}
	}()
	e := mustOpen(t, Config{URL: "http://" + l.Addr().String(), Retries: 2, Limits: testLimits()}, newClock())
	inputs := []string{"twice", "a", "b", "c"}
	own := func() bool {
		for i, o := range programtest.Execute(t, e, inputs...) {
			if o.Outcome != oracle.Accepted || string(o.Value) != inputs[i] {
				return false
			}
		}
		return true
	}
	for deadline := time.Now().Add(time.Minute); len(e.Notes()) == 0; own() {
		if time.Now().After(deadline) {
			t.Fatal("nothing noticed")
		}
		// a campaign runs its other programs here, and the connection is idle
		time.Sleep(20 * time.Millisecond)
	}
	for range 10 {
		if !own() {
			t.Error("an answer of another input")
		}
	}
	if notes := e.Notes(); len(notes) != 1 || !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "more than the answers") }) {
		t.Error(notes)
	}
}

// twiceOnce answers requests on a connection with their bodies. It answers "twice" a second time, a
// moment later.
func twiceOnce(conn net.Conn) {
	defer conn.Close()
	for in := bufio.NewReader(conn); ; {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		time.Sleep(3 * time.Millisecond)
		answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		io.WriteString(conn, answer)
		if string(body) == "twice" {
			time.AfterFunc(time.Millisecond, func() { io.WriteString(conn, answer) })
		}
	}
}
