package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

type outcome struct{ verdict, value string }

// check runs the witness and the seeds of each pair on both versions. The witness has to show the
// known difference, and no seed may show any. Both versions accept a seed.
func (m *measurement) check(ctx context.Context) error {
	var failed error
	for _, p := range m.chosen() {
		text, err := m.checkPair(ctx, p)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name, err))
			fmt.Println(p.name, "FAIL", err)
			continue
		}
		fmt.Println(p.name, text)
	}
	return failed
}

func (m *measurement) checkPair(ctx context.Context, p pair) (string, error) {
	old, err := m.build(ctx, p, oldSide)
	if err != nil {
		return "", err
	}
	fixed, err := m.build(ctx, p, fixedSide)
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(source, p.name, "seeds", "*"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("no seeds: %w", err)
	}
	text, plain := "", 0
	for _, name := range append(files, filepath.Join(source, p.name, "witness")) {
		in, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		a, err := ask(ctx, old, in)
		if err != nil {
			return "", err
		}
		b, err := ask(ctx, fixed, in)
		if err != nil {
			return "", err
		}
		text = fmt.Sprintf("%s: %.300q, %.300q", filepath.Base(name), a, b)
		if a.verdict == accepted && a == b {
			plain++
		}
		if witness := filepath.Base(name) == "witness"; witness != p.known.matches(in, a, b) || !witness && a != b {
			return "", errors.New(text)
		}
	}
	if plain == 0 {
		return "", errors.New("no seed is accepted by both")
	}
	return text, nil
}

// ask runs one input in a process of its own.
func ask(ctx context.Context, binaryFile string, in []byte) (o outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binaryFile)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return o, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return o, err
	}
	if err := cmd.Start(); err != nil {
		return o, err
	}
	defer cmd.Wait()
	defer stdin.Close()
	if _, err := stdin.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(in))), in...)); err != nil {
		return o, err
	}
	var texts [2]string
	for i := range texts {
		var size [4]byte
		if _, err = io.ReadFull(stdout, size[:]); err != nil {
			break
		}
		data := make([]byte, binary.BigEndian.Uint32(size[:]))
		if _, err = io.ReadFull(stdout, data); err != nil {
			break
		}
		texts[i] = string(data)
	}
	switch {
	case err == nil:
		return outcome{texts[0], texts[1]}, nil
	case ctx.Err() != nil:
		return outcome{timeout, ""}, nil
	}
	return outcome{crashed, ""}, nil
}

// patience is long, since the machine may be busy: a call that ends takes a millisecond.
const patience = time.Minute
