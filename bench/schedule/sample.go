package main

import "parallax/bench/internal/origin"

// sample is one trial of one variant.
type sample struct {
	Trial      int     `json:"trial"` // the seed of randomness, too
	Subject    string  `json:"subject"`
	Version    string  `json:"version"`
	Variant    string  `json:"variant"`
	Covered    int     `json:"covered"` // blocks, the seeds' among them, as the summary says
	Of         int     `json:"of"`      // blocks of the instrumented packages
	Inputs     int64   `json:"inputs"`  // that the summary counts
	Executions int64   `json:"executions"`
	Corpus     int     `json:"corpus"` // inputs kept
	Findings   int     `json:"findings"`
	Budget     float64 `json:"budget_cpu_seconds"`
	CPU        float64 `json:"cpu_seconds"`      // all processes, user and system, without building
	Building   float64 `json:"building_seconds"` // CPU time before the first process that fuzzes
	Wall       float64 `json:"wall_seconds"`
	Load       string  `json:"loadavg"`
	origin.Origin
}

func (s sample) covered() float64 { return float64(s.Covered) }
func (s sample) inputs() float64  { return float64(s.Inputs) }
func (s sample) corpus() float64  { return float64(s.Corpus) }
func (s sample) cpu() float64     { return s.CPU }
