package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/change"
	"parallax/cmd/internal/change/callgraph"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/finding/regress"
)

func harness(name string, reaches ...int) Harness {
	return Harness{Share: regress.Share{Name: name, Reaches: reaches}, Fuzz: name, function: "m/" + name}
}

// reached renders which points are reached, and each harness's share of the budget.
func reached(p *Plan) (out string) {
	for i := range p.Points {
		if p.Points[i].Reached {
			out += fmt.Sprint(i)
		}
	}
	for _, h := range p.Harnesses {
		out += fmt.Sprintf(" %s %t %d", h.Name, h.Function, h.Inputs)
	}
	return out
}

// TestPointPlace checks the places of points: relative to the user's folder, also with //line
// directives, and by package in another module.
func TestPointPlace(t *testing.T) {
	for file, want := range map[string]string{"/m/p/p.go": "p/p.go:7", "kind.y": "p/kind.y:7", "../kind.y": "kind.y:7", "/cache/d/d.go": "example.com/m/p/d.go:7"} {
		one := cachedPoint{Point: change.Point{Package: "example.com/m/p", File: file, Line: 7}}
		if p := point(&one, &revision.Version{Home: "/m"}, "/m/p"); p.Where() != want {
			t.Errorf("%s: %s, want %s", file, p.Where(), want)
		}
	}
}

// TestAddOmit checks that added and removed harnesses change the reached points, and share the
// whole budget.
func TestAddOmit(t *testing.T) {
	p := &Plan{Points: make([]Point, 4)}
	p.Points[3].Nearest, p.Points[3].By = "m.near", []string{"m/FuzzA", "m/FuzzB"}
	p.share([]Harness{harness("FuzzA", 0, 1), harness("FuzzB", 1), harness("FuzzC")}, 100)
	if got := reached(p); got != "01 FuzzA false 75 FuzzB false 25" {
		t.Error(got)
	}
	p.Omit([]string{"FuzzA"}, 100)
	if got := reached(p); got != "1 FuzzB false 100" || p.Points[3].Nearest != "m.near" || !slices.Equal(p.Points[3].By, []string{"m/FuzzB"}) {
		t.Errorf("%s, nearest %+v", got, p.Points[3])
	}
	p.Add([]Function{{Full: "m.F", Name: "F", Reaches: []int{0, 2}}, {Full: "m.G", Name: "G"}}, false, 90)
	if got := reached(p); got != "012 FuzzB false 30 F true 60" || p.Named || p.Harnesses[1].Full() != "m.F" {
		t.Error(got)
	}
	p.Return(harness("FuzzC", 3), 90)
	if got := reached(p); got != "0123 FuzzB false 23 F true 45 FuzzC false 22" {
		t.Error(got)
	}
	p.Omit([]string{"FuzzB", "F", "FuzzC"}, 90)
	if got := reached(p); got != "" || p.Points[3].Nearest != "" {
		t.Errorf("%s, nearest %+v", got, p.Points[3])
	}
	p.Add([]Function{{Full: "m.F", Name: "F", Reaches: []int{3}}}, true, 90)
	if got := reached(p); got != "3 F true 90" || !p.Named {
		t.Error(got)
	}
}

// TestCallsByName checks that a plan says "perhaps" if names alone decide about calls.
func TestCallsByName(t *testing.T) {
	p := &Plan{Points: make([]Point, 3), Others: 2}
	p.share([]Harness{harness("FuzzA", 0, 1), harness("FuzzB", 1)}, 100)
	text := func() string { return p.Budget("", func(*Harness) string { return "" }) + p.Doubts() }
	p.graph = &callgraph.Graph{}
	sure := text()
	p.graph.Textual = true
	reaching, all := regexp.MustCompile(`\b(reach|reaches|not reached|do not)\b`), 0
	for line := range strings.Lines(text()) {
		n := len(reaching.FindAllString(line, -1))
		if all += n; strings.Count(line, "perhaps ") != n {
			t.Error(line)
		}
	}
	if strings.ReplaceAll(text(), "perhaps ", "") != sure || strings.Contains(sure, "perhaps") || all != 5 {
		t.Errorf("%d in\n%s\n%s", all, text(), sure)
	}
	if p.Reason(0, &p.Harnesses[0]) == regress.NotExecuted || p.Reason(2, nil) != regress.ByName {
		t.Error("a reason is sure")
	}
}
