package findings

import (
	"strconv"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
)

// This file follows findings through edits of the programs. The lines on record are then of older
// sources, until triage locates the finding again.

const (
	// olderKey is the key of Extra that marks a bucket whose lines are of older sources.
	olderKey = "older_sources"
	// locatedKey is the key of Extra with the count of inputs when the best input was located again.
	// The lines of the other inputs up to then are of older sources.
	locatedKey = "located"
	// nowKey is the key of Extra of a bucket without variants, with the id and the change that the
	// best input has in edited programs. New findings of that id belong to the bucket.
	nowKey = "now"
)

// MarkOlder marks the buckets that other programs showed last.
func (f *Buckets) MarkOlder() error {
	for _, id := range f.IDs() {
		if !f.Older(id) || f.Outdated(id) {
			continue
		}
		if err := f.change(id, func(b *Group) { b.setExtra(olderKey, "the programs were edited") }); err != nil {
			return err
		}
	}
	return nil
}

// Outdated reports whether the lines of a bucket are of older sources, as MarkOlder has recorded.
func (f *Buckets) Outdated(id string) bool { return f.buckets[id].Extra[olderKey] != "" }

// Unsettled reports whether a bucket may have inputs that did not run since the programs were
// edited. All run again before the lines are settled.
func (f *Buckets) Unsettled(id string) bool { return f.Older(id) || f.Outdated(id) }

// older reports whether the lines of a bucket's best input are of older sources.
func (f *Buckets) older(b *Group) bool {
	if b.Extra[olderKey] != "" {
		return true
	}
	if f.Edited == nil || b.Best == nil {
		return false
	}
	return f.Edited(b.Best, finding.Page{Dir: f.folder.Config().Dir, Built: f.Built(), Trees: f.Trees()})
}

// settleLines records that the lines of the best input are of the present sources.
func (b *Group) settleLines() {
	if b.Extra[olderKey] != "" {
		b.setExtra(olderKey, "")
		b.setExtra(locatedKey, strconv.FormatUint(b.Count, 10))
	}
}

// located returns the count of inputs up to which lines are of older sources, except the best one.
func (b *Group) located() uint64 {
	n, _ := strconv.ParseUint(b.Extra[locatedKey], 10, 64)
	return n
}

// SameFailure reports whether a failure of the best input after an edit is that of the bucket. The
// class of its message is the same, unless the bucket has several messages. An accepted failure
// accepts its message only. The place is in the same function, unless that was renamed: it does not
// exist any more, and the new place has no bucket.
func (f *Buckets) SameFailure(b *Group, found *triage.Result) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := b.Best.Failing()
	if at < 0 || !Verifiable(b.Kind) || found.Bucket == b.ID {
		return true
	}
	was := recordedCrash(b.Kind, &b.Best.Programs[at])
	if b.Extra[placedKey] == "" && b.shared() == 0 &&
		oracle.CrashClass(was.Message) != oracle.CrashClass(found.Results[found.Program].Panic) {
		return false
	}
	place := failing(f.facts.Space, found.Program, was)
	if place == failing(f.facts.Space, found.Program, found.Crash) {
		return true
	}
	home := f.home(found)
	return home == b.ID || f.buckets[home] == nil && !f.facts.Space.Has(found.Program, place)
}

// recordedCrash returns the crash of a program on record.
func recordedCrash(kind string, p *finding.Program) oracle.Crash {
	c := oracle.ParseTrace([]byte("panic: " + p.Message + "\n\n" + p.Stack))
	c.Kind, c.Message = kind, p.Message
	return c
}

// failing returns the function in which a program failed, without the literals in it. That is the
// innermost function of a dependency that crashed, and otherwise of the tested code. Helpers report
// the failures of their callers. A stack overflow has the functions of its cycle.
func failing(space *flow.Space, program int, c oracle.Crash) string {
	if c.Overflow() {
		return c.Where(space.Code)
	}
	frames := c.Inner(space.Code)
	if len(frames) == 0 {
		frames = c.Tops(space.Code, len(c.Frames))
	}
	function := ""
	for _, frame := range frames {
		function = literal().ReplaceAllString(frame.Func, "$1")
		if !c.Reported() || !space.Helper(program, frame.Func) {
			break
		}
	}
	return function
}

// literal matches the name of a function literal, with that of the declared function around it.
var literal = lazyregexp.New(`^((?:.*/)?[^./]+\..+?)(?:\.func|-range)[0-9].*$`)

// Relocate records the result of a bucket's best input in edited programs. The bucket keeps its id,
// its variants, its counts and its history.
func (f *Buckets) Relocate(id string, found *triage.Result) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.buckets[id]
	if !shows(found) {
		return errNotShown(id, found)
	}
	rep := f.renewed(b, found)
	rep.Holes = b.Best.Holes
	next := *b
	next.setExtra(hunkKey, f.hunk(found))
	if found.Place != "" {
		next.setExtra(placeKey, found.Place)
	}
	f.rename(&next, b.Best.Variant, found)
	return f.renew(&next, rep)
}
