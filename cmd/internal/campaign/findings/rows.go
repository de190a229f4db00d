package findings

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
)

// Rows returns the rows of the summary, in the order of its list.
func (f *Buckets) Rows() []finding.Row {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rows []finding.Row
	for _, b := range f.buckets {
		rows = append(rows, f.Row(b))
	}
	return finding.Order(rows, func(id string) finding.Reading { return f.buckets[id].Best.Reading() })
}

// Refused returns a note on refusals by the kernel that findings show, and on the options that
// permit them.
func (f *Buckets) Refused() []string {
	var programs, ways []string
	for _, r := range f.Rows() {
		if Closed(r) {
			continue
		}
		for _, p := range f.buckets[r.ID].Best.Programs {
			if p.Refused == "" {
				continue
			}
			if !slices.Contains(programs, p.Name) {
				programs = append(programs, p.Name)
			}
			if !slices.Contains(ways, p.Refused) {
				ways = append(ways, p.Refused)
			}
		}
	}
	if len(programs) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("findings show what the kernel refused to %s, as it seems; %s permits it", strings.Join(programs, ", "), strings.Join(ways, " or "))}
}

// Closed reports whether a bucket is listed after the open ones: it is accepted, gone, flaky, fixed
// or as in the old version.
func Closed(b finding.Row) bool {
	return !b.Undecided()
}

// Row returns the row of a bucket in the summary.
func (f *Buckets) Row(b *Group) finding.Row {
	b = f.Open(b)
	r := b.Best.Summarize()
	r.Origin = finding.BucketOrigin(b.Extra[seedKey], r.Origin)
	r.ID, r.Count = b.ID, b.Count // the folder's name, not the id in the file
	r.Input = f.folder.FindingPath(b.ID, b.BestHash, InputFile)
	r.Minimized = f.folder.FindingPath(b.ID, b.BestHash, MinimizedFile)
	r.Variants, r.Further = f.otherVariants(b), b.further()
	if e, ok := AcceptedAs(f.Accepted, &b.Bucket); ok {
		later := laterVariants(e, &b.Bucket)
		r.Accepted, r.Reason, r.NewVariants = WhollyAccepted(f.Accepted, &b.Bucket), e.Reason, len(later)
		if !r.Accepted && !Names(e, &b.Bucket) {
			r.AcceptedIn = e.Bucket
		}
		for i := range r.Variants {
			r.Variants[i].New = slices.Contains(later, r.Variants[i].ID)
		}
		r.NewSeed = seedCameLater(e, &b.Bucket)
		_, r.NewVariant = b.AcceptedBy(f.Accepted)
		r.NewVariant = r.NewVariant && r.AcceptedIn == ""
		if r.Kind == oracle.KindFailure { // a crash's stack shows more of its cause
			r.Accepts = b.Accepts()
		}
		if r.Accepts != "" && e.Count > 0 {
			r.Accepts += fmt.Sprintf(": %s when it was accepted, %s now", units.Count(int(e.Count), "input", "inputs"), units.Thousands(b.Count))
		}
	}
	r.Gone, r.Flaky = b.Extra[GoneKey] != "", b.Extra[FlakyKey] != ""
	r.Wavers = b.Extra[FlakyKey]
	r.State, r.Owner, r.Link = string(b.History.State(r.Accepted, r.Gone)), b.History.Owner(), b.History.Link()
	if id := f.folder.Config().Identity; id.Mode == subject.Regress {
		status := regress.StatusOf(r.Outcomes, len(id.Programs) == 1)
		if r.Status = string(status); status == regress.StatusChanged {
			r.Kind = triage.Change
		}
	}
	r.Older = f.older(b)
	r.Note = f.folder.Notes()[r.Quoted]
	r.Unverified = b.Extra[UnverifiedKey] != "" && !Closed(r)
	r.Unminimized = b.Extra[UnfinishedKey] != "" && !Closed(r)
	r.FirstSeen, r.LastSeen, r.FirstSeenTime, r.LastSeenTime = b.FirstSeen, b.LastSeen, b.FirstTime, b.LastTime
	r.Similar = f.SimilarTo(b)
	if id := f.folder.Config().Identity; id.Mode == subject.Regress && len(id.Programs) == 2 {
		r.Evidence, r.Reading = b.evidence(&r), b.Best.Reading()
	}
	return r
}

// Filed reports whether an input, given by its content hash, is on record as a finding of an aspect
// (triage.Aspect.Name). Gone, flaky and stale findings do not count: their input may show something
// else now.
func (f *Buckets) Filed(aspect, hash string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.buckets {
		if _, is := b.quoted[hash]; is && b.Extra[GoneKey] == "" && b.Extra[FlakyKey] == "" && !b.stale(hash) && b.aspect() == aspect {
			return true
		}
	}
	return false
}

// aspect returns the name of the aspect of a bucket's findings.
func (b *Group) aspect() string {
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
		if !WhollyAccepted(f.Accepted, &b.Bucket) && b.Extra[GoneKey] == "" && b.Extra[FlakyKey] == "" {
			m[b.Kind]++
		}
	}
	return m
}

// Total counts the inputs of all buckets, except flaky ones.
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

// Count returns the number of buckets.
func (f *Buckets) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.buckets)
}
