// Command figures prints the number of findings for the known causes, by group, from samples of
// parallax bench: medians over trials. It names no cause.
//
//	go run ./figures [-at INPUTS] [-config FILE] before.samples.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

type cause struct {
	Name, Kind, Layer, Input string
	Outcomes, Errors         map[string]string
}

type subject struct {
	Name  string
	Cause []cause
}

type bucket struct {
	Kind, Layer, Input string
	Outcomes, Classes  map[string]string
	FirstSeen          uint64 `json:"first_seen"`
	Others             []struct{ Input string }
}

type trial struct {
	Subject string
	Seed    int
	Buckets []bucket
}

// of is the value of the program with that name, or whose name ends with it after a dot.
func of(programs map[string]string, name string) string {
	for p, v := range programs {
		if p == name || strings.HasSuffix(p, "."+name) {
			return v
		}
	}
	return ""
}

// matches applies the rules for known causes in docs/guides/bench.md.
func (c *cause) matches(b *bucket, input string) bool {
	if c.Kind != "" && c.Kind != b.Kind || c.Layer != "" && c.Layer != b.Layer {
		return false
	}
	for name, want := range c.Outcomes {
		if of(b.Outcomes, name) != want {
			return false
		}
	}
	for name, pattern := range c.Errors {
		if !regexp.MustCompile(pattern).MatchString(of(b.Classes, name)) {
			return false
		}
	}
	if text, err := strconv.Unquote(input); err == nil {
		input = text
	}
	return regexp.MustCompile(c.Input).MatchString(input)
}

// causeOf is the first cause that matches, or "".
func (s *subject) causeOf(b *bucket, input string) string {
	for i := range s.Cause {
		if s.Cause[i].matches(b, input) {
			return s.Cause[i].Name
		}
	}
	return ""
}

// figures are those of a trial.
type figures struct{ findings, found, shown, each, merged, unnamed float64 }

func (s *subject) figures(t *trial, at uint64) (f figures) {
	found, shown := map[string]bool{}, map[string]bool{}
	for i := range t.Buckets {
		b := &t.Buckets[i]
		if b.FirstSeen > at {
			continue
		}
		f.findings++
		main := s.causeOf(b, b.Input)
		shown[main], found[main] = true, true
		if main == "" {
			f.unnamed++
		}
		mixed := false
		for _, o := range b.Others {
			name := s.causeOf(b, o.Input)
			found[name] = true
			mixed = mixed || name != main
		}
		if mixed {
			f.merged++
		}
	}
	delete(found, "")
	delete(shown, "")
	f.found, f.shown = float64(len(found)), float64(len(shown))
	if f.found > 0 {
		f.each = f.findings / f.found
	}
	return f
}

func median(list []float64) float64 {
	slices.Sort(list)
	n := len(list)
	if n == 0 {
		return 0
	}
	return (list[(n-1)/2] + list[n/2]) / 2
}

func main() {
	at := flag.Uint64("at", 1<<62, "count buckets that were first seen within this many inputs")
	path := flag.String("config", "heldout.toml", "the configuration, for its causes")
	flag.Parse()
	text, err := os.ReadFile(*path)
	if err != nil {
		log.Fatal(err)
	}
	var config struct{ Subject []subject }
	if err := toml.Unmarshal(text, &config); err != nil {
		log.Fatal(err)
	}
	file, err := os.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	trials := map[string][]*trial{}
	for scanner := bufio.NewReader(file); ; {
		line, err := scanner.ReadBytes('\n')
		t := new(trial)
		if json.Unmarshal(line, t) == nil && t.Subject != "" {
			trials[t.Subject] = append(trials[t.Subject], t)
		}
		if err != nil {
			break
		}
	}
	fmt.Println("| group | causes | trials | findings | causes found | found in any trial | findings a found cause | causes that a finding shows | findings with several causes | findings without a cause |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	var all [6][]float64
	for i := range config.Subject {
		s := &config.Subject[i]
		if len(trials[s.Name]) == 0 { // a group that is newer than the samples
			continue
		}
		var columns [6][]float64
		ever := map[string]bool{}
		for _, t := range trials[s.Name] {
			f := s.figures(t, *at)
			for j, v := range []float64{f.findings, f.found, f.each, f.shown, f.merged, f.unnamed} {
				columns[j] = append(columns[j], v)
			}
			for j := range t.Buckets {
				if b := &t.Buckets[j]; b.FirstSeen <= *at {
					ever[s.causeOf(b, b.Input)] = true
					for _, o := range b.Others {
						ever[s.causeOf(b, o.Input)] = true
					}
				}
			}
		}
		delete(ever, "")
		var m [6]float64
		for j := range columns {
			m[j] = median(columns[j])
			all[j] = append(all[j], m[j])
		}
		fmt.Printf("| %s | %d | %d | %v | %v | %d | %.2f | %v | %v | %v |\n",
			s.Name, len(s.Cause), len(trials[s.Name]), m[0], m[1], len(ever), m[2], m[3], m[4], m[5])
	}
	fmt.Printf("| *median* | | | %v | %v | | %.2f | %v | %v | %v |\n",
		median(all[0]), median(all[1]), median(all[2]), median(all[3]), median(all[4]), median(all[5]))
}
