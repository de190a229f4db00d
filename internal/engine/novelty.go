package engine

import (
	"slices"

	"parallax/internal/adapt"
	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
)

// novelty holds the seen features of all measured domains, and decides which new ones make an input
// wanted. Features of domains that do not guide are recorded and make no input wanted.
type novelty struct {
	guidance []string
	guided   []string           // domains of it that guide this campaign
	keeps    bool               // some domain guides
	adapts   bool               // domains with recent low yield keep less
	domains  []*feature.Novelty // all measured domains
	measured []*feature.Novelty // those of them with features per input
	oracle   *feature.Novelty   // discrepancies; nil with a single program
	shares   *adapt.Shares      // of domains; nil means that all are equal

	owners *cellOwners // nil unless a domain with CellOwners guides
	rarity *feature.Rarity
	joint  *feature.Joint // results of the current input
	cell   uint64         // of the current input
	placed bool           // cell is known
	place  func() uint64  // returns cell
}

// newNovelty returns the guiding domains, and those that are always measured. unique is the set of
// the domain of discrepancies.
func newNovelty(cfg *Config, guidance []string, index *impact.Index, joint *feature.Joint, unique *feature.Set) *novelty {
	n := &novelty{guidance: guidance, joint: joint, rarity: feature.NewRarity(cfg.Programs, cfg.Blocks)}
	n.place = n.currentCell
	s := feature.Setting{
		Programs: cfg.Programs, Blocks: cfg.Blocks, Reference: max(0, slices.Index(cfg.Names, cfg.Reference)),
		Layers: cfg.Layers, Costs: cfg.Layers&oracle.CostLayer != 0,
	}
	if index != nil {
		s.Segments = index.Features
	}
	for _, d := range feature.Table {
		guides := guides(d, guidance, cfg.Programs)
		n.adapts = n.adapts || guides && d.Adapts
		n.keeps = n.keeps || guides && !d.KeepsOnlySeeds && !d.Adapts
		if guides {
			n.guided = append(n.guided, d.Name)
		}
		if guides && d.CellOwners {
			n.owners = newCellOwners(cfg.Programs)
		}
		if !d.Measured(cfg.Programs, guides) || d.Measure == nil && !d.Oracle {
			continue
		}
		domain := feature.NewNovelty(d, s, guides, cfg.PoolSize)
		n.domains = append(n.domains, domain)
		if d.Oracle {
			n.oracle, domain.Seen = domain, unique
		} else {
			n.measured = append(n.measured, domain)
		}
	}
	return n
}

// domain returns the measured domain with that number, or nil.
func (n *novelty) domain(number int) *feature.Novelty {
	for _, d := range n.domains {
		if d.Number == number && number >= 0 {
			return d
		}
	}
	return nil
}

// observe records the features of the current input, and adds the domains that want it to newIn. It
// reports whether a feature was new, whether one makes the input wanted, and whether a domain for
// programs without blocks had one.
func (n *novelty) observe(x *execution, failed bool, sink FeatureSink) (novel, wanted, blockless bool) {
	n.placed = false
	for _, d := range n.measured {
		if d.Blockless && failed {
			continue // it is not kept, so that its new cells stay new
		}
		fresh := d.Observe(n.joint)
		if d.CellOwners && len(fresh) == 0 && n.owners != nil && n.owners.smaller(n.joint, len(x.step.Flat)) {
			wanted, x.opaque = true, true
			x.newIn = append(x.newIn, d.Name)
		}
		if len(fresh) == 0 {
			continue
		}
		novel = true
		blockless = blockless || d.Blockless
		if d.Number != feature.Unstored {
			for _, h := range fresh {
				sink.Novel(d.Number, h)
			}
		}
		wants := (!n.adapts || d.Bounded || d.KeepFraction(n.relativeShare(d.Name))) && d.Wants(n.place)
		if wants || d.Guides && x.origin == seed { // pools bound what mutants add
			wanted = true
			x.newIn = append(x.newIn, d.Name)
			x.show(d.Domain, fresh)
		}
	}
	return novel, wanted, blockless
}

// relativeShare returns the share of a domain's seeds relative to their usual share.
func (n *novelty) relativeShare(domain string) float64 {
	d := slices.Index(n.guidance, domain)
	if n.shares == nil || d < 0 {
		return 1
	}
	at := schedule.DomainArm(d)
	if at+1 >= n.shares.Seeds.Len() { // another schedule has its own arms
		return 1
	}
	return n.shares.Seeds.Relative(at, at+1)
}

// recall restores the domains that a replayed input was kept for. If they are unknown, it does not
// count for what pools admit. It then fills its cell in all pools, unless it was new just now.
func (n *novelty) recall(x *execution, novel bool) {
	known := x.step.Known
	if len(known) > 0 {
		x.newIn = append(x.newIn[:0], known...)
	}
	for _, d := range n.measured {
		switch {
		case d.Pool == nil:
		case slices.Contains(known, d.Name):
			d.Pool.Restore(n.place())
		case len(known) == 0 && !novel:
			d.Pool.Occupy(n.place())
		}
	}
}

// guiding returns those of the domains that guide. Another run of the campaign may have had other
// guidance.
func (n *novelty) guiding(domains []string) (some []string) {
	for _, name := range n.guided {
		if slices.Contains(domains, name) {
			some = append(some, name)
		}
	}
	return some
}

// kept records the current input's place in the corpus. domains are those in which it is new.
func (n *novelty) kept(size int, domains []string, seed bool) {
	n.rarity.Add(n.joint)
	if n.owners != nil {
		n.owners.add(n.joint, size, !onlyForCells(domains), seed)
	}
}

// currentCell returns the cell of the current input. It is equal for all domains and computed once.
func (n *novelty) currentCell() uint64 {
	if !n.placed {
		n.cell, n.placed = n.rarity.Cell(n.joint), true
	}
	return n.cell
}

// bytes bounds the memory of the domains' features.
func (n *novelty) bytes() (sum int) {
	for _, d := range n.domains {
		sum += d.Bytes()
	}
	return sum
}
