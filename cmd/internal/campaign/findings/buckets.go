// Package findings owns the buckets of a campaign and the files of their findings: what counts as one more input of a known bucket,
// which inputs are kept, what is recorded of them, which buckets are similar, and how the report of a finding is made. The live
// campaign files what triage returns; the commands that work on campaigns on disk read, show and shrink it.
//
// Invariants: a finding's folder is written before its bucket's own file, and both before anybody is told; a new bucket then survives a
// power failure; the smallest input stands
// for its bucket, but of an accepted one that for which it was accepted; at most eight inputs of a bucket are kept, and 24 more, one for each of its variants.
package findings

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/similar"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

const (
	storedInputs = 8 // inputs kept on disk a bucket
	enoughInputs = 4 // inputs of a bucket that are minimized: the smallest is what people see
)

// Buckets are the buckets of a campaign.
type Buckets struct {
	folder   *state.Folder
	target   subject.Target
	facts    *subject.Facts
	Accepted *accept.File // differences that are intended
	// SkipAccepted says that one input of an accepted difference is enough: what looks like it is not looked at more closely.
	SkipAccepted bool
	Warn         func(text string) // told of what is missing in a finding's folder; may be nil
	Now          func() time.Time  // nil: times are left out
	// Origins returns the origin of a finding's input, and of the minimized one if that is a seed. It may be nil.
	Origins func(*triage.Finding, *triage.Candidate) (found, minimized string)
	near    similar.Index
	folders []string // where its C programs were built, once that was asked for

	mu       sync.Mutex // guards what triage asks for while the loop changes it
	buckets  map[string]*Bucket
	variants map[string]string // to the bucket's id
	alias    map[string]place  // where what an input looked like before it was minimized belongs
	expected []expected
	lapsed   []accept.Entry // no longer in Accepted
}

// Bucket is findings that look like one cause.
type Bucket struct {
	state.Bucket
	Best      *report.Finding // its smallest, or that for which it is accepted
	BestHash  string
	recorded  bool // what is on record of it is of this run
	stored    int
	inputs    map[string]report.Other // those on disk when the folder was read, by hash
	quoted    map[string]string       // inputs on disk, by hash
	minimized map[string]string       // the hashes of those that were not stale when the folder was read, by the hash of what they became
}

// Load reads the buckets on disk.
func Load(folder *state.Folder, t subject.Target, accepted *accept.File) (*Buckets, []string, error) {
	f := &Buckets{folder: folder, target: t, facts: t.About(), Accepted: accepted, buckets: map[string]*Bucket{},
		variants: map[string]string{}, alias: map[string]place{}}
	list, problems, _, err := Read(folder)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range list {
		f.buckets[b.ID] = b
	}
	for _, b := range f.inOrder() {
		if err := b.Keep(folder, accepted); err != nil {
			problems = append(problems, err.Error())
		}
		f.know(b)
	}
	f.index()
	return f, problems, nil
}

// Known are buckets that were read before, of a campaign whose programs are not at hand.
func Known(folder *state.Folder, accepted *accept.File, list []*Bucket) *Buckets {
	f := &Buckets{folder: folder, Accepted: accepted, buckets: map[string]*Bucket{}}
	for _, b := range list {
		f.buckets[b.ID] = b
	}
	f.index()
	return f
}

// Read reads the buckets of a folder. Damaged says of those of which no finding can be read, why.
func Read(folder *state.Folder) (list []*Bucket, problems []string, damaged map[string][]string, err error) {
	all, problems, err := folder.ReadFindings()
	if err != nil {
		return nil, problems, nil, err
	}
	damaged = map[string][]string{}
	for _, b := range all {
		loaded, more := loadBucket(folder, b)
		problems = append(problems, more...)
		if loaded != nil {
			list = append(list, loaded)
		} else if len(more) > 0 {
			damaged[b.ID] = more
		}
	}
	return list, problems, damaged, nil
}

// IDs are the ids of the buckets, in order.
func (f *Buckets) IDs() []string { return slices.Sorted(maps.Keys(f.buckets)) }

// Find is the bucket of an id, nil if there is none.
func (f *Buckets) Find(id string) *Bucket { return f.buckets[id] }

// loadBucket finds the bucket's smallest input: of those that showed when others were filed, if it has one.
func loadBucket(folder *state.Folder, b state.Bucket) (*Bucket, []string) {
	var problems []string
	out := &Bucket{Bucket: b, inputs: map[string]report.Other{}, quoted: map[string]string{}, minimized: map[string]string{}}
	for _, entry := range b.Findings {
		finding, err := read(folder, b.ID, entry.Hash)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		if finding.Variant == "" {
			finding.Variant = out.variantOf(entry.Hash)
		}
		out.quoted[entry.Hash] = quoted(finding)
		old := out.stale(entry.Hash)
		if !old {
			out.stored++
			out.inputs[entry.Hash] = finding.Other()
			key := corpus.Hash(finding.Shape.Encode(finding.Minimized))
			if first := out.minimized[key]; first == "" || finding.Count < out.inputs[first].Count {
				out.minimized[key] = entry.Hash
			}
		}
		if was := out.BestHash; out.Best == nil || out.stale(was) && !old || out.stale(was) == old && Smaller(finding.Minimized, out.Best.Minimized) {
			out.Best, out.BestHash = finding, entry.Hash
		}
	}
	if out.Best == nil {
		return nil, problems
	}
	if out.Kind == "" { // killed before the bucket's own file was written
		out.describe()
		out.doubt("it was filed when the run was killed")
	}
	return out, problems
}

// describe takes from the smallest input what the bucket's own file says of it.
func (b *Bucket) describe() {
	row := b.Best.Summarize()
	b.Kind, b.Outcomes, b.Classes, b.Location, b.Minority = b.Best.Kind, row.Outcomes, row.Classes, row.Location, b.Best.Odd
}

// quoted is the minimized input of a finding in a line.
func quoted(rep *report.Finding) string { return rep.Quote(60) }

// Smaller reports whether an input is better to look at than another one: shorter or, of one length, less.
func Smaller(a, b []byte) bool {
	if tape.IsTape(a) && tape.IsTape(b) {
		var s, t tape.Tape
		if s.Decode(a) == nil && t.Decode(b) == nil && (s.Simpler(&t) || t.Simpler(&s)) {
			return s.Simpler(&t)
		}
	}
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Compare(a, b) < 0
}

// placeKey is the entry of a bucket's extra data that says where its crash is, without its message.
const placeKey = "place"

// Saturated reports whether the bucket that an input would have had before minimizing has led to a bucket with enough
// inputs already.
func (f *Buckets) Saturated(before string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.resolve(before)
	b := f.buckets[at.bucket]
	if b == nil || b.lapsed() { // what shows now may be something else
		return false
	}
	if f.spared(b) {
		return len(b.Variants) == 0 || b.IsVariant(at.variant)
	}
	if len(b.Variants) == 0 {
		return b.Count >= enoughInputs
	}
	// Of each variant: what looks like one of them may well have another cause.
	return slices.ContainsFunc(b.Variants, func(v state.Variant) bool { return v.ID == at.variant && v.Count >= enoughInputs })
}

// spared reports whether a bucket needs no more inputs since it is accepted.
func (f *Buckets) spared(b *Bucket) bool {
	if !f.SkipAccepted {
		return false
	}
	_, accepted := AcceptedAs(f.Accepted, &b.Bucket)
	return accepted
}

// AcceptedVariant reports whether a variant is that of an accepted difference.
func (f *Buckets) AcceptedVariant(variant string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, accepted := f.Accepted.Find(variant); accepted {
		return true
	}
	id := f.variants[variant]
	if b := f.buckets[id]; b != nil {
		e, accepted := AcceptedAs(f.Accepted, &b.Bucket)
		return accepted && (WhollyAccepted(f.Accepted, &b.Bucket) || !slices.Contains(laterVariants(e, &b.Bucket), variant))
	}
	_, accepted := f.Accepted.Find(id)
	return accepted
}

// AnySaturated reports whether any bucket or variant needs no more inputs.
func (f *Buckets) AnySaturated() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.buckets {
		if b.Count >= enoughInputs || f.spared(b) {
			return true
		}
	}
	return false
}

// place is a variant of a bucket.
type place struct{ bucket, variant string }

func (f *Buckets) resolve(before string) place {
	if at, ok := f.alias[before]; ok {
		return at
	}
	if id, ok := f.variants[before]; ok {
		return place{id, before}
	}
	return place{before, before}
}

// Add files a finding. It reports whether the bucket is new.
func (f *Buckets) Add(found *triage.Finding, cand triage.Candidate) (b *Bucket, fresh bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.home(found)
	if found.Results != nil && found.Unfinished == "" {
		f.alias[found.Before] = place{id, cmp.Or(found.Variant, id)}
	}
	if found.Combined != "" {
		f.alias[found.Combined] = f.resolve(found.Before)
	}
	if !shows(found) {
		return nil, false, unshown(id, found)
	}
	b = f.buckets[id]
	if b == nil {
		b = &Bucket{Bucket: state.Bucket{
			Version: state.BucketVersion, ID: id, Kind: found.Kind, FirstSeen: cand.Inputs, FirstTime: f.stamp(),
		}}
		fresh = true
	}
	next := *b
	again := found.Results != nil && b.lapsed()
	var surplus []string
	if again {
		surplus = next.supersede()
	}
	f.seen(&next)
	next.setExtra(UnfinishedKey, found.Unfinished)
	if found.Unfinished == "" {
		f.replace(&next, f.CandidateKey(&cand))
	}
	if found.Place != "" && next.Extra[placeKey] == "" {
		next.setExtra(placeKey, found.Place)
	}
	if found.Placed {
		next.setExtra(placedKey, "1")
	}
	if found.Shared > 0 {
		next.share(found.Shared, found.Own)
	}
	next.Count++
	next.LastSeen, next.LastTime = cand.Inputs, f.stamp()
	at, unseen := next.variant(found, f.resolve(found.Before).variant)
	var others []*Bucket
	worth := again || unseen || next.Best == nil || Smaller(found.Minimized, next.Best.Minimized)
	kept := next.stored < storedInputs || worth && next.stored < storedInputs+variantInputs
	newest := !kept && f.newer(&next)
	if found.Results != nil && (kept || newest) {
		rep := f.report(id, found, cand)
		rep.Count = next.Count
		next.seeded(rep)
		hash := corpus.Hash(f.facts.Shape.Encode(found.Flat))
		better := next.Best == nil || again || !f.keeps(&next) && Smaller(rep.Minimized, next.Best.Minimized)
		if better || hash == next.BestHash { // it may have been filed before a kill, and the bucket's own file not
			next.doubt("its input was not run once more when the fuzzing had ended")
			next.recorded = next.recorded || better
		}
		if better {
			next.Best, next.BestHash = rep, hash
			next.describe()
			if found.Unfinished == "" { // else its name may be another one
				others = f.relate(&next)
			}
		}
		files, err := f.filesOf(rep, &next)
		if err != nil {
			return nil, false, err
		}
		created, err := f.folder.WriteFinding(id, hash, files)
		if err != nil {
			return nil, false, err
		}
		switch {
		case created && newest:
			surplus = append(surplus, next.Extra[newestKey])
			next.setExtra(newestKey, hash)
		case created: // a kill may have left it filed and pending
			next.stored++
		case again || next.stale(hash) || !next.sound(hash):
			if err := f.folder.UpdateFinding(id, hash, files); err != nil {
				return nil, false, err
			}
			next.revive(hash)
			next.stored++
		}
		next.quoted = maps.Clone(next.quoted)
		if next.quoted == nil {
			next.quoted = map[string]string{}
		}
		next.quoted[hash] = quoted(rep)
		if at >= 0 && (next.Variants[at].Hash == "" || better) {
			next.Variants[at].Hash = hash
		}
	}
	if next.Best == nil {
		return nil, false, fmt.Errorf("bucket %s has no input", id)
	}
	for _, e := range f.lapsed {
		next.lapse(e)
	}
	for _, e := range f.expected {
		if e.id == id {
			next.setExtra(ownVariantKey, e.variant)
		}
	}
	next.Accepted = WhollyAccepted(f.Accepted, &next.Bucket)
	if err := f.store(&next, others); err != nil {
		return nil, false, err
	}
	if fresh || again {
		err = f.folder.SyncBucket(id)
	}
	if err == nil {
		err = f.discard(&next, surplus)
	}
	if err == nil && found.Unfinished == "" {
		err = f.withdraw(f.CandidateKey(&cand), &next, false)
	}
	return &next, fresh, err
}

// sound reports whether what is on record of an input can be read.
func (b *Bucket) sound(hash string) bool {
	_, is := b.quoted[hash]
	return is
}

// shows reports whether the results of a finding, if it has any, are one, in the layer that it is of: nothing else is written.
func shows(found *triage.Finding) bool {
	if found.Results == nil {
		return true
	}
	if triage.Disagrees(found.Kind) {
		return oracle.Disagree(found.Layer, triage.Observations(found.Results)) || triage.Dear(found.Layer, found.Results) != 0
	}
	outcome := oracle.Outcome(found.Results[found.Program].Outcome)
	return outcome >= oracle.Crashed
}

func unshown(id string, found *triage.Finding) error {
	return fmt.Errorf("bucket %s: the results on record do not show a %s: this is a mistake of parallax", id, found.Kind)
}

// store writes a bucket's own file, and what says in others that they are similar to it.
func (f *Buckets) store(b *Bucket, others []*Bucket) error {
	if err := f.folder.WriteBucket(b.Bucket); err != nil {
		return err
	}
	f.buckets[b.ID] = b
	f.know(b)
	for _, other := range others {
		if err := f.folder.WriteBucket(other.Bucket); err != nil {
			return err
		}
		f.buckets[other.ID] = other
		f.rewrite(other)
	}
	return nil
}
