package main

import (
	"fmt"
	"maps"
	"slices"

	"parallax/cmd/internal/base/wings"
)

// A place is where a wing is drawn: its column, and a text below its name. Its row follows from the
// imports.
type place struct {
	column float64
	text   string
	fill   string
}

// places has each wing of the tool, and the command above them.
var places = map[string]place{
	wings.Main:   {1, "flags to options", blue},
	"command":    {2, "what a command does", blue},
	"experiment": {0, "trials, measurements", blue},
	"exchange":   {2.6, "events between machines", rose},
	"campaign":   {0.5, "the live loop, triage", rose},
	"change":     {1.5, "what a change reaches", rose},
	"subject":    {1.3, "the programs of a target", green},
	"model":      {1.3, "stand-ins for functions", green},
	"program":    {1.3, "a program of any kind", green},
	"gobuild":    {0, "Go: names to workers", amber},
	"cbuild":     {1, "C: sources to programs", amber},
	"show":       {3, "text, pages, formats", blue},
	"serve":      {3.2, "the live page", blue},
	"flow":       {0.5, "blocks, edges and calls", amber},
	"process":    {2, "workers and sandboxes", green},
	"finding":    {3, "records of findings", rose},
	"base":       {1.5, "knows nothing of fuzzing", "#f6f8fa"},
}

// Sizes of a box of a wing, and the distances between boxes.
const (
	wingWidth, wingHeight = 184, 48
	columnWidth           = 204
	rowHeight             = 84
	edge                  = 16
)

// architecture draws the wings of the tool. An arrow is an import. It leaves out an arrow that a
// longer way replaces.
func architecture(graph map[string][]string) ([]byte, error) {
	rows := wings.Level(graph, wings.Main)
	corner := func(name string) (x, y float64) {
		return edge + places[name].column*columnWidth, edge + float64(rows-wings.Level(graph, name))*rowHeight
	}
	for name := range places {
		if _, ok := graph[name]; !ok {
			return nil, fmt.Errorf("%s has a place in the picture, and is no wing", name)
		}
	}
	var boxes []box
	var arrows []arrow
	for _, name := range slices.Sorted(maps.Keys(graph)) {
		p, ok := places[name]
		if !ok {
			return nil, fmt.Errorf("wing %s has no place in the picture", name)
		}
		x, y := corner(name)
		title := name
		if name == wings.Main {
			title = "cmd/parallax"
		}
		boxes = append(boxes, box{x, y, wingWidth, wingHeight, []string{title, p.text}, p.fill})
		for _, to := range graph[name] {
			toX, toY := corner(to)
			arrows = append(arrows, arrow{x + wingWidth/2, y + wingHeight, toX + wingWidth/2, toY, ""})
		}
	}
	below := edge + float64(rows+1)*rowHeight
	width := 3*columnWidth + wingWidth
	boxes = append(boxes, box{edge, below, float64(width), wingHeight, []string{"library", "inside workers and the tests of users; all wings may import it"}, green})
	arrows = append(arrows, arrow{edge + float64(width)/2, below - rowHeight + wingHeight, edge + float64(width)/2, below, ""})
	return diagram("The wings of the tool and what they import", width+2*edge, int(below)+wingHeight+edge, boxes, arrows), nil
}
