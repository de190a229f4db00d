package main

import "path/filepath"

// subject is a campaign that lasts.
type subject struct {
	name      string
	functions []string
	dir       string // of the module in which they are, below the root of the repository
	env       []string
	inputs    uint64 // of the campaign
}

// alone has the module built without the workspace of the repository.
var alone = []string{"GOWORK=off"}

var subjects = []subject{
	{"cheap", []string{"soak.Digits", "soak.Figures"}, "bench/soak/programs", alone, 1_000_000_000},
	{"hashes", []string{"soak.Walk", "soak.Stroll"}, "bench/soak/programs", alone, 1_000_000_000},
	{"json", []string{"encoding/json.Valid", "github.com/goccy/go-json.Valid@v0.10.5"}, "bench", nil, 100_000_000},
}

// command is how the campaign is begun and resumed: the same each time.
func (s *subject) command(folder string, inputs uint64) []string {
	args := append([]string{"diff"}, s.functions...)
	return append(args, "--out", folder, "--parallel", "2", "--seed", "1", "--ui", "none", "--fuzztime", number(inputs)+"x")
}

func (s *subject) folder(work string) string { return filepath.Join(work, s.name) }
