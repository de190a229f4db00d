package callgraph

import (
	"context"
	"time"

	"parallax/cmd/internal/base/buildcache"
)

// Load reads packages and makes their graph, or finds it in the cache. Packages with errors are
// left out with a note. A requested package that does not exist is an error.
func Load(ctx context.Context, req Request) (*Graph, error) {
	if req.Progress == nil {
		req.Progress = func(string) {}
	}
	l, err := read(ctx, req)
	if err != nil {
		return nil, err
	}
	kept := openCache(req.Cache)
	key := l.key()
	if g, err := decode(kept.Read(key)); err == nil { // fails for damaged entries
		return g, nil
	}
	req.Progress("reading which functions call which")
	if req.Patience == 0 {
		return l.make(ctx, kept, key)
	}
	var graph *Graph
	done := make(chan struct{})
	patient := patience{req.Patience, time.Now(), processorTime()}
	go func() {
		defer close(done)
		graph, err = l.make(ctx, kept, key)
	}()
	if patient.wait(ctx, done) {
		return graph, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	req.Progress("reading names of functions")
	return textual(ctx, l)
}

// make makes the graph of packages and caches it.
func (l *list) make(ctx context.Context, kept buildcache.Results, key string) (*Graph, error) {
	w, err := check(ctx, l)
	if err != nil {
		return nil, err
	}
	if err := w.noneReadable(l.matched); err != nil {
		return nil, err
	}
	p, err := build(ctx, w)
	if err != nil {
		return nil, err
	}
	g := extract(p)
	g.finish()
	kept.Write(key, encode(g))
	return g, nil
}
