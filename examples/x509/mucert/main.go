// Command mucert makes chains of certificates after the idea of Chen and Su, "Guided Differential
// Testing of Certificate Validation in SSL/TLS Implementations", ESEC/FSE 2015. Markov chain Monte
// Carlo (Metropolis) diversifies seeds, and coverage of one library decides which mutants it
// accepts. It is a baseline of bench/x509. It was written from the paper's abstract and later
// descriptions of it. The mutations and the density are ours: a chain is as likely as its set of
// covered blocks is rare so far.
//
//	go run ./x509/mucert -coverage PROGRAM -inputs 20000 -seed 1 -to FOLDER
//
// PROGRAM is bench/x509/harness/cover.c with a library. The command writes accepted chains to the
// folder. It begins with all seeds of the experiment, or with the files of -seeds FOLDER.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	x509 "examples/x509"
	"examples/x509/chain"
	"examples/x509/repair"
)

func main() {
	program := flag.String("coverage", "", "the program that tells what an input covers")
	inputs := flag.Int("inputs", 20000, "executions, those of the seeds among them")
	seed := flag.Uint64("seed", 1, "of randomness")
	to := flag.String("to", "", "folder for what was accepted")
	from := flag.String("seeds", "", "folder of seeds (default all seeds of the experiment)")
	flag.Parse()
	if *program == "" || *to == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	seeds, err := read(*from)
	if err == nil {
		err = run(*program, *to, seeds, *inputs, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mucert:", err)
		os.Exit(1)
	}
}

// read returns the files of a folder in the order of their names, or all seeds for "".
func read(folder string) (seeds [][]byte, err error) {
	if folder == "" {
		return x509.Seeds(), nil
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return nil, err
		}
		seeds = append(seeds, data)
	}
	if len(seeds) == 0 {
		return nil, fmt.Errorf("%s has no seeds", folder)
	}
	return seeds, nil
}

func run(program, to string, seeds [][]byte, inputs int, seed uint64) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	o, err := observe(program)
	if err != nil {
		return err
	}
	accepted := 0
	executed, err := sample(seeds, inputs, rand.New(rand.NewPCG(seed, 0)), o.covers, func(input []byte) error {
		accepted++
		return os.WriteFile(filepath.Join(to, fmt.Sprintf("%06d", accepted)), input, 0o644)
	})
	if err = errors.Join(err, o.close()); err == nil {
		fmt.Printf("executed: %d\naccepted: %d\n", executed, accepted)
	}
	return err
}

// maxBytes is max_bytes of the configuration: a longer chain is not proposed.
const maxBytes = 8192

// sample runs the seeds, and then continues from each of them in turn. A mutant replaces its parent
// if its set of blocks is rarer. Otherwise it does so with a probability that is the ratio of the
// two.
func sample(seeds [][]byte, inputs int, rng *rand.Rand, covers func([]byte) (uint64, error), accept func([]byte) error) (executed int, err error) {
	type state struct {
		input  []byte
		blocks uint64
	}
	seen := map[uint64]int{}
	var states []state
	m := mutator{rng: rng}
	for _, input := range seeds {
		if list, err := chain.Split(input); err == nil {
			m.corpus = append(m.corpus, list...)
		}
	}
	for _, input := range seeds[:min(len(seeds), inputs)] {
		blocks, err := covers(input)
		if err != nil {
			return executed, err
		}
		executed++
		seen[blocks]++
		states = append(states, state{input, blocks})
	}
	for step := 0; executed < inputs; step++ {
		at := &states[step%len(states)]
		made := m.mutate(at.input)
		if made == nil || len(made) > maxBytes || bytes.Equal(made, at.input) {
			continue
		}
		blocks, err := covers(made)
		if err != nil {
			return executed, err
		}
		executed++
		seen[blocks]++
		if rng.IntN(seen[blocks]) >= seen[at.blocks] {
			continue
		}
		*at = state{made, blocks}
		if err := accept(made); err != nil {
			return executed, err
		}
	}
	return executed, nil
}

// An observer runs inputs on the library.
type observer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func observe(program string) (*observer, error) {
	o := &observer{cmd: exec.Command(program)}
	o.cmd.Stderr = os.Stderr
	var err error
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	o.out = bufio.NewReader(out)
	return o, o.cmd.Start()
}

// covers is a hash of the set of blocks that an input covers.
func (o *observer) covers(input []byte) (uint64, error) {
	frame := append(binary.LittleEndian.AppendUint32(nil, uint32(len(input))), input...)
	if _, err := o.in.Write(frame); err != nil {
		return 0, err
	}
	var answer [8]byte
	_, err := io.ReadFull(o.out, answer[:])
	return binary.LittleEndian.Uint64(answer[:]), err
}

func (o *observer) close() error { return errors.Join(o.in.Close(), o.cmd.Wait()) }

// mutator changes one part of one certificate, and signs again.
type mutator struct {
	rng    *rand.Rand
	corpus [][]byte // certificates whose parts it takes
}

func (m *mutator) mutate(input []byte) []byte {
	list, err := chain.Split(input)
	if err != nil {
		return nil // no chain: nothing is made of it
	}
	for i := range list {
		list[i] = append([]byte{}, list[i]...)
	}
	m.change(&list)
	repair.Sign(list)
	return chain.Join(list)
}
