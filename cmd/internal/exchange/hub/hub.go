// Package hub runs the server where members of a fleet meet: an embedded NATS server with
// JetStream. Any NATS cluster with JetStream can take its place.
//
// Invariants: one process serves a folder. Addresses other than loopback need a token.
package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/filelock"
	"parallax/internal/atomicfile"
)

// Options holds the user's decisions about a hub.
type Options struct {
	Listen    string // HOST:PORT; port 0 means that the system chooses one
	Dir       string // holds the streams
	TokenFile string // its first line is the token; empty means that there is none
	KeyFile   string // has the public NKeys of members, one per line; empty means that there is none
	Cert, Key string // of TLS; empty means that there is none
	Warn      func(text string)
}

// Hub is a running hub.
type Hub struct {
	server *server.Server
	lock   *filelock.Lock
	user   nats.Option // of connections within this process
}

const (
	startTime = 5 * time.Minute        // a large store is read first
	pollTime  = 100 * time.Millisecond // between two questions whether it is ready
	syncEvery = 10 * time.Second       // writes to the disk
	mostInput = 1 << 20                // bytes of a message
)

// Start starts a hub.
func Start(o Options) (*Hub, error) {
	options, err := o.server()
	if err != nil {
		return nil, err
	}
	user, err := within(options)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, exit.Infra("%w", atomicfile.Explain("create", o.Dir, err))
	}
	lock, err := filelock.Try(filepath.Join(o.Dir, "lock"), filelock.Exclusive)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, exit.Usage("another hub serves %s: end it, or choose another folder with --dir", o.Dir)
	}
	if err != nil {
		return nil, exit.Infra("%w", atomicfile.Explain("lock", o.Dir, err))
	}
	s, err := server.NewServer(options)
	if err != nil {
		lock.Release()
		return nil, exit.Infra("starting the hub: %w", err)
	}
	h := &Hub{server: s, lock: lock, user: user}
	l := &logger{warn: o.Warn}
	s.SetLogger(l, false, false)
	go s.Start()
	for end := time.Now().Add(startTime); !s.ReadyForConnections(pollTime); {
		if why := l.ended(); why != "" {
			h.stop()
			return nil, exit.Infra("starting the hub on %s: %s", o.Listen, why)
		}
		if time.Now().After(end) {
			h.stop()
			return nil, exit.Infra("the hub is not ready after %v", startTime)
		}
	}
	return h, nil
}

// within returns how connections within this process log in. If members have keys, so do these.
func within(options *server.Options) (nats.Option, error) {
	if len(options.Nkeys) == 0 {
		return nats.Token(options.Authorization), nil
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, exit.Infra("making a key: %w", err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, exit.Infra("making a key: %w", err)
	}
	options.Nkeys = append(options.Nkeys, &server.NkeyUser{Nkey: public})
	return nats.Nkey(public, pair.Sign), nil
}

// server returns the options of the server.
func (o *Options) server() (*server.Options, error) {
	host, port, err := net.SplitHostPort(o.Listen)
	number, bad := strconv.ParseUint(port, 10, 16)
	if err != nil || bad != nil {
		return nil, exit.Usage("--hub %q: give a host and a port like 127.0.0.1:4222", o.Listen)
	}
	token := ""
	if o.TokenFile != "" {
		if token, err = ReadToken(o.TokenFile); err != nil {
			return nil, err
		}
	}
	var keys []*server.NkeyUser
	if o.KeyFile != "" {
		if keys, err = readKeys(o.KeyFile); err != nil {
			return nil, err
		}
	}
	if token == "" && keys == nil && !Loopback(host) {
		return nil, exit.Usage("--hub %s: other machines can reach this address, so it needs a token: give --token-file, or --nkeys", o.Listen)
	}
	options := &server.Options{
		ServerName: "parallax", Host: host, Port: int(number), Authorization: token, Nkeys: keys, NoSigs: true,
		JetStream: true, StoreDir: o.Dir, SyncInterval: syncEvery, MaxPayload: mostInput,
	}
	if port == "0" {
		options.Port = server.RANDOM_PORT
	}
	if (o.Cert == "") != (o.Key == "") {
		return nil, exit.Usage("--tls-cert and --tls-key: give both or none")
	}
	if o.Cert != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, exit.Usage("--tls-cert %s: %w", o.Cert, err)
		}
		options.TLS, options.TLSConfig = true, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		options.TLSTimeout = 5
	}
	return options, nil
}

// Loopback reports whether only this machine can reach a host.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// shortest is the length of the shortest token that is accepted.
const shortest = 16

// ReadToken returns the token in a file, which is its first line.
func ReadToken(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", exit.Usage("--token-file: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	token := strings.TrimSpace(line)
	if len(token) < shortest || strings.ContainsAny(token, "@:/ \t") {
		return "", exit.Usage("--token-file %s: its first line must be a token of at least %d characters, without blanks and @:/", path, shortest)
	}
	return token, nil
}

// readKeys returns the public keys in a file. Text after a key is a comment, and so are lines that
// begin with #.
func readKeys(path string) (keys []*server.NkeyUser, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.Usage("--nkeys: %w", err)
	}
	known := map[string]bool{}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") || known[fields[0]] {
			continue
		}
		key := fields[0]
		if !nkeys.IsValidPublicUserKey(key) { // the text may be a secret seed
			return nil, exit.Usage("--nkeys %s:%d: this is no public key of a user, which begins with U: nk -gen user -pubout makes a pair", path, n)
		}
		known[key] = true
		keys = append(keys, &server.NkeyUser{Nkey: key})
	}
	if len(keys) == 0 {
		return nil, exit.Usage("--nkeys %s: there is no key in it", path)
	}
	return keys, nil
}

// Connect returns a connection to the hub within this process, without TLS.
func (h *Hub) Connect() (*nats.Conn, error) {
	conn, err := nats.Connect("", nats.InProcessServer(h.server), h.user, nats.Name("parallax page"), nats.MaxReconnects(-1))
	if err != nil {
		return nil, exit.Infra("connecting to the hub: %w", err)
	}
	return conn, nil
}

// Address returns the address at which the hub listens.
func (h *Hub) Address() string { return h.server.Addr().String() }

// Run serves until ctx ends, and then stops cleanly.
func (h *Hub) Run(ctx context.Context) error {
	ended := make(chan struct{})
	go func() {
		h.server.WaitForShutdown()
		close(ended)
	}()
	select {
	case <-ctx.Done():
	case <-ended:
		h.lock.Release()
		return exit.Infra("the hub has ended by itself")
	}
	h.stop()
	return nil
}

func (h *Hub) stop() {
	h.server.Shutdown()
	h.server.WaitForShutdown()
	h.lock.Release()
}

// logger passes warnings and errors of the server on.
type logger struct {
	warn func(string)

	mu    sync.Mutex
	fatal string
}

// Errorf implements server.Logger.
func (l *logger) Errorf(format string, v ...any) {
	if l.warn != nil {
		l.warn(fmt.Sprintf(format, v...))
	}
}

// Fatalf implements server.Logger. The server ends after it.
func (l *logger) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fatal = fmt.Sprintf(format, v...)
}

// ended returns the reason why the server has ended. Empty means that it has not.
func (l *logger) ended() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

// Warnf implements server.Logger.
func (l *logger) Warnf(format string, v ...any) {}

// Noticef implements server.Logger.
func (l *logger) Noticef(format string, v ...any) {}

// Debugf implements server.Logger.
func (l *logger) Debugf(format string, v ...any) {}

// Tracef implements server.Logger.
func (l *logger) Tracef(format string, v ...any) {}
