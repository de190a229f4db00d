// Package findings owns the buckets of a campaign and the files of their findings. It decides
// whether a finding belongs to a known bucket, and which inputs are kept. It records findings,
// links similar buckets and makes reports. The live campaign files the findings that triage
// returns. The commands for campaigns on disk read, show and shrink them.
//
// Invariants: A finding's folder is written before its bucket's own file, and both before the
// finding is announced. A new bucket then survives a power failure. The smallest input represents a
// bucket, or the accepted input if the bucket is accepted. A bucket keeps at most eight inputs, and
// 24 more for its variants.
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
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
)

const (
	storedInputs = 8 // inputs on disk per bucket
	enoughInputs = 4 // minimized inputs per bucket: users read the smallest
)

// Buckets holds the buckets of a campaign.
type Buckets struct {
	folder   *state.Folder
	target   subject.Target
	facts    *subject.Facts
	Accepted *accept.File // the file of accepted differences
	// SkipAccepted limits the triage of accepted differences: one input is enough, and candidates
	// that look like it are only counted.
	SkipAccepted bool
	// Describe writes the report of a finding. nil means that there are no reports.
	Describe func(*finding.Finding, finding.Page) []byte
	// Sources records the hashes of the source lines at the places of a finding, and Edited reports
	// that they differ now. nil means that sources are not read.
	Sources  func(*finding.Finding, finding.Page)
	Edited   func(*finding.Finding, finding.Page) bool
	Warn     func(text string) // reports a file that is missing in a finding's folder; may be nil
	Now      func() time.Time  // nil means that times are left out
	Revision func() string     // returns the revision of the tested code; nil means unknown
	// Origins returns the origin of a finding's input, and of the minimized one if that is a seed.
	// It may be nil.
	Origins func(*triage.Result, *finding.Candidate) (found, minimized string)
	near    similar.Index
	folders []string // the result of Built; nil before its first call

	mu       sync.Mutex // guards the fields that triage reads while the loop changes them
	buckets  map[string]*Group
	variants map[string]string        // bucket ids by variant
	alias    map[string]bucketVariant // by the bucket that a finding would have had before minimizing
	expected []expected
	lapsed   []accept.Entry // entries removed from Accepted
}

// Group is a bucket in memory: its record, its smallest finding, and its inputs on disk.
type Group struct {
	finding.Bucket
	Best      *finding.Finding // the smallest, or the one for which the bucket is accepted
	BestHash  string
	recorded  bool // this run recorded Best
	afresh    bool // a finding of a new variant replaced the inputs that no longer showed
	stored    int
	inputs    map[string]finding.Other // inputs on disk that are not stale, by hash
	quoted    map[string]string        // inputs on disk as text, by hash
	minimized map[string]string        // hashes of inputs that were not stale at reading, by the hash of their minimized form
	History   history.Log              // the log of its life
}

// Load reads the buckets on disk. It returns problems with single findings as texts.
func Load(folder *state.Folder, t subject.Target, accepted *accept.File) (*Buckets, []string, error) {
	f := &Buckets{folder: folder, target: t, facts: t.About(), Accepted: accepted, buckets: map[string]*Group{},
		variants: map[string]string{}, alias: map[string]bucketVariant{}}
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
		f.addVariants(b)
	}
	f.addAccepted()
	f.index()
	return f, problems, nil
}

// Known returns buckets that were read before. The programs of their campaign are not available.
func Known(folder *state.Folder, accepted *accept.File, list []*Group) *Buckets {
	f := &Buckets{folder: folder, Accepted: accepted, buckets: map[string]*Group{}}
	for _, b := range list {
		f.buckets[b.ID] = b
	}
	f.index()
	return f
}

// Read reads the buckets of a folder. damaged holds the problems of each bucket without a readable
// finding.
func Read(folder *state.Folder) (list []*Group, problems []string, damaged map[string][]string, err error) {
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

// IDs returns the sorted ids of the buckets.
func (f *Buckets) IDs() []string { return slices.Sorted(maps.Keys(f.buckets)) }

// Find returns the bucket with an id, or nil.
func (f *Buckets) Find(id string) *Group { return f.buckets[id] }

// loadBucket reads the findings of a bucket. Best is the smallest that is not stale, or the
// smallest of all if all are stale.
func loadBucket(folder *state.Folder, b finding.Bucket) (*Group, []string) {
	var problems []string
	out := &Group{Bucket: b, inputs: map[string]finding.Other{}, quoted: map[string]string{}, minimized: map[string]string{}}
	for _, hash := range b.Hashes {
		finding, err := read(folder, b.ID, hash)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		if finding.Variant == "" {
			finding.Variant = out.variantOf(hash)
		}
		out.quoted[hash] = quoted(finding)
		old := out.stale(hash)
		if !old {
			out.stored++
			out.inputs[hash] = finding.Other()
			key := corpus.Hash(finding.Shape.Encode(finding.Minimized))
			if first := out.minimized[key]; first == "" || finding.Count < out.inputs[first].Count {
				out.minimized[key] = hash
			}
		}
		if was := out.BestHash; out.Best == nil || out.stale(was) && !old || out.stale(was) == old && before(finding, out.Best) {
			out.Best, out.BestHash = finding, hash
		}
	}
	if out.Best == nil {
		return nil, problems
	}
	log, err := folder.ReadHistory(b.ID)
	if err != nil {
		problems = append(problems, err.Error())
	}
	out.History, _ = history.Parse(log)
	if out.Kind == "" { // killed before the bucket's own file was written
		out.describe()
		out.setUnverified("it was filed when the run was killed")
	}
	return out, problems
}

// before reports whether a finding represents its bucket before another one: its input is smaller,
// or the same and found earlier.
func before(a, b *finding.Finding) bool {
	if bytes.Equal(a.Minimized, b.Minimized) {
		return a.Count < b.Count
	}
	return a.Smaller(b)
}

// minimized returns the part of a finding's record that Smaller needs.
func minimized(found *triage.Result) *finding.Finding {
	return &finding.Finding{Minimized: found.Minimized, Drawn: triage.Drawn(found.Results)}
}

// describe copies the summary of the smallest input into the bucket's own file.
func (b *Group) describe() {
	row := b.Best.Summarize()
	b.Kind, b.Outcomes, b.Classes, b.Location, b.Minority = b.Best.Kind, row.Outcomes, row.Classes, row.Location, b.Best.Odd
}

// quoted returns the minimized input of a finding as a line of text.
func quoted(rep *finding.Finding) string { return rep.Quote(60) }

// placeKey is the key of Extra with the place of a crash, without its message.
const placeKey = "place"

// Saturated reports whether a bucket has enough inputs. The argument is the id that a finding's
// bucket would have had before minimizing.
func (f *Buckets) Saturated(before string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.resolve(before)
	b := f.buckets[at.bucket]
	if b == nil || b.replaceable() { // new findings may be others
		return false
	}
	at.variant = b.filed(at.variant)
	if f.spared(b) {
		return len(b.Variants) == 0 || b.IsVariant(at.variant)
	}
	if len(b.Variants) == 0 {
		return b.Count >= enoughInputs
	}
	// Inputs are counted per variant: a finding that looks like the bucket may have another cause.
	return slices.ContainsFunc(b.Variants, func(v finding.Variant) bool { return v.ID == at.variant && v.Count >= enoughInputs })
}

// spared reports whether a bucket needs no more inputs because it is accepted.
func (f *Buckets) spared(b *Group) bool {
	if !f.SkipAccepted {
		return false
	}
	_, accepted := AcceptedAs(f.Accepted, &b.Bucket)
	return accepted
}

// AcceptedVariant reports whether a variant belongs to an accepted difference.
func (f *Buckets) AcceptedVariant(variant string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.variants[variant]
	if b := f.buckets[id]; b != nil {
		e, accepted := AcceptedAs(f.Accepted, &b.Bucket)
		return accepted && (WhollyAccepted(f.Accepted, &b.Bucket) || !slices.Contains(laterVariants(e, &b.Bucket), b.filed(variant)))
	}
	if _, accepted := f.Accepted.Find(variant); accepted {
		b := f.buckets[variant]
		return (b == nil || !b.renamed(variant)) && !f.reused(&triage.Result{Bucket: variant, Variant: variant})
	}
	_, accepted := f.Accepted.Find(id)
	return accepted
}

// AnySaturated reports whether any bucket or variant has enough inputs.
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

// bucketVariant names a variant of a bucket.
type bucketVariant struct{ bucket, variant string }

// resolve returns the variant to which findings with the given id before minimizing belong.
func (f *Buckets) resolve(before string) bucketVariant {
	if at, ok := f.alias[before]; ok {
		return at
	}
	if id, ok := f.variants[before]; ok {
		return bucketVariant{id, before}
	}
	return bucketVariant{before, before}
}

// Add files a finding. fresh reports that its bucket is new.
func (f *Buckets) Add(found *triage.Result, cand finding.Candidate) (b *Group, fresh bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.home(found)
	if b = f.buckets[id]; b != nil && found.Variant != "" {
		filed := *found
		filed.Variant = b.filed(found.Variant)
		found = &filed
	}
	if found.Results != nil && found.Unfinished == "" && (id == found.Whole || !found.Placed) {
		f.alias[found.Before] = bucketVariant{id, cmp.Or(found.Variant, id)}
	}
	if found.Combined != "" {
		f.alias[found.Combined] = f.resolve(found.Before)
	}
	if !shows(found) {
		return nil, false, errNotShown(id, found)
	}
	b = f.buckets[id]
	if b == nil {
		b = &Group{Bucket: finding.Bucket{
			Version: finding.BucketVersion, ID: id, Kind: found.Kind, FirstSeen: cand.Inputs, FirstTime: f.stamp(),
		}}
		fresh = true
	}
	if found.Unfinished != "" && !fresh && !b.replaceable() {
		return b, false, nil // its candidate waits, and the bucket has finished findings
	}
	next := *b
	again := found.Results != nil && b.replaceable()
	var surplus []string
	if again {
		next.afresh = len(b.Variants) > 0 && !b.IsVariant(found.Variant)
		surplus = next.supersede()
	}
	f.recordCode(&next)
	next.setExtra(UnfinishedKey, found.Unfinished)
	if found.Unfinished == "" {
		f.replace(&next, f.CandidateKey(&cand))
	}
	if found.Place != "" && next.Extra[placeKey] == "" {
		next.setExtra(placeKey, found.Place)
	}
	if id == found.Whole {
		next.setExtra(placedKey, "1")
	} else if found.Shared > 0 {
		next.share(found.Shared, found.Own)
	}
	next.Count++
	next.LastSeen, next.LastTime = cand.Inputs, f.stamp()
	if f.Origins != nil {
		f.recordSeed(&next, found, &cand)
	}
	at, unseen := next.variant(found, f.resolve(found.Before).variant)
	var others []*Group
	worth := again || unseen || next.Best == nil || minimized(found).Smaller(next.Best)
	kept := next.stored < storedInputs || worth && next.stored < storedInputs+variantInputs
	newest := !kept && f.keepsNewest(&next)
	if found.Results != nil && (kept || newest) {
		rep := f.report(id, found, cand)
		rep.Count = next.Count
		hash := corpus.Hash(f.facts.Shape.Encode(found.Flat))
		better := next.Best == nil || again || !f.keepsBest(&next) && rep.Smaller(next.Best)
		if better || hash == next.BestHash { // a kill may have come before the bucket's own file was written
			next.setUnverified("its input was not run once more when the fuzzing had ended")
			next.recorded = next.recorded || better
		}
		if better {
			next.Best, next.BestHash = rep, hash
			next.setExtra(hunkKey, f.hunk(found))
			next.describe()
			next.settleLines()
			if found.Unfinished == "" { // else the finding may move to another bucket
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
		case created: // a kill may have left the finding on disk with its candidate
			next.stored++
		case again || next.stale(hash) || !next.readable(hash):
			if err := f.folder.UpdateFinding(id, hash, files); err != nil {
				return nil, false, err
			}
			next.revive(hash)
			next.stored++
		}
		next.quote(hash, rep)
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
	if err == nil && id == found.Whole && found.Unfinished == "" {
		err = f.absorb(&next)
	}
	if err == nil {
		err = f.discard(&next, surplus)
	}
	if err == nil && found.Unfinished == "" {
		err = f.withdraw(f.CandidateKey(&cand), &next, false)
	}
	return &next, fresh, err
}

// quote notes an input on disk.
func (b *Group) quote(hash string, rep *finding.Finding) {
	b.quoted, b.inputs = maps.Clone(b.quoted), maps.Clone(b.inputs)
	if b.quoted == nil {
		b.quoted = map[string]string{}
	}
	if b.inputs == nil {
		b.inputs = map[string]finding.Other{}
	}
	b.quoted[hash], b.inputs[hash] = quoted(rep), rep.Other()
}

// readable reports whether the record of an input can be read.
func (b *Group) readable(hash string) bool {
	_, is := b.quoted[hash]
	return is
}

// shows reports whether the results of a finding, if there are any, show it in its layer. Other
// findings are not written.
func shows(found *triage.Result) bool {
	if found.Results == nil {
		return true
	}
	if triage.Disagrees(found.Kind) {
		return oracle.Disagree(found.Layer, triage.Observations(found.Results)) || triage.Dear(found.Layer, found.Results) != 0
	}
	outcome := oracle.Outcome(found.Results[found.Program].Outcome)
	return outcome >= oracle.Crashed
}

func errNotShown(id string, found *triage.Result) error {
	return fmt.Errorf("bucket %s: the results on record do not show a %s: this is a mistake of parallax", id, found.Kind)
}

// store writes a bucket's own file, and the changed links of similar buckets.
func (f *Buckets) store(b *Group, others []*Group) error {
	if err := f.folder.WriteBucket(b.Bucket); err != nil {
		return err
	}
	f.buckets[b.ID] = b
	f.addVariants(b)
	for _, other := range others {
		if err := f.folder.WriteBucket(other.Bucket); err != nil {
			return err
		}
		f.buckets[other.ID] = other
		f.rewriteReport(other)
	}
	return nil
}
