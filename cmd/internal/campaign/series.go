package campaign

import "parallax/cmd/internal/finding/sample"

// series is the lines of stats.jsonl of a campaign that repeats. They are taken at marks of the worker (wire.EventMark), at so many inputs
// and not when the clock says so. A line waits until the candidates before it have their verdict, since it counts their buckets, and until
// the inputs that it counts are on disk.
type series struct {
	waiting         []waiting
	offered, judged int // candidates
}

type waiting struct {
	sample.Sample
	after   int // candidates whose verdict it waits for
	settled bool
}

// mark takes a line. Its buckets are what they are if there is nothing to wait for.
func (s *series) mark(line sample.Sample, triaged bool) {
	s.waiting = append(s.waiting, waiting{line, s.offered, !triaged || s.judged >= s.offered})
}

// verdict notes that another candidate has its verdict, by which there are so many buckets.
func (s *series) verdict(buckets int) {
	s.judged++
	s.settle(func(w *waiting) bool { return s.judged >= w.after }, buckets)
}

func (s *series) settle(is func(*waiting) bool, buckets int) {
	for i := range s.waiting {
		if w := &s.waiting[i]; !w.settled && is(w) {
			w.Buckets, w.settled = buckets, true
		}
	}
}

// due are the lines that wait for nothing any more, if so many inputs are on disk.
func (s *series) due(stored int) (lines []sample.Sample) {
	for s.ready(stored) {
		lines, s.waiting = append(lines, s.waiting[0].Sample), s.waiting[1:]
	}
	return lines
}

// ready reports whether there is such a line.
func (s *series) ready(stored int) bool {
	return len(s.waiting) > 0 && s.waiting[0].settled && s.waiting[0].Corpus <= stored
}

// rest are the lines that are left at the end: their candidates stay without a verdict.
func (s *series) rest(buckets int) []sample.Sample {
	s.settle(func(*waiting) bool { return true }, buckets)
	return s.due(int(^uint(0) >> 1))
}

// every is how many inputs lie between two marks.
func every(budget uint64) uint64 { return max(1, budget/linesBudget) }
