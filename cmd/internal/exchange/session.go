package exchange

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// run keeps sessions with the hub until ctx ends. A session ends with the first error.
func (m *Member) run(ctx context.Context) {
	defer close(m.stopped)
	for attempts := 0; ctx.Err() == nil; attempts++ {
		began := time.Now()
		err := m.session(ctx)
		if ctx.Err() != nil {
			return
		}
		m.setLost(err)
		if time.Since(began) > slowestTry {
			attempts = 0
		}
		select {
		case <-time.After(delay(attempts)):
		case <-ctx.Done():
		}
	}
}

// errDisconnected ends a session.
var errDisconnected = errors.New("the connection is lost")

// session exchanges until something fails.
func (m *Member) session(ctx context.Context) error {
	if !m.hub.conn.IsConnected() {
		if err := m.hub.conn.LastError(); err != nil {
			return explain(err)
		}
		return errDisconnected
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lost := m.hub.conn.StatusChanged(nats.RECONNECTING, nats.DISCONNECTED, nats.CLOSED)
	defer m.hub.conn.RemoveStatusListener(lost)
	call, end := context.WithTimeout(ctx, startTime)
	s, err := m.hub.streams(call)
	end()
	if err != nil {
		return explain(err)
	}
	if err := m.reconcile(ctx, &s); err != nil {
		return explain(err)
	}
	m.setFound(&s)
	defer m.setSession(nil)
	tasks := []func(context.Context, *streams) error{m.announceAll, m.receiveInputs, m.receiveFinds, m.receiveFinders, m.show, m.divide}
	ended := make(chan error, len(tasks))
	for _, task := range tasks {
		go func() { ended <- task(ctx, &s) }()
	}
	running := len(tasks)
	select {
	case err = <-ended:
		running--
	case <-lost:
		err = errDisconnected
	}
	cancel()
	for ; running > 0; running-- {
		<-ended
	}
	return explain(err)
}

// setLost records that the hub is away, and informs the user once.
func (m *Member) setLost(err error) {
	m.mu.Lock()
	first := m.link.lost.IsZero()
	if first {
		m.link.lost = time.Now()
	}
	m.link.why = err
	m.mu.Unlock()
	m.about.Log(fmt.Sprintf("hub lost: %v", err))
	if first {
		m.about.Report(fmt.Sprintf("the hub %s is away (%v): the campaign continues alone, and announces the rest later", m.hub.shown, err))
	}
}

// setSession sets the streams that other goroutines ask. Nil means that the hub is away.
func (m *Member) setSession(s *streams) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.streams = s
}

// setFound records that the hub is there.
func (m *Member) setFound(s *streams) {
	m.setSession(s)
	m.mu.Lock()
	back := !m.link.lost.IsZero()
	m.link.lost, m.link.why = time.Time{}, nil
	m.mu.Unlock()
	if back {
		m.about.Log("hub found")
		m.about.Report(fmt.Sprintf("the hub %s is back", m.hub.shown))
	}
}

// fail records an error of the own folder, which ends the campaign.
func (m *Member) fail(err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure == nil {
		m.failure = err
	}
	return err
}

// saveEvery bounds how often the memory is written. Later messages are received again after a kill.
const saveEvery = time.Second

// save writes the memory if it is due. The caller holds mu, or is alone.
func (m *Member) save(now bool) error {
	if !now && time.Since(m.saved) < saveEvery {
		return nil
	}
	m.saved = time.Now()
	return m.shelf.save(m.memory)
}
