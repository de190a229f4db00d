package campaign

import (
	"bytes"
	"fmt"
	"sync"

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/campaign/state"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/similar"
	"parallax/cmd/internal/target"
	"parallax/cmd/internal/triage"
	"parallax/internal/input"
)

const (
	storedInputs = 8 // inputs kept on disk a bucket
	enoughInputs = 4 // inputs of a bucket that are minimised: the smallest is what people see
)

// findings are the buckets of a campaign.
type findings struct {
	folder   *state.Folder
	target   target.Target
	facts    *target.Facts
	accepted *accept.File
	warn     func(text string) // told of what is missing in a finding's folder; may be nil
	now      Clock             // nil: times are left out
	near     similar.Index
	folders  []string // where its C programs were built, once that was asked for

	mu      sync.Mutex // guards what the judge asks for while the loop changes it
	buckets map[string]*bucket
	alias   map[string]string // what a bucket was before its input was minimised
}

type bucket struct {
	state.Bucket
	best     *report.Finding // its smallest
	bestHash string
	stored   int
	inputs   map[string]report.Other // those on disk when the folder was read, by hash
}

// loadFindings reads the buckets on disk.
func loadFindings(folder *state.Folder, t target.Target, accepted *accept.File) (*findings, []string, error) {
	f := &findings{folder: folder, target: t, facts: t.About(), accepted: accepted, buckets: map[string]*bucket{}, alias: map[string]string{}}
	list, problems, err := folder.ReadFindings()
	if err != nil {
		return nil, nil, err
	}
	for _, b := range list {
		loaded, more := loadBucket(folder, b)
		problems = append(problems, more...)
		if loaded != nil {
			f.buckets[b.ID] = loaded
		}
	}
	f.index()
	return f, problems, nil
}

// loadBucket finds the bucket's smallest input.
func loadBucket(folder *state.Folder, b state.Bucket) (*bucket, []string) {
	var problems []string
	out := &bucket{Bucket: b, inputs: map[string]report.Other{}}
	for _, entry := range b.Findings {
		data, err := folder.ReadFinding(b.ID, entry.Hash, outputsFile)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		finding, err := report.ParseFinding(data)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", folder.FindingPath(b.ID, entry.Hash, outputsFile), err))
			continue
		}
		out.stored++
		out.inputs[entry.Hash] = finding.Other()
		if out.best == nil || smaller(finding.Minimized, out.best.Minimized) {
			out.best, out.bestHash = finding, entry.Hash
		}
	}
	if out.best == nil {
		return nil, problems
	}
	if out.Kind == "" { // killed before the bucket's own file was written
		out.describe()
	}
	return out, problems
}

// describe takes from the smallest input what the bucket's own file says of it.
func (b *bucket) describe() {
	row := b.best.Summarize()
	b.Kind, b.Outcomes, b.Classes, b.Location, b.Minority = b.best.Kind, row.Outcomes, row.Classes, row.Location, b.best.Odd
}

func smaller(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Compare(a, b) < 0
}

// placeKey is the entry of a bucket's extra data that says where its crash is, without its message.
const placeKey = "place"

// maxMessages is how many messages of one place are taken for causes of their own.
const maxMessages = 8

// crowded reports whether that many buckets have their crash at one place.
func (f *findings) crowded(place string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, b := range f.buckets {
		if b.Extra[placeKey] == place {
			n++
		}
	}
	return n >= maxMessages
}

// enough reports whether the bucket that an input would have had before minimising has led to a bucket with enough
// inputs already.
func (f *findings) enough(before string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.buckets[f.resolve(before)]
	return b != nil && b.Count >= enoughInputs
}

func (f *findings) resolve(before string) string {
	if id, ok := f.alias[before]; ok {
		return id
	}
	return before
}

// add files a finding. It reports whether the bucket is new.
func (f *findings) add(found *triage.Finding, cand triage.Candidate) (b *bucket, fresh bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := found.Bucket
	if found.Results == nil { // it was not minimised, since its bucket needs no more
		id = f.resolve(found.Before)
	} else if found.Before != id {
		f.alias[found.Before] = id
	}
	b = f.buckets[id]
	if b == nil {
		b = &bucket{Bucket: state.Bucket{
			Version: state.BucketVersion, ID: id, Kind: found.Kind, FirstSeen: cand.Inputs, FirstTime: f.stamp(),
		}}
		fresh = true
	}
	next := *b
	next.setGone(false)
	if place := found.Place(); place != "" && next.Extra[placeKey] == "" {
		next.setExtra(placeKey, place)
	}
	next.Count++
	next.LastSeen, next.LastTime = cand.Inputs, f.stamp()
	var others []*bucket
	if found.Results != nil && b.stored < storedInputs {
		rep := f.report(id, found, cand)
		rep.Count = next.Count
		hash := input.Hash(f.facts.Shape.Encode(found.Flat))
		better := next.best == nil || smaller(rep.Minimized, next.best.Minimized)
		if better {
			next.best, next.bestHash = rep, hash
			next.describe()
			others = f.relate(&next)
		}
		files, err := f.filesOf(rep, &next)
		if err != nil {
			return nil, false, err
		}
		created, err := f.folder.WriteFinding(id, hash, files)
		if err != nil {
			return nil, false, err
		}
		if created { // a kill may have left it filed and pending
			next.stored++
		}
	}
	if next.best == nil {
		return nil, false, fmt.Errorf("bucket %s has no input", id)
	}
	_, next.Accepted = f.accepted.Find(id)
	if err := f.store(&next, others); err != nil {
		return nil, false, err
	}
	return &next, fresh, nil
}

// store writes a bucket's own file, and what says in others that they are similar to it.
func (f *findings) store(b *bucket, others []*bucket) error {
	if err := f.folder.WriteBucket(b.Bucket); err != nil {
		return err
	}
	f.buckets[b.ID] = b
	for _, other := range others {
		if err := f.folder.WriteBucket(other.Bucket); err != nil {
			return err
		}
		f.buckets[other.ID] = other
		f.rewrite(other)
	}
	return nil
}
