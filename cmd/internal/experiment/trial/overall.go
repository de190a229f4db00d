package trial

import "parallax/internal/stats"

// overall summarizes the subjects for each configuration. It compares trials of the same subject
// and origin. So a faster machine, or one with other configurations, has no effect.
func (t *Table) overall(configurations []string, baseline string, strata map[string][]map[string][]float64) {
	places := t.places(configurations)
	for i, name := range configurations {
		o := Overall{Configuration: name, Place: places[i], A12: 0.5, P: 1}
		var compared []stats.Stratum
		for _, r := range t.Rows {
			own, base := 0, 0
			for _, of := range strata[r.Subject] {
				compared = append(compared, stats.Stratum{A: of[name], B: of[baseline]})
				own, base = own+len(of[name]), base+len(of[baseline])
			}
			o.Few = o.Few || min(own, base) < fewest
			if r.Cells[i].N > 0 {
				o.Subjects++
			}
			switch r.Cells[i].Test.verdict() {
			case 1:
				o.Better++
			case -1:
				o.Worse++
			}
			switch r.Cells[i].Test.verdictAt(strict) {
			case 1:
				o.StrictBetter++
			case -1:
				o.StrictWorse++
			}
		}
		if name != baseline {
			v := stats.VanElteren(compared)
			o.A12, o.P, o.Direction = v.A12, v.P, v.Sign
		}
		t.Overall = append(t.Overall, o)
	}
	var p []float64
	for _, o := range t.Overall {
		if o.Configuration != baseline {
			p = append(p, o.P)
		}
	}
	corrected := stats.Holm(p)
	for i := range t.Overall {
		t.Overall[i].Corrected = 1
		if t.Overall[i].Configuration != baseline {
			t.Overall[i].Corrected, corrected = corrected[0], corrected[1:]
		}
	}
}

// places returns the mean ranks of the configurations' medians, over subjects on which all ran.
func (t *Table) places(configurations []string) []float64 {
	sums, n := make([]float64, len(configurations)), 0
	for _, r := range t.Rows {
		var medians []float64
		for _, c := range r.Cells {
			if c.Median != nil {
				medians = append(medians, *c.Median)
			}
		}
		if len(medians) < len(configurations) {
			continue
		}
		n++
		for i, p := range stats.Places(medians) {
			sums[i] += p
		}
	}
	for i := range sums {
		sums[i] /= float64(max(1, n))
	}
	return sums
}
