package campaign

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/campaign/state"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/similar"
	"parallax/cmd/internal/triage"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/minimize"
	"parallax/internal/wire"
)

const (
	storedInputs = 8 // inputs kept on disk a bucket
	enoughInputs = 4 // inputs of a bucket that are minimised: the smallest is what people see
)

// findings are the buckets of a campaign.
type findings struct {
	folder   *state.Folder
	target   *Target
	accepted *accept.File
	warn     func(text string) // told of what is missing in a finding's folder; may be nil
	now      Clock             // nil: times are left out
	near     similar.Index

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

// acceptedFile is where accepted differences are listed: where the configuration says, or beside it, or, of targets named on
// the command line, the folder where the command is given.
func (o *Options) acceptedFile() string {
	if o.Accepted != "" {
		return o.Accepted
	}
	return filepath.Join(o.Dir, accept.FileName)
}

// loadFindings reads the buckets on disk.
func loadFindings(folder *state.Folder, t *Target, accepted *accept.File) (*findings, []string, error) {
	f := &findings{folder: folder, target: t, accepted: accepted, buckets: map[string]*bucket{}, alias: map[string]string{}}
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

// Files of a finding.
const (
	inputFile     = "input"
	minimizedFile = "minimized"
	parentFile    = "parent"
	outputsFile   = "outputs.json"
	reportFile    = "report.md"
)

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
		hash := input.Hash(f.target.Shape.Encode(found.Flat))
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

// rewrite makes the report of a bucket's smallest input anew. It tells what outputs.json has, so what cannot be written is
// left as it was.
func (f *findings) rewrite(b *bucket) {
	page := f.page(b)
	err := f.folder.UpdateFinding(b.ID, b.bestHash, map[string][]byte{reportFile: b.best.Markdown(page)})
	if err != nil && f.warn != nil {
		f.warn("the report is not up to date: " + err.Error())
	}
}

// page is what the report of a bucket's smallest input shows beyond its record.
func (f *findings) page(b *bucket) report.Page {
	page := report.Page{Dir: f.folder.Config().Dir, Similar: f.related(b)}
	read := func(name string) string {
		data, _ := f.folder.ReadFinding(b.ID, b.bestHash, name)
		return string(data)
	}
	page.Reproducer, page.GoMod, page.Script = read(report.ReproducerFile), read("go.mod"), read(report.ScriptFile)
	for _, entry := range b.Findings {
		if other, ok := b.inputs[entry.Hash]; ok && entry.Hash != b.bestHash {
			page.Others = append(page.Others, other)
		}
	}
	return page
}

// report describes a finding.
func (f *findings) report(id string, found *triage.Finding, cand triage.Candidate) *report.Finding {
	t := f.target
	rep := &report.Finding{
		Bucket: id, Kind: found.Kind, Target: t.Name, Shape: t.Shape,
		Input: found.Flat, Minimized: found.Minimized, Holes: holes(found.Holes), FoundAt: cand.Inputs,
		Replay: "parallax replay --out " + quoteArg(f.shownDir()) + " " + id,
		Repro:  Repro(t.Plan), Fuzz: t.fuzzHarness(f.folder.Config().Options["tags"]),
		Script: t.script(found.Minimized),
	}
	if t.mix != nil {
		rep.Repro = nil // one program cannot hold them all
	}
	if found.Kind == triage.Discrepancy {
		rep.Layer = found.Layer.String()
	}
	if !cand.Deadly || bytes.Equal(cand.Flat, found.Flat) {
		rep.Parent, rep.Operators = cand.Parent, cand.Operators
	}
	obs := triage.Observations(found.Results)
	for p, r := range found.Results {
		rep.Programs = append(rep.Programs, report.Program{
			Name: t.Names[p], Detail: Detail(r), Message: r.Panic, Stack: r.Stack, Output: logged(r), Deciding: t.Location(found.Deciding[p]),
			Ranked: f.places(found, p), Kind: t.kind(p), Runs: t.runs(p),
		})
		if last := &rep.Programs[p]; len(last.Ranked) > 0 {
			last.Deciding = last.Ranked[0].Location
		}
	}
	if found.Kind == triage.Discrepancy {
		for _, p := range judge.Minority(found.Layer, obs) {
			rep.Odd = append(rep.Odd, t.Names[p])
		}
	}
	rep.Location = f.location(found, rep)
	if found.Kind != triage.Discrepancy && found.Program < len(rep.Programs) {
		rep.Programs[found.Program].Deciding = rep.Location
	}
	return rep
}

func holes(list []minimize.Hole) []report.Hole {
	var out []report.Hole
	for _, h := range list {
		out = append(out, report.Hole(h))
	}
	return out
}

// places are the blocks that separate disagreeing inputs, of one program.
func (f *findings) places(found *triage.Finding, program int) []report.Place {
	if program >= len(found.Ranked) {
		return nil
	}
	var places []report.Place
	for _, p := range found.Ranked[program] {
		places = append(places, f.target.place(p))
	}
	return places
}

// logged is what a fuzz test wrote beyond the message that stands for the failure.
func logged(r wire.RunResult) string {
	if strings.Count(r.Output, "\n") <= 1+strings.Count(r.Panic, "\n") && r.Failure {
		return ""
	}
	return r.Output
}

// Detail is a result in words.
func Detail(r wire.RunResult) judge.Detail {
	return judge.Detail{
		Outcome: judge.Outcome(r.Outcome).String(), Error: r.Error, ErrorType: r.ErrorType, ErrorClass: r.ErrorClass,
		Value: r.Rendered, Truncated: r.Truncated,
	}
}

// location is the line that stands for the bucket: of a crash, where the program under test failed; of a discrepancy,
// the deciding line of the odd one out, or of the first program that rejects.
func (f *findings) location(found *triage.Finding, rep *report.Finding) string {
	if found.Kind != triage.Discrepancy {
		where := ""
		for _, frame := range found.Crash.Frames {
			if f.target.Own(frame.Func) {
				where = fmt.Sprintf("%s:%d", f.shownFile(frame.File), frame.Line)
				if !found.Crash.Reported() || !f.target.Helper(frame) {
					break
				}
			}
		}
		return where
	}
	for _, p := range rep.Programs {
		if slices.Contains(rep.Odd, p.Name) && p.Deciding != "" {
			return p.Deciding
		}
	}
	for _, want := range []string{judge.Rejected.String(), judge.Accepted.String()} {
		for _, p := range rep.Programs {
			if p.Outcome == want && p.Deciding != "" {
				return p.Deciding
			}
		}
	}
	return ""
}

// shownFile is a file of the user's as it is seen from where the campaign was started, and the path of any other.
func (f *findings) shownFile(path string) string {
	if f.folder == nil {
		return path
	}
	return relative(f.folder.Config().Dir, path)
}

// filesOf are what stands in the finding's folder. b is its bucket, nil when nothing is known of it.
func (f *findings) filesOf(rep *report.Finding, b *bucket) (map[string][]byte, error) {
	shape := rep.Shape
	outputs, err := rep.JSON()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		inputFile: shape.Encode(rep.Input), minimizedFile: shape.Encode(rep.Minimized), outputsFile: outputs,
	}
	if rep.Parent != nil && shape.Check(rep.Parent) == nil {
		files[parentFile] = shape.Encode(rep.Parent)
	}
	page := report.Page{Dir: f.folder.Config().Dir}
	if b != nil {
		page.Similar = f.related(b)
	}
	if rep.Repro != nil || rep.Fuzz != nil {
		// A finding counts without its reproducer: the input and the outputs are what cannot be had again.
		text, err := rep.Reproducer()
		var mod []byte
		if err == nil {
			mod, err = rep.GoMod()
		}
		switch {
		case err != nil:
			if f.warn != nil {
				f.warn("no reproducer: " + err.Error())
			}
		default:
			files[report.ReproducerFile], page.Reproducer = text, string(text)
			if mod != nil {
				files["go.mod"], page.GoMod = mod, string(mod)
			}
		}
	}
	if rep.Script != nil {
		script, err := rep.ScriptFiles()
		if err != nil && f.warn != nil {
			f.warn("no reproducer: " + err.Error())
		}
		maps.Copy(files, script)
		page.Script = string(script[report.ScriptFile])
	}
	files[reportFile] = rep.Markdown(page)
	return files, nil
}

// shownDir is the campaign's folder as the user would type it.
func (f *findings) shownDir() string { return relative(f.folder.Config().Dir, f.folder.Dir()) }

func relative(base, path string) string {
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// quoteArg quotes a word for a shell where it needs it.
func quoteArg(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

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
