package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
)

// Plot is a chart over fuzzing time, ready to be drawn as SVG.
type Plot struct {
	Frame
	Name, Caption string
	Label         string // describes the plot in a sentence, for screen readers
	Legend        bool
	Series        []Series
	Across        []Tick // of time
	Up            []Tick // of values
	Columns       []Column
	From, End     string // of the axis, in seconds; From is empty if the plot cannot be zoomed
}

// Series is one line of a plot.
type Series struct {
	Name  string
	Class string // color
	Path  string
	Area  string // the closed area below the line; empty with several series
	Last  string // the last value
}

// Tick is a labeled place on an axis.
type Tick struct {
	At   string
	Text string
}

// Column is a strip of a plot that shows its values under the pointer.
type Column struct {
	X, Left, Width string
	Dots           []Dot
	Text           string
}

// Dot is a value in a column.
type Dot struct{ Y, Class string }

// Units of the drawing, which is scaled to the room on the page.
const (
	plotWidth, plotHeight = 330, 165
	plotLeft, plotRight   = 40, 8
	plotTop, plotBottom   = 10, 24
	plotInside            = plotWidth - plotLeft - plotRight
	plotFloor             = plotHeight - plotBottom
	plotRoom              = plotFloor - plotTop

	maxPoints = 120 // columns of a plot
	mostTicks = 5   // of an axis
)

// Frame holds the measures of the drawing, for the template.
type Frame struct{ Width, Height, Left, Right, Top, Floor, Under, Beside int }

var frame = Frame{plotWidth, plotHeight, plotLeft, plotWidth - plotRight, plotTop, plotFloor, plotHeight - 6, plotLeft - 6}

// curve is a series before it is drawn. value returns its value at a sample.
type curve struct {
	name  string
	value func(i int) float64
	skip  int // earlier programs without a curve, which keep their colors
}

// fewFeatures is the count up to which a domain's features are drawn as steps.
const fewFeatures = 500

// plots returns the charts of a campaign: those that most people read, and those for research.
func plots(c *Campaign) (main, more []Plot) {
	t := thin(c.Samples, c.span)
	samples := t.samples
	if len(samples) < 2 {
		return nil, nil
	}
	count := func(f func(s sample.Sample) int) func(int) float64 {
		return func(i int) float64 { return float64(f(samples[i])) }
	}
	found := []curve{{name: "findings", value: count(func(s sample.Sample) int { return s.Buckets })}}
	several := len(c.Programs) > 1
	if several && samples[len(samples)-1].Unique > 0 {
		found = append(found, curve{name: "unique discrepancies", value: count(func(s sample.Sample) int { return s.Unique })})
	}
	main = append(main, draw(t, "Findings", "buckets: findings that look like one cause", found, true))
	for _, d := range samples[len(samples)-1].Diversity {
		if !several && d.N == 0 { // lines have columns of domains that single programs do not measure
			continue
		}
		counts := ""
		if row := d.Domain(); row != nil {
			counts = row.Counts
		}
		value := count(func(s sample.Sample) int { return int(s.Diversity.Get(d.Key)) })
		more = append(more, draw(t, "Diversity, "+escape.Text(d.Key), counts, []curve{{name: escape.Text(d.Key), value: value}}, d.N <= fewFeatures))
	}
	var cover []curve
	for p, prog := range c.Programs {
		if len(cover) == palette {
			break // readers cannot distinguish more lines
		}
		if coverageUnknown(c, prog.Name) {
			continue
		}
		cover = append(cover, curve{name: prog.Name, skip: p - len(cover), value: func(i int) float64 {
			if p < len(samples[i].Covered) {
				return float64(samples[i].Covered[p])
			}
			return 0
		}})
	}
	caption := "basic blocks that have been executed"
	if len(cover) == palette && len(cover) < len(c.Programs) {
		caption += fmt.Sprintf(", of the first %d programs", len(cover))
	}
	if slices.ContainsFunc(c.Summary.Coverage, func(c finding.Coverage) bool { return c.OwnBlocks > 0 }) {
		caption += ", with those of dependencies"
	}
	rate := draw(t, "Rate", "executions a second, and their mean", []curve{{name: "executions a second", value: func(i int) float64 { return speed(samples, i) }}}, false)
	rate.Series[0].Last = number(c.Summary.ExecutionsPerSecond)
	if len(cover) > 0 {
		main = append(main, draw(t, "Coverage", caption, cover, false))
	}
	main = append(main, rate, draw(t, "Corpus", "inputs kept", []curve{{name: "inputs", value: count(func(s sample.Sample) int { return s.Corpus })}}, false))
	return main, append(more, behaviors(t)...)
}

// speed returns the rate from the previous sample to this one.
func speed(samples []sample.Sample, i int) float64 {
	if i == 0 {
		i = 1 // the curve begins at the value of its first piece
	}
	a, b := samples[i-1], samples[i]
	if d := b.Elapsed - a.Elapsed; d > 0 && b.Executions >= a.Executions {
		return float64(b.Executions-a.Executions) / d
	}
	return 0
}

// Span is a part of the fuzzing time, in seconds. To is 0 for the end.
type Span struct{ From, To float64 }

// whole reports whether a span leaves nothing out.
func (s Span) whole() bool { return s == Span{} }

// Cut returns the samples in a span, and the last one before it.
func (s Span) Cut(samples []sample.Sample) []sample.Sample {
	first, last := 0, len(samples)
	for i := range samples {
		if samples[i].Elapsed <= s.From {
			first = i
		}
		if s.To > 0 && samples[i].Elapsed > s.To {
			last = i
			break
		}
	}
	return samples[first:max(first, last)]
}

// timeline holds the samples of a plot and the ends of its axis.
type timeline struct {
	samples   []sample.Sample
	from, end float64
}

// thin adds a sample at zero and drops samples that go back in time. From a long list, it keeps the
// samples that the columns need. A span with too few samples means all.
func thin(samples []sample.Sample, span Span) timeline {
	list := ascending(samples)
	t := timeline{samples: list, end: list[len(list)-1].Elapsed}
	if part := span.Cut(list); !span.whole() && len(part) > 1 {
		t.samples, t.from = part, span.From
		if t.end = part[len(part)-1].Elapsed; span.To > 0 {
			t.end = min(span.To, list[len(list)-1].Elapsed)
		}
	}
	if list = t.samples; len(list) <= maxPoints {
		return t
	}
	kept := []sample.Sample{list[0]}
	for _, s := range list[1 : len(list)-1] {
		if s.Elapsed-max(t.from, kept[len(kept)-1].Elapsed) >= (t.end-t.from)/(maxPoints-2) {
			kept = append(kept, s)
		}
	}
	t.samples = append(kept, list[len(list)-1])
	return t
}

// ascending returns the samples after one at zero, in the order of their times.
func ascending(samples []sample.Sample) []sample.Sample {
	list := []sample.Sample{{}}
	for _, s := range samples {
		switch last := &list[len(list)-1]; {
		case math.IsInf(s.Elapsed, 0):
		case s.Elapsed > last.Elapsed:
			list = append(list, s)
		case s.Elapsed == last.Elapsed && len(list) > 1:
			*last = s // triage after the fuzzing
		}
	}
	return list
}

// draw makes a plot. steps draws counts that change at once. A part of the time begins at the
// smallest value, since curves that have grown would be flat above zero.
func draw(t timeline, name, caption string, curves []curve, steps bool) Plot {
	samples := t.samples
	p := Plot{Frame: frame, Name: name, Caption: caption, Legend: len(curves) > 1}
	low, top := 0.0, 0.0
	if t.from > 0 {
		low = math.Inf(1)
	}
	for _, c := range curves {
		for i := range samples {
			low, top = min(low, c.value(i)), max(top, c.value(i))
		}
	}
	step := niceStep(max(top-low, 1))
	base := math.Floor(low/step) * step
	ceiling := max(math.Ceil(top/step)*step, base+step)
	at := func(seconds float64) float64 {
		return plotLeft + max(0, seconds-t.from)/(t.end-t.from)*plotInside
	}
	x := func(i int) float64 { return at(samples[i].Elapsed) }
	y := func(v float64) float64 { return plotFloor - (v-base)/(ceiling-base)*plotRoom }
	for i := range 2 * mostTicks { // adding a step to a large number may not change it
		v := base + float64(i)*step
		if v > ceiling+step/1000 {
			break
		}
		p.Up = append(p.Up, Tick{unit(y(v)), shortNumber(v)})
	}
	between := niceTime(t.end - t.from)
	for i := range 2 * mostTicks {
		s := math.Ceil(t.from/between)*between + float64(i)*between
		if s > t.end+between/1e4 {
			break
		}
		p.Across = append(p.Across, Tick{unit(at(s)), clock(s)})
	}
	for k, c := range curves {
		s := Series{Name: escape.Text(c.name), Class: color(k + c.skip), Last: number(c.value(len(samples) - 1))}
		var path strings.Builder
		for i := range samples {
			switch {
			case i == 0:
				fmt.Fprintf(&path, "M%s %s", unit(x(i)), unit(y(c.value(i))))
			case steps:
				fmt.Fprintf(&path, "H%sV%s", unit(x(i)), unit(y(c.value(i))))
			default:
				fmt.Fprintf(&path, "L%s %s", unit(x(i)), unit(y(c.value(i))))
			}
		}
		s.Path = path.String()
		if len(curves) == 1 {
			s.Area = fmt.Sprintf("%sV%dH%dZ", s.Path, plotFloor, plotLeft)
		}
		p.Series = append(p.Series, s)
	}
	p.columns(samples, curves, x, y)
	p.Label = p.sentence(t.end)
	return p
}

func (p *Plot) columns(samples []sample.Sample, curves []curve, x func(int) float64, y func(float64) float64) {
	for i := range samples {
		if i == 0 {
			continue
		}
		left, right := (x(i-1)+x(i))/2, float64(plotWidth-plotRight)
		if i+1 < len(samples) {
			right = (x(i) + x(i+1)) / 2
		}
		c := Column{X: unit(x(i)), Left: unit(left), Width: unit(right - left)}
		text := []string{clock(samples[i].Elapsed) + ", " + thousands(samples[i].Inputs) + " inputs"}
		for k, curve := range curves {
			v := curve.value(i)
			c.Dots = append(c.Dots, Dot{unit(y(v)), color(k + curve.skip)})
			text = append(text, escape.Text(curve.name)+": "+number(v))
		}
		c.Text = strings.Join(text, "\n")
		p.Columns = append(p.Columns, c)
	}
}

// sentence describes the plot.
func (p *Plot) sentence(end float64) string {
	var last []string
	for _, s := range p.Series {
		last = append(last, s.Name+" "+s.Last)
	}
	return fmt.Sprintf("%s over %s: at the end %s.", p.Name, clock(end), strings.Join(last, ", "))
}

// palette is the number of colors.
const palette = 8

func color(k int) string { return "k" + strconv.Itoa(k%palette) }

// niceStep returns a step of 1, 2 or 5 times a power of ten that gives at most mostTicks ticks up
// to top.
func niceStep(top float64) float64 {
	for size := 1.0; ; size *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if top/(m*size) <= mostTicks-1 {
				return m * size
			}
		}
	}
}

// timeSteps lists the steps between labels of time, in seconds.
var timeSteps = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 4 * 3600, 6 * 3600, 12 * 3600, 24 * 3600}

func niceTime(end float64) float64 {
	for _, s := range timeSteps {
		if end/s <= mostTicks {
			return s
		}
	}
	return 24 * 3600 * niceStep(end/(24*3600))
}

// clock formats a time for an axis: 30s, 5m, 1h30m.
func clock(seconds float64) string {
	switch {
	case seconds == 0:
		return "0"
	case seconds >= 3600 && math.Mod(seconds, 3600) == 0 && seconds < 48*3600:
		return fmt.Sprintf("%.0fh", seconds/3600)
	case seconds >= 60 && math.Mod(seconds, 60) == 0 && seconds < 3600:
		return fmt.Sprintf("%.0fm", seconds/60)
	}
	return units.Duration(time.Duration(seconds * float64(time.Second)))
}

// shortNumber formats a number for an axis: 350k.
func shortNumber(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= u.size {
			return strconv.FormatFloat(v/u.size, 'g', 4, 64) + u.name
		}
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func number(v float64) string { return units.Thousands(uint64(max(0, math.Round(v)))) }

// unit formats a coordinate with visible precision.
func unit(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// coverageUnknown reports whether the executed blocks of a program are unknown, as for commands.
func coverageUnknown(c *Campaign, program string) bool {
	for _, cov := range c.Summary.Coverage {
		if cov.Program == program {
			return cov.Blocks == 0 && cov.Covered == 0
		}
	}
	return false
}
