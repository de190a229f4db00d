// Package verdict has the parts that all judges of model deviations share. It decides how often a
// judge asks about a bucket, and how deviations that are no findings are counted.
package verdict

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/scope"
)

// Patience limits the unconfirmed deviations of a bucket. After that many, similar ones are not
// asked about, since an answer takes seconds. Deviations out of scope do not count, because they
// depend on their path and not on their cause.
const Patience = 4

// Buckets tracks the deviations of each bucket. The zero value is ready to use.
type Buckets struct {
	Err  error // what this machine lacks; nothing can be confirmed without it
	open finding.Unanswered
	byID map[string]*bucket
}

type bucket struct {
	confirmed bool
	refused   int
	why       string
}

// Veto returns why a deviation of a bucket is no finding, or "" to accept it. ask confirms the
// deviation. An error means that no answer was possible.
func (b *Buckets) Veto(ctx context.Context, id string, ask func() (why string, err error)) (string, error) {
	if b.byID == nil {
		b.byID = map[string]*bucket{}
	}
	t := b.byID[id]
	if t == nil {
		t = &bucket{}
		b.byID[id] = t
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

// NotAnswered counts a deviation without an answer, and returns why it is no finding.
func (b *Buckets) NotAnswered(function, call, why string) string {
	if b.open.Calls++; b.open.Calls == 1 {
		b.open.Function, b.open.Call, b.open.Reason = function, call, why
	}
	return unanswered + why
}

// Unanswered returns the deviations without an answer, if there are any.
func (b *Buckets) Unanswered() []finding.Unanswered {
	if b.open.Calls == 0 {
		return nil
	}
	return []finding.Unanswered{b.open}
}

// unanswered is the prefix of reasons without an answer.
const unanswered = "not answered: "

// outside is the prefix of reasons for calls out of scope. The kind of the deviation follows.
const outside = "out of scope ("

// Outside returns why a deviation is no finding, from the reason why its path or cell is out of
// scope. An empty reason gives "".
func Outside(why string, kind scope.Kind) string {
	if why == "" {
		return ""
	}
	return outside + string(kind) + "): " + why
}

// Kind returns the kind under which a deviation that is no finding is counted, or "" for a finding.
func Kind(why string) string {
	switch {
	case why == "":
		return ""
	case strings.HasPrefix(why, outside):
		kind, _, _ := strings.Cut(why[len(outside):], ")")
		return kind
	case strings.HasPrefix(why, unanswered):
		return finding.NotAnswered
	}
	return finding.Unconfirmed
}

// Covers adds the counts of a model's scope.
func Covers(s *scope.Scope, to *finding.Scope) {
	to.Paths, to.InScope, to.Suspects = len(s.Paths), s.InScope(), s.Suspects()
	for kind, n := range s.Outside() {
		to.Outside[string(kind)] = n
	}
	to.Never = append(to.Never, Never(s)...)
}

// Never returns the paths on which a model never or hardly ever agrees, with an example on the most
// frequent one.
func Never(s *scope.Scope) []finding.Never {
	never := s.Never()
	if len(never) == 0 {
		return nil
	}
	p := slices.MaxFunc(never, func(a, b *scope.Path) int { return cmp.Compare(a.Runs, b.Runs) })
	return []finding.Never{{Function: s.Function, Paths: len(never), Of: len(s.Paths), Call: p.Deviating, Original: p.Original, Model: p.Model}}
}
