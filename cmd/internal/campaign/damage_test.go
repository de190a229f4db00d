package campaign

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/state"
)

// TestDamagedInputsAreForgotten checks that the folder drops its knowledge of damaged inputs and
// seeds, so that they can be found again. A folder with sound inputs keeps it.
func TestDamagedInputsAreForgotten(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		dir := t.TempDir()
		open := func() *Campaign {
			c := live(t, &fakes{}, func(o *Options) { o.Out = dir })
			_, err := c.open()
			if err == nil {
				err = c.load()
			}
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		c := open()
		name := ""
		for i, text := range []string{"one", "two"} {
			hash, _, err := c.store.Put([]byte(text), corpus.Meta{Inputs: uint64(i)})
			if err == nil {
				err = c.folder.Append(keptDomain, []uint64{uint64(i)})
			}
			if err != nil {
				t.Fatal(err)
			}
			name = c.store.Path(hash)
		}
		seen := map[string][]byte{}
		for _, name := range c.facts.Names {
			seen[name] = slices.Repeat([]byte{1}, c.facts.Space.Len())
		}
		if err := c.folder.Save(state.Snapshot{Seen: seen, Counters: map[string]uint64{state.Inputs: 2, seedCounter: 2}}); err != nil {
			t.Fatal(err)
		}
		c.folder.Close()
		want := 2
		if damaged {
			want = 0
			if err := os.Truncate(name, 1); err != nil {
				t.Fatal(err)
			}
		}
		c = open()
		features, seeds := c.known.features(int(keptDomain)), c.totals.counters[seedCounter]
		told := slices.ContainsFunc(c.problems, func(p string) bool { return strings.Contains(p, "inputs of the corpus are lost") })
		if features != want || seeds != uint64(want) || c.totals.counters[state.Inputs] != 2 || c.known.changed != damaged || told != damaged {
			t.Errorf("damaged %v: %d features and %d seeds are known, %d inputs; changed %v, %q", damaged, features, seeds, c.totals.counters[state.Inputs], c.known.changed, c.problems)
		}
		if covered := slices.Contains(c.known.mapOf(0), 1); covered == damaged && c.facts.Space.Len() > 0 {
			t.Errorf("damaged %v: blocks are covered: %v", damaged, covered)
		}
		c.folder.Close()
		c = open() // a reported problem is not reported again
		if c.known.changed {
			t.Error("the folder is measured again each time")
		}
		c.folder.Close()
	}
}
