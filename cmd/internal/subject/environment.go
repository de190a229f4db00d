package subject

import (
	"maps"
	"slices"
	"strings"
)

// set returns the variables that the configuration sets for all programs, for the workers of Go
// functions. Workers inherit the user's environment, so [environment].inherit does not apply to
// them. A configuration cannot change the variables of parallax itself.
func (m *assembly) set() []string {
	if m.from == nil {
		return nil
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(m.from.Environment.Set)) {
		if !strings.HasPrefix(name, "PARALLAX_") && name != "GOTRACEBACK" {
			list = append(list, name+"="+m.from.Environment.Set[name])
		}
	}
	return list
}
