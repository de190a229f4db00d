package serving

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/exchange/hub"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/serve"
)

// DefaultListen is the address of the page.
const DefaultListen = "127.0.0.1:7780"

// listen opens the address of the page, and returns its token.
func (o *Options) listen() (l net.Listener, token string, err error) {
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, "", exit.Usage("--listen %q: give a host and a port like %s", o.Listen, DefaultListen)
	}
	switch {
	case o.TokenFile != "":
		if token, err = hub.ReadToken(o.TokenFile); err != nil {
			return nil, "", err
		}
	case !hub.Loopback(host):
		return nil, "", exit.Usage("--listen %s is reachable from other machines: give the page a token with --token-file, a file whose first line is the token", o.Listen)
	default:
		token = rand.Text()
	}
	l, err = net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, "", exit.Infra("--listen %s: %w", o.Listen, err)
	}
	return l, token, nil
}

// hosts returns the names by which a browser may ask for the page. Nil means any: other addresses
// than loopback have names that the page cannot know, and need the token for all requests.
func hosts(l net.Listener) []string {
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil || !hub.Loopback(host) {
		return nil
	}
	var list []string
	for _, name := range []string{"localhost", "127.0.0.1", "::1", host} {
		list = append(list, net.JoinHostPort(name, port))
	}
	return list
}

// shutdown bounds the time for requests that are under way at the end.
const shutdown = 2 * time.Second

// page serves the live page of a source until ctx ends.
func (o *Options) page(ctx context.Context, source serve.Source) error {
	if _, err := archive.Folders(o.Dirs); err != nil {
		return err
	}
	l, token, err := o.listen()
	if err != nil {
		return err
	}
	names := hosts(l)
	server := serve.New(serve.Options{
		Source: source, Version: o.Version, Token: token, Open: names != nil, Hosts: names, Now: time.Now,
	})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go server.Run(ctx)
	h := &http.Server{
		Handler: server, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx }, // the events end with it
	}
	fmt.Fprintf(os.Stderr, "page: http://%s/\n", l.Addr())
	if o.TokenFile == "" {
		fmt.Fprintf(os.Stderr, "to comment and to accept: http://%s/login#%s\n", l.Addr(), token)
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return exit.Infra("serving the page: %w", err)
	case <-ctx.Done():
	}
	cancel()
	last, done := context.WithTimeout(context.WithoutCancel(ctx), shutdown)
	defer done()
	if err := h.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return exit.Infra("ending the page: %w", err)
	}
	return nil
}

// nothing says that no campaign is there yet.
func (o *Options) nothing() {
	if list, err := archive.Folders(o.Dirs); err == nil && len(list) == 0 {
		where := state.Home
		if len(o.Dirs) > 0 {
			where = strings.Join(o.Dirs, ", ")
		}
		fmt.Fprintf(os.Stderr, "no campaign in %s yet: the page shows them as they come\n", escape.Text(where))
	}
}
