package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"parallax/bench/internal/coverage"
	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
)

// sample is one trial of one side, or, with trial 0, the seeds alone.
type sample struct {
	Trial      int     `json:"trial"`
	Subject    string  `json:"subject"`
	Version    string  `json:"version"`
	Side       string  `json:"side"`
	Blocks     int     `json:"blocks"`   // covered, the seeds' among them
	Of         int     `json:"of"`       // blocks of the module's packages that the test uses
	Reached    string  `json:"reached"`  // which: a bit for each block in order, the first one lowest, in base64
	Names      string  `json:"names"`    // first digits of the SHA-256 of the blocks' names: equal ones can be compared
	Inputs     int     `json:"inputs"`   // measured, the seeds not counted
	LeftOut    int     `json:"left_out"` // of them: those that end the process
	Budget     float64 `json:"budget_cpu_seconds"`
	CPU        float64 `json:"cpu_seconds"`      // all processes, user and system, without building
	Building   float64 `json:"building_seconds"` // CPU time before the first process that fuzzes
	Wall       float64 `json:"wall_seconds"`
	Executions int64   `json:"executions"`
	Findings   int     `json:"findings"`
	Restarts   int     `json:"restarts"`
	Load       string  `json:"loadavg"`
	// blocks over CPU time; an input counts in the second in which its file was written
	Series *process.Series `json:"series,omitempty"`
	origin.Origin
}

func (m *measurement) sample(a *arena, side string, trial int, r coverage.Measurement) sample {
	s := sample{
		Trial: trial, Subject: a.subject.Name, Version: a.subject.Version, Side: side, Of: len(a.meter.Blocks),
		LeftOut: r.LeftOut, Origin: m.Here,
	}
	names := sha256.New()
	for _, b := range a.meter.Blocks {
		fmt.Fprintln(names, b)
	}
	s.Names = hex.EncodeToString(names.Sum(nil)[:6])
	s.Reached, s.Blocks = pack(r.Covered)
	return s
}

// pack writes down which blocks are covered, and counts them.
func pack(covered []bool) (text string, n int) {
	bits := make([]byte, (len(covered)+7)/8)
	for i, c := range covered {
		if c {
			bits[i/8] |= 1 << (i % 8)
			n++
		}
	}
	return base64.StdEncoding.EncodeToString(bits), n
}

// unpack reads what pack wrote.
func (s sample) unpack() ([]bool, error) {
	bits, err := base64.StdEncoding.DecodeString(s.Reached)
	if err != nil || len(bits) != (s.Of+7)/8 {
		return nil, fmt.Errorf("%s, %s, trial %d: which blocks were reached cannot be read", s.Subject, s.Side, s.Trial)
	}
	covered := make([]bool, s.Of)
	for i := range covered {
		covered[i] = bits[i/8]>>(i%8)&1 == 1
	}
	return covered, nil
}
