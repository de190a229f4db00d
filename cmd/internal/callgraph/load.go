package callgraph

import "context"

// Load reads packages and makes their graph, or finds it in the cache. What has errors in its code is left out, and Notes say so;
// that a package asked for is not there is an error.
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
	if g, err := decode(kept.Read(key)); err == nil { // it is there, undamaged, and of this version
		return g, nil
	}
	req.Progress("reading which functions call which")
	w, err := check(ctx, l)
	if err != nil {
		return nil, err
	}
	if err := w.hopeless(l.matched); err != nil {
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
