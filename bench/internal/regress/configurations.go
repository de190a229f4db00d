package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// configuration is a way to call parallax regress.
type configuration struct {
	name  string
	flags []string
}

const (
	// baseline is the configuration with which the others are compared.
	baseline = "afl"
	// ours is the default of parallax regress.
	ours = "points"
	// alone is the default without the old version.
	alone = "alone"
)

// configurations are the schedules of a change as published and ours, the baseline, and the new
// version alone. All have the default's guidance, so that only the schedule differs. In
// delta-forward and the like, the impact of the change also differs. alone lacks the parts of the
// guidance that need two programs.
var configurations = []configuration{
	scheduled(baseline), scheduled("aflfast-fast"), scheduled("aflgo"), scheduled("churn"),
	scheduled("delta"), scheduled("delta-visits"), scheduled("delta-0.05"), scheduled("delta-0.5"), scheduled("delta-1"),
	scheduled(ours), impact("forward"), impact("backward"), impact("backward-up"), {name: alone, flags: []string{"--schedule", ours, "--no-base"}},
}

// impact is delta by a part of the impact analysis: DeltaFuzz_F, and DeltaFuzz_B by the paper's
// prose and by its listing.
func impact(direction string) configuration {
	return configuration{name: "delta-" + direction, flags: []string{"--schedule", "delta", "--impact", direction}}
}

func scheduled(name string) configuration {
	return configuration{name: name, flags: []string{"--schedule", name}}
}

const separator = ","

func configurationNames() string {
	var names []string
	for _, c := range configurations {
		names = append(names, c.name)
	}
	return strings.Join(names, separator)
}

func chooseConfigurations(list string) (chosen []configuration, err error) {
next:
	for _, name := range strings.Split(list, separator) {
		for _, c := range configurations {
			if c.name == name {
				chosen = append(chosen, c)
				continue next
			}
		}
		return nil, fmt.Errorf("-configurations: %q is none of %s", name, configurationNames())
	}
	return chosen, nil
}

// budget bounds what a trial fuzzes: CPU time of the workers, or inputs.
type budget struct {
	text   string
	cpu    time.Duration
	inputs uint64
}

func (b budget) MarshalText() ([]byte, error) { return []byte(b.text), nil }

func (b *budget) UnmarshalText(data []byte) (err error) {
	*b = budget{text: string(data)}
	if n, found := strings.CutSuffix(b.text, "x"); found {
		b.inputs, err = strconv.ParseUint(n, 10, 64)
	} else {
		b.cpu, err = time.ParseDuration(b.text)
	}
	if err == nil && b.inputs == 0 && b.cpu <= 0 {
		err = fmt.Errorf("%q is no budget: choose a time such as 20s, or inputs such as 3000x", b.text)
	}
	return err
}

// flags are those of parallax.
func (b budget) flags() []string {
	if b.inputs > 0 {
		return []string{"--fuzztime", b.text}
	}
	return []string{"--cputime", b.text}
}
