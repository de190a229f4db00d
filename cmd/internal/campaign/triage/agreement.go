package triage

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Like counts the inputs near one that take the same path of the first program.
type Like struct {
	Runs   int
	Agree  int // runs on which the programs agree
	Failed int // the first program that crashes or hangs on the input itself, or NoProgram
}

// NoProgram is the index of no program.
const NoProgram = -1

// Agreement runs inputs near one. It counts those on the same path of the first program, the
// original, and those of them on which the programs agree. Inputs that a program declines or fails
// on do not count, and a few deaths end the count. A path is the set of executed blocks. With
// cells, for originals whose blocks say little, it includes the kind of the outcome (cell).
func (j *Triager) Agreement(ctx context.Context, flat []byte, cells bool) (Like, error) {
	like, s := Like{Failed: NoProgram}, j.Replayer()
	s.Ctx = ctx
	defer s.Close()
	results, err := s.Run(flat, wire.WantHits|wire.WantDetail)
	if err == nil {
		if p, failed := Failed(results); failed {
			like.Failed = p
		}
	}
	if err != nil || len(results) < 2 || len(results[0].Hits) == 0 && !cells {
		return like, err
	}
	path := slices.Clone(results[0].Hits)
	same, flags := func(r *wire.RunResult) bool { return slices.Equal(r.Hits, path) }, uint64(wire.WantHits)
	if cells {
		flags |= wire.WantDetail
		of := cell(&results[0])
		same = func(r *wire.RunResult) bool { return slices.Equal(r.Hits, path) && cell(r) == of }
	}
	seen := map[string]bool{string(flat): true}
	front := [][]byte{flat}
	deaths := s.Deaths
	for round := 0; round < agreementRounds && len(front) > 0 && like.Runs < agreementEnough; round++ {
		var next [][]byte
		for _, from := range front {
			fresh := func(yield func([]byte) bool) {
				for b := range Neighbors(j.Shape, from, agreementBudget) {
					if !seen[string(b)] {
						seen[string(b)] = true
						if !yield(b) {
							return
						}
					}
				}
			}
			err = s.RunAll(fresh, flags, func(b []byte, results []wire.RunResult) bool {
				if _, failed := Failed(results); failed || !same(&results[0]) {
					return s.Deaths-deaths < agreementDeaths
				}
				if !slices.ContainsFunc(results, declined) { // a program that declines agrees with all
					if like.Runs++; Layer(j.Layers, results) == 0 {
						like.Agree++
					}
				}
				if len(next) < agreementFront {
					next = append(next, slices.Clone(b))
				}
				return true
			})
			if err != nil || like.Runs >= agreementEnough || s.Deaths-deaths >= agreementDeaths {
				return like, err
			}
		}
		front = next
	}
	return like, err
}

func declined(r wire.RunResult) bool { return oracle.Outcome(r.Outcome) == oracle.Declined }

// Bounds of Agreement: neighbors per input, rounds of neighbors of neighbors, inputs from which a
// round begins, inputs of the path, and ended processes.
const (
	agreementBudget = 200
	agreementRounds = 4
	agreementFront  = 12
	agreementEnough = 40
	agreementDeaths = 4
)

// cell returns the kind of a result, as Go, Python or Node write values. It is a rejection, a
// number, a word such as true or the name of a type, or an empty or non-empty text or list.
func cell(r *wire.RunResult) string {
	of := fmt.Sprint(r.Outcome, " ")
	v := strings.TrimSpace(r.Rendered)
	if quoted, err := strconv.Unquote(v); err == nil && v[0] == '"' { // a driver may quote the value
		v = strings.TrimSpace(quoted)
	}
	if r.Outcome != uint64(oracle.Accepted) || v == "" {
		return of
	}
	end := strings.IndexFunc(v, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if end < 0 {
		end = len(v)
	}
	if first := v[0]; first == '-' || '0' <= first && first <= '9' {
		return of + "number"
	}
	if end > 0 {
		return of + v[:end]
	}
	empty := strings.TrimSpace(v[1:max(1, len(v)-1)]) == ""
	return fmt.Sprint(of, v[:1], " empty ", empty)
}
