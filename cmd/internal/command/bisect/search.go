// Package bisect finds where in a history the outcome of an input changed: the search itself, the histories that it goes
// through (versions of a module, commits of a repository), the building and running of the programs at a point, and how what was
// found is told. The bisect command runs a Query.
//
// Searching knows nothing of programs: a probe says what a point shows. Points that show nothing, since something does not
// build there or wavers, are gone around, and where they hide the change it is told as a range. Nothing here draws random
// numbers; the user's folders are read and never written.
package bisect

import (
	"context"
	"math/bits"
)

// Shown is what a point of a history shows.
type Shown struct {
	Outcome string // whatever is compared; equal strings are equal outcomes
	Skip    string // why there is none; "" where there is one
}

// Probe looks at a point. An error ends the search.
type Probe func(ctx context.Context, point int) (Shown, error)

// Search is what is looked for, in a history of points from the oldest, 0.
type Search struct {
	Points int
	Named  bool // the oldest point was named by the user: it is looked at before those between
	Probe  Probe
	Tries  int // points in a row that show nothing before it gives up; 0: Tries of the history's length
	// Old says that the change looked for is the first away from the older end's outcome, and not the first to that of the
	// newer end. It matters where there are more than two outcomes. Nil: always false.
	Old func(older, newer Shown) bool
}

// Tries is how many points in a row may show nothing, in a history of so many, before a search gives up: each costs a build.
func Tries(points int) int { return 20 + 4*bits.Len(uint(max(points, 0))) }

// End says how a search ended.
type End int

// Ends of a search.
const (
	Found   End = iota // Before and After are neighbors, but for points that show nothing and, if it gave up, those left
	Same               // both ends show the same
	Nothing            // no point that was looked at shows anything
	Stopped            // by an error; what is known so far stands in the answer
)

// Answer is what a search came to. Points are -1 where they are not known.
type Answer struct {
	End    End
	Before int // the latest point known before the change
	After  int // the earliest point known after it
	Oldest int // the oldest and the newest point that show anything, as far as they were looked at
	Newest int
	Skips  []int // between Before and After, in order: points that show nothing
	Left   int   // points between Before and After, or if there is Nothing of the history, that were not looked at
}

// Run searches. With two ends that show the same, it looks at no more than a logarithmic number of points between them,
// and only where the older end was not named: the latest change is what people mean then.
func (s *Search) Run(ctx context.Context) (Answer, error) {
	h := &hunt{Search: s, seen: map[int]Shown{}, tries: s.Tries, a: Answer{Before: -1, After: -1, Oldest: -1, Newest: -1}}
	if h.tries <= 0 {
		h.tries = Tries(s.Points)
	}
	err := h.run(ctx)
	if err != nil {
		h.a.End = Stopped
	}
	h.between()
	return h.a, err
}

// hunt is the state of one Run.
type hunt struct {
	*Search
	seen  map[int]Shown
	tries int
	row   int // the latest points that were looked at, and show nothing
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

// same ends a search in which no change was seen.
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

// unknown counts the points from one up to another, without that, that were not looked at.
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

// edge finds the point that shows something and is nearest to the end of a history, -1 if there is none up to the limit.
// What does not build at an end usually does not build in a stretch there, so steps double, and are halved once there is
// a point that does; only where all those fail are others looked at.
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
			return h.outward(ctx, last, i)
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

// scan is edge where steps that double found nothing: it looks at all points, from the end on, or at as many as it may,
// spread over the history.
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
		case ok: // between it and the next point towards the end that is known, there may be others
			bad := i - toward
			for h.seen[bad].Skip == "" {
				bad -= toward
			}
			return h.outward(ctx, bad, i)
		case all && i == limit:
			return -1, nil
		case all:
			i += toward
		}
	}
}

// outward finds the boundary between a point that shows nothing and one that does, and returns the point on its good side.
func (h *hunt) outward(ctx context.Context, bad, good int) (int, error) {
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

// gallop goes back from the newest point in steps that double, to the first that differs.
func (h *hunt) gallop(ctx context.Context) error {
	h.a.Oldest = h.a.Newest
	last := h.a.Newest // looked at, whether it shows anything or not
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
	// The oldest points show nothing. Where do they begin to?
	i, err := h.outward(ctx, 0, h.a.Oldest)
	if err != nil {
		return err
	}
	h.a.Oldest = i
	if h.differ(i, h.a.Newest) {
		h.a.Before = i
	}
	return nil
}

// narrow halves the stretch between Before and After, until nothing is left or it gives up.
func (h *hunt) narrow(ctx context.Context) error {
	pivot := h.seen[h.a.Newest]
	older := false
	if h.Old != nil {
		if older = h.Old(h.seen[h.a.Before], pivot); older {
			pivot = h.seen[h.a.Before]
		}
	}
	newer := func(i int) bool { return (h.seen[i].Outcome == pivot.Outcome) != older }
	for i := h.a.Before + 1; i < h.a.After; i++ { // what the search for the ends has looked at
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

// middle is the middle of the longest stretch between two points that nothing is known of, -1 if there is none. While no point
// was skipped that is the middle between the two; after that, points near one that shows nothing come last.
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

// between completes the answer.
func (h *hunt) between() {
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
