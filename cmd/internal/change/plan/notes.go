package plan

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/change"
)

// Large changes have hundreds of changes without points, so their notes are condensed to a few
// lines.

// maxFull limits the notes of a kind that are shown in full.
const maxFull = 3

// kinds lists notes that are combined at the end, with the number of packages.
var kinds = []struct{ kind, text string }{
	{"tests", "test files of %d packages changed, without counted blocks"},
	{"testdata", "test data of %d packages changed"},
	{"comments", "in %d packages only comments, formatting, names of locals or the order of declarations changed"},
	{"tags", "files of %d packages changed that this build leaves out"},
}

// condense reduces many notes to a few.
func condense(notes []change.Note) (texts []string) {
	count := map[string]int{}
	first := map[string]string{}
	for _, n := range notes {
		if count[n.Kind]++; first[n.Kind] == "" {
			first[n.Kind] = n.Text
		}
	}
	folded := map[string]bool{}
	for _, k := range kinds {
		folded[k.kind] = true
	}
	shown := map[string]int{}
	for _, n := range notes {
		if folded[n.Kind] {
			continue
		}
		if shown[n.Kind]++; shown[n.Kind] <= maxFull {
			texts = append(texts, n.Text)
		} else if shown[n.Kind] == count[n.Kind] {
			texts = append(texts, fmt.Sprintf("And %d more like that.", count[n.Kind]-maxFull))
		}
	}
	var rest []string
	for _, k := range kinds {
		switch n := count[k.kind]; n {
		case 0:
		case 1:
			texts = append(texts, first[k.kind])
		default:
			rest = append(rest, fmt.Sprintf(k.text, n))
		}
	}
	if len(rest) > 0 {
		text := strings.Join(rest, "; ")
		texts = append(texts, strings.ToUpper(text[:1])+text[1:]+".")
	}
	return texts
}
