package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
)

// figure is a drawing with panels side by side, a legend, and notes below it.
type figure struct {
	title   string
	panels  []panel
	columns int
	notes   []string // what was measured
}

// panel has curves over one pair of axes.
type panel struct {
	title string
	x, y  axis
	lines []line
}

// axis is a range of values.
type axis struct {
	name   string
	lo, hi float64
	log    bool
}

// line is a curve. Curves with the same name have the same color in all panels.
type line struct {
	name      string
	color     int
	x, y      []float64
	low, high []float64 // a band; nil for none
	steps     bool
}

// Measures of a panel, in pixels.
const (
	panelWidth, panelHeight = 300, 230
	left, right             = 50, 12
	top, bottom             = 26, 40
	header                  = 34
	lineHeight              = 18
)

// style has the colors for light and dark pages: those of the report (show/page/style.css). Lines
// also differ by their dashes.
const style = `<style>
text { font: 12px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 } .name { font-weight: 600 } .note { fill: #57606a }
.paper { fill: #ffffff } .grid { stroke: #d8dee4; fill: none } .axis { stroke: #57606a; fill: none }
.line { fill: none; stroke-width: 2 } .band { opacity: .16; stroke: none } .mark { stroke-width: 5 }
.k0 { stroke: #2563c9; fill: #2563c9 } .k1 { stroke: #c2501b; fill: #c2501b } .k2 { stroke: #117a5b; fill: #117a5b }
.k3 { stroke: #a2378f; fill: #a2378f } .k4 { stroke: #8a6a00; fill: #8a6a00 } .k5 { stroke: #147a9c; fill: #147a9c }
.k6 { stroke: #6b4fc0; fill: #6b4fc0 } .k7 { stroke: #5c6470; fill: #5c6470 }
.line.k1 { stroke-dasharray: 7 3 } .line.k2 { stroke-dasharray: 2 3 } .line.k3 { stroke-dasharray: 9 3 2 3 }
.line.k4 { stroke-dasharray: 12 4 } .line.k5 { stroke-dasharray: 4 4 } .line { fill: none !important }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .note { fill: #9aa5b1 } .paper { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #9aa5b1 }
.k0 { stroke: #7aa7ff; fill: #7aa7ff } .k1 { stroke: #ff9d66; fill: #ff9d66 } .k2 { stroke: #4fd1a5; fill: #4fd1a5 }
.k3 { stroke: #f08fdc; fill: #f08fdc } .k4 { stroke: #e6c24d; fill: #e6c24d } .k5 { stroke: #5fcdf0; fill: #5fcdf0 }
.k6 { stroke: #b79dff; fill: #b79dff } .k7 { stroke: #aab3c0; fill: #aab3c0 }
}
</style>
`

// open begins an SVG file.
func open(b *bytes.Buffer, title string, width, height float64) {
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %[1]s %[2]s\" role=\"img\">\n<title>%[3]s</title>\n%[4]s",
		unit(width), unit(height), html.EscapeString(title), style)
	fmt.Fprintf(b, "<rect class=\"paper\" width=\"%s\" height=\"%s\"/>\n", unit(width), unit(height))
	text(b, 12, 22, "title", "start", title)
}

func text(b *bytes.Buffer, x, y float64, class, anchor, s string) {
	fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" class=\"%s\" text-anchor=\"%s\">%s</text>\n", unit(x), unit(y), class, anchor, html.EscapeString(s))
}

func path(b *bytes.Buffer, class, d string) {
	fmt.Fprintf(b, "<path class=\"%s\" d=\"%s\"/>\n", class, d)
}

// notes writes lines of text and ends the file.
func notes(b *bytes.Buffer, y float64, lines []string) []byte {
	for i, s := range lines {
		text(b, 12, y+float64(i)*lineHeight, "note", "start", s)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// draw returns the figure as SVG.
func (f figure) draw() []byte {
	var b bytes.Buffer
	rows := (len(f.panels) + f.columns - 1) / f.columns
	legend := f.legend()
	legendTop := float64(header + rows*panelHeight)
	notesTop := legendTop + float64(len(legend)*lineHeight) + lineHeight
	open(&b, f.title, float64(f.columns*panelWidth), notesTop+float64(len(f.notes)*lineHeight))
	for i, p := range f.panels {
		fmt.Fprintf(&b, "<g transform=\"translate(%d %d)\">\n", i%f.columns*panelWidth, header+i/f.columns*panelHeight)
		p.draw(&b)
		b.WriteString("</g>\n")
	}
	for i, row := range legend {
		for k, l := range row {
			x, y := 12+float64(k)*legendWidth, legendTop+float64(i*lineHeight)+8
			path(&b, fmt.Sprintf("line k%d", l.color), fmt.Sprintf("M%s %sh30", unit(x), unit(y)))
			text(&b, x+36, y+4, "", "start", l.name)
		}
	}
	return notes(&b, notesTop+4, f.notes)
}

const legendWidth = 220

// legend returns the names in rows.
func (f figure) legend() (rows [][]line) {
	seen := map[string]bool{}
	each := max(1, f.columns*panelWidth/legendWidth)
	for _, p := range f.panels {
		for _, l := range p.lines {
			if seen[l.name] {
				continue
			}
			seen[l.name] = true
			if n := len(rows); n == 0 || len(rows[n-1]) == each {
				rows = append(rows, nil)
			}
			rows[len(rows)-1] = append(rows[len(rows)-1], l)
		}
	}
	return rows
}

func (p panel) draw(b *bytes.Buffer) {
	const floor = panelHeight - bottom
	x := func(v float64) float64 { return left + p.x.part(v)*(panelWidth-left-right) }
	y := func(v float64) float64 { return floor - p.y.part(v)*(floor-top) }
	text(b, left, top-10, "name", "start", p.title)
	for _, t := range p.x.ticks() {
		path(b, "grid", fmt.Sprintf("M%s %dV%d", unit(x(t)), top, floor))
		text(b, x(t), floor+15, "", "middle", short(t))
	}
	for _, t := range p.y.ticks() {
		path(b, "grid", fmt.Sprintf("M%d %sH%d", left, unit(y(t)), panelWidth-right))
		text(b, left-6, y(t)+4, "", "end", short(t))
	}
	path(b, "axis", fmt.Sprintf("M%d %dV%dH%d", left, top, floor, panelWidth-right))
	text(b, (left+panelWidth-right)/2, floor+31, "note", "middle", p.x.name)
	for _, l := range p.lines {
		if l.low != nil {
			d := l.path(x, y, l.low)
			for i := len(l.x) - 1; i >= 0; i-- {
				d += fmt.Sprintf("L%s %s", unit(x(l.x[i])), unit(y(l.high[i])))
			}
			path(b, fmt.Sprintf("band k%d", l.color), d+"Z")
		}
	}
	for _, l := range p.lines {
		path(b, fmt.Sprintf("line k%d", l.color), l.path(x, y, l.y))
	}
}

func (l line) path(x, y func(float64) float64, values []float64) string {
	var d bytes.Buffer
	for i, v := range values {
		switch {
		case i == 0:
			fmt.Fprintf(&d, "M%s %s", unit(x(l.x[i])), unit(y(v)))
		case l.steps:
			fmt.Fprintf(&d, "H%sV%s", unit(x(l.x[i])), unit(y(v)))
		default:
			fmt.Fprintf(&d, "L%s %s", unit(x(l.x[i])), unit(y(v)))
		}
	}
	return d.String()
}

// part is the place of a value between the ends of the axis, from 0 to 1.
func (a axis) part(v float64) float64 {
	if a.log {
		return math.Log(max(v, a.lo)/a.lo) / math.Log(a.hi/a.lo)
	}
	return (v - a.lo) / (a.hi - a.lo)
}

// ticks are at powers of ten, or at most five round values.
func (a axis) ticks() (list []float64) {
	if a.log {
		for v := math.Pow(10, math.Ceil(math.Log10(a.lo)-1e-9)); v <= a.hi*1.0001; v *= 10 {
			list = append(list, v)
		}
		return list
	}
	for size := math.Pow(10, math.Floor(math.Log10(a.hi-a.lo))-1); ; size *= 10 {
		for _, m := range []float64{1, 2, 5} {
			step := m * size
			if (a.hi-a.lo)/step > 5 {
				continue
			}
			for i := math.Ceil(a.lo/step - 1e-9); i*step <= a.hi+step/1e6; i++ {
				list = append(list, i*step+0) // +0: not minus zero
			}
			return list
		}
	}
}

// unit formats a coordinate.
func unit(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// short formats a value of an axis.
func short(v float64) string {
	switch {
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 4, 64) + "M"
	case v >= 1e4:
		return strconv.FormatFloat(v/1e3, 'g', 4, 64) + "k"
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
