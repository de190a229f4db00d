package findings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// report returns the record of a finding. Its places are paths as the user would write them.
func (f *Buckets) report(id string, found *triage.Result, cand finding.Candidate) *finding.Finding {
	t := f.facts
	rep := &finding.Finding{
		Bucket: id, Variant: found.Variant, Kind: found.Kind, Target: t.Name, Shape: t.Shape, Parameters: t.Parameters(),
		Input: found.Flat, Minimized: found.Minimized, Holes: Holes(found.Holes), FoundAt: cand.Inputs,
		Replay: ReplayCommand(fromFinding, id), Compare: f.folder.Config().Identity.Compare,
	}
	f.target.Reproduce(rep, f.folder.Config().Options["tags"])
	rep.Drawn = triage.Drawn(found.Results)
	if t.Takes() != nil {
		rep.Generated, rep.Takes = triage.Made(found.Results), t.Takes()
	}
	if triage.Disagrees(found.Kind) {
		rep.Layer = found.Layer.String()
	}
	if !cand.Deadly || bytes.Equal(cand.Flat, found.Flat) {
		rep.Parent, rep.Operators = cand.Parent, cand.Operators
	}
	if f.Origins != nil {
		rep.Origin, rep.MinimizedOrigin = f.Origins(found, &cand)
	}
	obs := triage.Observations(found.Results)
	for p, r := range found.Results {
		rep.Programs = append(rep.Programs, finding.Program{
			Name: t.Names[p], Detail: triage.Detail(r), Message: r.Panic, InGenerator: triage.InGenerator(&r), Stack: f.shownStack(withoutLibrary(r.Stack, t.Space)), Output: extraOutput(r), Deciding: f.shownFile(t.Space.Location(found.Deciding[p])),
			Ranked: f.places(found, p), Kind: t.Kind(p), Runs: t.Run(p),
		})
		rep.Programs[p].Refused = t.Refused(p, rep.Programs[p].Error+"\n"+r.Panic)
		if found.Layer == oracle.CostLayer {
			rep.Programs[p].Blocks, rep.Programs[p].Allocated = r.Length, r.Allocated
		}
		if last := &rep.Programs[p]; len(last.Ranked) > 0 {
			last.Deciding = last.Ranked[0].Location
		}
	}
	if triage.Disagrees(found.Kind) {
		for _, p := range oracle.Minority(found.Layer, obs) {
			rep.Odd = append(rep.Odd, t.Names[p])
		}
	}
	rep.Location = f.location(found, rep)
	if !triage.Disagrees(found.Kind) && found.Program < len(rep.Programs) {
		rep.Program, rep.Caller = t.Names[found.Program], f.caller(found)
		rep.Programs[found.Program].Deciding = rep.Location
	}
	return rep
}

// Keys of Extra with the origin of a seed that shows the bucket, and the hash of the seed.
const (
	seedKey     = "seed"
	seedHashKey = "seed_hash"
)

// recordSeed records a seed that shows the bucket. The first one stays, unless it is the input for
// which the bucket is accepted. Export makes such a seed.
func (f *Buckets) recordSeed(b *Group, found *triage.Result, cand *finding.Candidate) {
	origin, minimized := f.Origins(found, cand)
	record := func(origin string, flat []byte) {
		e, ok := AcceptedAs(f.Accepted, &b.Bucket)
		known := b.Extra[seedKey] != "" && !(ok && b.Extra[seedHashKey] == corpus.Hash(e.Input))
		if finding.IsSeed(origin) && !known {
			b.setExtra(seedKey, origin)
			b.setExtra(seedHashKey, corpus.Hash(f.facts.Shape.Encode(flat)))
		}
	}
	record(origin, found.Flat)
	record(minimized, found.Minimized)
}

// Holes converts the holes of a minimized input to those of its record.
func Holes(list []minimize.Hole) []finding.Hole {
	var out []finding.Hole
	for _, h := range list {
		out = append(out, finding.Hole(h))
	}
	return out
}

// places returns the blocks of one program that separate disagreeing inputs.
func (f *Buckets) places(found *triage.Result, program int) []finding.Place {
	if program >= len(found.Ranked) {
		return nil
	}
	var places []finding.Place
	for _, p := range found.Ranked[program] {
		place := placeOf(f.facts.Space, p)
		place.Location = f.shownFile(place.Location)
		places = append(places, place)
	}
	if oracle.Outcome(found.Results[program].Outcome) != oracle.Accepted {
		finding.SortErrorText(places)
	}
	return places
}

// placeOf describes a block that separates inputs.
func placeOf(space *flow.Space, p triage.Direction) finding.Place {
	table, b := space.Block(p.Block)
	branch := b.Kind.String()
	if p.Absent {
		branch = "not " + branch
	}
	at := space.At(p.Block)
	if p.Changed {
		at = p.Change(space)
	}
	return finding.Place{
		Changed: p.Changed, Location: at, Function: table.Package + "." + table.Funcs[b.Func].Name, Branch: branch,
		Score: p.Score, With: p.With, Without: p.Without, Forwards: table.Forwarding[table.Funcs[b.Func].File], Rivals: p.Rivals, Rejects: p.Rejects,
	}
}

// extraOutput returns the output of a fuzz test without the message of its failure.
func extraOutput(r wire.RunResult) string {
	if strings.Count(r.Output, "\n") <= 1+strings.Count(r.Panic, "\n") && r.Failure {
		return ""
	}
	return r.Output
}

// location returns the line that represents the bucket. For a crash, that is where the program
// under test or its dependency failed. For a discrepancy, it is the deciding line of the odd
// program, or of the first that rejects.
func (f *Buckets) location(found *triage.Result, rep *finding.Finding) string {
	if !triage.Disagrees(found.Kind) {
		where := ""
		space := f.facts.Space
		if inner := space.Inner(found.Program, found.Crash); len(inner) > 0 {
			return f.shownFrame(inner[0])
		}
		for _, frame := range found.Crash.Frames {
			if space.Own(frame.Func) {
				where = f.shownFrame(frame)
				// A helper reports failures of its caller, unless the change is in the helper.
				if !found.Crash.Reported() || space.ChangedAt(found.Program, frame.Func, frame.Line) || !space.Helper(found.Program, frame.Func) {
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
	for _, want := range []string{oracle.Rejected.String(), oracle.Accepted.String()} {
		for _, p := range rep.Programs {
			if p.Outcome == want && p.Deciding != "" {
				return p.Deciding
			}
		}
	}
	return ""
}

// caller returns the line in the tested code that called the dependency in which a program crashed.
// It is empty if the tested code crashed.
func (f *Buckets) caller(found *triage.Result) string {
	space := f.facts.Space
	if triage.Disagrees(found.Kind) || len(space.Inner(found.Program, found.Crash)) == 0 {
		return ""
	}
	frame, ok := found.Crash.Caller(space.Code)
	if !ok {
		return ""
	}
	return f.shownFrame(frame)
}

func (f *Buckets) shownFrame(frame oracle.Frame) string {
	return fmt.Sprintf("%s:%d", f.shownFile(frame.File), frame.Line)
}

// shownFile returns a path relative to the folder where the campaign was started, if the file is
// below it. The path may end with a line.
func (f *Buckets) shownFile(path string) string {
	if f.folder == nil || path == "" {
		return path
	}
	for _, dir := range f.roots() {
		if at := finding.Relative(dir, path); at != path {
			return at
		}
	}
	return path
}

// roots returns the folders from which paths are shown: that of the campaign's start, and the trees
// of versions.
func (f *Buckets) roots() (dirs []string) {
	c := f.folder.Config()
	for _, dir := range append([]string{c.Dir}, f.versionDirs()...) {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// shownStack returns a stack with the paths of the user's files relative to roots.
func (f *Buckets) shownStack(stack string) string {
	if f.folder == nil {
		return stack
	}
	for _, dir := range f.roots() {
		stack = strings.ReplaceAll(stack, strings.TrimSuffix(dir, "/")+"/", "")
	}
	return stack
}

// fromFinding is the path from a finding's folder to the campaign's. Records hold no absolute path,
// since the campaign may be moved.
const fromFinding = "../../.."

// ReplayCommand returns the command line that runs a finding again. folder is the campaign's folder
// as the user would type it.
func ReplayCommand(folder, id string) string { return Command("replay", folder, id) }

// Command returns the line of a parallax command for a finding of a campaign.
func Command(name, folder, id string) string {
	return "parallax " + name + " --campaign " + shell.Word(folder) + " " + id
}
