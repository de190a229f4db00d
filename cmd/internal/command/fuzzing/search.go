package fuzzing

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/internal/feature"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// searched completes --without and --published, which change the search of a generator's inputs. It
// rejects unknown words, and those that the guidance's search does not have.
func (f *Options) searched(guidance []string) error {
	o := &f.Campaign
	if err := oneOf("--without", f.Without, Parts); err != nil {
		return err
	}
	if err := oneOf("--published", f.Published, Details); err != nil {
		return err
	}
	o.Without, o.Published = strings.Join(f.Without, ","), strings.Join(f.Published, ",")
	search := feature.SearchOf(guidance)
	for _, d := range feature.Resolve(guidance) {
		if o.Without != "" && (d.Search != nil || d.KeepsOnlySeeds) {
			return exit.Usage("--without leaves out parts of the search that goes with guidance coverage, and --guidance %s has none of them: leave one of the two out", d.Name)
		}
	}
	switch {
	case o.Published == "":
	case search == nil || !search.Search.Accepted:
		return exit.Usage("--published follows details of BeDivFuzz's public code: give --guidance behaviour, behaviour-structure or behaviour-lifetime, or leave the flag out")
	case o.Follows(policy.Responsibilities) && o.Schedule != schedule.Zest:
		return exit.Usage("--published %s is part of --schedule %s, and the schedule is %s: leave one of the two flags out", policy.Responsibilities, schedule.Zest, o.Schedule)
	}
	return nil
}

// oneOf rejects words of a flag that are not among those that it accepts.
func oneOf(flag string, words, accepted []string) error {
	for _, word := range words {
		if !slices.Contains(accepted, word) {
			return exit.Usage("%s %q: choose from %s%s", flag, word, strings.Join(accepted, ", "), tomldoc.DidYouMean(word, accepted))
		}
	}
	return nil
}
