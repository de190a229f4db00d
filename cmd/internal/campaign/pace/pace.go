// Package pace estimates how long triage continues after the fuzzing.
//
// Candidates differ: most take milliseconds, and some take seconds. The estimate follows from the
// latest candidates, and exists only while they say something about the next ones. The campaign
// calls it for each status.
package pace

import (
	"slices"
	"time"
)

// Bounds of an estimate.
const (
	fewest = 3  // judged candidates without which nothing is known
	latest = 15 // candidates that count
	stuck  = 4  // times the usual time after which a candidate is no usual one
)

// Pace measures the speed of triage. The zero Pace has measured nothing.
type Pace struct {
	Judged int // candidates since the first call of Left

	waiting int
	since   time.Time       // of the last judged candidate, or of the first call
	times   []time.Duration // of the latest candidates, in their order
}

// Left returns the probable time of triage for the candidates that wait. Zero means that it is not
// known.
func (p *Pace) Left(now time.Time, waiting int) time.Duration {
	if done := p.waiting - waiting; p.since.IsZero() || done < 0 { // more wait than before
		p.since = now
	} else if done > 0 {
		for range min(done, latest) {
			p.times = append(p.times, now.Sub(p.since)/time.Duration(done))
		}
		p.times = p.times[max(0, len(p.times)-latest):]
		p.Judged, p.since = p.Judged+done, now
	}
	p.waiting = waiting
	usual := p.usual()
	if len(p.times) < fewest || now.Sub(p.since) > stuck*usual {
		return 0
	}
	return usual * time.Duration(waiting)
}

// usual returns the time of a candidate: the median, or the mean without the longest if that is
// more. The estimate is rather too long than too short.
func (p *Pace) usual() time.Duration {
	if len(p.times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(p.times))
	sum := time.Duration(0)
	for _, t := range sorted[:len(sorted)-1] {
		sum += t
	}
	return max(sorted[len(sorted)/2], sum/time.Duration(max(1, len(sorted)-1)))
}
