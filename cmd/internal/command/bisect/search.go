// Package bisect finds the place in a history at which the outcome of an input changed. A history
// is the versions of a module, or the commits of a repository. The package has the search, the
// histories, the building and running of the programs at a point, and the report. The bisect
// command runs a Query.
//
// The search does not depend on programs: a probe returns the outcome at a point. A point has no
// outcome if the programs do not build or their results vary. The search avoids such points. If
// they hide the change, the answer is a range. The search uses no randomness. It only reads the
// user's folders.
package bisect

import (
	"context"
	"math/bits"
)

// Shown is the outcome at a point of a history.
type Shown struct {
	Outcome string // any comparable text; equal strings are equal outcomes
	Skip    string // why there is no outcome; else empty
}

// Probe returns the outcome at a point. An error ends the search.
type Probe func(ctx context.Context, point int) (Shown, error)

// Search describes a search in a history of points. Point 0 is the oldest.
type Search struct {
	Points int
	Named  bool // the user named the oldest point, which so is tried before those between
	Probe  Probe
	Tries  int // the search gives up after so many points in a row without an outcome; 0 means Tries of the length of the history
	// Old reports that the search is for the first point after the older end's outcome, not for the
	// first with the newer end's. It matters with more than two outcomes. Nil means that it is not.
	Old func(older, newer Shown) bool
}

// Tries returns the default of Search.Tries for a history. Each such point costs a build.
func Tries(points int) int { return 20 + 4*bits.Len(uint(max(points, 0))) }

// End is the way in which a search ended.
type End int

// Ends of a search.
const (
	Found   End = iota // Before and After are neighbors, apart from points without an outcome and, if the search gave up, untried ones
	Same               // both ends have the same outcome
	Nothing            // no tried point has an outcome
	Stopped            // an error; the answer has the known facts
)

// Answer is the result of a search. -1 means an unknown point.
type Answer struct {
	End    End
	Before int // the latest known point before the change
	After  int // the earliest known point after it
	Oldest int // the oldest and the newest tried point with an outcome
	Newest int
	Skips  []int // points without an outcome between Before and After, in order
	Left   int   // untried points between Before and After, or for Nothing in the whole history
}

// Run searches. If the outcomes of both ends agree, it tries only a logarithmic number of points
// between them. It tries those only if the user did not name the older end, since then the latest
// change is the interesting one.
func (s *Search) Run(ctx context.Context) (Answer, error) {
	h := &hunt{Search: s, seen: map[int]Shown{}, tries: s.Tries, a: Answer{Before: -1, After: -1, Oldest: -1, Newest: -1}}
	if h.tries <= 0 {
		h.tries = Tries(s.Points)
	}
	err := h.run(ctx)
	if err != nil {
		h.a.End = Stopped
	}
	h.fillBetween()
	return h.a, err
}

// hunt is the state of one Run.
type hunt struct {
	*Search
	seen  map[int]Shown
	tries int
	row   int // number of the latest tried points in a row without an outcome
	a     Answer
}

func (h *hunt) run(ctx context.Context) (err error) {
	if h.a.Newest, err = h.edge(ctx, h.Points-1, 0); err != nil {
		return err
	}
	if h.a.Newest < 0 {
		h.a.End, h.a.Left = Nothing, h.Points-len(h.seen)
		return nil
	}
	h.a.After = h.a.Newest
	if h.Named {
		h.a.Oldest, err = h.edge(ctx, 0, h.a.Newest)
		if err != nil || h.a.Oldest == h.a.Newest || !h.differ(h.a.Oldest, h.a.Newest) {
			return h.same(err)
		}
		h.a.Before = h.a.Oldest
	} else if err = h.gallop(ctx); err != nil || h.a.Before < 0 {
		return h.same(err)
	}
	return h.narrow(ctx)
}

// same ends a search that found no change.
func (h *hunt) same(err error) error {
	if err == nil {
		h.a.After, h.a.End = -1, Same
	}
	return err
}

func (h *hunt) probe(ctx context.Context, i int) (Shown, error) {
	if s, ok := h.seen[i]; ok {
		return s, nil
	}
	s, err := h.Probe(ctx, i)
	if err == nil {
		h.seen[i] = s
		h.row++
		if s.Skip == "" {
			h.row = 0
		}
	}
	return s, err
}

// unknown counts the untried points from one point up to, but without, another.
func (h *hunt) unknown(from, to int) (n int) {
	for i := from; i < to; i++ {
		if _, known := h.seen[i]; !known {
			n++
		}
	}
	return n
}

func (h *hunt) usable(ctx context.Context, i int) (bool, error) {
	s, err := h.probe(ctx, i)
	return err == nil && s.Skip == "", err
}

func (h *hunt) differ(a, b int) bool { return h.seen[a].Outcome != h.seen[b].Outcome }

// edge finds the point with an outcome that is nearest to an end of the history, and returns -1 if
// the limit is reached. Points that do not build at an end are mostly consecutive. So steps double
// until one builds, and then the search halves the last step. If all these points fail, scan tries
// others.
func (h *hunt) edge(ctx context.Context, from, limit int) (int, error) {
	step, last := 1, from
	if limit < from {
		step = -1
	}
	for i := from; ; {
		ok, err := h.usable(ctx, i)
		if err != nil {
			return -1, err
		}
		if ok {
			return h.boundary(ctx, last, i)
		}
		last = i
		if i == limit {
			break
		}
		if i += step; (limit-i)*step < 0 {
			i = limit
		}
		step *= 2
	}
	return h.scan(ctx, from, limit)
}

// scan continues edge if doubled steps found no outcome. It tries all points from the end on, or as
// many as it may, spread over the history.
func (h *hunt) scan(ctx context.Context, from, limit int) (int, error) {
	low, high := min(from, limit), max(from, limit)
	toward, all := sign(limit-from), h.unknown(low, high+1) <= h.tries-h.row
	for i := from; ; {
		if !all {
			if i = h.middle(low-1, high+1); i < 0 || h.row >= h.tries {
				return -1, nil
			}
		}
		ok, err := h.usable(ctx, i)
		switch {
		case err != nil:
			return -1, err
		case ok && all:
			return i, nil
		case ok: // the untried points towards the end may have outcomes too
			bad := i - toward
			for h.seen[bad].Skip == "" {
				bad -= toward
			}
			return h.boundary(ctx, bad, i)
		case all && i == limit:
			return -1, nil
		case all:
			i += toward
		}
	}
}

// boundary finds the boundary between a point without an outcome and one with, and returns the
// point on the good side.
func (h *hunt) boundary(ctx context.Context, bad, good int) (int, error) {
	for bad != good && bad+1 != good && bad-1 != good {
		mid := bad + (good-bad)/2
		ok, err := h.usable(ctx, mid)
		if err != nil {
			return -1, err
		}
		if ok {
			good = mid
		} else {
			bad = mid
		}
	}
	return good, nil
}

// gallop goes back from the newest point in doubling steps, to the first one with another outcome.
func (h *hunt) gallop(ctx context.Context) error {
	h.a.Oldest = h.a.Newest
	last := h.a.Newest // tried, with or without an outcome
	for step := 1; last > 0; step *= 2 {
		last = max(0, h.a.Newest-step)
		ok, err := h.usable(ctx, last)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		h.a.Oldest = last
		if h.differ(last, h.a.Newest) {
			h.a.Before = last
			return nil
		}
		h.a.After = last
	}
	if h.a.Oldest == 0 || h.a.Newest == 0 {
		return nil
	}
	// The oldest points have no outcome. Find the first that has one.
	i, err := h.boundary(ctx, 0, h.a.Oldest)
	if err != nil {
		return err
	}
	h.a.Oldest = i
	if h.differ(i, h.a.Newest) {
		h.a.Before = i
	}
	return nil
}

// narrow halves the range between Before and After, until no point is left or it gives up.
func (h *hunt) narrow(ctx context.Context) error {
	pivot := h.seen[h.a.Newest]
	older := false
	if h.Old != nil {
		if older = h.Old(h.seen[h.a.Before], pivot); older {
			pivot = h.seen[h.a.Before]
		}
	}
	newer := func(i int) bool { return (h.seen[i].Outcome == pivot.Outcome) != older }
	for i := h.a.Before + 1; i < h.a.After; i++ { // points that the search for the ends has tried
		if s, ok := h.seen[i]; !ok || s.Skip != "" {
			continue
		}
		if newer(i) {
			h.a.After = i
		} else {
			h.a.Before = i
		}
	}
	h.row = 0
	for {
		mid := h.middle(h.a.Before, h.a.After)
		if mid < 0 || h.row >= h.tries {
			return nil
		}
		s, err := h.probe(ctx, mid)
		switch {
		case err != nil:
			return err
		case s.Skip != "":
		case newer(mid):
			h.a.After = mid
		default:
			h.a.Before = mid
		}
	}
}

// middle returns the middle of the longest range of untried points between two points, or -1. While
// no point was skipped, that is the middle between both. Later, points next to one without an
// outcome come last.
func (h *hunt) middle(before, after int) int {
	best, from, length := -1, before, 0
	for i := before + 1; i <= after; i++ {
		if _, known := h.seen[i]; !known && i < after {
			continue
		}
		if n := i - from - 1; n > length {
			best, length = from+(n+1)/2, n
		}
		from = i
	}
	return best
}

// fillBetween completes the answer.
func (h *hunt) fillBetween() {
	if h.a.Before < 0 || h.a.After < 0 {
		return
	}
	for i := h.a.Before + 1; i < h.a.After; i++ {
		if s, ok := h.seen[i]; ok && s.Skip != "" {
			h.a.Skips = append(h.a.Skips, i)
		} else {
			h.a.Left++
		}
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
