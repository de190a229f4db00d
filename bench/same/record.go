package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// recorder runs campaigns with one build.
type recorder struct {
	tool, work, root string
	jobs             int
	shared           string // the tree of subjects that campaigns read
	runs             string // folder of what they write
	gocache          string // build cache of the go command
}

func (r *recorder) record(ctx context.Context, chosen []campaign, file string) error {
	if err := r.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(r.runs)
	results, errs := make([]result, len(chosen)), make([]error, len(chosen))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	turn := make(chan struct{}, max(r.jobs, 1))
	for i, c := range chosen {
		turn <- struct{}{}
		wg.Add(1)
		go func() {
			defer func() { <-turn; wg.Done() }()
			if errs[i] = ctx.Err(); errs[i] != nil {
				return
			}
			if results[i], errs[i] = r.campaign(ctx, c); errs[i] != nil {
				cancel()
				return
			}
			fmt.Fprintln(os.Stderr, results[i])
		}()
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("%s: %w", chosen[i].name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return recording{results}.write(file)
}

// prepare chooses folders. Their paths have the same length whatever -work and the build are: paths
// come into messages, which are cut at a length.
func (r *recorder) prepare() (err error) {
	if r.tool == "" {
		return fmt.Errorf("-parallax is needed")
	}
	for _, path := range []*string{&r.tool, &r.work, &r.root} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	temp := filepath.Join(os.TempDir(), "parallax-same")
	r.runs = filepath.Join(temp, "run-"+short(r.work))
	if err := os.RemoveAll(r.runs); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.runs, "bin"), 0o755); err != nil {
		return err
	}
	link := filepath.Join(r.runs, "bin", "parallax")
	if err := copyFile(r.tool, link); err != nil {
		return err
	}
	r.tool = link
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	r.gocache = strings.TrimSpace(string(out))
	r.shared, err = plant(r.root, temp)
	return err
}

// campaign runs the commands of one campaign, and keeps what they left.
func (r *recorder) campaign(ctx context.Context, c campaign) (result, error) {
	started := time.Now()
	p, err := r.place(c)
	if err != nil {
		return result{}, err
	}
	var exits []int
	for i, s := range c.steps {
		codes, err := r.step(ctx, p, i, s)
		if err != nil {
			return result{}, err
		}
		exits = append(exits, codes...)
	}
	defer os.RemoveAll(filepath.Dir(p.left))
	kept := filepath.Join(r.work, c.name)
	if err := os.RemoveAll(kept); err != nil {
		return result{}, err
	}
	one, err := keep(p.left, kept, r.texts(p))
	one.Name, one.Exits, one.Seconds = c.name, exits, time.Since(started).Seconds()
	return one, err
}

// place is where a campaign runs.
type place struct {
	tree  string // of subjects
	dir   string // the working folder of its commands
	left  string // what is recorded: campaign's folders and what commands print
	cache string // of parallax: a campaign must not depend on what was built before it, and what others have cached hides changes
}

// place makes the folders of a campaign. One that writes next to its programs gets a tree of its
// own.
func (r *recorder) place(c campaign) (p place, err error) {
	run := filepath.Join(r.runs, c.name)
	p = place{tree: r.shared, left: filepath.Join(run, "left"), cache: filepath.Join(run, "cache")}
	if c.own {
		p.tree = filepath.Join(run, "tree")
		if err := copyTree(r.shared, p.tree); err != nil {
			return p, err
		}
	}
	p.dir = filepath.Join(p.tree, filepath.FromSlash(c.dir))
	return p, os.MkdirAll(p.left, 0o755)
}

// texts returns the words that replace the places of this recording.
func (r *recorder) texts(p place) places {
	home, _ := os.UserHomeDir() // without one there is nothing to replace
	return places{{p.left, "LEFT"}, {p.cache, "CACHE"}, {p.tree, "TREE"}, {r.shared, "TREE"}, {r.tool, "PARALLAX"}, {r.runs, "RUNS"}, {home, "HOME"}}
}

func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("%x", sum[:6])
}

// expand fills in the places that arguments of commands name.
func (p place) expand(args []string) []string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = strings.NewReplacer("{left}", p.left, "{tree}", p.tree).Replace(a)
	}
	return all
}
