package trial

import (
	"maps"
	"slices"
	"strings"

	"parallax/internal/oracle"
	"parallax/internal/stats"
)

// maxFailure limits the name of a kind of failure.
const maxFailure = 100

// failureOf names the kind of error in a bucket of failures, equally in all trials. It returns ""
// for buckets that are not failures of a program alone. BeDivFuzz distinguishes failures by subject
// and type of error (section 4.2, RQ3, Table 1). Go has few types of run-time errors, so the name
// includes the class of the message.
func failureOf(f *Found) string {
	if f.Kind == "discrepancy" {
		return ""
	}
	var said []string
	for _, program := range slices.Sorted(maps.Keys(f.Classes)) {
		class, _, _ := strings.Cut(oracle.CrashClass(f.Classes[program]), "\n")
		if len(class) > maxFailure {
			class = strings.ToValidUTF8(class[:maxFailure], "")
		}
		if class = strings.TrimSpace(class); class != "" && !slices.Contains(said, class) {
			said = append(said, class)
		}
	}
	if len(said) == 0 {
		return f.Kind
	}
	return f.Kind + ": " + strings.Join(said, "; ")
}

// failuresOf returns the kinds of failures that a trial found, with the number of inputs before.
func failuresOf(s *Sample) map[string]uint64 {
	found := map[string]uint64{}
	for i := range s.Buckets {
		b := &s.Buckets[i]
		name := failureOf(b)
		if first, ok := found[name]; name != "" && (!ok || b.FirstSeen < first) {
			found[name] = b.FirstSeen
		}
	}
	return found
}

// failures compares the times to each kind of failure that some trial found. Nil means none.
func (a *Analysis) failures(d *data, subjects []*Subject, at clock) *Times {
	return a.timesTo(d, subjects, at, "failures", func(s *Subject) []string {
		all := map[string]bool{}
		for _, one := range d.all(s.Name) {
			for name := range failuresOf(one) {
				all[name] = true
			}
		}
		return slices.Sorted(maps.Keys(all))
	}, failuresOf)
}

// failuresAt counts the kinds of failures that were found by a point.
func failuresAt(_ *Config, s *Sample, p point) float64 {
	n := 0
	for _, inputs := range failuresOf(s) {
		if p.clock.time(&s.Series, inputs) <= p.at {
			n++
		}
	}
	return float64(n)
}

// mean returns the mean of the times of events that happened. It returns false if none did.
func mean(times []float64) (float64, bool) {
	sum, n := 0.0, 0
	for _, t := range times {
		if t != stats.Never {
			sum, n = sum+t, n+1
		}
	}
	return sum / float64(max(1, n)), n > 0
}
