package trial

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/units"
	"parallax/internal/stats"
)

// family determines whether a table can show anything.
type family struct {
	compared, trials int
	least            float64 // smallest possible p of a comparison
}

func (f *family) add(c *Comparison, own, base int) {
	if c == nil {
		return
	}
	if p := stats.LeastP(own, base); f.compared == 0 || p < f.least {
		f.least, f.trials = p, min(own, base)
	}
	f.compared++
}

// hopeless reports whether even the largest difference would not be significant.
func (f *family) hopeless() bool { return f.least*float64(f.compared) >= significant }

func (f *family) text() string {
	return fmt.Sprintf("With %s and %s nothing can be significant: ten trials are usual.", units.Plural(f.trials, "trial"), units.Plural(f.compared, "comparison"))
}

// base returns the number of the baseline's trials in a row.
func (a *Analysis) base(cells int, of func(i int) (configuration string, n int)) int {
	for i := range cells {
		if name, n := of(i); name == a.Baseline {
			return n
		}
	}
	return 0
}

// conclusion summarizes a table in words.
func (a *Analysis) conclusion(t *Table) string {
	f := family{}
	better, worse := map[string][]string{}, map[string][]string{}
	strictly, shown := 0, 0
	for _, r := range t.Rows {
		base := a.base(len(r.Cells), func(i int) (string, int) { return r.Cells[i].Configuration, r.Cells[i].N })
		for _, c := range r.Cells {
			f.add(c.Test, c.N, base)
			if c.Test.verdict() != 0 {
				shown++
			}
			if c.Test.verdictAt(strict) != 0 {
				strictly++
			}
			switch c.Test.verdict() {
			case 1:
				better[c.Configuration] = append(better[c.Configuration], r.Subject)
			case -1:
				worse[c.Configuration] = append(worse[c.Configuration], r.Subject)
			}
		}
	}
	switch {
	case f.compared == 0:
		return fmt.Sprintf("There is nothing to compare: %s, or everything else, has no trials.", a.Baseline)
	case f.hopeless():
		return f.text()
	case len(better)+len(worse) == 0:
		return fmt.Sprintf("No configuration differs significantly from %s on any subject.", a.Baseline)
	}
	var parts []string
	for _, side := range []struct {
		word string
		on   map[string][]string
	}{{"better", better}, {"worse", worse}} {
		var list []string
		for _, c := range a.Configurations {
			if on := side.on[c.Name]; len(on) > 0 {
				list = append(list, fmt.Sprintf("%s on %s", c.Name, strings.Join(on, ", ")))
			}
		}
		if len(list) > 0 {
			parts = append(parts, fmt.Sprintf("Significantly %s than %s: %s.", side.word, a.Baseline, strings.Join(list, "; ")))
		} else {
			parts = append(parts, fmt.Sprintf("None is significantly %s than %s.", side.word, a.Baseline))
		}
	}
	parts = append(parts, fmt.Sprintf("Of these differences %d of %d hold at the level of %v too.", strictly, shown, strict))
	var no []string
	for _, c := range a.Configurations {
		if c.Name != a.Baseline && len(better[c.Name])+len(worse[c.Name]) == 0 {
			no = append(no, c.Name)
		}
	}
	if len(no) > 0 {
		parts = append(parts, "No difference is shown for "+strings.Join(no, ", ")+".")
	}
	return strings.Join(parts, " ")
}
