package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// recording holds the results of a build in all campaigns.
type recording struct {
	Campaigns []result `json:"campaigns"`
}

// result is the result of one campaign. Files has all that it left, with the output of its
// commands. The counts are for people.
type result struct {
	Name     string  `json:"name"`
	Inputs   int     `json:"inputs"`
	Corpus   int     `json:"corpus"`
	Tuples   int     `json:"tuples"`
	Findings int     `json:"findings"` // buckets
	Exits    []int   `json:"exits"`    // of its commands
	Seconds  float64 `json:"seconds"`  // not compared
	Files    []file  `json:"files"`    // by name
}

func (r result) String() string {
	return fmt.Sprintf("%-36s %5.1f s  %d inputs, corpus %d, %d findings, exit codes %v", r.Name, r.Seconds, r.Inputs, r.Corpus, r.Findings, r.Exits)
}

// file is a file after normalization.
type file struct {
	Name string `json:"name"`
	Sum  string `json:"sha256"`
}

func (r recording) write(name string) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}

func readRecording(name string) (r recording, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
