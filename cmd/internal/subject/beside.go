package subject

import (
	"fmt"
	"path/filepath"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
)

// fuzzTest is the FuzzXxx that the target runs, alone or in two versions, of which it is the new one's; nil: it runs none.
func (f *Facts) fuzzTest() *FuzzTest {
	if f.Test == nil && f.Pair != nil && len(f.Pair.sides) > 0 {
		return f.Pair.sides[0].FuzzTest
	}
	return f.Test
}

// beside are the inputs of another campaign on the same FuzzXxx, of its corpus and its findings: parallax regress begins with those of parallax fuzz, and the other
// way round. The problem names their folder.
func beside(o *Options, t *Facts) (list []corpus.Seed, problems []string) {
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
	if err != nil { // there is none, or it is of no use here
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
