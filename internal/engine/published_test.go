package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// savingCriteria is an oracle: checkSavingCriteriaSatisfied of BeDivFuzz's public code, for blocks.
// Without saveOnlyValid, an input that is rejected counts too, as in the paper.
type savingCriteria struct {
	saveOnlyValid bool
	total, valid  map[int]byte // hit-count buckets
	explored      map[uint64]bool
}

func (c *savingCriteria) satisfied(path []int, valid bool, structure uint64, onlyNew bool) bool {
	if !valid && c.saveOnlyValid {
		return false
	}
	counts := map[int]int{}
	for _, b := range path {
		counts[b]++
	}
	bits, cover := false, false
	for b, n := range counts {
		bucket := feature.Bucket[n]
		bits = bits || c.total[b]&bucket == 0
		c.total[b] |= bucket
		if valid {
			cover = cover || c.valid[b] == 0
			c.valid[b] |= bucket
		}
	}
	if !valid || onlyNew && c.explored[structure] || !bits && !cover {
		return false
	}
	c.explored[structure] = true
	return true
}

// TestPublishedDetails checks each decision to keep an input against the oracle. Inputs that are
// rejected and inputs that are accepted have hit counts in common.
func TestPublishedDetails(t *testing.T) {
	kept := map[string]string{}
	for _, guidance := range []string{feature.Behavior, feature.Structure} {
		for _, published := range []string{"", policy.ValidCoverage, policy.Responsibilities, policy.ValidCoverage + "," + policy.Responsibilities} {
			g := &grove{}
			last := run{}
			program := func(flat []byte) run {
				did := g.run(flat)
				nodes, root := did.path[1]-1, did.path[2]-40
				last = run{path: []int{0, 40 + root}, obs: accept(0)}
				for range nodes {
					last.path = append(last.path, 1+nodes%3)
				}
				switch {
				case root == 9:
					last.obs = crash(1)
				case root > 4:
					last.obs = reject(1)
				}
				return last
			}
			cfg := Config{Tapes: true, Drawn: g.drawn, Setup: policy.Setup{Policy: policy.Policy{
				Guidance: []string{guidance}, Schedule: schedule.Zest, Published: published, Seed: 5, MaxBytes: 8, MaxTape: 4096,
			}}}
			e, r := newEngine(t, newFake(60, program), cfg)
			c := &savingCriteria{
				saveOnlyValid: cfg.Follows(policy.ValidCoverage), total: map[int]byte{}, valid: map[int]byte{}, explored: map[uint64]bool{},
			}
			for n := range 4000 {
				before := len(r.kept)
				e.Fuzz()
				if last.obs.Outcome == crash(0).Outcome {
					continue
				}
				valid := last.obs.Outcome == accept(0).Outcome
				want := c.satisfied(slices.Clone(last.path), valid, g.s.Tape().Structure(), guidance == feature.Structure)
				if got := len(r.kept) > before; got != want {
					t.Fatalf("%s, published %q, input %d: kept %v, want %v", guidance, published, n, got, want)
				}
			}
			kept[fmt.Sprint(guidance, " ", published)] = strings.Join(r.kept, " ")
		}
	}
	if kept["behaviour "] == kept["behaviour valid-coverage"] {
		t.Error("to count valid inputs only makes no difference")
	}
	if kept["behaviour-structure valid-coverage"] == kept["behaviour-structure valid-coverage,responsibilities"] {
		t.Error("responsibilities make no difference to structures")
	}
}
