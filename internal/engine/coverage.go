package engine

import (
	"slices"

	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/policy"
	"parallax/internal/source"
)

// coverage holds the blocks that inputs have executed, with their hit-count buckets. The blocks of
// an input that is not counted appear in reports and stay new. An input that fails is not counted,
// and with policy.ValidCoverage neither is one that no program accepts.
type coverage struct {
	domains []string      // guiding domains of coverage
	maps    []feature.Map // coverage of all inputs, for reports
	known   []feature.Map // coverage of inputs that can be kept, for novelty; replays rebuild an earlier process's
	seen    digests       // of traces that known includes
	change  *impact.Index // nil means that no change is known
	bare    bool          // only new blocks count, not their hit-count buckets

	validOnly bool // only inputs that a program accepts count

	// The current input.
	blocks  int           // number of new blocks and hit-count buckets
	first   []source.Pair // these, for a single program
	reached []uint32      // changed blocks that no earlier input executed
	note    func(id uint32, bucket byte)
}

// newCoverage returns coverage whose domains are those of the guidance.
func newCoverage(cfg *Config, guidance []string, change *impact.Index) *coverage {
	c := &coverage{maps: cfg.Maps, change: change, validOnly: cfg.Follows(policy.ValidCoverage)}
	c.note = func(id uint32, bucket byte) { c.first = append(c.first, source.Pair{ID: id, Bucket: bucket}) }
	for len(c.maps) < cfg.Programs {
		c.maps = append(c.maps, make(feature.Map, cfg.Blocks))
	}
	for p := 0; p < cfg.Programs; p++ { // Go 1.21 knows no other way
		c.known = append(c.known, make(feature.Map, cfg.Blocks))
	}
	for _, d := range feature.Table {
		if d.Blocks && guides(d, guidance, cfg.Programs) {
			c.domains = append(c.domains, d.Name)
		}
	}
	c.bare = slices.Equal(c.domains, []string{feature.Blocks})
	return c
}

// guides reports whether the domain guides a campaign with that guidance.
func guides(d *feature.Domain, guidance []string, programs int) bool {
	return slices.Contains(guidance, d.Name) && d.Fits(programs)
}

// add records the executed blocks and reports whether some were new.
func (c *coverage) add(traces []feature.Trace, uncounted bool) (covered bool) {
	c.blocks, c.first, c.reached = 0, c.first[:0], c.reached[:0]
	for p := range traces {
		t, fresh := &traces[p], 0
		switch {
		case uncounted: // it is not kept, so that its new blocks stay new
		case c.seen.has(p, t.Digest):
		case c.bare:
			fresh = c.known[p].AddBlocks(t, c.note)
		case len(traces) == 1:
			fresh = c.known[p].AddNew(t, c.note)
		default:
			fresh = c.known[p].Add(t)
		}
		c.blocks += fresh
		if covered = covered || fresh > 0; uncounted || fresh > 0 {
			if c.change != nil && p == c.change.Program {
				c.reached = c.change.NewlyReached(t, c.maps[p], c.reached)
			}
			c.maps[p].Add(t)
		}
		if !uncounted {
			c.seen.add(p, t.Digest)
		}
	}
	return covered
}
