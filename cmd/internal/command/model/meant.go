package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/subject"
	"parallax/internal/wire"
)

// Before a finding of a model that is code is filed, the scope of the model decides whether it is
// one.

// meant says of an input of models that are code why it is no finding. A declared scope decides
// alone. So do the errors by which a type says what it is not meant for. Else inputs like it
// decide.
func (f *checking) meant(ctx context.Context, t subject.Target, o *campaign.Options, declared, cells bool) look {
	if declared {
		return f.lasting(ctx, t, o)
	}
	return f.agreed(ctx, t, o, cells)
}

// agreed says of an input of models that are code whether the model is meant for the path that it
// takes in the original. It is if both mostly agree on the path. With cells, a path is also the
// kind of the original's outcome.
func (f *checking) agreed(ctx context.Context, t subject.Target, o *campaign.Options, cells bool) look {
	known := map[string]looked{} // many inputs become the same small one
	return func(_ string, flat []byte) (kind, why string, err error) {
		at, there := known[string(flat)]
		if !there {
			j := triage.New(t, t.Spec(&o.Options), o.Layers)
			like, err := j.Agreement(ctx, flat, cells)
			if err != nil {
				if ctx.Err() == nil && f.unable == nil {
					f.unable = err
				}
				return "", "", err
			}
			at = looked{name: t.About().Name, input: quote.Input(j.Shape, flat, shownInput), Like: like}
			known[string(flat)] = at
			if at.Failed != 0 { // else nothing is decided of its path
				f.decided = append(f.decided, judgedInput{at.name, string(flat), f.inScope(at)})
			}
			if !slices.Contains(f.looked, at) {
				f.looked = append(f.looked, at)
			}
		}
		outside := scope.Wrong
		if at.Failed > 0 {
			outside = scope.Crashes
		}
		switch {
		case at.Failed == 0:
			return originalFails()
		case f.inScope(at):
			return "", "", nil
		case at.Runs == 0:
			return string(outside), "out of scope: no like input that takes the same path of the original was found, so nothing says that the model is meant for it", nil
		}
		return string(outside), fmt.Sprintf("out of scope: on %d of %d like inputs that take the same path of the original, both agree", at.Agree, at.Runs), nil
	}
}

func originalFails() (kind, why string, err error) {
	return string(scope.OriginalFails), "the original itself crashes or hangs on it, so nothing says what the model should do", nil
}

// lasting says of an input of models whose scope is declared, or given by their errors, whether the
// original lasts to its end.
func (f *checking) lasting(ctx context.Context, t subject.Target, o *campaign.Options) look {
	return func(_ string, flat []byte) (kind, why string, err error) {
		s := triage.New(t, t.Spec(&o.Options), o.Layers).Replayer()
		s.Ctx = ctx
		defer s.Close()
		results, err := s.Run(flat, 0)
		if err == nil && lapses(results, o.Sequence != nil) {
			return originalFails()
		}
		return "", "", err
	}
}

// lapses reports whether the original crashes, or runs out of time or memory. It is the second
// program of two types, and else the first.
func lapses(results []wire.RunResult, types bool) bool {
	original := 0
	if types {
		original = 1
	}
	if original >= len(results) {
		return false
	}
	_, failed := triage.Failed(results[original : original+1])
	return failed
}

// looked has the evidence that decides whether a finding of a model that is code is in scope.
type looked struct {
	name, input string
	triage.Like // its first program is the original
}

// shownInput is how many bytes of an input are shown with the evidence.
const shownInput = 80

// explainLooked lists the evidence.
func (f *checking) explainLooked() string {
	var b strings.Builder
	name := ""
	for _, l := range f.looked {
		if l.name != name {
			name = l.name
			fmt.Fprintf(&b, "\n%s: of calls that deviate, like inputs that take the same path of the original decide (in scope from %.0f %% on)\n", name, 100*f.Threshold)
		}
		where := "in scope"
		if l.Failed == 0 || !f.inScope(l) {
			where = "outside "
		}
		switch {
		case l.Failed == 0:
			fmt.Fprintf(&b, "  %s  %s: the original itself crashes or hangs on it", where, l.input)
		case l.Runs > 0:
			fmt.Fprintf(&b, "  %s  %s: differs, and both agree on %d of %d like it", where, l.input, l.Agree, l.Runs)
		default:
			fmt.Fprintf(&b, "  %s  %s: no like input takes this path", where, l.input)
		}
		if l.Failed > 0 {
			b.WriteString("; on this one itself the model crashes or hangs")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// inScope decides so where the original does not fail. Where nothing is known of a path, only a
// call on which the model crashes or hangs is a finding.
func (f *checking) inScope(l looked) bool {
	if l.Runs == 0 {
		return l.Failed > 0
	}
	return float64(l.Agree) >= f.Threshold*float64(l.Runs)
}
