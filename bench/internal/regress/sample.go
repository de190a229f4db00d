package main

import (
	"fmt"

	"parallax/bench/internal/origin"
)

// sample is one trial of one configuration, or, with the configuration "witness", where the finding
// of a subject's witness is filed.
type sample struct {
	Subject       string  `json:"subject"`
	Versions      string  `json:"versions"`
	Kind          string  `json:"kind"` // of the subject: crash, output, hang or control
	Control       string  `json:"control,omitempty"`
	C             bool    `json:"c,omitempty"`
	Development   bool    `json:"development,omitempty"`
	Configuration string  `json:"configuration"`
	Seed          int     `json:"seed"`                     // of randomness; the number of the trial
	Budget        string  `json:"budget"`                   // CPU time of the workers, or inputs
	Triage        float64 `json:"triage_seconds,omitempty"` // longest time of triage after the fuzzing; 0 is no limit
	Error         string  `json:"error,omitempty"`

	Inputs     int64   `json:"inputs"`
	Executions int64   `json:"executions"`      // of both versions
	OfOld      int64   `json:"executions_old"`  // of the old version: all others are of the new one, one an input
	Corpus     int     `json:"corpus"`          // inputs kept
	CPU        float64 `json:"cpu_seconds"`     // of the fuzzing workers
	AllCPU     float64 `json:"all_cpu_seconds"` // of all processes: planning, building and triage too
	Wall       float64 `json:"wall_seconds"`

	New      *moment        `json:"first_new,omitempty"`     // the first input of the first finding that is new
	Changed  *moment        `json:"first_changed,omitempty"` // and of the first that is a change of behavior
	Witness  *moment        `json:"witness,omitempty"`       // and of the first like that of the witness
	Statuses map[string]int `json:"statuses,omitempty"`      // buckets by status; flaky ones are not among them
	Crashes  int            `json:"crashes"`                 // buckets of failures of the new version, as crashes, limits and failed tests: all but differences, and those of the old version alone
	Tuples   map[string]int `json:"tuples,omitempty"`        // distinct paths: coarse and fine are tuples of lengths and of sets of blocks, output of outcomes (docs/reference/guidance.md)
	Flaky    int            `json:"flaky,omitempty"`
	Unjudged int            `json:"unjudged,omitempty"` // candidates that triage did not reach
	Found    []bucket       `json:"found,omitempty"`    // the buckets, the first ones if there are many

	Change change       `json:"change"`
	First  []reached    `json:"first,omitempty"`     // blocks with a change, in the order in which they were executed first
	Over   [][5]float64 `json:"over_time,omitempty"` // CPU seconds, inputs; executed by then: change points, blocks with a change, impacted blocks
	Series [][4]float64 `json:"series,omitempty"`    // at sixteenths of the budget: CPU seconds, inputs, blocks of the new version, segments of the change

	Load string `json:"loadavg"`
	origin.Origin
}

// moment is how much a campaign had done.
type moment struct {
	Inputs int64   `json:"inputs"`
	CPU    float64 `json:"cpu_seconds"` // between two lines of stats.jsonl
}

// change counts the covered parts of the change.
type change struct {
	Points          int `json:"points"`
	Covered         int `json:"covered"`
	Impacted        int `json:"impacted"` // blocks
	ImpactedCovered int `json:"impacted_covered"`
	Paths           int `json:"paths"`    // sets of blocks that inputs that were kept execute with a change point, summed up over the points
	Segments        int `json:"segments"` // of the domain change

	Blocks        int `json:"blocks"` // that hold a part of the change
	BlocksCovered int `json:"blocks_covered"`
	All           int `json:"all_blocks"` // of the new version, in the packages that are instrumented
	AllCovered    int `json:"all_blocks_covered"`
	AllOld        int `json:"all_blocks_old"` // of the old version; 0 without it
}

// reached is when a block with a change was executed first.
type reached struct {
	Block    int     `json:"block"`              // its number among the blocks with a change: the same in all trials of a pair
	Location string  `json:"location,omitempty"` // of the first trial alone
	Inputs   int64   `json:"inputs"`             // before that one
	CPU      float64 `json:"cpu_seconds"`        // read every 20 ms
}

// bucket is a bucket of findings.
type bucket struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"`
	Layer     string  `json:"layer,omitempty"`
	Status    string  `json:"status"`
	Location  string  `json:"location,omitempty"` // name of a file, and line
	FirstSeen int64   `json:"first_seen"`         // inputs
	CPU       float64 `json:"cpu_seconds"`

	folder string
}

// like reports whether two buckets seem to have one cause. They have one id, or a failure shows at
// one place, whichever way leads there.
func (b bucket) like(o bucket) bool {
	return b.ID == o.ID || b.Kind == o.Kind && b.Status == o.Status && b.Kind != "change" && b.Kind != "discrepancy" && b.Location == o.Location && b.Location != ""
}

func (b bucket) any(list []bucket) bool {
	for _, o := range list {
		if b.like(o) {
			return true
		}
	}
	return false
}

func (s sample) key() key { return key{s.Subject, s.Configuration, s.Seed} }

// failure reports whether the new version failed.
func (b bucket) failure() bool {
	return b.Kind != "change" && b.Kind != "discrepancy" && b.Status != "fixed"
}

// first is the moment of the first bucket of a kind.
func (s sample) first(is func(bucket) bool) (earliest *moment) {
	for _, b := range s.Found {
		if is(b) && (earliest == nil || b.FirstSeen < earliest.Inputs) {
			earliest = &moment{b.FirstSeen, b.CPU}
		}
	}
	return earliest
}

func (s sample) String() string {
	text := fmt.Sprintf("%s, %s, trial %d: ", s.Subject, s.Configuration, s.Seed)
	switch {
	case s.Error != "":
		return text + "FAILED: " + s.Error
	case s.Configuration == witnessed:
		text = s.Subject + ", witness:"
		for _, b := range s.Found {
			text += fmt.Sprintf(" %s %s %s (%s)", b.Kind, b.ID, b.Location, b.Status)
		}
		return text
	}
	at := func(m *moment) string {
		if m == nil {
			return "none"
		}
		return fmt.Sprintf("after %d", m.Inputs)
	}
	return text + fmt.Sprintf("new %s, changed %s, witness %s; %d inputs, %d executions, %d of %d points, %.1f CPU s, %.0f s",
		at(s.New), at(s.Changed), at(s.Witness), s.Inputs, s.Executions, s.Change.Covered, s.Change.Points, s.CPU, s.Wall)
}

// share is the old version's share of the executions.
func (s sample) share() float64 { return float64(s.Executions-s.Inputs) / float64(s.Executions) }
