package campaign

import (
	"slices"
	"sort"

	"parallax/cmd/internal/report"
	"parallax/cmd/internal/triage"
	"parallax/internal/judge"
)

// What the buckets come to: rows of the summary, and counts.

// rows are the buckets for the summary: open ones first, then by kind, then by size of the input.
func (f *findings) rows() []report.Bucket {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rows []report.Bucket
	for _, b := range f.buckets {
		rows = append(rows, f.row(b))
	}
	sort.Slice(rows, func(i, j int) bool {
		if a, b := closed(rows[i]), closed(rows[j]); a != b {
			return b
		}
		a, b := f.buckets[rows[i].ID], f.buckets[rows[j].ID]
		if ra, rb := kindRank(a.Kind), kindRank(b.Kind); ra != rb {
			return ra < rb
		}
		if len(a.best.Minimized) != len(b.best.Minimized) {
			return len(a.best.Minimized) < len(b.best.Minimized)
		}
		return a.ID < b.ID
	})
	return rows
}

func kindRank(kind string) int {
	return slices.Index([]string{"crash", judge.KindFailure, "oom", "timeout", triage.Discrepancy}, kind)
}

// closed reports whether a bucket does not make a run fail.
func closed(b report.Bucket) bool { return b.Accepted || b.Gone }

func (f *findings) row(b *bucket) report.Bucket {
	r := b.best.Summarize()
	r.ID, r.Count = b.ID, b.Count // the folder's name, whatever the file says
	r.Input = f.folder.FindingPath(b.ID, b.bestHash, inputFile)
	r.Minimized = f.folder.FindingPath(b.ID, b.bestHash, minimizedFile)
	if e, ok := f.accepted.Find(b.ID); ok {
		r.Accepted, r.Reason = true, e.Reason
	}
	r.Gone = b.Extra[goneKey] != ""
	r.FirstSeen, r.LastSeen, r.FirstSeenTime, r.LastSeenTime = b.FirstSeen, b.LastSeen, b.FirstTime, b.LastTime
	r.Similar = f.similarTo(b)
	return r
}

// inputs are the content hashes of the inputs on record.
func (f *findings) inputs() map[string]bool {
	filed := map[string]bool{}
	for _, b := range f.buckets {
		for _, finding := range b.Findings {
			filed[finding.Hash] = true
		}
	}
	return filed
}

// kinds counts the buckets by kind.
func (f *findings) kinds() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := map[string]int{}
	for _, b := range f.buckets {
		if _, accepted := f.accepted.Find(b.ID); !accepted && b.Extra[goneKey] == "" {
			m[b.Kind]++
		}
	}
	return m
}

// total counts inputs in all buckets.
func (f *findings) total() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := uint64(0)
	for _, b := range f.buckets {
		n += b.Count
	}
	return n
}
