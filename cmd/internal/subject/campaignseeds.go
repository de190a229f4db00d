package subject

import (
	"fmt"
	"path/filepath"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
)

// fuzzTest returns the FuzzXxx that the target runs, or nil. For two versions, it is that of the
// new one.
func (f *Facts) fuzzTest() *FuzzTest {
	if f.Test == nil && f.Pair != nil && len(f.Pair.sides) > 0 {
		return f.Pair.sides[0].FuzzTest
	}
	return f.Test
}

// campaignSeeds returns the corpus and the findings of another campaign on the same FuzzXxx.
// parallax regress begins with those of parallax fuzz, and parallax fuzz with those of parallax
// regress. A note among the problems names their folder.
func campaignSeeds(o *Options, t *Facts) (list []corpus.Seed, problems []string) {
	test := t.fuzzTest()
	if test == nil {
		return nil, nil
	}
	name := t.Name
	if !t.Versions {
		name += "." + Regress
	}
	dir := filepath.Join(o.Dir, state.Home, name)
	folder, err := state.OpenExisting(atomicfile.OS, dir)
	if err != nil { // there is no campaign, or its folder cannot be read
		return nil, nil
	}
	cfg := folder.Config()
	if cfg.Options["package"] != test.pkg.ImportPath || cfg.Options["fuzz"] != test.fn.Name || cfg.Options["generator"] != o.Generator || cfg.Identity.Shape != t.Shape.String() {
		return nil, nil
	}
	list, problems, err = corpus.Seeds(dir, t.Shape)
	if err != nil {
		problems = append(problems, err.Error())
	}
	for i, s := range list {
		list[i].From = "input " + filepath.Base(s.From) + " of the campaign in " + filepath.Join(state.Home, name)
	}
	if len(list) > 0 {
		problems = append(problems, fmt.Sprintf("seeds: %d inputs of the campaign in %s are among them", len(list), filepath.Join(state.Home, name)))
	}
	return list, problems
}
