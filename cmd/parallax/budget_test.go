package main_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Budgets of campaigns that must find something are at least five times the inputs that the slowest
// of ten seeds needs. The effect of a seed depends on builds of programs, the release of Go and the
// processor (docs/reference/guidance.md, "Repeating a campaign"). The tests themselves measure it.
// A budget is right when its test passes with a fifth of it and ten seeds:
//
//	for s in 1 2 3 4 5 6 7 8 9 10; do go -C cmd test ./parallax -count 1 -run TestPuzzles -seed $s -share 5; done
var (
	otherSeed = flag.Uint64("seed", 0, "run campaigns with this seed instead of the tests' own")
	share     = flag.Int("share", 1, "divide budgets in inputs by this")
)

// inputsOf is a budget with -share.
func inputsOf(budget int) int { return max(1, budget / *share) }

// varied are the arguments of a command with -seed and -share.
func varied(args []string) []string {
	if *otherSeed == 0 && *share == 1 || len(args) == 0 || args[0] != "diff" && args[0] != "fuzz" {
		return args
	}
	args = slices.Clone(args)
	seeded := *otherSeed == 0
	for i, a := range args[:len(args)-1] {
		switch next := &args[i+1]; a {
		case "--seed":
			if *otherSeed != 0 {
				*next, seeded = fmt.Sprint(*otherSeed), true
			}
		case "--fuzztime":
			if n, err := strconv.Atoi(strings.TrimSuffix(*next, "x")); err == nil {
				*next = fmt.Sprint(inputsOf(n), "x")
			}
		}
	}
	if !seeded {
		args = append(args, "--seed", fmt.Sprint(*otherSeed))
	}
	return args
}

// scriptsBin is the folder with the parallax that scripts run: with -seed or -share one that does
// to arguments what varied does.
func (u *tool) scriptsBin(t *testing.T) string {
	if *otherSeed == 0 && *share == 1 {
		return filepath.Dir(u.path)
	}
	bin := t.TempDir()
	text := fmt.Sprintf(variedScript, *otherSeed, *share, u.path)
	if err := os.WriteFile(filepath.Join(bin, "parallax"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return bin
}

const variedScript = `#!/bin/sh
seed=%d share=%d before= seeded=
case $1 in diff|fuzz) ;; *) seed=0 share=1 ;; esac
for a; do
	shift
	case $before$a in
	--fuzztime[1-9]*x) n=$((${a%%x} / share)); a=$((n > 0 ? n : 1))x ;;
	--seed[0-9]*) if test $seed != 0; then a=$seed seeded=1; fi ;;
	esac
	before=$a
	set -- "$@" "$a"
done
test "$seed$seeded" = 0 -o -n "$seeded" || set -- "$@" --seed $seed
exec '%s' "$@"
`
