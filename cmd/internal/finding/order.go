package finding

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding/regress"
	"parallax/internal/oracle"
)

// The order of a list of findings is a function of their records (docs/guides/findings.md, "The
// order"). Similar findings fold under one of them. Disagreements follow in rounds: the first of
// each way to disagree, then the second of each. So many small differences of one kind do not hide
// another kind.

// Reading is the effort that an input costs its reader.
type Reading struct {
	Hidden bool // it has bytes that are not text, or invisible characters
	Size   int  // in bytes
}

func (r Reading) compare(other Reading) int {
	if r.Hidden != other.Hidden {
		if r.Hidden {
			return 1
		}
		return -1
	}
	return cmp.Compare(r.Size, other.Size)
}

// Reading returns the effort that the minimized input costs.
func (f *Finding) Reading() Reading {
	return Reading{escape.Escaped(f.Quote(math.MaxInt)), len(f.Minimized)}
}

// Order sorts buckets for their readers, and sets Under of those that fold. reading returns the
// effort for a bucket's smallest input. The result does not depend on the order of the argument.
func Order(buckets []Row, reading func(id string) Reading) []Row {
	list, readings := slices.Clone(buckets), map[string]Reading{}
	for _, b := range list {
		readings[b.ID] = reading(b.ID)
	}
	better := func(a, b Row) int { // of the same way to differ
		return cmp.Or(readings[a.ID].compare(readings[b.ID]), cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	}
	slices.SortFunc(list, better)
	round, folded, ways := map[string]int{}, map[string][]Row{}, map[string][]Row{}
	var leaders []Row
	for _, b := range list {
		b.Under = ""
		if folds(b) {
			way := wayOf(b)
			if i := slices.IndexFunc(ways[way], func(l Row) bool { return alike(l, b) }); i >= 0 {
				b.Under = ways[way][i].ID
				folded[b.Under] = append(folded[b.Under], b)
				continue
			}
			if disagreement(b) {
				round[b.ID] = len(ways[way])
			}
			ways[way] = append(ways[way], b)
		}
		leaders = append(leaders, b)
	}
	slices.SortStableFunc(leaders, func(a, b Row) int {
		return cmp.Or(cmp.Compare(Rank(a), Rank(b)), cmp.Compare(statusRank(a), statusRank(b)), cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)),
			costs(a)-costs(b), cmp.Compare(round[a.ID], round[b.ID]), cmp.Compare(division(a), division(b)), cmp.Compare(layerRank(a.Layer), layerRank(b.Layer)),
			better(a, b))
	})
	out := make([]Row, 0, len(list))
	for _, l := range leaders {
		out = append(append(out, l), folded[l.ID]...)
	}
	return out
}

// Leaders splits a list into leaders and the elements that fold under another element. folded has
// the latter by the id of that other element. key returns the id of an element, and the id that it
// folds under.
func Leaders[T any](list []T, key func(T) (id, under string)) (leaders []T, folded map[string][]T) {
	there := map[string]bool{}
	for _, t := range list {
		id, under := key(t)
		there[id] = under == ""
	}
	folded = map[string][]T{}
	for _, t := range list {
		if _, under := key(t); there[under] {
			folded[under] = append(folded[under], t)
			continue
		}
		leaders = append(leaders, t)
	}
	return leaders, folded
}

// folds reports whether a bucket may fold under another: an open disagreement, crash or failure.
// The line at which a program reached a limit is chance.
func folds(b Row) bool {
	return disagreement(b) || Rank(b) == 0 && (b.Kind == oracle.KindCrash || b.Kind == oracle.KindFailure)
}

// disagreement reports whether a bucket is an open one of programs that disagree.
func disagreement(b Row) bool { return b.Layer != "" && Rank(b) == 0 }

// wayOf returns the way in which programs disagree or one fails: the kind, the state, the outcome
// of each program, and the odd ones. A crash or failure also has its message without numbers, and
// the call of a dependency.
func wayOf(b Row) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%q %q %q", b.Kind, b.Layer, b.Status)
	if !disagreement(b) {
		fmt.Fprintf(&s, " %q %q %q", b.Program, b.Caller, oracle.CrashClass(b.Results[b.Program]))
	}
	for _, p := range slices.Sorted(maps.Keys(b.Outcomes)) {
		fmt.Fprintf(&s, " %q %q %v", p, b.Outcomes[p], slices.Contains(b.Odd, p))
	}
	return s.String()
}

// alike reports whether the same lines decide in all programs of two buckets of one way. Other
// lines may be another cause. If no line is known, disagreements with similar inputs are alike.
func alike(a, b Row) bool {
	if !maps.Equal(a.Deciding, b.Deciding) {
		return false
	}
	if len(a.Deciding) > 0 {
		return true
	}
	linked := func(a, b Row) bool {
		return slices.ContainsFunc(a.Similar, func(s Similar) bool { return s.ID == b.ID && (s.Why != "input" || a.Location == "") })
	}
	return disagreement(a) && (linked(a, b) || linked(b, a))
}

func statusRank(b Row) int {
	return slices.Index([]regress.Status{regress.StatusNew, regress.StatusChanged, regress.StatusOld, regress.StatusFixed}, regress.Status(b.Status))
}

func kindRank(kind string) int {
	return slices.Index([]string{"crash", "failure", "oom", "timeout", "discrepancy", "change"}, kind)
}

func layerRank(layer string) int {
	return slices.Index([]string{"", "verdict", "value", "class", "cost"}, layer)
}

// costs returns 1 for a difference in cost, which comes after all differences in results, and 0
// otherwise.
func costs(b Row) int {
	if b.Layer == CostLayer {
		return 1
	}
	return 0
}

// division ranks how programs differ. Three answers or more come first, then one program against
// several others, then the rest. If two programs agree, the third may follow other rules; if none
// agree, no rules explain it.
func division(b Row) int {
	answers := map[string]bool{}
	for p, did := range b.Outcomes {
		answer := did
		if b.Layer == "value" && did == "accepted" || b.Layer == "class" && did == "rejected" {
			answer += " " + b.Results[p]
		}
		answers[answer] = true
	}
	switch {
	case b.Layer != "" && len(answers) > 2:
		return 0
	case len(b.Odd) == 1 && len(b.Outcomes) > 2:
		return 1
	}
	return 2
}

// Rank returns how much a bucket still asks of its reader. An open one has rank 0.
func Rank(b Row) int {
	switch {
	case b.Flaky, b.Fixed():
		return 2
	case b.Accepted:
		return 1
	}
	return 0
}
