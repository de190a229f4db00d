package main

import (
	"fmt"
	"strings"
)

// campaign is commands that run one after another and what they leave.
type campaign struct {
	name  string
	dir   string // working folder of the commands, in the tree of subjects
	own   bool   // it writes next to the programs, or builds some: it gets a tree of its own
	quick bool   // part of -quick
	steps []step
}

// common are the flags under which a campaign repeats.
const common = "--parallel 1 --seed 1 --ui none --json"

// one is a campaign of one command, with a budget of inputs; the command's words are separated by
// blanks.
func one(name, dir, command string, inputs int) campaign {
	return campaign{name: name, dir: dir, steps: []step{run(command, "out", inputs)}}
}

// run is a command that fuzzes, into a folder that is recorded.
func run(command, folder string, inputs int) step {
	return words(fmt.Sprintf("%s --fuzztime %dx %s --out {left}/%s", command, inputs, common, folder))
}

// words is a step of words separated by blanks.
func words(command string) step { return step{args: strings.Fields(command)} }

// quickly marks a campaign as a part of -quick.
func quickly(c campaign) campaign {
	c.quick = true
	return c
}

// alone gives a campaign a tree of its own.
func alone(c campaign) campaign {
	c.own = true
	return c
}
