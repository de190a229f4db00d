package engine

import "parallax/internal/feature"

// Other campaigns on the same build skip an input if they have seen its features. This file reports
// the features of kept inputs for them. A feature is a block of a program with its hit-count
// bucket, or a feature of another domain. Its number is equal in all processes of a build.

// mostShown bounds the features of one input. They fit an event of the ring.
const mostShown = 7000

// show adds the new features of a domain that wants the input, if the configuration asks for them.
func (x *execution) show(d *feature.Domain, fresh []uint64) {
	if !x.shows {
		return
	}
	if d.Number == feature.Unstored {
		x.opaque = true
		return
	}
	for _, h := range fresh {
		x.fresh = append(x.fresh, feature.Chain(1<<32+uint64(d.Number), h))
	}
}

// show reports the features of an input that joins the corpus. The programs have just run it.
func (e *Engine) show(it *Item) {
	x := &e.execution
	if !e.cfg.Shows || it.Opaque || x.origin == imported || x.origin == replayed && !e.cfg.ShowsReplayed {
		return
	}
	list := append(e.shown[:0], it.Fresh...)
	if len(e.coverage.domains) > 0 {
		for p := range x.joint.Traces {
			t := &x.joint.Traces[p]
			t.Need()
			if len(list)+len(t.Hits) > mostShown {
				return
			}
			for i, id := range t.Hits {
				bucket := feature.Bucket[t.Counts[i]]
				if e.coverage.bare {
					bucket = 0
				}
				list = append(list, feature.Chain(uint64(p+1), uint64(id)<<8|uint64(bucket)))
			}
		}
	}
	if e.shown = list; len(list) > 0 && len(list) <= mostShown {
		e.sink.Shown(it.Flat, list)
	}
}
