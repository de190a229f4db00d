package serve

import (
	"fmt"
	"net/http"
	"time"
)

// A connection without news gets a comment after this time, so that neither side takes it for dead.
const heartbeat = 20 * time.Second

// maxListeners bounds the open connections for events.
const maxListeners = 256

// events sends the name of the state of the campaigns, now and with each change (server-sent
// events). The browser then reads its view again.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if s.listeners.Add(1) > maxListeners {
		s.listeners.Add(-1)
		s.refuse(w, r, http.StatusServiceUnavailable, "Too many pages are open.")
		return
	}
	defer s.listeners.Add(-1)
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		_, state, next := s.state()
		if _, err := fmt.Fprintf(w, "event: state\ndata: %s\n\n", state); err != nil || out.Flush() != nil {
			return
		}
		if !s.wait(w, r, out, next) {
			return
		}
	}
}

// wait waits for the next state, and keeps the connection alive. It reports whether the connection
// is still there.
func (s *Server) wait(w http.ResponseWriter, r *http.Request, out *http.ResponseController, next <-chan struct{}) bool {
	for {
		select {
		case <-next:
			return true
		case <-r.Context().Done():
			return false
		case <-time.After(heartbeat):
			if _, err := fmt.Fprint(w, ": still here\n\n"); err != nil || out.Flush() != nil {
				return false
			}
		}
	}
}
