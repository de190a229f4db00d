package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// subject is a command that runs a campaign.
type subject struct {
	name, dir string
	args      []string
	rand      *rand.Rand
	ledger    ledger
}

// out is the campaign's folder.
func (s *subject) out() string { return filepath.Join(s.dir, "out-"+s.name) }

// command runs the subject's campaign in a folder.
func (t *trial) command(s *subject, out string, more ...string) *exec.Cmd {
	cmd := exec.Command(t.tool, append(append(append([]string{}, s.args...), "--out", out), more...)...)
	cmd.Dir = s.dir
	return cmd
}

// result is the output of a campaign that ended by itself.
type result struct {
	code   int
	stderr string
	sum    summary
}

type summary struct {
	Inputs     uint64   `json:"inputs"`
	Executions uint64   `json:"executions"`
	Notes      []string `json:"notes"`
	Findings   struct {
		Buckets []struct {
			ID string `json:"id"`
		} `json:"buckets"`
	} `json:"findings"`
}

// text is all messages for the user.
func (r *result) text() string { return r.stderr + strings.Join(r.sum.Notes, "\n") }

// run runs a campaign to its end.
func (t *trial) run(s *subject, out string, more ...string) (*result, error) {
	cmd := t.command(s, out, append(more, "--json")...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return nil, err
	}
	r := &result{code: cmd.ProcessState.ExitCode(), stderr: stderr.String()}
	if stdout.Len() > 0 {
		if err := json.Unmarshal(stdout.Bytes(), &r.sum); err != nil {
			return nil, fmt.Errorf("the summary: %w", err)
		}
	}
	return r, nil
}

const goSource = `package p

import "errors"

var errNo = errors.New("no")

func weigh(b []byte) (n int) {
	for i, c := range b {
		switch {
		case c == 'a':
			n += i
		case c > 'm':
			n ^= int(c)
		case c < 32:
			n--
		}
	}
	return n
}

func Old(b []byte) error {
	if weigh(b)%7 == 3 || len(b) > 60 {
		return errNo
	}
	return nil
}

func New(b []byte) error {
	if len(b) > 3 && b[2] == b[3] {
		return errors.New("twice")
	}
	if len(b) > 1 && b[0] == 'z' {
		panic("z")
	}
	return Old(b)
}

func Crash(b []byte) int {
	if len(b) > 2 && b[0] == b[1] {
		return int(b[len(b)])
	}
	if len(b) > 4 && b[3] > 200 {
		var m map[string]int
		m["x"] = 1
	}
	if len(b) > 6 && b[1] == 'q' {
		go panic("behind")
		select {}
	}
	return weigh(b)
}
`

const goTest = `package p

import "testing"

func FuzzCrash(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, b []byte) { Crash(b) })
}

func FuzzOld(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if Old(b) != nil && len(b) == 0 {
			t.Fatal("empty")
		}
	})
}
`

const cSource = `#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int n = 0;
  for (size_t i = 0; i < size; i++) n += data[i] > 100 ? 3 : data[i] == 'k' ? 7 : 1;
  if (size > 3 && data[0] == '!') abort();
  if (size > 5 && data[1] == 'x') {
    char *copy = malloc(4);
    sink = copy[size];
    free(copy);
  }
  sink = n;
  return n % 5 == 4;
}
`

// write makes the subjects.
func (t *trial) write() ([]*subject, error) {
	dir := filepath.Join(t.work, "m")
	files := map[string]string{
		"go.mod": "module example.com/durable\n\ngo 1.24\n", "p/p.go": goSource, "p/p_test.go": goTest, "bug.c": cSource, ".gitignore": "out-*\nbug*\n",
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	changed := strings.Replace(goSource, "weigh(b)%7 == 3", "weigh(b)%7 == 3 && len(b) != 9", 1)
	changed = strings.Replace(changed, "len(b) > 60", "len(b) > 40", 1)
	changed = strings.Replace(changed, "case c < 32:", "case c < 16:\n\t\t\tpanic(c)\n\t\tcase c < 32:", 1)
	for _, step := range [][]string{
		{"git", "init", "-q", "-b", "main", "."}, {"git", "add", "-A"},
		{"git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first"},
		{t.tool, "cc", "-g", "-O1", "bug.c", "-o", "bug"},
	} {
		cmd := exec.Command(step[0], step[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%q: %w: %s", step, err, out)
		}
	}
	change := filepath.Join(t.work, "changed") // so that the other subjects stay as they are
	if out, err := exec.Command("git", "clone", "-q", dir, change).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git clone: %w: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(change, "p/p.go"), []byte(changed), 0o644); err != nil {
		return nil, err
	}
	return []*subject{
		{name: "diff", dir: dir, args: []string{"diff", "./p.Old", "./p.New", "--parallel", "2"}},
		{name: "fuzz", dir: dir, args: []string{"fuzz", "./p", "--fuzz", "FuzzCrash", "--parallel", "2"}},
		{name: "c", dir: dir, args: []string{"fuzz", "./bug", "--parallel", "1"}},
		{name: "regress", dir: change, args: []string{"regress", "./p", "--base", "HEAD", "--parallel", "1"}},
	}, nil
}
