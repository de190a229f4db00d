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

// logger writes to the folder's log, which puts the time before every record.
func logger(to *state.LogWriter) *slog.Logger {
	return slog.New(&repeats{
		Handler: slog.NewTextHandler(to, &slog.HandlerOptions{ReplaceAttr: dropTime}),
		counted: map[string]uint64{},
	})
}

// dropTime leaves the time to the folder's log, which puts it before every record.
func dropTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// repeats is a handler that bounds what repeats. Of records with one message it passes on the first mostAlike, and after
// them the 128th, the 256th, the 512th and so on, with their number. A program that ends its process on every input would
// fill the disk with lines otherwise. Messages are constants of the program, and few. Records of new buckets are all
// passed on, and those with a message of each.
type repeats struct {
	slog.Handler
	mu      sync.Mutex
	counted map[string]uint64 // records by message
}

// mostAlike is how many records of one message are passed on one by one.
const mostAlike = 64

// each are messages of which no record repeats another: of a file, or of an input of the corpus.
var each = []string{"problem", "input no longer replayed"}

// newKey is the attribute of a record that tells whether it is of something new.
const newKey = "new"

// Handle implements slog.Handler.
func (h *repeats) Handle(ctx context.Context, r slog.Record) error {
	fresh := slices.Contains(each, r.Message)
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

// sum says how many records there were of each message of which not all were passed on.
func sum(log *slog.Logger) {
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
