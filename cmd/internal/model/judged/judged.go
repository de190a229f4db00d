// Package judged is what judges of findings of models have in common, whoever confirms: how often they ask about a bucket, and how a deviation that is
// no finding is counted.
package judged

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/model/scope"
)

// Patience is how many deviations of a bucket are asked about of which none was confirmed. What looks like them is not asked about again: an answer
// takes seconds. Those that are out of scope do not count: that says something of their path, and nothing of their cause.
const Patience = 4

// Buckets is what became of the deviations of each bucket. Its zero value is ready.
type Buckets struct {
	Err  error // what this machine lacks: nothing can be confirmed
	open report.Unanswered
	by   map[string]*bucket
}

type bucket struct {
	confirmed bool
	refused   int
	why       string
}

// Why says why a deviation of a bucket is no finding; "": it is one. ask is who confirms it. An error says that nobody could tell.
func (b *Buckets) Why(ctx context.Context, id string, ask func() (why string, err error)) (string, error) {
	if b.by == nil {
		b.by = map[string]*bucket{}
	}
	t := b.by[id]
	if t == nil {
		t = &bucket{}
		b.by[id] = t
	}
	if !t.confirmed && t.refused >= Patience {
		return t.why, nil
	}
	why, err := ask()
	switch {
	case err != nil:
		if ctx.Err() == nil {
			b.Err = err
		}
		return "", err
	case why == "":
		t.confirmed = true
	case !strings.HasPrefix(why, outside):
		t.refused, t.why = t.refused+1, why
	}
	return why, nil
}

// NotAnswered is why a deviation of a call counts as no finding of which nobody could say whether it is one.
func (b *Buckets) NotAnswered(function, call, why string) string {
	if b.open.Calls++; b.open.Calls == 1 {
		b.open.Function, b.open.Call, b.open.Reason = function, call, why
	}
	return unanswered + why
}

// Unanswered are the deviations of which nobody could say whether they are findings, if there are some.
func (b *Buckets) Unanswered() []report.Unanswered {
	if b.open.Calls == 0 {
		return nil
	}
	return []report.Unanswered{b.open}
}

// unanswered begins why nobody could say.
const unanswered = "not answered: "

// outside begins why a call is out of scope, and the kind of its deviation follows.
const outside = "out of scope ("

// Outside is why a deviation of some kind is no finding: why its path, or cell, is out of scope. "": it is not.
func Outside(why string, kind scope.Kind) string {
	if why == "" {
		return ""
	}
	return outside + string(kind) + "): " + why
}

// Kind is how a deviation that is no finding is counted, "" for a finding.
func Kind(why string) string {
	switch {
	case why == "":
		return ""
	case strings.HasPrefix(why, outside):
		kind, _, _ := strings.Cut(why[len(outside):], ")")
		return kind
	case strings.HasPrefix(why, unanswered):
		return report.NotAnswered
	}
	return report.Unconfirmed
}

// Covers adds what is decided about a model's scope.
func Covers(s *scope.Scope, to *report.Scope) {
	to.Paths, to.InScope = len(s.Paths), s.InScope()
	for kind, n := range s.Outside() {
		to.Outside[string(kind)] = n
	}
	to.Never = append(to.Never, Never(s)...)
}

// Never are the paths of a model on which it never or hardly ever agrees, if it has some: the example is of the one that most calls take.
func Never(s *scope.Scope) []report.Never {
	never := s.Never()
	if len(never) == 0 {
		return nil
	}
	p := slices.MaxFunc(never, func(a, b *scope.Path) int { return cmp.Compare(a.Runs, b.Runs) })
	return []report.Never{{Function: s.Function, Paths: len(never), Of: len(s.Paths), Call: p.Deviating, Original: p.Original, Model: p.Model}}
}
