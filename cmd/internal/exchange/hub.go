package exchange

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parallax/cmd/internal/base/exit"
)

// Hub is a connection to a hub. The targets of a command share it.
type Hub struct {
	conn  *nats.Conn
	js    jetstream.JetStream
	shown string // its address without secrets
}

const (
	startTime   = 10 * time.Second // for the first answer of a hub
	callTime    = 5 * time.Second  // for each later one
	pingTime    = 10 * time.Second // two unanswered pings end a connection
	slowestTry  = 10 * time.Second // between two attempts to connect
	fastestTry  = 250 * time.Millisecond
	doublings   = 5
	mostPending = 256 // announcements on their way
)

// Dial connects to a hub.
func Dial(a *Address) (*Hub, error) {
	options := []nats.Option{
		nats.Name("parallax"), nats.Timeout(startTime), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(2),
		nats.MaxReconnects(-1), nats.ReconnectBufSize(-1), nats.IgnoreAuthErrorAbort(), nats.CustomReconnectDelay(delay),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // callers get their errors
	}
	if login, err := a.login(); err != nil {
		return nil, err
	} else if login != nil {
		options = append(options, login)
	}
	conn, err := nats.Connect(a.url, options...)
	if err != nil {
		return nil, exit.Infra("joining at %s: %w", a.host, explain(err))
	}
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(mostPending), jetstream.WithPublishAsyncTimeout(callTime), jetstream.WithDefaultTimeout(callTime))
	if err != nil {
		conn.Close()
		return nil, exit.Infra("joining at %s: %w", a.host, err)
	}
	h := &Hub{conn: conn, js: js, shown: a.host}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for attempts := 0; ; attempts++ {
		_, err := h.streams(ctx)
		if err == nil {
			return h, nil
		}
		if ctx.Err() != nil || apiError(err) || errors.Is(err, nats.ErrNoResponders) {
			conn.Close()
			return nil, exit.Infra("joining at %s: %w", a.host, explain(err))
		}
		select { // the hub is lost again
		case <-time.After(delay(attempts)):
		case <-ctx.Done():
		}
	}
}

// Close ends the connection.
func (h *Hub) Close() { h.conn.Close() }

// delay returns the wait before the next attempt. It doubles from attempt to attempt and is random,
// so that the members of a fleet do not all come at once.
func delay(attempts int) time.Duration {
	most := min(fastestTry<<min(attempts, doublings), slowestTry)
	return most/2 + rand.N(most)
}

// explain says what the user can do about an error of a hub.
func explain(err error) error {
	var authority x509.UnknownAuthorityError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), strings.Contains(strings.ToLower(err.Error()), "authorization violation"):
		return fmt.Errorf("the hub refuses the token or NKey: check it in --join or %s", TokenVariable)
	case errors.Is(err, nats.ErrNkeysNotSupported):
		return errors.New("the hub knows no NKeys: join with a token, or start it with --nkeys")
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return errors.New("the server has no JetStream: enable it, or start a hub by parallax serve --hub")
	case errors.As(err, &authority):
		return errors.New("the hub's certificate is of an unknown authority: name its certificate in SSL_CERT_FILE")
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrReconnectBufExceeded), errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no hub answers there (%w): start one by parallax serve --hub, or leave --join out", err)
	}
	return err
}
