// Table prints which known causes were found, by file of samples: go run . before.samples.jsonl
// after.samples.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// sample has the parts of a line of a file that the table shows.
type sample struct {
	Subject string
	Trial   int
	Inputs  uint64
	Corpus  int
	Buckets []struct {
		Cause   string
		FoundAt uint64 `json:"found_at"`
	}
}

// found is the input by which the first finding of a known cause was found, and whether there is
// one.
func (s *sample) found() (at uint64, ok bool) {
	for _, b := range s.Buckets {
		if b.Cause != "" && (!ok || b.FoundAt < at) {
			at, ok = b.FoundAt, true
		}
	}
	return at, ok
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(files []string) error {
	var subjects []string
	cells := map[string][]string{} // by subject, one a file
	for k, name := range files {
		samples, err := read(name)
		if err != nil {
			return err
		}
		for subject, list := range samples {
			if !slices.Contains(subjects, subject) {
				subjects = append(subjects, subject)
			}
			if cells[subject] == nil {
				cells[subject] = make([]string, len(files))
			}
			cells[subject][k] = cell(list)
		}
	}
	slices.Sort(subjects)
	fmt.Print("| subject |")
	for _, name := range files {
		fmt.Printf(" %s |", strings.TrimSuffix(name, ".samples.jsonl"))
	}
	fmt.Println("\n|---|" + strings.Repeat("---|", len(files)))
	for _, s := range subjects {
		fmt.Printf("| %s | %s |\n", s, strings.Join(cells[s], " | "))
	}
	return nil
}

// cell says in how many trials a cause was found, the median of the inputs until then, and of the
// inputs kept.
func cell(list []sample) string {
	var at []uint64
	var corpus []int
	for i := range list {
		corpus = append(corpus, list[i].Corpus)
		if n, ok := list[i].found(); ok {
			at = append(at, n)
		}
	}
	slices.Sort(at)
	slices.Sort(corpus)
	text := fmt.Sprintf("%d of %d", len(at), len(list))
	if len(at) > 0 {
		text += fmt.Sprintf(", after %d", at[len(at)/2])
	}
	return text + fmt.Sprintf("; %d kept", corpus[len(corpus)/2])
}

func read(name string) (map[string][]sample, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[string][]sample{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[s.Subject] = append(all[s.Subject], s)
	}
	return all, lines.Err()
}
