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

// Like is what inputs say that are like one: those that take the same path of the first program.
type Like struct {
	Runs   int
	Agree  int // runs on which the programs agree
	Failed int // the first program that crashes or hangs on the input itself, or NoProgram
}

// NoProgram is the index of none.
const NoProgram = -1

// Agreement runs inputs near one, and counts those that take the same path of the first program, the original, and on
// how many of them the programs agree. Inputs that a program declines count for neither, and those on which one crashes or hangs either. Those that end
// processes are borne a few times only: each may take the whole time limit. The path is the set of blocks that a run executes. With cells, which are
// for originals whose blocks say little, a path is also the kind of the outcome: what is returned, or that it is refused (cell).
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
				if !slices.ContainsFunc(results, declined) { // one that says nothing agrees with everything
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

// Limits of the inputs that are run to see whether a path is one that the programs mostly agree on: neighbors of an input, rounds of neighbors of
// neighbors, from how many each begins, inputs of the path that are enough, and processes that may end meanwhile.
const (
	agreementBudget = 200
	agreementRounds = 4
	agreementFront  = 12
	agreementEnough = 40
	agreementDeaths = 4
)

// cell is the kind of a result, as Go, Python or Node write values: a refusal, and of what is accepted a number, a word such as true or the name of a
// type, and of texts and lists whether they are empty.
func cell(r *wire.RunResult) string {
	of := fmt.Sprint(r.Outcome, " ")
	v := strings.TrimSpace(r.Rendered)
	if quoted, err := strconv.Unquote(v); err == nil && v[0] == '"' { // a text in which a driver tells what it is
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
