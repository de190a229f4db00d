package http

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

// HTTP/1.1 numbers no answers: on a connection that is kept, a second answer to one request is taken for the answer to the
// next, and so is each after it, until the transport finds something to read while no request waits. Then it closes the
// connection.

// unasked watches the connections to a service for what comes unasked.
type unasked struct {
	waiting atomic.Bool // no connection is to be kept: a request waits for its answer, or the connection is closed on purpose
	came    atomic.Bool // something came when no request waited
}

func (u *unasked) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &watched{Conn: conn, unasked: u}, nil
}

type watched struct {
	net.Conn
	unasked *unasked
	ended   atomic.Bool // by the service
}

// Read implements net.Conn.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	// Servers answer 408 to nobody before they close a connection that was idle for long.
	if err != nil || bytes.HasPrefix(p[:n], []byte("HTTP/1.1 408")) || bytes.HasPrefix(p[:n], []byte("HTTP/1.0 408")) {
		w.ended.Store(true)
	}
	return n, err
}

// Close implements net.Conn. The transport closes a connection that it keeps if the service has ended it, or writes unasked.
func (w *watched) Close() error {
	if !w.unasked.waiting.Load() && !w.ended.Load() {
		w.unasked.came.Store(true)
	}
	return w.Conn.Close()
}

// drop closes the connection that is kept.
func (e *Executor) drop() {
	e.unasked.waiting.Store(true)
	e.transport.CloseIdleConnections()
}

// distrust gives each further request a connection of its own if something came that no request had asked for.
func (e *Executor) distrust() {
	if e.apart || !e.unasked.came.Load() {
		return
	}
	e.apart = true
	e.drop()
	e.notes = append(e.notes, fmt.Sprintf("program %s: its service writes more than the answers to its requests, so answers may have been taken for those to other inputs; each request gets a connection of its own now", e.c.Name))
}
