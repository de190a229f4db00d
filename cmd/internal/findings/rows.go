package findings

import (
	"slices"
	"sort"

	"parallax/cmd/internal/regress"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/target"
	"parallax/cmd/internal/triage"
	"parallax/internal/oracle"
)

// What the buckets come to: rows of the summary, and counts.

// Rows are the buckets for the summary: open ones first, then by status and kind, then by size of the input.
func (f *Buckets) Rows() []report.Bucket {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rows []report.Bucket
	for _, b := range f.buckets {
		rows = append(rows, f.Row(b))
	}
	sort.Slice(rows, func(i, j int) bool {
		if a, b := Closed(rows[i]), Closed(rows[j]); a != b {
			return b
		}
		if a, b := statusRank(rows[i].Status), statusRank(rows[j].Status); a != b {
			return a < b
		}
		a, b := f.buckets[rows[i].ID], f.buckets[rows[j].ID]
		if ra, rb := kindRank(a.Kind), kindRank(b.Kind); ra != rb {
			return ra < rb
		}
		if len(a.Best.Minimized) != len(b.Best.Minimized) {
			return len(a.Best.Minimized) < len(b.Best.Minimized)
		}
		return a.ID < b.ID
	})
	return rows
}

func statusRank(status string) int {
	return slices.Index([]regress.Status{regress.StatusNew, regress.StatusChanged, regress.StatusOld, regress.StatusFixed}, regress.Status(status))
}

func kindRank(kind string) int {
	return slices.Index([]string{"crash", oracle.KindFailure, "oom", "timeout", triage.Discrepancy, triage.Change}, kind)
}

// Closed reports whether a bucket is listed behind those that tell something: it is known, or settled.
func Closed(b report.Bucket) bool {
	return b.Accepted || b.Gone || b.Flaky || regress.Status(b.Status) == regress.StatusOld || regress.Status(b.Status) == regress.StatusFixed
}

// Row is a bucket for the summary.
func (f *Buckets) Row(b *Bucket) report.Bucket {
	r := b.Best.Summarize()
	r.ID, r.Count = b.ID, b.Count // the folder's name, whatever the file says
	r.Input = f.folder.FindingPath(b.ID, b.BestHash, InputFile)
	r.Minimized = f.folder.FindingPath(b.ID, b.BestHash, MinimizedFile)
	if e, ok := AcceptedAs(f.Accepted, &b.Bucket); ok {
		r.Accepted, r.Reason = true, e.Reason
	}
	r.Gone, r.Flaky = b.Extra[GoneKey] != "", b.Extra[FlakyKey] != ""
	r.Wavers = b.Extra[FlakyKey]
	if id := f.folder.Config().Identity; id.Mode == target.Regress {
		status := regress.StatusOf(r.Outcomes, len(id.Programs) == 1)
		if r.Status = string(status); status == regress.StatusChanged {
			r.Kind = triage.Change
		}
	}
	r.Unlooked = b.Extra[UnlookedKey] != "" && !Closed(r)
	r.FirstSeen, r.LastSeen, r.FirstSeenTime, r.LastSeenTime = b.FirstSeen, b.LastSeen, b.FirstTime, b.LastTime
	r.Similar = f.SimilarTo(b)
	r.Variants = f.folded(b)
	return r
}

// Filed reports whether an input, given by its content hash, is on record as a finding of an aspect (triage.Aspect.Name) that
// counts. In a bucket that is gone, and beside findings that took its place, it is not: what it shows now may be something else.
func (f *Buckets) Filed(aspect, hash string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.buckets {
		if _, is := b.quoted[hash]; is && b.Extra[GoneKey] == "" && !b.stale(hash) && b.aspect() == aspect {
			return true
		}
	}
	return false
}

// aspect names what of their inputs the findings of a bucket are.
func (b *Bucket) aspect() string {
	if at := b.Best.Failing(); at >= 0 {
		return b.Best.Programs[at].Name
	}
	return b.Best.Layer
}

// Kinds counts the buckets by kind.
func (f *Buckets) Kinds() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := map[string]int{}
	for _, b := range f.buckets {
		if _, accepted := AcceptedAs(f.Accepted, &b.Bucket); !accepted && b.Extra[GoneKey] == "" && b.Extra[FlakyKey] == "" {
			m[b.Kind]++
		}
	}
	return m
}

// Total counts the inputs of all buckets but those that are flaky, which are no findings.
func (f *Buckets) Total() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := uint64(0)
	for _, b := range f.buckets {
		if b.Extra[FlakyKey] == "" {
			n += b.Count
		}
	}
	return n
}

// Count is the number of buckets.
func (f *Buckets) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.buckets)
}
