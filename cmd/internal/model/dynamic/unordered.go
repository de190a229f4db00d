package dynamic

import (
	"slices"
	"strings"

	"parallax/cmd/internal/model/extract"
)

// Set compares results that are lists without their order: each element must occur equally often on
// both sides. Other results, and lists within lists, are compared exactly.
const Set = "set"

// unordered returns an outcome whose list is sorted.
func unordered(s extract.Said) extract.Said {
	if s.How != extract.Returns || s.Kind != "list" {
		return s
	}
	if list := elementsOf(s.Value); len(list) > 1 {
		slices.Sort(list)
		s.Value = "[" + strings.Join(list, ", ") + "] in any order"
	}
	return s
}

// elementsOf returns the elements of a list as written by Python's repr, or nil for other values.
func elementsOf(text string) (list []string) {
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return nil
	}
	text = text[1 : len(text)-1]
	from, depth, quote := 0, 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			list = append(list, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}
