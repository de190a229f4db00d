package subject

import (
	"maps"
	"slices"
	"strings"
)

// set are the variables that the configuration gives to all programs, for the workers of Go functions. These have the user's
// environment otherwise, since a worker is started with it, and [environment].inherit has no say. What parallax itself tells
// its workers is not for a configuration to change.
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
