package plan

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/change"
)

// What a comparison says of changes without points comes to a few lines: of a large change there are hundreds.

// apart is how many notes of a kind are told in full.
const apart = 3

// kinds are those that are told together, last, with what is said of so many packages.
var kinds = []struct{ kind, text string }{
	{"tests", "test files of %d packages changed, without counted blocks"},
	{"testdata", "test data of %d packages changed"},
	{"comments", "in %d packages only comments, formatting, names of locals or the order of declarations changed"},
	{"tags", "files of %d packages changed that this build leaves out"},
}

// condense makes few notes of many.
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
	told := map[string]int{}
	for _, n := range notes {
		if folded[n.Kind] {
			continue
		}
		if told[n.Kind]++; told[n.Kind] <= apart {
			texts = append(texts, n.Text)
		} else if told[n.Kind] == count[n.Kind] {
			texts = append(texts, fmt.Sprintf("And %d more like that.", count[n.Kind]-apart))
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
