package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/internal/input"
	"parallax/puzzles/several"
)

// puzzleInputs is the budget of a campaign on a puzzle. A cause that is not found within it counts
// as not found.
const puzzleInputs = 100_000

// puzzleTasks are the campaigns on the puzzles with several causes.
func (m *measurement) puzzleTasks() []task {
	var tasks []task
	for i := range several.Puzzles {
		p := &several.Puzzles[i]
		name := "puzzles/" + p.Name
		tasks = append(tasks, task{name: name, half: half(name), run: func(ctx context.Context, seed int) (sample, error) {
			one := sample{Name: name, Seed: seed, Budget: puzzleInputs, Origin: m.here, Load: origin.Load()}
			out := filepath.Join(m.work, "campaigns", fmt.Sprint(p.Name, "-", seed))
			r, err := campaign{
				tool: m.tool, dir: m.root, out: out, seed: seed, inputs: puzzleInputs,
				funcs: []string{"./" + p.Folder() + "." + p.Func, "./" + p.FolderB() + "." + p.Func},
			}.run(ctx)
			if err != nil {
				return one, err
			}
			one.Inputs, one.Buckets, one.Seconds, one.Limit = r.Inputs, r.Buckets, r.Seconds, r.Limit
			if err := m.consult(p, &one); err != nil {
				return one, err
			}
			return one, os.RemoveAll(out)
		}})
	}
	return tasks
}

// consult asks the oracle about every input of a campaign on a puzzle. It looks for the lines of
// the causes that a bucket's inputs have in common.
func (m *measurement) consult(p *several.Puzzle, s *sample) error {
	shape, err := input.ParseShape(p.Shape())
	if err != nil {
		return err
	}
	shown := func(quoted string) ([]int, error) {
		flat, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("%s: the input %s: %w", p.Name, quoted, err)
		}
		args, err := shape.Unpack([]byte(flat))
		if err != nil {
			return nil, err
		}
		return p.Shown(args), nil
	}
	lines, err := m.plantedLines(p)
	if err != nil {
		return err
	}
	for i := range s.Buckets {
		b := &s.Buckets[i]
		for k := range b.Inputs {
			f := &b.Inputs[k]
			if f.Shown, err = shown(f.Input); err != nil {
				return err
			}
			if f.Small, err = shown(f.Minimized); err != nil {
				return err
			}
		}
		one := rank{}
		if common, _ := b.causes(); len(common) > 0 {
			one = puzzleRank(b, lines, p.Causes[common[0]].Name)
		}
		s.Ranks = append(s.Ranks, one)
	}
	return nil
}

// source is one program of a puzzle, read for its marks.
type source struct {
	blocks *blocks
	lines  map[string]int // of each cause
}

// plantedLines reads the marks of A and B, by the name of the file.
func (m *measurement) plantedLines(p *several.Puzzle) (map[string]source, error) {
	all := map[string]source{}
	for file, mark := range map[string]string{
		filepath.Join(p.Folder(), p.Name+".go"): "// counterpart: ", filepath.Join(p.FolderB(), "b.go"): "// planted: ",
	} {
		data, err := os.ReadFile(filepath.Join(m.root, file))
		if err != nil {
			return nil, err
		}
		b, err := readBlocks(file, data)
		if err != nil {
			return nil, err
		}
		s := source{b, map[string]int{}}
		for i, line := range strings.Split(string(data), "\n") {
			if _, cause, ok := strings.Cut(line, mark); ok {
				s.lines[cause] = i + 1
			}
		}
		all[filepath.Base(file)] = s
	}
	return all, nil
}

// puzzleRank returns the place of a cause's line in a bucket's lists. The line is B's in one
// program, and A's in the other.
func puzzleRank(b *bucket, lines map[string]source, cause string) (r rank) {
	for program, places := range b.Ranked {
		for i, p := range places {
			s, ok := lines[p.File]
			certain := i == 0 && p.Rejects
			if certain {
				r.Certain++
			}
			if !ok || s.lines[cause] == 0 || !s.blocks.covers(p, s.lines[cause]) {
				continue
			}
			if certain {
				r.Right++
			}
			if strings.HasPrefix(program, "b.") {
				r.Changed = i + 1
			} else {
				r.Original = i + 1
			}
			break
		}
	}
	return r
}

// variants groups the inputs of a bucket by their variants, if they are known.
func (b *bucket) variants() map[string]*bucket {
	all := map[string]*bucket{}
	for _, f := range b.Inputs {
		if f.Variant == "" {
			continue
		}
		if all[f.Variant] == nil {
			all[f.Variant] = &bucket{}
		}
		all[f.Variant].Inputs = append(all[f.Variant].Inputs, f)
	}
	return all
}

// causes are those that all minimized inputs of a bucket show, and those that any of them shows.
// Inputs that take two causes together show none alone and do not count.
func (b *bucket) causes() (common, any []int) {
	first := true
	seen := map[int]bool{}
	for _, f := range b.Inputs {
		if len(f.Small) == 0 {
			continue
		}
		for _, c := range f.Small {
			if !seen[c] {
				seen[c] = true
				any = append(any, c)
			}
		}
		if first {
			common, first = append(common, f.Small...), false
			continue
		}
		kept := common[:0]
		for _, c := range common {
			for _, x := range f.Small {
				if c == x {
					kept = append(kept, c)
				}
			}
		}
		common = kept
	}
	return common, any
}
