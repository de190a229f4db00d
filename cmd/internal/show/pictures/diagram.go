package main

import (
	"bytes"
	"fmt"
	"math"
)

// box is a box of a diagram: its corner, size and lines of text, the first one bold.
type box struct {
	x, y, width, height float64
	text                []string
	fill                string
}

// arrow connects two points, with a text near its middle.
type arrow struct {
	x1, y1, x2, y2 float64
	text           string
}

const (
	blue  = "#ddf4ff"
	green = "#dafbe1"
	amber = "#fff8c5"
	rose  = "#ffebe9"
)

// loop draws the loop of a campaign: the way of an input.
func loop() []byte {
	boxes := []box{
		{20, 30, 150, 64, []string{"schedule", "choose an input"}, blue},
		{220, 30, 150, 64, []string{"mutate", "change or generate"}, blue},
		{420, 30, 160, 64, []string{"execute", "on every program"}, green},
		{630, 30, 150, 64, []string{"compare", "do they disagree?"}, amber},
		{200, 160, 170, 64, []string{"corpus", "inputs worth keeping"}, blue},
		{420, 160, 160, 64, []string{"features", "new joint behavior?"}, green},
		{630, 160, 150, 64, []string{"triage", "confirm, minimize"}, rose},
		{610, 280, 190, 64, []string{"bucket", "findings of one cause"}, rose},
	}
	arrows := []arrow{
		{170, 62, 220, 62, ""}, {370, 62, 420, 62, "input"}, {580, 62, 630, 62, ""},
		{500, 94, 500, 160, "coverage"}, {420, 192, 370, 192, "keep"}, {200, 192, 95, 94, ""},
		{705, 94, 705, 160, "candidate"}, {705, 224, 705, 280, "cause"},
	}
	return diagram("The loop of a campaign", 820, 364, boxes, arrows)
}

// versions draws regress: the old version and the new one.
func versions() []byte {
	boxes := []box{
		{20, 20, 190, 64, []string{"change", "old and new sources"}, blue},
		{270, 20, 190, 64, []string{"change points", "blocks that changed"}, blue},
		{520, 20, 210, 64, []string{"plan", "harnesses that reach them"}, blue},
		{520, 150, 210, 64, []string{"inputs", "toward the change"}, green},
		{270, 120, 190, 54, []string{"new version"}, green},
		{270, 190, 190, 54, []string{"old version"}, amber},
		{20, 150, 190, 64, []string{"compare", "outcomes and values"}, amber},
		{20, 290, 440, 64, []string{"new failure, change, old failure, fixed", "one bucket for each cause"}, rose},
	}
	arrows := []arrow{
		{210, 52, 270, 52, ""}, {460, 52, 520, 52, ""}, {625, 84, 625, 150, "budget"},
		{520, 172, 460, 147, ""}, {520, 192, 460, 217, ""}, {270, 147, 210, 172, ""}, {270, 217, 210, 192, ""},
		{115, 214, 115, 290, "finding"},
	}
	return diagram("regress runs two versions on the same inputs", 750, 374, boxes, arrows)
}

func diagram(title string, width, height int, boxes []box, arrows []arrow) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %[1]d %[2]d\" role=\"img\">\n<title>%[3]s</title>\n", width, height, title)
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height)
	b.WriteString("<g font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"14\" fill=\"#1f2328\" text-anchor=\"middle\">\n")
	for _, x := range boxes {
		fmt.Fprintf(&b, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"6\" fill=\"%s\" stroke=\"#57606a\"/>\n", x.x, x.y, x.width, x.height, x.fill)
		for i, line := range x.text {
			weight := ""
			if i == 0 {
				weight = " font-weight=\"600\""
			}
			y := x.y + x.height/2 + 5 + (float64(i)-float64(len(x.text)-1)/2)*20
			fmt.Fprintf(&b, "<text x=\"%g\" y=\"%g\"%s>%s</text>\n", x.x+x.width/2, y, weight, escape(line))
		}
	}
	for _, a := range arrows {
		fmt.Fprintf(&b, "<path d=\"M%g %gL%g %g\" stroke=\"#57606a\" stroke-width=\"1.5\"/>\n", a.x1, a.y1, a.x2, a.y2)
		along := math.Atan2(a.y2-a.y1, a.x2-a.x1)
		fmt.Fprintf(&b, "<path d=\"M%g %g", a.x2, a.y2)
		for _, side := range []float64{-0.4, 0.4} {
			fmt.Fprintf(&b, "L%.1f %.1f", a.x2-10*math.Cos(along+side), a.y2-10*math.Sin(along+side))
		}
		b.WriteString("Z\" fill=\"#57606a\"/>\n")
		if a.text != "" {
			fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" fill=\"#57606a\">%s</text>\n", (a.x1+a.x2)/2+math.Abs(math.Sin(along))*34, (a.y1+a.y2)/2-6*math.Abs(math.Cos(along))+2, escape(a.text))
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}
