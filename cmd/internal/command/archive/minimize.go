package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
)

// Minimizable returns an error if this package cannot minimize the campaign's findings. A smaller
// input of a model's finding may be out of the model's scope, or the engine may answer it
// correctly. Only parallax model checks that. Models that are Go types check their own scope.
func (p *Campaign) Minimizable() error {
	if p.Options.Mode != subject.Model || p.Options.Sequence != nil {
		return nil
	}
	return exit.Usage("%s is a campaign of a model. A smaller input may be out of the model's scope, and only parallax model knows: it has minimized its findings", p.Shown())
}

// Effort limits the search for a smaller input of each finding. Zero means no limit.
type Effort struct {
	Inputs int
	Time   time.Duration
}

// Minimize writes smaller inputs to the findings' folders. When ctx ends, it keeps the inputs that
// it has found.
func (p *Campaign) Minimize(ctx context.Context, w io.Writer, items []Item, effort Effort) error {
	folder, err := state.Reopen(atomicfile.OS, p.folder.Dir())
	if err != nil {
		return err
	}
	defer folder.Close()
	accepted, err := p.accepted()
	if err != nil {
		return err
	}
	f, _, err := findings.Load(folder, p.target, accepted) // a campaign may have changed them during the build
	if err != nil {
		return err
	}
	f.Describe, f.Sources = text.Markdown, text.RecordSources
	f.Warn = func(text string) { fmt.Fprintln(w, text) }
	if err := p.addUnexecutedEdits(ctx); err != nil {
		fmt.Fprintf(w, "types, constants and initial values that changed are not known: %v\n", err)
	}
	j := p.triager(items)
	j.Stop = func() bool { return ctx.Err() != nil }
	for _, it := range items {
		if ctx.Err() != nil {
			return nil
		}
		b := f.Find(it.Bucket.ID)
		if b == nil {
			return exit.Usage("finding %s is no longer in %s: `parallax show` lists the findings", it.Bucket.ID, p.Shown())
		}
		if err := p.minimize(ctx, w, f, j, b, effort); err != nil {
			return err
		}
	}
	return nil
}

// addUnexecutedEdits adds the changes outside of executed code to the target: a smaller input must
// show the change to which its finding is attributed.
func (p *Campaign) addUnexecutedEdits(ctx context.Context) error {
	t := plan.Trees{Tags: p.Options.Tags, Parallax: p.tool}
	if r, ok := subject.StoredPair(p.Config.Options); ok {
		t.New, t.Old, t.NewEnv, t.OldEnv, t.Module = r.New.Dir, r.Old.Dir, r.New.Environ, r.Old.Environ, r.Module
	} else if f := subject.StoredFunctions(p.Config.Options); len(f) == 2 {
		t.New, t.Old, t.NewEnv, t.OldEnv = f[0].Dir, f[1].Dir, f[0].Function.Environ, f[1].Function.Environ
	}
	if t.New == "" || t.Old == "" || len(p.facts.Names) != 2 {
		return nil
	}
	edits, err := plan.Between(ctx, t, p.facts.Space)
	if err != nil && ctx.Err() == nil {
		return err
	}
	p.facts.Space.Know(edits)
	return nil
}

// minimize minimizes the input of one finding. A finding that does not reproduce, or not always,
// stays unchanged.
func (p *Campaign) minimize(ctx context.Context, w io.Writer, f *findings.Buckets, j *triage.Triager, b *findings.Group, effort Effort) error {
	best := b.Best
	if err := p.Shape.Check(best.Minimized); err != nil {
		return exit.Usage("%s: the input in its %s is not one of %s: %w", b.ID, findings.OutputsFile, p.Config.Target, err)
	}
	limited := ctx
	if effort.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, effort.Time)
		defer cancel()
		j.Stop = func() bool { return limited.Err() != nil }
	}
	j.Unchanged = !f.Older(b.ID)
	m, err := j.Minimize(limited, best.Minimized, cmp.Or(best.Variant, b.ID), best.Kind, best.Layer, best.Failing(), cmp.Or(effort.Inputs, math.MaxInt))
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil
	case limited.Err() != nil && errors.Is(err, limited.Err()):
		return write(w, fmt.Appendf(nil, "%s: the time of --fuzztime was up before it was reproduced, and the input is unchanged\n", b.ID))
	}
	if err != nil {
		return exit.Infra("minimizing %s: %w", b.ID, err)
	}
	var text bytes.Buffer
	switch {
	case m.Wavers:
		fmt.Fprintf(&text, "%s cannot be reproduced every time: nothing was tried, and the input is unchanged\n", b.ID)
	case m.Result == nil:
		fmt.Fprintf(&text, "%s can no longer be reproduced: `parallax replay %s` prints what the programs do now\n", b.ID, b.ID)
	case m.Moved:
		fmt.Fprintf(&text, "%s is now decided at another place, since the programs have changed: its input is unchanged, and the next run of the campaign assigns a new bucket\n", b.ID)
	default:
		if err := f.Shrink(b, m); err != nil {
			return err
		}
		p.printSmaller(&text, b, m, effort, ctx.Err() != nil)
	}
	return write(w, text.Bytes())
}

// shownInput limits the bytes of an input in a line.
const shownInput = 120

// printSmaller prints the new size of a finding's input, the reason why the search ended, and the
// bytes that may vary.
func (p *Campaign) printSmaller(text *bytes.Buffer, b *findings.Group, m *triage.Smaller, effort Effort, stopped bool) {
	was, is := b.Best.Minimized, m.Result.Minimized
	size := "stays at " + units.Bytes(int64(len(is)))
	smaller := finding.Finding{Shape: p.Shape, Minimized: is, Drawn: triage.Drawn(m.Result.Results), Holes: findings.Holes(m.Result.Holes)}
	if smaller.Smaller(b.Best) {
		size = fmt.Sprintf("from %s to %s", units.Bytes(int64(len(was))), units.Bytes(int64(len(is))))
	}
	fmt.Fprintf(text, "%s %s: %s\n", b.ID, size, smaller.Quote(shownInput))
	end := "and nothing smaller is left to try"
	switch {
	case m.Done:
	case stopped:
		end = "then the run was interrupted"
	default:
		end = "the limit of --fuzztime"
	}
	limit := ""
	if effort.Inputs > 0 {
		limit = fmt.Sprintf(" of %d", effort.Inputs)
	}
	fmt.Fprintf(text, "  %d%s inputs tried, %s\n", m.Tried, limit, end)
	if form := smaller.GeneralForm(shownInput); form != "" {
		fmt.Fprintf(text, "  general form: %s\n", form)
	}
}
