package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/paths"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt/solver"
)

// subject is a function with its model.
type subject struct {
	function string
	sig      *call.Signature
	by       call.Comparator
	original *original.Original
	model    *formula.Model
	z3       *solver.Solver // for models that need one
	blocks   map[int]uint32 // of the function and its callees, by their numbers in the module
	scopes   *scopes
}

// scopes holds the scopes of a function by two methods, shared by all trials.
type scopes struct {
	// paths of the original, with loop iterations distinguished
	Ways      int             `json:"ways"`
	Matched   int             `json:"matched"`   // how many of these match by the paper's formulas
	Paths     []path          `json:"paths"`     // sets of steps
	Published []original.Step `json:"published"` // of paths that match: the paper's model edges
	Agreement []original.Step `json:"agreement"` // of paths in scope by agreement
	Blocks    int             `json:"blocks"`
	Seeds     [][]byte        `json:"seeds,omitempty"` // calls that a solver found
	Matching  float64         `json:"matching_seconds"`
	Proving   float64         `json:"proving_seconds"`
	Sampling  float64         `json:"sampling_seconds"`
}

// path is a path with its scope.
type path struct {
	Key       scope.Key `json:"path"`
	Published bool      `json:"published,omitempty"` // in scope by matching
	// in scope by agreement, in the scope that measures all rows
	Agreement bool `json:"agreement,omitempty"`
	// a formula matches, and no or hardly any call agrees (scope.Scope.Suspects)
	Suspect bool         `json:"suspect,omitempty"`
	Why     string       `json:"why,omitempty"`
	Proof   *scope.Proof `json:"proof,omitempty"`
}

// recorded reads the models of a recording that have an original, in order.
func recorded(file string) (list []*extract.Answer, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for lines := json.NewDecoder(bufio.NewReader(z)); ; {
		a := &extract.Answer{}
		err := lines.Decode(a)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if a.Status == extract.OK {
			list = append(list, a)
		}
	}
}

// load opens a subject. It returns nil if there is no original.
func load(a *extract.Answer) (*subject, error) {
	s := &subject{function: a.Function, sig: call.SignatureOf(a)}
	s.by = s.sig.Comparator()
	var err error
	var none *original.NoneError
	if s.original, err = original.Musl(s.sig); errors.As(err, &none) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if s.model, err = formula.New(s.sig, a.Paths, a.Function); err != nil {
		return nil, err
	}
	s.z3 = solver.New(solver.Z3, solver.Options{})
	s.number()
	return s, nil
}

// number numbers the blocks of the function and its callees.
func (s *subject) number() {
	s.blocks = map[int]uint32{}
	module := s.original.Module
	functions := []*llvmir.Function{s.original.Function}
	for k := 0; k < len(functions); k++ {
		f := functions[k]
		for i, block := range f.Blocks {
			s.blocks[module.Number(f, i)] = uint32(len(s.blocks))
			for _, callee := range module.Callees(f, block) {
				if !slices.Contains(functions, callee) {
					functions = append(functions, callee)
				}
			}
		}
	}
}

func (s *subject) evaluate(ctx context.Context, c call.Call) (formula.Answer, error) {
	return s.model.Evaluate(ctx, c, s.z3)
}

// reference is the seed of the scope that measures all rows.
const reference = 1

// find finds the scopes.
func (s *subject) find(ctx context.Context) error {
	f := &scopes{Blocks: len(s.blocks)}
	z3 := solver.New(solver.Z3, solver.Options{Timeout: paths.Question})
	defer z3.Close()
	found, err := paths.Find(ctx, s.original, s.model, s.by, z3, paths.Options{Matching: true})
	if err != nil {
		return err
	}
	f.Ways, f.Matching = len(found.Paths), found.Seconds
	at := map[uint64]int{}
	entry := func(key uint64) *path {
		i, known := at[key]
		if !known {
			i = len(f.Paths)
			at[key] = i
			f.Paths = append(f.Paths, path{Key: scope.Key(key)})
		}
		return &f.Paths[i]
	}
	for _, p := range found.Paths {
		e := entry(p.Key)
		if !p.Match {
			continue
		}
		f.Matched++
		e.Published = true
		f.Published = append(f.Published, original.Steps(p.Blocks)...)
	}
	slices.SortFunc(f.Published, original.Step.Compare)
	f.Published = slices.Compact(f.Published)
	before := cpu()
	proofs, seeds, err := check.Prove(ctx, s.original, s.model, s.by, check.DefaultProve)
	if err != nil {
		return err
	}
	f.Proving = cpu() - before
	for _, c := range seeds {
		f.Seeds = append(f.Seeds, s.sig.Encode(c))
	}
	before = cpu()
	sampled, err := scope.Find(ctx, s.original, s.evaluate, scope.Options{Seed: reference, Seeds: seeds, Proofs: proofs, Branch: s.model.Branch})
	if err != nil {
		return err
	}
	f.Sampling, f.Agreement = cpu()-before, sampled.Steps
	for key, proof := range proofs {
		// texts for people
		proof.Condition, proof.Brief, proof.Result, proof.More = "", "", "", false
		entry(key).Proof = proof
	}
	for _, p := range sampled.Paths {
		e := entry(uint64(p.Key))
		e.Agreement, e.Suspect, e.Why = p.InScope && !p.Suspect, p.Suspect, p.Why
	}
	slices.SortFunc(f.Paths, func(a, b path) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	s.scopes = f
	return nil
}

// proofs returns the proofs of the paths.
func (f *scopes) proofs() map[uint64]*scope.Proof {
	m := map[uint64]*scope.Proof{}
	for _, p := range f.Paths {
		if p.Proof != nil {
			m[uint64(p.Key)] = p.Proof
		}
	}
	return m
}

// find returns the path of a key, or nil if neither method has it.
func (f *scopes) find(key uint64) *path {
	for i := range f.Paths {
		if uint64(f.Paths[i].Key) == key {
			return &f.Paths[i]
		}
	}
	return nil
}

// covered counts the blocks to which steps lead.
func covered(steps []original.Step) int {
	blocks := map[int]bool{}
	for _, s := range steps {
		blocks[s.To] = true
	}
	return len(blocks)
}
