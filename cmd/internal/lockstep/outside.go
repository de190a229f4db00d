package lockstep

import (
	"context"
	"fmt"
	"slices"

	"parallax/cmd/internal/program"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// outside is a program of another kind than Go.
type outside struct {
	name  string
	exec  program.Executor
	first uint32   // id of its first feature
	notes []string // what the machine does not permit
	obs   []program.Observation
}

func (o *outside) batch() int { return o.exec.Batch() }
func (o *outside) close()     { o.exec.Close() }

func (o *outside) regions() []wire.Region {
	if n := o.exec.Features(); n > 0 {
		return []wire.Region{{Package: FeaturesOf + o.name, Counters: n}}
	}
	return nil
}

// BuildOf begins the names of the regions of a build: the package follows.
func BuildOf(build int) string { return fmt.Sprintf("build %d: ", build) }

// FeaturesOf begins the names of regions that are no package's counters: a program's name follows.
const FeaturesOf = "features of "

func (o *outside) run(ctx context.Context, flats [][]byte) ([]program.Observation, error) {
	for len(o.obs) < len(flats) {
		o.obs = append(o.obs, program.Observation{})
	}
	obs := o.obs[:len(flats)]
	for i := range obs {
		obs[i].Reset()
	}
	return obs, o.exec.Execute(ctx, flats, obs)
}

// observe implements member.
func (o *outside) observe(ctx context.Context, flats [][]byte, answers []answer) error {
	all, err := o.run(ctx, flats)
	if err != nil {
		return err
	}
	for i := range all {
		answers[i].take(&all[i], o.first)
	}
	return nil
}

// take reads an observation.
func (a *answer) take(obs *program.Observation, first uint32) {
	a.outcome, a.class, a.value = obs.Outcome, 0, 0
	a.text = append(a.text[:0], obs.Value...)
	a.message, a.detail, a.ended = obs.Message, obs.Detail, obs.Outcome >= judge.Crashed
	t := &a.trace
	t.Reset()
	for i, f := range obs.Features {
		t.Hits = append(t.Hits, first+f)
		t.Counts = append(t.Counts, obs.Counts[i])
		t.Length += uint64(obs.Counts[i])
	}
	t.Seal()
}

// detail implements member. Features have no place in a source that parallax knows, and are left out.
func (o *outside) detail(ctx context.Context, flats [][]byte, flags uint64, results []wire.RunResult) error {
	all, err := o.run(ctx, flats)
	if err != nil {
		return err
	}
	for i := range all {
		var a answer
		a.take(&all[i], o.first)
		results[i] = a.result(flags)
	}
	return nil
}

// result is the answer as a result of a Run order. Digests come later.
func (a *answer) result(flags uint64) wire.RunResult {
	if a.outcome >= judge.Crashed {
		return a.failed()
	}
	r := wire.RunResult{Outcome: uint64(a.outcome), Length: a.trace.Length, Set: a.trace.Set, Error: a.message, Rendered: string(a.text)}
	if flags&wire.WantDetail != 0 {
		r.Output = a.detail
	}
	return r
}

// news are notes of the program that were not told yet: that it ends between inputs, for example.
func (o *outside) news() (notes []string) {
	n, ok := o.exec.(interface{ Notes() []string })
	if !ok {
		return nil
	}
	for _, note := range n.Notes() {
		if !slices.Contains(o.notes, note) {
			o.notes, notes = append(o.notes, note), append(notes, note)
		}
	}
	return notes
}
