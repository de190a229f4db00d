package regress

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
)

// A FuzzXxx of both versions.

// pair builds a harness of both versions.
func (s *session) pair(h *plan.Harness, o *campaign.Options) (subject.Target, error) {
	f, versions := s.comparison, s.versions
	r := subject.PairRequest{
		New:   subject.Version{Dir: versions.Head.Home, Package: h.Package, Name: short(&versions.Head), Environ: versions.Head.Env, At: f.at(&versions.Head)},
		Old:   subject.Version{Dir: versions.Base.Home, Package: s.plan.OldPath(h.Package), Name: short(&versions.Base), Environ: versions.Base.Env},
		NoOld: f.NoBase, Fuzz: h.Fuzz, Module: s.module, Several: len(s.plan.Harnesses) > 1,
	}
	if r.NoOld {
		o.Guidance = Alone(o.Guidance)
	}
	t, err := subject.BuildPair(s.ctx, r, &o.Options, s.tool, s.view.Step)
	var old *subject.OldError
	if errors.As(err, &old) {
		lacking := versions.Head.Lacking(s.ctx)
		if lacking != "" {
			lacking = "\n" + lacking
		}
		return nil, &exit.Error{Code: exit.BuildCode, Err: fmt.Errorf("%s: %w%s%s", h.Name, err, lacking, withoutBase)}
	}
	if err != nil {
		return nil, err
	}
	s.spoken(t, o)
	if err := f.know(s.plan, h, t, o); err != nil {
		return nil, err
	}
	if len(t.Names) > 1 {
		judged, dropped := t.Pair.Judged()
		o.Dropped = s.plan.Dropped(h, judged, dropped)
	}
	if _, left, some := strings.Cut(t.Pair.Compared, "not compared: "); f.Verbose {
		s.say(s.view, fmt.Sprintf("%s: compared: %s", h.Name, t.Pair.Compared))
	} else if some {
		s.say(s.view, fmt.Sprintf("%s: not compared: %s", h.Name, left))
	}
	return t, nil
}

// withoutBase advises what to do if a harness does not build with the old version.
const withoutBase = "\nUse --no-base to fuzz the new version alone"

// at is the folder of the user's that a version is a copy of.
func (f *comparison) at(v *revision.Version) string {
	switch {
	case f.Harness != "":
		return fuzzing.Absolute(f.Campaign.Dir, f.Harness)
	case v.WorkTree || v.Commit == "":
		return ""
	}
	return f.Campaign.Dir
}

// short names a version in records.
func short(v *revision.Version) string {
	if v.WorkTree {
		return "work-tree"
	}
	return v.Short
}

// Alone is the guidance of a single program: what needs several is left out.
func Alone(guidance []string) (fit []string) {
	for _, name := range guidance {
		if feature.Find(name).Fits(1) {
			fit = append(fit, name)
		}
	}
	if !slices.Contains(fit, feature.Coverage) {
		fit = append([]string{feature.Coverage}, fit...)
	}
	return fit
}
