package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// witness runs a campaign that has the subject's witness among its seeds, in a folder of its own.
// It learns where the finding is filed that other campaigns should make. No trial gets a witness.
// It also builds the programs that the trials run.
func (m *measurement) witness(ctx context.Context, s subject) error {
	path := s.witness(m.root)
	if path == "" || m.done[key{s.Name, witnessed, 0}] {
		return nil
	}
	c := configuration{witnessed, []string{"--schedule", ours, "--seeds", path}}
	t, err := m.campaign(ctx, s, c, 0, budget{text: "500x", inputs: 500}, 0)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		t.Error = m.clean(err.Error())
	case len(t.Found) == 0:
		t.Error = "the witness makes no finding"
	}
	t.Series = nil
	m.known[s.Name] = t.Found
	return m.add(t)
}

// holds reports whether one of the findings of a bucket's folder is of one of the inputs of a path,
// a file or a folder.
func holds(bucket, path string) bool {
	inputs := map[string]bool{}
	filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		inputs[content(data)] = err == nil
		return err
	})
	found := errors.New("found")
	err := filepath.WalkDir(bucket, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "input" {
			return err
		}
		if data, err := os.ReadFile(name); err == nil && inputs[content(data)] {
			return found
		}
		return nil
	})
	return err == found
}

// content is an input as a campaign writes it: the bytes themselves of a file of the fuzz cache's
// format with one string or []byte.
func content(data []byte) string {
	text, encoded := bytes.CutPrefix(data, []byte("go test fuzz v1\n"))
	if !encoded {
		return string(data)
	}
	value := strings.TrimSpace(string(text))
	for _, kind := range []string{"string(", "[]byte("} {
		if literal, ok := strings.CutPrefix(value, kind); ok {
			if s, err := strconv.Unquote(strings.TrimSuffix(literal, ")")); err == nil {
				return s
			}
		}
	}
	return value
}
