package trial

import (
	"fmt"

	"parallax/internal/stats"
)

// Growth shows how a metric grows until the point of comparison, on all subjects.
type Growth struct {
	Metric string      `json:"metric"`
	At     string      `json:"at"` // "cpu" or "inputs"
	Rows   []GrowthRow `json:"rows"`

	text string
}

// GrowthRow has the trials of a configuration on a subject: quartiles of the metric at some points.
type GrowthRow struct {
	Subject       string    `json:"subject"`
	Configuration string    `json:"configuration"`
	N             int       `json:"n"`
	At            []float64 `json:"at"` // seconds or inputs
	First         []float64 `json:"first_quartile"`
	Median        []float64 `json:"median"`
	Third         []float64 `json:"third_quartile"`
}

// growthParts lists fractions of the time until the point of comparison. Curves are steep at first.
var growthParts = []float64{1. / 32, 1. / 16, 1. / 8, 1. / 4, 1. / 2, 3. / 4, 1}

// growing lists the metrics with a curve: those of BeDivFuzz's RQ1 and RQ2.
var growing = map[string]bool{"valid_traces": true, "b0": true, "b1": true, "b2": true}

// growth computes the curves of a metric. It returns nil if the metric applies to no subject.
func (a *Analysis) growth(d *data, subjects []*Subject, m metric, at clock) *Growth {
	g := &Growth{Metric: m.name, At: at.String(), text: m.text}
	for _, s := range subjects {
		if s.Fuzz == "" || !d.hasBehavior(s) {
			continue
		}
		end := a.info(s.Name).points[at].at
		for _, name := range d.configurations {
			runs := d.runs[s.Name][name]
			if len(runs) == 0 {
				continue
			}
			row := GrowthRow{Subject: s.Name, Configuration: name, N: len(runs)}
			for _, part := range growthParts {
				p := point{at, part * end}
				var values []float64
				for _, one := range runs {
					values = append(values, m.of(d.Config, one, p))
				}
				first, median, third := stats.Quartiles(values)
				row.At, row.First, row.Median, row.Third = append(row.At, p.at), append(row.First, first), append(row.Median, median), append(row.Third, third)
			}
			g.Rows = append(g.Rows, row)
		}
	}
	if len(g.Rows) == 0 {
		return nil
	}
	return g
}

// writeGrowth writes the medians.
func (a *Analysis) writeGrowth(p *page, g *Growth) {
	p.paragraph("### Growth of %s over %s: medians", g.text, map[string]string{"cpu": "CPU time", "inputs": "inputs"}[g.At])
	head := []string{"subject", "configuration"}
	for _, part := range growthParts {
		if part < 1 {
			head = append(head, fmt.Sprintf("at %.3g %% of it", 100*part))
		} else {
			head = append(head, "at the end")
		}
	}
	p.head(head...)
	for _, r := range g.Rows {
		cells := []string{r.Subject, r.Configuration}
		for _, v := range r.Median {
			cells = append(cells, number(v))
		}
		p.row(cells...)
	}
	p.line("")
}
