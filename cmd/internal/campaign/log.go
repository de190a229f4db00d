package campaign

import (
	"context"
	"log/slog"
	"maps"
	"math/bits"
	"slices"
	"sync"

	"parallax/cmd/internal/finding/state"
)

// logger returns a logger that writes to the folder's log, which adds the time to every record.
func logger(to *state.LogWriter) *slog.Logger {
	return slog.New(&repeats{
		Handler: slog.NewTextHandler(to, &slog.HandlerOptions{ReplaceAttr: dropTime}),
		counted: map[string]uint64{},
	})
}

// dropTime removes the time, which the folder's log adds.
func dropTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// repeats is a handler that bounds repeated messages. It passes on the first mostAlike records with
// the same message, then the 128th, the 256th and so on, with their number. A program that ends its
// process on every input would otherwise fill the disk. Messages are constants, and few. Records of
// new buckets always pass, and those whose message is in distinct.
type repeats struct {
	slog.Handler
	mu      sync.Mutex
	counted map[string]uint64 // records by message
}

// mostAlike is the number of records per message that pass one by one.
const mostAlike = 64

// distinct lists messages whose records never repeat: each is about another file or input.
var distinct = []string{"problem", "input no longer replayed"}

// newKey is the attribute that marks a record of a new bucket.
const newKey = "new"

// Handle implements slog.Handler.
func (h *repeats) Handle(ctx context.Context, r slog.Record) error {
	fresh := slices.Contains(distinct, r.Message)
	r.Attrs(func(a slog.Attr) bool {
		fresh = fresh || a.Key == newKey && a.Value.Kind() == slog.KindBool && a.Value.Bool()
		return true
	})
	if fresh {
		return h.Handler.Handle(ctx, r)
	}
	h.mu.Lock()
	h.counted[r.Message]++
	n := h.counted[r.Message]
	h.mu.Unlock()
	switch {
	case n <= mostAlike:
	case bits.OnesCount64(n) == 1:
		r = r.Clone()
		r.AddAttrs(slog.Uint64("alike", n))
	default:
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// logCounts logs the number of records of each message that did not always pass.
func logCounts(log *slog.Logger) {
	h, ok := log.Handler().(*repeats)
	if !ok {
		return
	}
	h.mu.Lock()
	counted := maps.Clone(h.counted)
	h.mu.Unlock()
	for _, message := range slices.Sorted(maps.Keys(counted)) {
		if n := counted[message]; n > mostAlike {
			log.LogAttrs(context.Background(), slog.LevelInfo, "counted", slog.String("message", message), slog.Uint64("records", n))
		}
	}
}
