package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Turns is a comparison of one campaign with members of a fleet that take turns, with as many
// inputs in total.
type Turns struct {
	Subject string `json:"subject"`
	Seed    int    `json:"seed"`
	Inputs  uint64 `json:"inputs"` // of each side
	Turns   int    `json:"turns"`  // of each member
	Alone   int    `json:"alone_blocks"`
	Members []int  `json:"member_blocks"` // sorted
}

// turns compares blocks. The members run one after the other, each with an equal part of the
// inputs, and so in each round.
func turns(tool, root, work, file string, members, rounds int, inputs uint64, seeds int) error {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	folder := filepath.Join(root, "bench", "throughput", "subjects")
	for _, subject := range subjects {
		for seed := 1; seed <= seeds; seed++ {
			run := func(dir string, n uint64, seed int, join ...string) (blocks int, err error) {
				args := []string{"fuzz", "./" + subject, "--fuzztime", strconv.FormatUint(n, 10) + "x", "--parallel", "1", "--seed", strconv.Itoa(seed),
					"--ui", "none", "--no-triage", "--out", dir}
				if _, err := campaign(tool, folder, append(args, join...)); err != nil {
					return 0, err
				}
				return covered(dir)
			}
			s := Turns{Subject: subject, Seed: seed, Inputs: inputs, Turns: rounds, Members: make([]int, members)}
			home := filepath.Join(work, fmt.Sprintf("turns-%s-%d", subject, seed))
			if s.Alone, err = run(filepath.Join(home, "alone"), inputs, seed); err != nil {
				return err
			}
			address, stop, err := hub(tool, filepath.Join(home, "hub"))
			if err != nil {
				return err
			}
			for turn := range rounds * members {
				m := turn % members
				n := inputs / uint64(rounds*members)
				if s.Members[m], err = run(filepath.Join(home, strconv.Itoa(m)), n, 100*seed+m, "--join", "nats://"+address); err != nil {
					stop()
					return err
				}
			}
			stop()
			slices.Sort(s.Members)
			if err := json.NewEncoder(out).Encode(s); err != nil {
				return err
			}
			of := func(blocks int) float64 { return 100 * float64(blocks) / float64(max(1, s.Alone)) }
			fmt.Printf("%s, seed %d: %d blocks alone; members %.1f %% (%.1f to %.1f)\n", subject, seed, s.Alone, of(s.Members[members/2]), of(s.Members[0]), of(s.Members[members-1]))
		}
	}
	return nil
}

// covered returns the number of covered blocks of a campaign.
func covered(dir string) (n int, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		return 0, err
	}
	var s struct {
		Coverage []struct {
			Covered int `json:"covered"`
		} `json:"coverage"`
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return 0, err
	}
	for _, p := range s.Coverage {
		n += p.Covered
	}
	return n, nil
}
