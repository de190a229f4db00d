package main

import (
	"fmt"
	"strings"
)

// variant is a way to call parallax fuzz.
type variant struct {
	name  string // of the schedule, or of what is left out
	flags []string
}

// baseline is the schedule with which the others are compared. It has no idea of its own.
const baseline = "uniform"

// untrimmed is the baseline without trimming, which is no schedule.
const untrimmed = "uniform, untrimmed"

// variants are the schedules that can be the default, since they do not read the clock. For
// comparison there are AFL's own, the baseline without trimming, and the adaptive guidance with its
// schedule. Of AFLFast's schedules there is the one that its authors recommend.
var variants = []variant{
	scheduled(baseline), scheduled("cheap"), scheduled("rarity"), scheduled("afl-noclock"), scheduled("aflfast-fast-noclock"),
	scheduled("afl"),
	{name: "adaptive", flags: []string{"--guidance", "adaptive", "--schedule", "adaptive"}},
	{name: untrimmed, flags: []string{"--schedule", baseline, "--no-trim"}},
}

func scheduled(name string) variant {
	return variant{name: name, flags: []string{"--schedule", name}}
}

// separator is between names; they have commas.
const separator = ";"

func variantNames() string {
	var names []string
	for _, v := range variants {
		names = append(names, v.name)
	}
	return strings.Join(names, separator)
}

// choose finds variants by their names.
func (m *measurement) choose(list string) error {
next:
	for _, name := range strings.Split(list, separator) {
		for _, v := range variants {
			if v.name == name {
				m.variants = append(m.variants, v)
				continue next
			}
		}
		return fmt.Errorf("-variants: %q is none of %s", name, variantNames())
	}
	return nil
}
