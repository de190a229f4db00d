package http

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

// HTTP/1.1 does not number answers. On a persistent connection, a second answer to one request is
// taken as the answer to the next, and so on. When the transport receives data while no request
// waits, it closes the connection.

// unsolicited detects unsolicited data on connections to a service.
type unsolicited struct {
	// a request waits for its answer, or the connection is being closed on purpose
	waiting atomic.Bool
	came    atomic.Bool // unsolicited data came
}

func (u *unsolicited) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &watched{Conn: conn, unasked: u}, nil
}

type watched struct {
	net.Conn
	unasked *unsolicited
	ended   atomic.Bool // by the service
}

// Read implements net.Conn.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	// Before closing an idle connection, servers send an unsolicited 408.
	if err != nil || bytes.HasPrefix(p[:n], []byte("HTTP/1.1 408")) || bytes.HasPrefix(p[:n], []byte("HTTP/1.0 408")) {
		w.ended.Store(true)
	}
	return n, err
}

// Close implements net.Conn. The transport closes a kept connection if the service has ended it, or
// has sent unsolicited data.
func (w *watched) Close() error {
	if !w.unasked.waiting.Load() && !w.ended.Load() {
		w.unasked.came.Store(true)
	}
	return w.Conn.Close()
}

// drop closes the kept connection.
func (e *Executor) drop() {
	e.unasked.waiting.Store(true)
	e.transport.CloseIdleConnections()
}

// distrust gives each further request a connection of its own after unsolicited data.
func (e *Executor) distrust() {
	if e.apart || !e.unasked.came.Load() {
		return
	}
	e.apart = true
	e.drop()
	e.notes = append(e.notes, fmt.Sprintf("program %s: its service writes more than the answers to its requests, so answers may have been taken for those to other inputs; each request gets a connection of its own now", e.c.Name))
}
