package campaign

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/wire"
)

// walkedInputs bounds the inputs of the corpus that walk runs.
const walkedInputs = 4096

// walk runs the corpus and the smallest input of each finding once more, and counts the paths on
// which they reach each change point. It skips inputs that do not run.
func (c *Campaign) walk(ctx context.Context) {
	im := c.opt.Impact
	if !im.Known() || ctx.Err() != nil || len(c.known.inputs) == 0 {
		return
	}
	spec := c.triager().Replayer()
	spec.Ctx = ctx
	defer spec.Close()
	at := map[uint32][]int{} // change points, by block
	for p := range im.Points {
		for _, b := range im.Points[p].Blocks {
			at[b] = append(at[b], p)
		}
	}
	reached := make([]finding.Reached, len(im.Points))
	paths := make([]map[uint64]bool, len(im.Points))
	for p := range paths {
		paths[p] = map[uint64]bool{}
	}
	inputs := func(yield func([]byte) bool) {
		for _, k := range c.known.inputs[:min(walkedInputs, len(c.known.inputs))] {
			if !yield(k.flat) {
				return
			}
		}
		for _, id := range c.findings.IDs() { // inputs that fail are not in the corpus
			if !yield(c.findings.Find(id).Best.Minimized) {
				return
			}
		}
	}
	err := spec.RunAll(inputs, wire.WantHits, func(_ []byte, results []wire.RunResult) bool {
		hits := results[im.Program].Hits
		path := uint64(0)
		var here []int
		for _, b := range hits {
			path = feature.Chain(path, uint64(b))
			here = append(here, at[b]...)
		}
		slices.Sort(here)
		for _, p := range slices.Compact(here) {
			reached[p].Inputs++
			paths[p][path] = true
		}
		return ctx.Err() == nil
	})
	if err != nil {
		c.log.Warn("corpus not run for the change", "error", err.Error())
		return
	}
	for p := range reached {
		reached[p].Paths = len(paths[p])
	}
	c.account.walked = reached
}

// change reports how well the change was tested. It returns nil if no change is known.
func (a *account) change() *finding.Change {
	im := a.opt.Impact
	if !im.Known() {
		return nil
	}
	hit := executed(a.known.mapOf(im.Program))
	s := &finding.Change{Points: len(im.Points), Impacted: len(im.Impacted), Blocks: len(a.reach.blocks), Harnesses: a.opt.Harnesses, Functions: a.opt.Altered}
	if pair := a.facts.Pair; pair != nil {
		s.Calls, s.LeftOut = len(pair.Calls), pair.LeftOut
	}
	s.ImpactedCovered, s.BlocksCovered = count(im.Impacted, hit), count(a.reach.blocks, hit)
	for p := range im.Points {
		place := fmt.Sprintf("change point %d", p+1)
		if p < len(a.opt.Places) {
			place = a.opt.Places[p]
		}
		executed := slices.ContainsFunc(im.Points[p].Blocks, hit)
		if executed || slices.ContainsFunc(im.Points[p].Blocks, a.facts.Space.AtStart) {
			s.Covered++
			one := finding.Reached{Start: !executed}
			if executed && p < len(a.walked) {
				one = a.walked[p]
			}
			if one.Location = place; slices.Contains(a.opt.Dropped, p) {
				one.NotJudged = true
				s.NotJudged++
			}
			s.Reached = append(s.Reached, one)
			continue
		}
		not := finding.NotReached{Location: place}
		if p < len(a.opt.Reasons) {
			not.Reason = a.opt.Reasons[p]
		}
		not.Nearest, not.Distance = a.nearest(&im.Points[p], hit)
		if blocks := im.Points[p].Blocks; not.Nearest == "" && len(blocks) > 0 && a.facts.Space.StartedIn(int(blocks[0])) {
			not.Reason = regress.Initializes
		}
		s.NotReached = append(s.NotReached, not)
	}
	// Change points with an executed block nearby come first.
	slices.SortStableFunc(s.NotReached, func(a, b finding.NotReached) int {
		return cmp.Compare(min(1, len(b.Nearest)), min(1, len(a.Nearest)))
	})
	return s
}

// nearest returns the executed place nearest to a change point, and its distance, or "".
func (a *account) nearest(p *impact.Point, hit func(uint32) bool) (place string, distance int) {
	best := -1
	for i := range p.Near {
		if hit(p.Near[i].Block) && (best < 0 || p.Near[i].Distance < p.Near[best].Distance) {
			best = i
		}
	}
	if best < 0 {
		return "", 0
	}
	return a.place(int(p.Near[best].Block)), int(p.Near[best].Distance)
}

// place returns the place of a block as the user would write it, relative to one of the trees.
func (a *account) place(block int, trees ...string) string {
	at := a.facts.Space.At(block)
	for _, dir := range append(trees, a.opt.Dir, a.opt.Tree) {
		if shown := finding.Relative(dir, at); dir != "" && shown != at {
			return shown
		}
	}
	if table, _ := a.facts.Space.Block(block); table != nil && table.Files == nil { // a Go package outside of the trees
		return table.Package + "/" + filepath.Base(at)
	}
	return filepath.Base(at)
}
