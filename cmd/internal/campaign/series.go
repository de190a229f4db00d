package campaign

import "parallax/cmd/internal/finding/sample"

// series holds the lines of stats.jsonl of a campaign that repeats, made at marks of the worker
// (wire.EventMark). A line waits for the verdicts on earlier candidates, since it counts buckets,
// and until its inputs are on disk.
type series struct {
	waiting         []waitingLine
	offered, judged int // candidates
}

type waitingLine struct {
	sample.Sample
	after   int // the number of verdicts that it waits for
	settled bool
}

// mark adds a line. Its number of buckets is final if no candidate waits for a verdict.
func (s *series) mark(line sample.Sample, triaged bool) {
	s.waiting = append(s.waiting, waitingLine{line, s.offered, !triaged || s.judged >= s.offered})
}

// verdict counts a verdict. buckets is the number of buckets after it.
func (s *series) verdict(buckets int) {
	s.judged++
	s.settle(func(w *waitingLine) bool { return s.judged >= w.after }, buckets)
}

func (s *series) settle(is func(*waitingLine) bool, buckets int) {
	for i := range s.waiting {
		if w := &s.waiting[i]; !w.settled && is(w) {
			w.Buckets, w.settled = buckets, true
		}
	}
}

// due returns the lines that wait no longer. stored is the number of inputs on disk.
func (s *series) due(stored int) (lines []sample.Sample) {
	for s.ready(stored) {
		lines, s.waiting = append(lines, s.waiting[0].Sample), s.waiting[1:]
	}
	return lines
}

// ready reports whether due would return a line.
func (s *series) ready(stored int) bool {
	return len(s.waiting) > 0 && s.waiting[0].settled && s.waiting[0].Corpus <= stored
}

// rest returns the remaining lines at the end, when their candidates stay without verdicts.
func (s *series) rest(buckets int) []sample.Sample {
	s.settle(func(*waitingLine) bool { return true }, buckets)
	return s.due(int(^uint(0) >> 1))
}

// every returns the number of inputs between two marks.
func every(budget uint64) uint64 { return max(1, budget/linesBudget) }
