package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// target describes the comparison of examples/x509/parallax.toml.
type target struct {
	programs []string // in the order in which a tuple has them
	classes  []string // of errors
}

var (
	programTable = regexp.MustCompile(`(?m)^\[\[program\]\]\nname = "([^"]+)"`)
	classTable   = regexp.MustCompile(`(?m)^\[\[compare\.class\]\]\nname = "([^"]+)"`)
)

func (o *options) target() (t target, err error) {
	file := filepath.Join(o.examples, "x509", "parallax.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		return t, err
	}
	for _, m := range programTable.FindAllSubmatch(text, -1) {
		t.programs = append(t.programs, string(m[1]))
	}
	for _, m := range classTable.FindAllSubmatch(text, -1) {
		t.classes = append(t.classes, string(m[1]))
	}
	if len(t.programs) < 2 || len(t.classes) == 0 {
		return t, fmt.Errorf("%s: %d programs and %d classes", file, len(t.programs), len(t.classes))
	}
	return t, nil
}

// accepted represents no class.
const accepted = "accepted"

// vector is a unique discrepancy: for each program accepted, or the class of the rejection.
type vector []string

// decode finds the meaning of unique discrepancies. Samples have hashes of them, and there are few
// enough combinations of classes to try all. First it tries those that programs show in buckets,
// which is nearly always enough. It leaves out those that it does not find. They have a program
// that crashed or did not end.
func (t *target) decode(all []campaign, j *triaged) (map[uint64]vector, error) {
	wanted := map[uint64]bool{}
	shown := make([][]string, len(t.programs))
	for i := range shown {
		shown[i] = []string{accepted}
	}
	for _, c := range all {
		for _, text := range c.Tuples {
			h, err := strconv.ParseUint(text, 16, 64)
			if err != nil {
				return nil, fmt.Errorf("%s, trial %d: the tuple %q: %w", c.Configuration, c.Trial+1, text, err)
			}
			wanted[h] = true
		}
	}
	for _, b := range j.buckets() {
		for i, p := range t.programs {
			class := b.Classes[p]
			if b.Outcomes[p] == oracle.Rejected.String() && class != "" && !slices.Contains(shown[i], class) {
				shown[i] = append(shown[i], class)
			}
		}
	}
	found := t.search(wanted, shown)
	for h := range found {
		delete(wanted, h)
	}
	if len(wanted) > 0 {
		every := make([][]string, len(t.programs))
		for i := range every {
			every[i] = append([]string{accepted}, t.classes...)
		}
		for h, v := range t.search(wanted, every) {
			found[h] = v
		}
	}
	return found, nil
}

// search tries all combinations of what each program may show.
func (t *target) search(wanted map[uint64]bool, states [][]string) map[uint64]vector {
	observations := make([][]oracle.Observation, len(states))
	for i, list := range states {
		for _, class := range list {
			observations[i] = append(observations[i], observation(class))
		}
	}
	found := map[uint64]vector{}
	var mu sync.Mutex
	var searches sync.WaitGroup
	for first := range observations[0] {
		searches.Add(1)
		go func() {
			defer searches.Done()
			at, obs := make([]int, len(states)), make([]oracle.Observation, len(states))
			at[0], obs[0] = first, observations[0][first]
			var try func(i int)
			try = func(i int) {
				if i < len(states) {
					for k, o := range observations[i] {
						at[i], obs[i] = k, o
						try(i + 1)
					}
					return
				}
				if h, ok := oracle.UniqueDiscrepancy(obs); ok && wanted[h] {
					v := make(vector, len(states))
					for p, k := range at {
						v[p] = states[p][k]
					}
					mu.Lock()
					found[h] = v
					mu.Unlock()
				}
			}
			try(1)
		}()
	}
	searches.Wait()
	return found
}

// observation returns the compared parts of a rejection with a class, or of an acceptance.
func observation(class string) oracle.Observation {
	if class == accepted {
		return oracle.Observation{Outcome: oracle.Accepted}
	}
	h := fnv.New64a()
	h.Write([]byte(class))
	return oracle.Observation{Outcome: oracle.Rejected, Class: feature.Mix(h.Sum64()) | 1} // package conduct hashes classes so
}
